// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writes `seeds/` and `dict/` anew: `cargo run -p sb2sb-fuzz --no-default-features --example make_seeds`.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use sb2sb_fuzz::{dictionary, seeds};

fn main() -> ExitCode {
    match write(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        Ok(count) => {
            println!("{count} files written");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("seeds: {error}");
            // [contracts: 5, a file failed]
            ExitCode::from(5)
        }
    }
}

fn write(root: &Path) -> io::Result<usize> {
    let seeds = seeds::all().into_iter().map(|seed| {
        let path = Path::new("seeds").join(seed.target).join(seed.name);
        (path, seed.data)
    });
    let dictionaries = dictionary::all()
        .into_iter()
        .map(|(name, text)| (Path::new("dict").join(name), text.into_bytes()));
    // What is no longer made must not stay behind.
    for folder in ["seeds", "dict"].map(|name| root.join(name)) {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    let mut count = 0;
    for (path, data) in seeds.chain(dictionaries) {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, data)?;
        count += 1;
    }
    Ok(count)
}
