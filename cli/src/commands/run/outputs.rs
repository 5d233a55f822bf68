// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The files of a run are different files, however they are spelt.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use pool_model::scenario::Scenario;
use pool_model::trace::gtkw;

use super::Args;
use super::trace::TracePath;
use crate::failure::Failure;

/// Links that are followed from one that leads nowhere.
const MAX_LINKS: usize = 40;

/// A file and what it is for.
struct Named {
    path: PathBuf,
    role: &'static str,
    identity: Identity,
}

/// What two names of one file have in common.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// A file that exists, by device and number.
    #[cfg(unix)]
    Existing(u64, u64),
    /// A file by its folder, resolved, and its name there.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(metadata) => Self::of_existing(path, &metadata),
            Err(_) => Self::Path(resolved(path)),
        }
    }

    #[cfg(unix)]
    fn of_existing(_: &Path, metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self::Existing(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, _: &Metadata) -> Self {
        Self::Path(resolved(path))
    }
}

/// The place where a file would be made: links followed, the folder resolved.
fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.with_file_name("").join(target);
    }
    if let Ok(whole) = fs::canonicalize(&path) {
        return whole;
    }
    let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else {
        return path;
    };
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    match fs::canonicalize(folder) {
        Ok(folder) => folder.join(name),
        Err(_) => path,
    }
}

impl Named {
    fn new(path: impl Into<PathBuf>, role: &'static str) -> Self {
        let path = path.into();
        Self {
            identity: Identity::of(&path),
            path,
            role,
        }
    }
}

/// Refuses a run of which two files are the same one.
///
/// # Errors
/// [`Failure::Usage`] with both names.
pub fn check(args: &Args, scenario: &Scenario) -> Result<(), Failure> {
    let outputs = outputs(args);
    for (position, output) in outputs.iter().enumerate() {
        let others = outputs[..position].iter();
        if let Some(other) = others
            .clone()
            .find(|other| other.identity == output.identity)
        {
            return Err(same(other, output));
        }
    }
    // A terminal or a pipe may well be both.
    let is_regular = |path: &Path| fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let inputs = inputs(args, scenario);
    for input in inputs.iter().filter(|input| is_regular(&input.path)) {
        if let Some(output) = outputs
            .iter()
            .find(|other| other.identity == input.identity)
        {
            return Err(same(output, input));
        }
    }
    Ok(())
}

fn same(one: &Named, other: &Named) -> Failure {
    Failure::Usage(format!(
        "`{}` ({}) and `{}` ({}) are the same file",
        one.path.display(),
        one.role,
        other.path.display(),
        other.role
    ))
}

fn outputs(args: &Args) -> Vec<Named> {
    let mut outputs = Vec::new();
    if let Some(trace) = args.trace.as_ref().map(TracePath::path) {
        outputs.push(Named::new(trace, "--trace"));
        let mut beside = gtkw::files_beside(trace).into_iter();
        outputs.extend(
            beside
                .next()
                .map(|save| Named::new(save, "save file of --trace")),
        );
        outputs.extend(beside.map(|filter| Named::new(filter, "filter of --trace")));
    }
    let records = [(&args.log, "--log"), (&args.transactions, "--transactions")];
    for (path, role) in records {
        outputs.extend(path.iter().map(|path| Named::new(path, role)));
    }
    outputs
}

/// What is read, and where the summary goes.
fn inputs(args: &Args, scenario: &Scenario) -> Vec<Named> {
    let named = scenario
        .inputs
        .iter()
        .map(|path| Named::new(path, "read by the scenario"));
    [
        Named::new(&args.file, "FILE"),
        Named::new("/dev/stdout", "standard output"),
    ]
    .into_iter()
    .chain(named)
    .collect()
}
