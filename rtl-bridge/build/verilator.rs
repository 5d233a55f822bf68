// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Finds Verilator, checks its version, runs it, and reads the file lists that it leaves behind.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A release, as `5.006`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0, self.1)
    }
}

/// Debian 12's release; older ones lack what the bridge is built on.
pub const MINIMUM: Version = Version(5, 6);

const HOW_TO_GET_IT: &str = "get one with `make deps`, or with \
     `apt-get install --no-install-recommends verilator`, or name one in VERILATOR=PATH";

/// A usable Verilator.
pub struct Verilator {
    program: PathBuf,
    root: PathBuf,
    /// Whether the program must be told its root, by `VERILATOR_ROOT`.
    told: bool,
    version: Version,
}

impl Verilator {
    /// The one that `VERILATOR` names, else the one on `PATH`.
    pub fn find() -> Result<Self, String> {
        let wanted = env::var_os("VERILATOR").filter(|v| !v.is_empty());
        let name = wanted
            .clone()
            .unwrap_or_else(|| OsString::from("verilator"));
        let origin = if wanted.is_some() {
            "VERILATOR"
        } else {
            "PATH"
        };
        let program = on_path(&name).ok_or_else(|| {
            format!(
                "Verilator {MINIMUM} or newer is needed; `{}` (from {origin}) was not found\n{HOW_TO_GET_IT}",
                name.to_string_lossy()
            )
        })?;
        let usable = |version: Option<Version>, line: &str| match version {
            None => Err(format!(
                "{} --version printed `{}`, which is no version",
                program.display(),
                line.trim()
            )),
            Some(version) if version < MINIMUM => Err(format!(
                "Verilator {MINIMUM} or newer is needed; {} is {version}\n{HOW_TO_GET_IT}",
                program.display()
            )),
            Some(version) => Ok(version),
        };
        // An old release must be called old, also where the rest of it cannot be found.
        if let Ok(line) = run(plain(&program).arg("--version")) {
            usable(parse_version(&line), &line)?;
        }
        let (root, told) = find_root(&program)?;
        let mut this = Self {
            program: program.clone(),
            root,
            told,
            version: Version(0, 0),
        };
        let line = run(this.command().arg("--version"))?;
        this.version = usable(parse_version(&line), &line)?;
        this.check_runtime()?;
        Ok(this)
    }

    /// The folder of the runtime's sources and headers.
    pub fn include(&self) -> PathBuf {
        self.root.join("include")
    }

    pub fn version(&self) -> Version {
        self.version
    }

    /// A call of the program that finds its own files.
    pub fn command(&self) -> Command {
        let mut command = plain(&self.program);
        if self.told {
            command.env("VERILATOR_ROOT", &self.root);
        }
        command
    }

    /// The runtime in the root must belong to the program: that of another release gives C++ that does
    /// not compile, or worse, does.
    fn check_runtime(&self) -> Result<(), String> {
        let path = self.include().join("verilated_config.h");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let found = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("#define VERILATOR_VERSION "))
            .and_then(|rest| {
                parse_version(&format!("Verilator {}", rest.trim().trim_matches('"')))
            });
        if found == Some(self.version) {
            return Ok(());
        }
        Err(format!(
            "{} is Verilator {}, but the runtime in {} is {}; VERILATOR_ROOT must name the same release",
            self.program.display(),
            self.version,
            self.root.display(),
            found.map_or_else(|| "of an unknown version".to_owned(), |v| v.to_string()),
        ))
    }
}

/// The first release number of a line such as `Verilator 5.006 2023-01-22 rev (Debian 5.006-3)`.
pub fn parse_version(line: &str) -> Option<Version> {
    let number = line
        .trim()
        .strip_prefix("Verilator ")?
        .split_whitespace()
        .next()?;
    let (major, minor) = number.split_once('.')?;
    let digits = minor.split(|c: char| !c.is_ascii_digit()).next()?;
    Some(Version(major.parse().ok()?, digits.parse().ok()?))
}

/// A file that `name` stands for, looked up as a shell would. A build script runs in its crate's folder,
/// but whoever wrote a relative path stood in the workspace's.
fn on_path(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        let places = [path.to_owned(), Path::new("..").join(path)];
        let real = places.iter().filter_map(|place| place.canonicalize().ok());
        return real.into_iter().find(|place| place.is_file());
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|dir| dir.join(name))
        .find(|p| p.is_file())
}

/// The program without the caller's `VERILATOR_ROOT`: it may belong to another release, and would win.
fn plain(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("VERILATOR_ROOT");
    command
}

/// The root of the program, and whether the program must be told. Most programs know their root. One
/// that does not (a bare `verilator_bin`, a moved installation) gets one that lies beside it, or the
/// caller's `VERILATOR_ROOT`.
fn find_root(program: &Path) -> Result<(PathBuf, bool), String> {
    let is_root = |root: &Path| root.join("include/verilated.cpp").is_file();
    if let Ok(answer) = run(plain(program).args(["--getenv", "VERILATOR_ROOT"])) {
        let root = PathBuf::from(answer.trim());
        if is_root(&root) {
            return Ok((root, false));
        }
    }
    let real = program
        .canonicalize()
        .unwrap_or_else(|_| program.to_owned());
    let prefix = real
        .parent()
        .and_then(Path::parent)
        .unwrap_or(Path::new("/"));
    let mut places = vec![prefix.join("share/verilator"), prefix.to_owned()];
    places.extend(env::var_os("VERILATOR_ROOT").map(PathBuf::from));
    if let Some(root) = places.iter().find(|root| is_root(root)) {
        return Ok((root.clone(), true));
    }
    let looked: Vec<_> = places
        .iter()
        .map(|place| place.display().to_string())
        .collect();
    Err(format!(
        "{} does not know its VERILATOR_ROOT, and there is none in {}; \
         set VERILATOR_ROOT to the folder that has include/verilated.cpp",
        program.display(),
        looked.join(" or "),
    ))
}

/// Runs a command; its output, or the argument list, the exit status and what it wrote to standard error.
pub fn run(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command
        .output()
        .map_err(|e| format!("cannot start {shown}: {e}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!(
        "{shown}\nended with {}\n{}",
        output.status,
        errors.trim_end()
    ))
}

/// The generated sources of one model, and the runtime sources that it needs.
#[derive(Default)]
pub struct ClassList {
    pub generated: BTreeSet<String>,
    pub runtime: BTreeSet<String>,
}

/// Reads a `V*_classes.mk`: `NAME += \` followed by one class a line.
pub fn parse_classes(text: &str) -> ClassList {
    let mut list = ClassList::default();
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        let Some((name, classes)) = line.split_once("+=") else {
            continue;
        };
        let target = match name.trim() {
            "VM_GLOBAL_FAST" | "VM_GLOBAL_SLOW" => &mut list.runtime,
            "VM_CLASSES_FAST" | "VM_CLASSES_SLOW" | "VM_SUPPORT_FAST" | "VM_SUPPORT_SLOW" => {
                &mut list.generated
            }
            _ => continue,
        };
        target.extend(classes.split_whitespace().map(str::to_owned));
    }
    list
}
