// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The report of a word on which model and RTL disagree.

use std::fmt;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::input::format_hex;
use pool_model::isa::{Predicate, Word, WordBytes, disassemble};
use serde_json::{Value, json};

use crate::decoder::RtlDecoded;
use crate::mutants::MutantId;

/// One word of a run, and all that is needed to look at it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCase {
    /// Its number in the generation's stream of words, from 0; `None` if it was given by hand.
    pub index: Option<u64>,
    /// The seed of the run.
    pub seed: u64,
    /// The generation whose rules were applied.
    pub generation: Generation,
    /// The separate version argument. [decisions D-12]
    pub nc: NcVersion,
    /// The mutant that was chosen, if the instrumented copy ran.
    pub mutant: Option<MutantId>,
    /// The word in memory order.
    pub word: WordBytes,
}

impl WordCase {
    /// The command that looks at this word alone again.
    #[must_use]
    pub fn replay(&self) -> String {
        let mutant = self
            .mutant
            .map_or_else(String::new, |id| format!(" --mutant {id}"));
        format!(
            "sb2sb cosim --suite words --generation {} --nc {} --seed {:#x}{mutant} --word {}",
            self.generation,
            nc_name(self.nc),
            self.seed,
            format_hex(&self.word),
        )
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "generation": self.generation.name(),
            "nc": nc_name(self.nc),
            "seed": format!("{:#x}", self.seed),
            "index": self.index,
            "mutant": self.mutant.map(MutantId::get),
            "word": format_hex(&self.word),
            "text": disassemble(&Word::decode(&self.word)),
            "replay": self.replay(),
        })
    }
}

impl fmt::Display for WordCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "words/{}, ", self.generation)?;
        match self.index {
            Some(index) => write!(f, "word {index}")?,
            None => f.write_str("word given by hand")?,
        }
        write!(f, ", version {}, seed {:#x}", nc_name(self.nc), self.seed)?;
        if let Some(id) = self.mutant {
            write!(f, ", mutant {id} `{}`", id.row().name)?;
        }
        writeln!(f)?;
        let text = format_hex(&self.word);
        let lines = [&text[..32], &text[32..64], &text[64..96], &text[96..]];
        for (offset, line) in [0, 16, 32, 48].into_iter().zip(lines) {
            writeln!(f, "  {offset:2}..  {line}")?;
        }
        write!(f, "  {}", disassemble(&Word::decode(&self.word)))
    }
}

/// `V2` to `V5`, as the command line spells it.
pub(crate) fn nc_name(nc: NcVersion) -> String {
    format!("V{}", nc.value())
}

/// One compared item with both sides' values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPair {
    /// Path of the field as in [isa-word §1], or the name of the predicate or result.
    pub name: String,
    /// The section that says what it must be.
    pub section: String,
    /// The model's value.
    pub model: String,
    /// The RTL's value.
    pub rtl: String,
}

impl FieldPair {
    /// Whether the sides disagree.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.model != self.rtl
    }
}

/// The first word of a run on which the sides disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordDivergence {
    /// The word.
    pub case: WordCase,
    /// The model's side.
    pub model: RtlDecoded,
    /// The RTL's side.
    pub rtl: RtlDecoded,
    /// Whether a fresh RTL instance disagrees in the same way. If not, the difference comes from state that
    /// an earlier word left behind, and the replay of this word alone does not show it.
    pub reproduced: bool,
}

impl WordDivergence {
    /// Everything that was compared: verdict, first failure, predicates, element count, fields.
    #[must_use]
    pub fn pairs(&self) -> Vec<FieldPair> {
        let mut pairs = vec![
            self.pair("valid", "isa-word §4", |d| d.valid.to_string()),
            self.pair("first_failure", "isa-word §4.1", |d| {
                failure_name(d.first_failure)
            }),
        ];
        for predicate in Predicate::ALL {
            let section = format!("isa-word §4.1 #{}", predicate.number());
            pairs.push(self.pair(predicate.name(), &section, |d| {
                let failed = d.fail & predicate.bit() != 0;
                String::from(if failed { "fails" } else { "holds" })
            }));
        }
        pairs.push(self.pair("src_nelem", "isa-word §4.1 #10, MC-7", |d| {
            d.src_nelem.to_string()
        }));
        for (name, section, value) in FIELDS {
            pairs.push(self.pair(name, section, value));
        }
        pairs
    }

    fn pair(&self, name: &str, section: &str, value: impl Fn(&RtlDecoded) -> String) -> FieldPair {
        FieldPair {
            name: name.to_owned(),
            section: section.to_owned(),
            model: value(&self.model),
            rtl: value(&self.rtl),
        }
    }

    /// The report as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let pairs = self.pairs();
        let side = |of: fn(&FieldPair) -> &String| -> Value {
            let entries = pairs.iter().map(|p| (p.name.clone(), json!(of(p))));
            Value::Object(entries.collect())
        };
        let differs: Vec<_> = pairs.iter().filter(|p| p.differs()).collect();
        json!({
            "case": self.case.json(),
            "reproduced": self.reproduced,
            "differs": differs.iter().map(|p| &p.name).collect::<Vec<_>>(),
            "sections": differs.iter().map(|p| &p.section).collect::<Vec<_>>(),
            "model": side(|p| &p.model),
            "rtl": side(|p| &p.rtl),
        })
    }
}

/// A field, its section, and how its value is shown.
type FieldRow = (&'static str, &'static str, fn(&RtlDecoded) -> String);

const FIELDS: [FieldRow; 21] = [
    ("header.opcode", "isa-word §1.1", |d| byte(d.header_opcode)),
    ("header.inst_word_len", "isa-word §1.1", |d| {
        d.header_inst_word_len.to_string()
    }),
    ("header.debug_cmd", "isa-word §1.1", |d| {
        byte(d.header_debug_cmd)
    }),
    ("header.debug_hint", "isa-word §1.1", |d| {
        byte(d.header_debug_hint)
    }),
    ("events.wait_mode", "isa-word §1.2", |d| {
        byte(d.events_wait_mode)
    }),
    ("events.wait_idx", "isa-word §1.2", |d| {
        d.events_wait_idx.to_string()
    }),
    ("events.update_mode", "isa-word §1.2", |d| {
        byte(d.events_update_mode)
    }),
    ("events.update_idx", "isa-word §1.2", |d| {
        d.events_update_idx.to_string()
    }),
    ("events.semaphore_value", "isa-word §1.2", |d| {
        wide(d.events_semaphore_value)
    }),
    ("in_dtype", "isa-word §1", |d| d.in_dtype.to_string()),
    ("out_dtype", "isa-word §1", |d| d.out_dtype.to_string()),
    ("reserved0", "isa-word §1", |d| bytes(&d.reserved0)),
    ("src.start_addr", "isa-word §2.1", |d| {
        wide(d.src_start_addr)
    }),
    ("src.step_elem", "isa-word §2.1", |d| {
        list(&d.src_step_elem)
    }),
    ("src.num_elem", "isa-word §2.1", |d| list(&d.src_num_elem)),
    ("lnc_size_fmt", "isa-word §1", |d| {
        d.lnc_size_fmt.to_string()
    }),
    ("num_active_channels", "isa-word §1", |d| {
        d.num_active_channels.to_string()
    }),
    ("reserved1", "isa-word §1", |d| bytes(&d.reserved1)),
    ("dst.start_addr", "isa-word §2.1", |d| {
        wide(d.dst_start_addr)
    }),
    ("dst.step_elem", "isa-word §2.1", |d| {
        list(&d.dst_step_elem)
    }),
    ("dst.num_elem", "isa-word §2.1", |d| list(&d.dst_num_elem)),
];

fn byte(value: u8) -> String {
    format!("{value:#04x}")
}

fn wide(value: u32) -> String {
    format!("{value:#010x}")
}

fn bytes(values: &[u8]) -> String {
    let texts: Vec<_> = values.iter().map(|value| format!("{value:02x}")).collect();
    texts.concat()
}

fn list<T: ToString>(values: &[T]) -> String {
    let texts: Vec<_> = values.iter().map(T::to_string).collect();
    texts.join(",")
}

/// The number and name of a first failure; the RTL's number may be anything.
fn failure_name(number: u8) -> String {
    match (number, Predicate::from_number(number)) {
        (0, _) => "none".to_owned(),
        (_, Some(predicate)) => format!("{number} {predicate}"),
        (_, None) => format!("{number} (no predicate)"),
    }
}

impl fmt::Display for WordDivergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.case)?;
        let pairs = self.pairs();
        write_pairs(f, &pairs)?;
        if !self.reproduced {
            writeln!(
                f,
                "  a fresh RTL instance agrees with the model on this word alone: \
                 the difference comes from state that earlier words left behind"
            )?;
        }
        write!(f, "  replay: {}", self.case.replay())
    }
}

/// One line a pair, the differing ones marked and with their section.
pub(super) fn write_pairs(f: &mut fmt::Formatter<'_>, pairs: &[FieldPair]) -> fmt::Result {
    let width = |of: fn(&FieldPair) -> &String| {
        pairs
            .iter()
            .map(|pair| of(pair).len())
            .max()
            .unwrap_or_default()
    };
    let (names, models, rtls) = (width(|p| &p.name), width(|p| &p.model), width(|p| &p.rtl));
    writeln!(f, "    {:names$}  {:models$}  rtl", "", "model")?;
    for pair in pairs {
        let FieldPair {
            name,
            section,
            model,
            rtl,
        } = pair;
        if pair.differs() {
            writeln!(
                f,
                "  ! {name:names$}  {model:models$}  {rtl:rtls$}  [{section}]"
            )?;
        } else {
            writeln!(f, "    {name:names$}  {model:models$}  {rtl}")?;
        }
    }
    Ok(())
}
