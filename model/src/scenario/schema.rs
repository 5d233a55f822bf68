// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The scenario file as it is written: names and shapes only, nothing is looked up yet.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A number that may also be written as text, such as `"0x2802701830"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number, or a string such as \"0x2802701830\"")]
pub(super) enum Number {
    Integer(i64),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub name: Option<Spanned<String>>,
    pub about: Option<Spanned<String>>,
    pub generation: Option<Spanned<String>>,
    #[serde(default)]
    pub requires: Vec<Spanned<String>>,
    /// Whether the host's load-time checks run on the programs; on unless said otherwise.
    pub host_check: Option<bool>,
    #[serde(default)]
    pub topology: Topology,
    #[serde(default)]
    pub choices: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    #[serde(default)]
    pub core: BTreeMap<Spanned<String>, Core>,
    #[serde(default)]
    pub fill: Vec<Fill>,
    #[serde(default)]
    pub descriptors: Vec<Descriptors>,
    #[serde(default)]
    pub register: Vec<Register>,
    #[serde(default)]
    pub inject: Vec<Spanned<Inject>>,
    #[serde(default)]
    pub expect: Expect,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Topology {
    pub cores: Option<Spanned<Vec<i64>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Core {
    pub program: Option<Spanned<String>>,
    pub program_hex: Option<Spanned<String>>,
    pub program_file: Option<Spanned<String>>,
    #[serde(default)]
    pub registers: BTreeMap<Spanned<String>, Spanned<i64>>,
    #[serde(default)]
    pub context: BTreeMap<Spanned<String>, Spanned<i64>>,
    #[serde(default)]
    pub semaphores: BTreeMap<Spanned<String>, Spanned<i64>>,
    #[serde(default)]
    pub events: BTreeMap<Spanned<String>, Spanned<bool>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fill {
    pub core: Spanned<i64>,
    /// First and count.
    pub partitions: Spanned<Vec<i64>>,
    pub offset: Option<Spanned<i64>>,
    pub bytes: Option<Spanned<i64>>,
    pub pattern: Spanned<String>,
    pub seed: Option<Spanned<i64>>,
    pub data: Option<Spanned<String>>,
    pub path: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Register {
    pub address: Spanned<Number>,
    pub value: Spanned<i64>,
    /// The engine's core that makes the write, with a 32-bit address of its own.
    pub through: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Descriptors {
    pub address: Spanned<Number>,
    /// One a line.
    pub entries: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inject {
    pub core: Option<Spanned<i64>>,
    pub engine: Option<Spanned<i64>>,
    pub port: Option<Spanned<String>>,
    pub address: Option<Spanned<Number>>,
    pub bytes: Option<Spanned<i64>>,
    /// `error` or `silence`.
    pub fault: Option<Spanned<String>>,
    /// An error bit, such as `m2s:17`.
    pub force: Option<Spanned<String>>,
    /// Cycles.
    pub stall: Option<Spanned<i64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    pub outcome: Option<Spanned<String>>,
    pub fault: Option<ExpectFault>,
    #[serde(default)]
    pub semaphores: Vec<ExpectSemaphore>,
    #[serde(default)]
    pub events: Vec<ExpectEvent>,
    #[serde(default)]
    pub memory: Vec<ExpectMemory>,
    #[serde(default)]
    pub registers: Vec<ExpectRegister>,
    #[serde(default)]
    pub log_contains: Vec<Spanned<String>>,
    #[serde(default)]
    pub transactions: BTreeMap<Spanned<String>, Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectFault {
    pub core: Spanned<i64>,
    pub class: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectSemaphore {
    pub core: Spanned<i64>,
    pub index: Spanned<i64>,
    pub value: Spanned<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectEvent {
    pub core: Spanned<i64>,
    pub index: Spanned<i64>,
    pub value: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectMemory {
    pub core: Spanned<i64>,
    pub partition: Spanned<i64>,
    pub offset: Spanned<i64>,
    pub hex: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectRegister {
    pub address: Spanned<Number>,
    pub value: Spanned<i64>,
    /// Bits that are compared; all unless given.
    pub mask: Option<Spanned<i64>>,
}
