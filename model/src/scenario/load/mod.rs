// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From the file as written to a scenario in which every name, number and path is resolved.

mod dma;
mod expectation;
mod fill;
mod number;
mod preset;
mod program;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File as DiskFile;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::error::{ScenarioError, Source};
use super::expect::Expect;
use super::plain;
use super::requirement::Requirement;
use super::schema;
use crate::choices::Choices;
use crate::device::EnginePort;
use crate::generation::Generation;
use crate::idma::injection::Injection;
use crate::isa::WordBytes;
use crate::soc::SocAddr;
use crate::system::Topology;
use crate::transaction::CoreId;

pub use program::ProgramError;

/// Largest program or data file that a scenario may name, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// A scenario, ready to run on any device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Name: that of the file unless the file says otherwise. Without control characters.
    pub name: String,
    /// One sentence: which rule or corner. Without control characters.
    pub about: String,
    /// What the device must have.
    pub requires: Vec<Requirement>,
    /// Cores, generation and choices.
    pub topology: Topology,
    /// Programs, in ascending order of the cores.
    pub programs: Vec<(CoreId, Vec<WordBytes>)>,
    /// Memory contents before the run.
    pub fills: Vec<Fill>,
    /// 32-bit writes before the run, in order.
    pub presets: Vec<Preset>,
    /// What goes wrong on purpose, from the last of the writes on.
    pub injections: Vec<Injection>,
    /// What must be true afterwards.
    pub expect: Expect,
    /// Files that the scenario was made from, itself not included.
    pub inputs: Vec<PathBuf>,
}

/// Bytes for one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    /// SoC address of the first byte.
    pub address: SocAddr,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A register write before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Where the write goes.
    pub target: Target,
    /// Value.
    pub value: u32,
    /// Where it is written down: `file:line:column`.
    pub place: String,
}

/// An address, and who uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A SoC address, from outside.
    Soc(SocAddr),
    /// A 32-bit address of a core of an engine, through the windows of its port.
    Port(EnginePort, u32),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Soc(address) => write!(f, "{address}"),
            Self::Port(port, address) => write!(f, "0x{address:08x} of {port}"),
        }
    }
}

impl Scenario {
    /// Reads a scenario. `file` names it in errors and gives the default name; paths inside the
    /// file are relative to `folder`.
    ///
    /// # Errors
    /// The first thing that cannot be, with its line and column.
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Self, ScenarioError> {
        let source = Source { file, text };
        let raw: schema::File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            source.error(span, plain::message(error.message()))
        })?;
        Loader {
            source,
            folder,
            generation: Generation::default(),
        }
        .scenario(&raw)
    }

    /// A scenario that runs one program on core 0 of the pair (0, 1) and expects it to finish.
    ///
    /// # Errors
    /// [`ProgramError`]: a word that the host's load-time checks refuse.
    pub fn of_program(
        name: &str,
        generation: Generation,
        choices: Choices,
        program: Vec<WordBytes>,
    ) -> Result<Self, ProgramError> {
        program::check(&program, generation)?;
        let cores: Vec<CoreId> = CoreId::all().take(2).collect();
        Ok(Self {
            name: plain::escaped(name),
            about: String::new(),
            requires: Vec::new(),
            programs: cores
                .first()
                .map(|core| (*core, program))
                .into_iter()
                .collect(),
            topology: Topology {
                generation,
                cores,
                choices,
            },
            fills: Vec::new(),
            presets: Vec::new(),
            injections: Vec::new(),
            expect: Expect::default(),
            inputs: Vec::new(),
        })
    }
}

struct Loader<'a> {
    source: Source<'a>,
    folder: &'a Path,
    generation: Generation,
}

impl Loader<'_> {
    fn scenario(mut self, raw: &schema::File) -> Result<Scenario, ScenarioError> {
        if let Some(name) = &raw.generation {
            self.generation = name
                .get_ref()
                .parse()
                .map_err(|error| self.error(name.span(), format!("{error}")))?;
        }
        let name = match &raw.name {
            Some(name) if name.get_ref().trim().is_empty() => {
                return Err(self.error(name.span(), "expected a name, found an empty one"));
            }
            Some(name) => self.shown(name)?,
            None => Path::new(self.source.file).file_stem().map_or_else(
                || "scenario".to_owned(),
                |stem| plain::escaped(&stem.to_string_lossy()),
            ),
        };
        let about = raw
            .about
            .as_ref()
            .map_or(Ok(String::new()), |about| self.shown(about))?;
        let requires = raw
            .requires
            .iter()
            .map(|text| {
                Requirement::parse(text.get_ref()).ok_or_else(|| {
                    self.error(
                        text.span(),
                        format!(
                            "unknown requirement `{}`; expected engines>=N, queues>=N, other_die, other_chip or host",
                            text.get_ref()
                        ),
                    )
                })
            })
            .collect::<Result<_, _>>()?;
        let cores = self.cores(&raw.topology)?;
        let choices = self.choices(&raw.choices)?;
        let mut programs = Vec::new();
        let mut presets = Vec::new();
        for (number, core) in &raw.core {
            let id = self.core_key(number)?;
            if !cores.contains(&id) {
                return Err(self.error(number.span(), format!("{id} is not in topology.cores")));
            }
            if programs.iter().any(|(known, _)| *known == id) {
                return Err(self.error(number.span(), format!("{id} is given twice")));
            }
            let words = self.program(number, core, raw.host_check.unwrap_or(true))?;
            programs.push((id, words));
            self.core_presets(id, core, &mut presets)?;
        }
        let mut fills = self.fills(&raw.fill)?;
        for entry in &raw.descriptors {
            fills.push(self.descriptors(entry)?);
        }
        for register in &raw.register {
            presets.push(self.register(register)?);
        }
        let injections = raw
            .inject
            .iter()
            .map(|entry| self.injection(entry))
            .collect::<Result<_, _>>()?;
        let expect = self.expect(&raw.expect)?;
        let named = raw
            .core
            .values()
            .filter_map(|core| core.program_file.as_ref());
        let inputs = named
            .chain(raw.fill.iter().filter_map(|fill| fill.path.as_ref()))
            .map(|path| self.folder.join(path.get_ref()))
            .collect();
        Ok(Scenario {
            name,
            about,
            requires,
            topology: Topology {
                generation: self.generation,
                cores,
                choices,
            },
            programs,
            fills,
            presets,
            injections,
            expect,
            inputs,
        })
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> ScenarioError {
        self.source.error(span, message)
    }

    /// Text that is printed as it stands.
    fn shown(&self, text: &Spanned<String>) -> Result<String, ScenarioError> {
        match text.get_ref().chars().find(|c| plain::is_unprintable(*c)) {
            None => Ok(text.get_ref().clone()),
            Some(found) => Err(self.error(
                text.span(),
                format!(
                    "expected text without control characters, found U+{:04X}",
                    u32::from(found)
                ),
            )),
        }
    }

    fn core_key(&self, key: &Spanned<String>) -> Result<CoreId, ScenarioError> {
        let number = key.get_ref().parse().map_err(|_| {
            self.error(
                key.span(),
                format!("`core.{}`: expected a core number, 0 to 7", key.get_ref()),
            )
        })?;
        self.core_at(number, key.span())
    }

    fn cores(&self, topology: &schema::Topology) -> Result<Vec<CoreId>, ScenarioError> {
        let Some(list) = &topology.cores else {
            return Ok(CoreId::all().take(2).collect());
        };
        let mut cores = Vec::new();
        for &number in list.get_ref() {
            let core = self.core_at(number, list.span())?;
            if cores.contains(&core) {
                return Err(self.error(list.span(), format!("{core} is listed twice")));
            }
            cores.push(core);
        }
        if cores.is_empty() {
            return Err(self.error(list.span(), "expected at least one core"));
        }
        cores.sort_unstable();
        Ok(cores)
    }

    fn choices(
        &self,
        entries: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    ) -> Result<Choices, ScenarioError> {
        let mut choices = Choices::default();
        for (key, value) in entries {
            let name = key.get_ref();
            let text = match value.get_ref() {
                toml::Value::String(text) => text,
                toml::Value::Table(inner) => {
                    let rest = inner.keys().next().map_or("mc1", String::as_str);
                    return Err(self.error(
                        key.span(),
                        format!("a key with a dot is written in quotes: \"{name}.{rest}\" = \"…\""),
                    ));
                }
                _ => {
                    return Err(self.error(
                        value.span(),
                        format!("expected text in quotes, such as {name} = \"…\""),
                    ));
                }
            };
            choices
                .set(name, text)
                .map_err(|error| self.error(key.span(), error.to_string()))?;
        }
        Ok(choices)
    }

    fn read(&self, path: &Spanned<String>) -> Result<Vec<u8>, ScenarioError> {
        let full: PathBuf = self.folder.join(path.get_ref());
        let refused = |why: String| {
            self.error(
                path.span(),
                format!("cannot read {}: {why}", full.display()),
            )
        };
        let file = DiskFile::open(&full).map_err(|error| refused(error.to_string()))?;
        let mut data = Vec::new();
        file.take(MAX_FILE + 1)
            .read_to_end(&mut data)
            .map_err(|error| refused(error.to_string()))?;
        if data.len() as u64 > MAX_FILE {
            return Err(refused(format!("larger than {MAX_FILE} bytes")));
        }
        Ok(data)
    }
}
