// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Verilates the design (as it is, and instrumented with the mutants), and compiles the result, the
//! simulator's runtime and the shims into the crate.

#[path = "build/instrument.rs"]
mod instrument;
#[path = "build/mutant_table.rs"]
mod mutant_table;
#[expect(
    dead_code,
    reason = "the build needs no more of the suites than who runs what"
)]
#[path = "src/suite.rs"]
mod suite;
#[path = "build/tops.rs"]
mod tops;
#[path = "build/verilator.rs"]
mod verilator;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;

use mutant_table::Row;
use suite::Suite;
use tops::{Sources, TOPS, Top};
use verilator::{ClassList, Verilator, parse_classes, run};

/// For every C++ file: the runtime's hooks are the bridge's, time and everything else lives in a context.
const DEFINES: &[(&str, Option<&str>)] = &[
    ("VL_USER_STOP", None),
    ("VL_USER_FATAL", None),
    ("VL_USER_FINISH", None),
    ("VL_TIME_CONTEXT", None),
    ("VM_COVERAGE", Some("0")),
    ("VM_SC", Some("0")),
    ("VM_TRACE", Some("0")),
    ("VM_TRACE_VCD", Some("0")),
    ("VM_TRACE_FST", Some("0")),
];

/// Comes first where a source folder has it.
const PACKAGE: &str = "pool_pkg.sv";

/// Reset loops over memories must unroll. Unknowns become fixed random values, so that logic which
/// depends on them does not pass by luck. A warning is for the lint target to judge, not for a user's build.
const VERILATE: &[&str] = &[
    "--cc",
    "-O3",
    "--assert",
    "-DPOOL_ASSERTIONS",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "--unroll-count",
    "1024",
    "--unroll-stmts",
    "100000",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
];

/// Variable with more flags for the verilated models and their runtime alone: coverage feedback for the
/// fuzzer, which must not watch the rest of its own C++.
const SIMULATION_FLAGS: &str = "SB2SB_SIMULATION_CXXFLAGS";

fn main() {
    if let Err(message) = build() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
        exit(1);
    }
}

fn build() -> Result<(), String> {
    let crate_dir = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let hdl = crate_dir
        .join("../hdl")
        .canonicalize()
        .map_err(|e| format!("../hdl: {e}"))?;
    watch(&crate_dir, &hdl);

    let verilator = Verilator::find()?;
    let rows = mutants(&hdl, &out)?;
    let tree = read_tree(&hdl.join("rtl"))?;
    let copy = out.join("instrumented");
    write_tree(&copy, &instrument::instrument(&tree, &rows)?)?;

    let generated = out.join("verilated");
    recreate(&generated)?;
    let mut classes = ClassList::default();
    for top in TOPS {
        let sources = match top.sources {
            Sources::Design => hdl.join("rtl"),
            Sources::Test => crate_dir.join("tests/hdl"),
        };
        let plain = verilate(&verilator, top, &sources, &generated, "")?;
        classes.generated.extend(plain.generated);
        classes.runtime.extend(plain.runtime);
        if top.sources == Sources::Design {
            let mutated = verilate(&verilator, top, &copy, &generated, "_mut")?;
            classes.generated.extend(mutated.generated);
            classes.runtime.extend(mutated.runtime);
        }
    }
    // Clippy links nothing; it is spared the minute that the C++ takes.
    if env::var_os("CLIPPY_ARGS").is_none() {
        compile_simulation(&verilator, &crate_dir, &generated, &classes);
        compile_shims(&verilator, &generated);
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|e| format!("{name}: {e}"))
}

/// What makes this script run again: everything that it reads.
fn watch(crate_dir: &Path, hdl: &Path) {
    for name in [
        "VERILATOR",
        "VERILATOR_ROOT",
        "PATH",
        "CLIPPY_ARGS",
        SIMULATION_FLAGS,
    ] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    for path in [
        crate_dir.join("build.rs"),
        crate_dir.join("build"),
        crate_dir.join("shim"),
        crate_dir.join("src/bridge"),
        crate_dir.join("src/suite.rs"),
        crate_dir.join("tests/hdl"),
        hdl.join("rtl"),
    ]
    .into_iter()
    .chain(MUTANT_TABLES.map(|name| hdl.join(name)))
    {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The tables of mutants in `hdl/`, in the order of their ids.
const MUTANT_TABLES: [&str; 3] = ["mutants.toml", "mutants-blocks.toml", "mutants-udma.toml"];

/// Reads the tables and writes them as Rust for `src/mutants.rs`.
fn mutants(hdl: &Path, out: &Path) -> Result<Vec<Row>, String> {
    let mut texts = Vec::new();
    for name in MUTANT_TABLES {
        let path = hdl.join(name);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        texts.push((name, text));
    }
    let texts: Vec<_> = texts
        .iter()
        .map(|(name, text)| (*name, &text[..]))
        .collect();
    let rows = mutant_table::parse(&texts)?;
    let mut table = String::from("&[\n");
    for row in &rows {
        let Row {
            id,
            name,
            file,
            original,
            faulty,
            predicate,
            block,
            imitates,
        } = row;
        let predicate = predicate.unwrap_or(0);
        let suite = suite_of(block.as_deref())
            .ok_or_else(|| format!("mutant {id} `{name}`: no suite runs the block {block:?}"))?;
        writeln!(
            table,
            "Mutant {{ id: MutantId({id}), name: {name:?}, file: {file:?}, original: {original:?}, \
             faulty: {faulty:?}, suite: Suite::{suite:?}, predicate: {predicate}, imitates: {imitates:?} }},"
        )
        .map_err(|e| e.to_string())?;
    }
    table.push_str("]\n");
    write(&out.join("mutants.rs"), &table)?;
    Ok(rows)
}

/// The suite that hunts a row: that of its block, else that of the decoder.
fn suite_of(block: Option<&str>) -> Option<Suite> {
    block.map_or(Some(Suite::Words), Suite::of_module)
}

/// All sources of the design, by their path below `rtl`.
fn read_tree(rtl: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut tree = BTreeMap::new();
    let mut folders = vec![rtl.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry
                .map_err(|e| format!("{}: {e}", folder.display()))?
                .path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sv" || e == "svh") {
                let text =
                    fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                let name = path.strip_prefix(rtl).map_err(|e| e.to_string())?;
                tree.insert(name.to_string_lossy().into_owned(), text);
            }
        }
    }
    Ok(tree)
}

fn write_tree(root: &Path, tree: &BTreeMap<String, String>) -> Result<(), String> {
    recreate(root)?;
    for (name, text) in tree {
        write(&root.join(name), text)?;
    }
    Ok(())
}

/// An empty folder, without what an earlier build left in it.
fn recreate(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Makes C++ of one top; all models share one output folder, their prefixes keep them apart.
fn verilate(
    verilator: &Verilator,
    top: &Top,
    sources: &Path,
    generated: &Path,
    suffix: &str,
) -> Result<ClassList, String> {
    let prefix = format!("V{}{suffix}", top.module);
    let mut command = verilator.command();
    command
        .args(VERILATE)
        .args(["--prefix", &prefix, "--top-module", top.module]);
    command.arg("--Mdir").arg(generated);
    // Messages of the design name their file as it is written here, so without the place of this build.
    command.current_dir(sources).args(["-y", ".", "+incdir+."]);
    if sources.join(PACKAGE).is_file() {
        command.arg(PACKAGE);
    }
    command.arg(format!("{}.sv", top.module));
    run(&mut command).map_err(|e| {
        format!(
            "Verilator {} refused {}:\n{e}",
            verilator.version(),
            top.module
        )
    })?;
    let list = generated.join(format!("{prefix}_classes.mk"));
    let text = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    Ok(parse_classes(&text))
}

/// The verilated models and the simulator's runtime. Optimised in every profile: at the debug level a
/// co-simulation is ten times slower, and nobody steps through generated code.
fn compile_simulation(
    verilator: &Verilator,
    crate_dir: &Path,
    generated: &Path,
    classes: &ClassList,
) {
    let include = verilator.include();
    let mut build = cc::Build::new();
    build.cpp(true);
    build.warnings(false).opt_level(3).debug(false).std("c++17");
    build
        .include(&include)
        .include(include.join("vltstd"))
        .include(generated);
    build
        .flag("-include")
        .flag(crate_dir.join("shim/capture.h"));
    for flag in env::var(SIMULATION_FLAGS)
        .unwrap_or_default()
        .split_whitespace()
    {
        build.flag(flag);
    }
    define(&mut build);
    for class in &classes.generated {
        build.file(generated.join(format!("{class}.cpp")));
    }
    for class in &classes.runtime {
        build.file(include.join(format!("{class}.cpp")));
    }
    if build.get_compiler().is_like_clang() {
        println!("cargo::rustc-link-lib=atomic");
    }
    build.compile("sb2sb_simulation");
}

/// The project's own C++, with warnings as errors, and the code of the cxx bridges.
fn compile_shims(verilator: &Verilator, generated: &Path) {
    let names: BTreeSet<&str> = TOPS.iter().map(|top| top.shim).chain(["runtime"]).collect();
    let mut build = cxx_build::bridges(names.iter().map(|name| format!("src/bridge/{name}.rs")));
    build
        .opt_level(3)
        .std("c++17")
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true);
    for folder in [verilator.include(), generated.to_owned()] {
        build.flag("-isystem").flag(folder);
    }
    define(&mut build);
    for name in &names {
        build.file(format!("shim/{name}.cpp"));
    }
    build.compile("sb2sb_shims");
}

fn define(build: &mut cc::Build) {
    for (name, value) in DEFINES {
        build.define(name, *value);
    }
}
