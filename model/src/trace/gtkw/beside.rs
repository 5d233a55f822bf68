// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The files in the folder of a trace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::filter::Filter;
use super::save::{places_text, save_text};
use crate::trace::vcd::VcdError;
use crate::trace::wave::WaveLayout;

/// Folder of the filters, in the folder of the trace.
const FILTER_FOLDER: &str = "filters";

/// Why the save file of a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum GtkwError {
    /// The name of the trace cannot stand in a save file.
    #[error(
        "`{path}` cannot be named in a save file; expected a file name of UTF-8 without quotes and line ends"
    )]
    Name {
        /// The refused path.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot write `{path}`")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The layout cannot be declared.
    #[error(transparent)]
    Layout(#[from] VcdError),
}

/// Every file that [`write_beside`] writes for a trace: the save file, then the filters.
#[must_use]
pub fn files_beside(trace: &Path) -> Vec<PathBuf> {
    let save = trace.with_extension("gtkw");
    let folder = trace.with_file_name(FILTER_FOLDER);
    let filters = Filter::ALL
        .iter()
        .map(|filter| folder.join(filter.file_name()));
    let places = folder.join(places_name(&save));
    std::iter::once(save)
        .chain(filters)
        .chain(std::iter::once(places))
        .collect()
}

/// Name of the filter with the addresses of one run.
fn places_name(save: &Path) -> String {
    let stem = save.file_stem().unwrap_or_default();
    format!("{}.places.txt", stem.to_string_lossy())
}

/// Writes the save file of a trace and the filters it needs, next to the trace, and returns the path
/// of the save file: the trace's with the extension `gtkw`.
///
/// # Errors
/// [`GtkwError::Name`], [`GtkwError::Write`].
pub fn write_beside(trace: &Path, layout: &WaveLayout) -> Result<PathBuf, GtkwError> {
    let save = trace.with_extension("gtkw");
    let (trace_name, save_name) = (file_name(trace)?, file_name(&save)?);
    let folder = trace.with_file_name(FILTER_FOLDER);
    fs::create_dir_all(&folder).map_err(|source| GtkwError::Write {
        path: folder.clone(),
        source,
    })?;
    for filter in Filter::ALL {
        write(&folder.join(filter.file_name()), &filter.text())?;
    }
    let places_name = places_name(&save);
    write(&folder.join(&places_name), &places_text(layout))?;
    let text = save_text(layout, trace_name, save_name, FILTER_FOLDER, &places_name)?;
    write(&save, &text)?;
    Ok(save)
}

fn file_name(path: &Path) -> Result<&str, GtkwError> {
    path.file_name()
        .and_then(|name| name.to_str())
        .filter(|name| !name.contains(['"', '\n', '\r']))
        .ok_or_else(|| GtkwError::Name {
            path: path.to_owned(),
        })
}

/// Under another name first, so that a reader never sees half a file.
fn write(path: &Path, text: &str) -> Result<(), GtkwError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".part");
    fs::write(&unfinished, text)
        .and_then(|()| fs::rename(&unfinished, path))
        .map_err(|source| GtkwError::Write {
            path: path.to_owned(),
            source,
        })
}
