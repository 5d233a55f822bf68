// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From the file as written to a scenario in which every name, number and path is resolved.

use std::fs::File as DiskFile;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::error::{ScenarioError, Source};
use super::expect::{Expect, ExpectedBytes, Outcome};
use super::requirement::Requirement;
use super::schema::{self, Number};
use crate::choices::Choices;
use crate::generation::Generation;
use crate::isa::input::{Format, Reader};
use crate::isa::{Geometry, NUM_ADDR_REGISTERS, Predicate, Word, WordBytes, explain, validate};
use crate::pool::context;
use crate::pool::core::REGISTER_FILE;
use crate::soc::{self, SocAddr};
use crate::split_mix::SplitMix64;
use crate::system::Topology;
use crate::transaction::{CoreId, Effect, FaultClass};

/// Largest program or data file that a scenario may name, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// Most bytes that all fills together may write: the active State Buffers of a v5 chip.
/// [isa-word §2.5]
const MAX_FILLED: u64 = 512 << 20;

/// A scenario, ready to run on any device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Name: that of the file unless the file says otherwise.
    pub name: String,
    /// One sentence: which rule or corner.
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
    /// What must be true afterwards.
    pub expect: Expect,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// SoC address.
    pub address: SocAddr,
    /// Value.
    pub value: u32,
}

impl Scenario {
    /// Reads a scenario. `file` names it in errors and gives the default name; paths inside the
    /// file are relative to `folder`.
    ///
    /// # Errors
    /// The first thing that cannot be, with its line and column.
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Self, ScenarioError> {
        let source = Source { file, text };
        let raw: schema::File = toml::from_str(text)
            .map_err(|error| source.error(error.span().unwrap_or(0..0), error.message()))?;
        Loader {
            source,
            folder,
            generation: Generation::default(),
        }
        .scenario(raw)
    }

    /// A scenario that runs one program on core 0 of the pair (0, 1) and expects it to finish.
    ///
    /// # Errors
    /// A word that the host's load-time checks refuse, named by its index.
    pub fn of_program(
        name: &str,
        generation: Generation,
        choices: Choices,
        program: Vec<WordBytes>,
    ) -> Result<Self, String> {
        for (index, word) in program.iter().enumerate() {
            host_check(word, generation).map_err(|why| format!("word {index}: {why}"))?;
        }
        let core = |number| CoreId::new(number).map_err(|error| error.to_string());
        Ok(Self {
            name: name.to_owned(),
            about: String::new(),
            requires: Vec::new(),
            topology: Topology {
                generation,
                cores: vec![core(0)?, core(1)?],
                choices,
            },
            programs: vec![(core(0)?, program)],
            fills: Vec::new(),
            presets: Vec::new(),
            expect: Expect::default(),
        })
    }
}

/// The host's load-time checks of a word: structure, then the opcode-on-engine gate.
/// [isa-word §4.4, HIGH/OBSERVED]
fn host_check(bytes: &WordBytes, generation: Generation) -> Result<(), String> {
    let word = Word::decode(bytes);
    let version = generation.nc_version();
    let failing = validate(bytes, generation, version);
    let Some(first) = failing.first() else {
        return Ok(());
    };
    let opcode = word.header.opcode;
    if opcode != crate::isa::SB2SB_OPCODE && !failing.contains(Predicate::HasValidNeuronHeader) {
        // Another member of the instruction set: the 0xBF rules do not apply to it.
        return Err(format!(
            "opcode 0x{opcode:02x} is not a 0xBF word; programs hold 0xBF words (`host_check = false` hands it to the core)"
        ));
    }
    let finding = explain(&word, generation, version).into_iter().next();
    let detail = finding.map_or_else(String::new, |finding| {
        format!(
            ": {} is {}, legal is {}",
            finding.field, finding.value, finding.legal
        )
    });
    Err(format!(
        "predicate {} `{}` fails on {generation}{detail}",
        first.number(),
        first.name()
    ))
}

struct Loader<'a> {
    source: Source<'a>,
    folder: &'a Path,
    generation: Generation,
}

impl Loader<'_> {
    fn scenario(mut self, raw: schema::File) -> Result<Scenario, ScenarioError> {
        if let Some(name) = &raw.generation {
            self.generation = name
                .get_ref()
                .parse()
                .map_err(|error| self.error(name.span(), format!("{error}")))?;
        }
        let name = raw.name.unwrap_or_else(|| {
            Path::new(self.source.file).file_stem().map_or_else(
                || "scenario".to_owned(),
                |s| s.to_string_lossy().into_owned(),
            )
        });
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
        let mut choices = Choices::default();
        for (key, value) in &raw.choices {
            choices
                .set(key.get_ref(), value.get_ref())
                .map_err(|error| self.error(key.span(), error.to_string()))?;
        }
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
        let fills = self.fills(&raw.fill)?;
        for register in &raw.register {
            presets.push(Preset {
                address: self.address(&register.address)?,
                value: self.word(&register.value)?,
            });
        }
        let expect = self.expect(&raw.expect)?;
        Ok(Scenario {
            name,
            about: raw.about,
            requires,
            topology: Topology {
                generation: self.generation,
                cores,
                choices,
            },
            programs,
            fills,
            presets,
            expect,
        })
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> ScenarioError {
        self.source.error(span, message)
    }

    fn core(&self, number: u8, span: Range<usize>) -> Result<CoreId, ScenarioError> {
        CoreId::new(number).map_err(|error| self.error(span, error.to_string()))
    }

    fn core_key(&self, key: &Spanned<String>) -> Result<CoreId, ScenarioError> {
        let number = key.get_ref().parse().map_err(|_| {
            self.error(
                key.span(),
                format!("`core.{}`: expected a core number, 0 to 7", key.get_ref()),
            )
        })?;
        self.core(number, key.span())
    }

    fn cores(&self, topology: &schema::Topology) -> Result<Vec<CoreId>, ScenarioError> {
        let Some(list) = &topology.cores else {
            return [0, 1].map(|n| self.core(n, 0..0)).into_iter().collect();
        };
        let mut cores = Vec::new();
        for &number in list.get_ref() {
            let core = self.core(number, list.span())?;
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

    fn program(
        &self,
        at: &Spanned<String>,
        core: &schema::Core,
        check: bool,
    ) -> Result<Vec<WordBytes>, ScenarioError> {
        let given = [&core.program, &core.program_hex, &core.program_file];
        if given.iter().filter(|p| p.is_some()).count() > 1 {
            return Err(self.error(
                at.span(),
                "expected only one of program, program_hex and program_file",
            ));
        }
        let (span, format, data) = if let Some(text) = &core.program {
            (
                text.span(),
                Format::Asm,
                text.get_ref().clone().into_bytes(),
            )
        } else if let Some(text) = &core.program_hex {
            (
                text.span(),
                Format::Hex,
                text.get_ref().clone().into_bytes(),
            )
        } else if let Some(path) = &core.program_file {
            let format = Path::new(path.get_ref())
                .extension()
                .and_then(|ending| ending.to_str())
                .and_then(Format::from_extension)
                .ok_or_else(|| {
                    self.error(
                        path.span(),
                        "expected a file name ending in .s, .hex or .bin",
                    )
                })?;
            (path.span(), format, self.read(path)?)
        } else {
            return Ok(Vec::new());
        };
        let mut words = Vec::new();
        for (index, item) in Reader::new(format, &data).enumerate() {
            let word =
                item.map_err(|error| self.error(span.clone(), format!("program, {error}")))?;
            if check {
                host_check(&word.bytes, self.generation).map_err(|why| {
                    self.error(
                        span.clone(),
                        format!("program, word {index} (line {}): {why}", word.position),
                    )
                })?;
            }
            words.push(word.bytes);
        }
        Ok(words)
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

    fn word(&self, value: &Spanned<i64>) -> Result<u32, ScenarioError> {
        u32::try_from(*value.get_ref()).map_err(|_| {
            self.error(
                value.span(),
                format!(
                    "{} does not fit 32 bits; expected 0 to 0xffffffff",
                    value.get_ref()
                ),
            )
        })
    }

    fn index<T: std::str::FromStr>(
        &self,
        key: &Spanned<String>,
        what: &str,
        last: u32,
    ) -> Result<T, ScenarioError> {
        key.get_ref().parse().map_err(|_| {
            self.error(
                key.span(),
                format!("`{}` is no {what}; expected 0 to {last}", key.get_ref()),
            )
        })
    }

    fn core_presets(
        &self,
        id: CoreId,
        core: &schema::Core,
        presets: &mut Vec<Preset>,
    ) -> Result<(), ScenarioError> {
        /// Offset of the SET window in an EVT_SEM container. [evt-sem §1.1]
        const SEMAPHORE_SET: u32 = 0x1400;
        for (key, value) in &core.registers {
            let last = u32::from(NUM_ADDR_REGISTERS) - 1;
            let number: u32 = self.index(key, "register", last)?;
            if number > last {
                return Err(self.error(
                    key.span(),
                    format!("register {number} does not exist; expected 0 to {last}"),
                ));
            }
            presets.push(Preset {
                address: soc::local_reg(id, REGISTER_FILE + 4 * number),
                value: self.word(value)?,
            });
        }
        for (key, value) in &core.context {
            let offset = context::offset_of(key.get_ref())
                .map_err(|error| self.error(key.span(), error.to_string()))?;
            presets.push(Preset {
                address: soc::local_reg(id, offset),
                value: self.word(value)?,
            });
        }
        for (key, value) in &core.semaphores {
            let index: u8 = self.index(key, "semaphore", 255)?;
            presets.push(Preset {
                address: soc::evt_sem(id, SEMAPHORE_SET + 4 * u32::from(index)),
                value: self.word(value)?,
            });
        }
        for (key, value) in &core.events {
            let index: u8 = self.index(key, "event", 255)?;
            if *value {
                presets.push(Preset {
                    address: soc::evt_sem(id, 4 * u32::from(index)),
                    value: 1,
                });
            }
        }
        Ok(())
    }

    fn fills(&self, fills: &[schema::Fill]) -> Result<Vec<Fill>, ScenarioError> {
        let geometry = Geometry::of(self.generation);
        let mut done = Vec::new();
        let mut filled = 0;
        for fill in fills {
            let core = self.core(*fill.core.get_ref(), fill.core.span())?;
            let [first, count] = fill.partitions.get_ref()[..] else {
                return Err(self.error(
                    fill.partitions.span(),
                    format!(
                        "expected [first, count], found {} number(s)",
                        fill.partitions.get_ref().len()
                    ),
                ));
            };
            if first
                .checked_add(count)
                .is_none_or(|end| end > geometry.sbuf_partitions)
            {
                return Err(self.error(
                    fill.partitions.span(),
                    format!(
                        "[{first}, {count}] is [first, count]; partitions 0 to {} exist",
                        geometry.sbuf_partitions - 1
                    ),
                ));
            }
            let fixed = self.fill_data(fill)?;
            let length = match (&fixed, &fill.bytes) {
                (_, Some(bytes)) => *bytes.get_ref(),
                (Some(data), None) => u32::try_from(data.len()).unwrap_or(u32::MAX),
                (None, None) => {
                    return Err(self.error(fill.pattern.span(), "this pattern needs `bytes`"));
                }
            };
            if fill
                .offset
                .checked_add(length)
                .is_none_or(|end| end > geometry.sbuf_active)
            {
                let span = fill
                    .bytes
                    .as_ref()
                    .map_or(fill.pattern.span(), Spanned::span);
                return Err(self.error(
                    span,
                    format!(
                        "offset {} and {length} byte(s) leave the partition; {} bytes are active on {}",
                        fill.offset, geometry.sbuf_active, self.generation
                    ),
                ));
            }
            filled += u64::from(count) * u64::from(length);
            if filled > MAX_FILLED {
                return Err(self.error(
                    fill.partitions.span(),
                    format!(
                        "with this one the fills write {filled} bytes; together they may write {MAX_FILLED}"
                    ),
                ));
            }
            let mut random = SplitMix64::new(fill.seed.unwrap_or(0));
            for partition in first..first + count {
                let length = length as usize;
                let bytes = match (&fixed, fill.pattern.get_ref().as_str()) {
                    (Some(data), _) => (0..length).map(|i| data[i % data.len()]).collect(),
                    (None, "zero") => vec![0; length],
                    (None, "ramp") => (0..length)
                        .map(|i| (i as u8).wrapping_add(partition as u8))
                        .collect(),
                    (None, _) => (0..length).map(|_| random.next_u64() as u8).collect(),
                };
                let offset = u64::from(partition) * u64::from(geometry.sbuf_stride);
                done.push(Fill {
                    address: soc::sbuf(core, offset + u64::from(fill.offset)),
                    bytes,
                });
            }
        }
        Ok(done)
    }

    /// The bytes of a `hex` or `file` fill; `None` for a computed pattern.
    fn fill_data(&self, fill: &schema::Fill) -> Result<Option<Vec<u8>>, ScenarioError> {
        let pattern = fill.pattern.get_ref().as_str();
        let missing = |key: &str| {
            self.error(
                fill.pattern.span(),
                format!("pattern `{pattern}` needs `{key}`"),
            )
        };
        let (data, span) = match pattern {
            "zero" | "ramp" | "random" => return Ok(None),
            "hex" => {
                let text = fill.data.as_ref().ok_or_else(|| missing("data"))?;
                (self.hex(text)?, text.span())
            }
            "file" => {
                let path = fill.path.as_ref().ok_or_else(|| missing("path"))?;
                (self.read(path)?, path.span())
            }
            other => {
                return Err(self.error(
                    fill.pattern.span(),
                    format!("unknown pattern `{other}`; expected zero, ramp, random, hex or file"),
                ));
            }
        };
        if data.is_empty() {
            return Err(self.error(span, "expected at least one byte"));
        }
        Ok(Some(data))
    }

    fn hex(&self, text: &Spanned<String>) -> Result<Vec<u8>, ScenarioError> {
        self.hex_at(text.get_ref(), text.span())
    }

    fn hex_at(&self, text: &str, span: Range<usize>) -> Result<Vec<u8>, ScenarioError> {
        let mut digits = Vec::new();
        for c in text.chars().filter(|c| !c.is_whitespace() && *c != '_') {
            let digit = c.to_digit(16).ok_or_else(|| {
                self.error(
                    span.clone(),
                    format!("expected hex digits, found `{}`", c.escape_debug()),
                )
            })?;
            digits.push(digit as u8);
        }
        if !digits.len().is_multiple_of(2) {
            return Err(self.error(
                span,
                format!(
                    "expected an even number of hex digits, found {}",
                    digits.len()
                ),
            ));
        }
        Ok(digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect())
    }

    fn address(&self, number: &Spanned<Number>) -> Result<SocAddr, ScenarioError> {
        let bad = |what: String| {
            self.error(
                number.span(),
                format!("{what} is no address; expected a number such as 0x2802701830"),
            )
        };
        match number.get_ref() {
            Number::Integer(value) => u64::try_from(*value)
                .map(SocAddr)
                .map_err(|_| bad(value.to_string())),
            Number::Text(text) => {
                let digits = text.replace('_', "");
                let parsed = match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                parsed.map(SocAddr).map_err(|_| bad(format!("`{text}`")))
            }
        }
    }

    fn expect(&self, raw: &schema::Expect) -> Result<Expect, ScenarioError> {
        let geometry = Geometry::of(self.generation);
        let outcome = raw
            .outcome
            .as_ref()
            .map(|name| {
                Outcome::from_name(name.get_ref()).ok_or_else(|| {
                    self.error(
                        name.span(),
                        format!(
                            "unknown outcome `{}`; expected {}",
                            name.get_ref(),
                            Outcome::NAMES.join(", ")
                        ),
                    )
                })
            })
            .transpose()?;
        let fault = raw
            .fault
            .as_ref()
            .map(|fault| {
                let class: FaultClass = fault
                    .get_ref()
                    .class
                    .parse()
                    .map_err(|error| self.error(fault.span(), format!("{error}")))?;
                Ok((self.core(fault.get_ref().core, fault.span())?, class))
            })
            .transpose()?;
        let mut expect = Expect {
            outcome,
            fault,
            log_contains: raw.log_contains.clone(),
            ..Expect::default()
        };
        for entry in &raw.semaphores {
            let schema::ExpectSemaphore { core, index, value } = *entry.get_ref();
            let core = self.core(core, entry.span())?;
            expect.semaphores.push((core, index, value));
        }
        for entry in &raw.events {
            let schema::ExpectEvent { core, index, value } = *entry.get_ref();
            let core = self.core(core, entry.span())?;
            expect.events.push((core, index, value));
        }
        for entry in &raw.memory {
            let memory = entry.get_ref();
            let core = self.core(memory.core, entry.span())?;
            let bytes = self.hex_at(&memory.hex, entry.span())?;
            let end = u64::from(memory.offset) + bytes.len() as u64;
            if memory.partition >= geometry.sbuf_partitions || end > u64::from(geometry.sbuf_active)
            {
                return Err(self.error(
                    entry.span(),
                    format!(
                        "partition {} bytes {} to {end} are not active State Buffer; \
                         partitions 0 to {} have {} bytes on {}",
                        memory.partition,
                        memory.offset,
                        geometry.sbuf_partitions - 1,
                        geometry.sbuf_active,
                        self.generation
                    ),
                ));
            }
            let base = u64::from(memory.partition) * u64::from(geometry.sbuf_stride);
            expect.memory.push(ExpectedBytes {
                core,
                partition: memory.partition,
                offset: memory.offset,
                address: soc::sbuf(core, base + u64::from(memory.offset)),
                bytes,
            });
        }
        for (kind, count) in &raw.transactions {
            if !Effect::KINDS.contains(&kind.get_ref().as_str()) {
                return Err(self.error(
                    kind.span(),
                    format!(
                        "unknown transaction kind `{}`; expected one of {}",
                        kind.get_ref(),
                        Effect::KINDS.join(", ")
                    ),
                ));
            }
            expect.transactions.push((kind.get_ref().clone(), *count));
        }
        Ok(expect)
    }
}
