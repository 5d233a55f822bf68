// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a lock-step run ends: five outcomes that nobody may mistake for one another.

use std::fmt;

use serde_json::{Value, json};

use super::block::{BlockCase, BlockDivergence};
use super::divergence::{FieldPair, WordCase, WordDivergence};
use crate::error::RtlError;

/// One operation of a run, of whatever suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    /// A word.
    Word(WordCase),
    /// An address, or a cycle of a block.
    Block(BlockCase),
}

impl Case {
    /// The command that looks at it again, if there is one.
    #[must_use]
    pub fn replay(&self) -> Option<String> {
        match self {
            Self::Word(case) => Some(case.replay()),
            Self::Block(case) => case.replay(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Word(case) => case.json(),
            Self::Block(case) => case.json(),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(case) => case.fmt(f),
            Self::Block(case) => case.fmt(f),
        }
    }
}

/// The first operation on which the sides disagree, of whatever suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// A word.
    Word(WordDivergence),
    /// An address, or a cycle of a block.
    Block(BlockDivergence),
}

impl Divergence {
    /// Both sides' values of everything compared.
    #[must_use]
    pub fn pairs(&self) -> Vec<FieldPair> {
        match self {
            Self::Word(divergence) => divergence.pairs(),
            Self::Block(divergence) => divergence.pairs.clone(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Word(divergence) => divergence.json(),
            Self::Block(divergence) => divergence.json(),
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(divergence) => divergence.fmt(f),
            Self::Block(divergence) => divergence.fmt(f),
        }
    }
}

/// A device that broke instead of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenDevice {
    /// What was being evaluated, if it is known.
    pub case: Option<Case>,
    /// What the device said.
    pub message: String,
}

/// The outcome of a lock-step run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides agree everywhere.
    Match,
    /// The sides disagree.
    Mismatch(Box<Divergence>),
    /// Nobody can move, or the watchdog struck; says what each side was blocked on.
    Hang {
        /// What never came to its end, if it is known.
        case: Option<Box<Case>>,
        /// The model's reason.
        model: String,
        /// The RTL's reason.
        rtl: String,
    },
    /// A side broke: `$stop`, an assertion, a fatal of the simulator, a panic.
    DeviceError(Box<BrokenDevice>),
    /// Neither side is to blame: an instance could not be made, a file could not be read.
    Infrastructure(String),
}

impl Outcome {
    /// The exit code of a command that ends so.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Match => 0,
            Self::Mismatch(_) => 1,
            Self::Hang { .. } => 3,
            Self::DeviceError(_) => 4,
            Self::Infrastructure(_) => 5,
        }
    }

    /// One word for it: `match`, `mismatch`, `hang`, `device_error`, `infrastructure`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Mismatch(_) => "mismatch",
            Self::Hang { .. } => "hang",
            Self::DeviceError(_) => "device_error",
            Self::Infrastructure(_) => "infrastructure",
        }
    }

    /// What an error of the RTL side means for a run; `case` is what it concerns.
    #[must_use]
    pub fn from_error(error: &RtlError, case: Option<Case>) -> Self {
        match error {
            RtlError::Device(fault) => Self::DeviceError(Box::new(BrokenDevice {
                case,
                message: fault.to_string(),
            })),
            RtlError::Hang(hang) => Self::Hang {
                case: case.map(Box::new),
                model: hang.model.clone(),
                rtl: hang.rtl.clone(),
            },
            RtlError::Refused(_) | RtlError::BatchSize { .. } => {
                Self::Infrastructure(error.to_string())
            }
        }
    }

    /// The details as one JSON object; `null` for a match.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Match => Value::Null,
            Self::Mismatch(divergence) => divergence.json(),
            Self::Hang { case, model, rtl } => json!({
                "model": model,
                "rtl": rtl,
                "case": case.as_ref().map(|case| case.json()),
            }),
            Self::DeviceError(fault) => json!({
                "message": fault.message,
                "case": fault.case.as_ref().map(Case::json),
            }),
            Self::Infrastructure(message) => json!({ "message": message }),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match => f.write_str("match"),
            Self::Mismatch(divergence) => write!(f, "mismatch: {divergence}"),
            Self::Hang { case, model, rtl } => {
                write!(
                    f,
                    "hang\n  model: blocked on {model}\n  rtl: blocked on {rtl}"
                )?;
                let Some(case) = case else {
                    return Ok(());
                };
                write!(f, "\n  {case}")?;
                match case.replay() {
                    Some(replay) => write!(f, "\n  replay: {replay}"),
                    None => Ok(()),
                }
            }
            Self::DeviceError(fault) => {
                write!(f, "device error: {}", fault.message)?;
                let Some(case) = &fault.case else {
                    return Ok(());
                };
                write!(f, "\n  {case}")?;
                match case.replay() {
                    Some(replay) => write!(f, "\n  replay: {replay}"),
                    None => Ok(()),
                }
            }
            Self::Infrastructure(message) => write!(f, "infrastructure: {message}"),
        }
    }
}
