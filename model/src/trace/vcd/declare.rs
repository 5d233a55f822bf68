// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The header: scopes, variables and their values at time 0.

use std::collections::HashSet;
use std::io::Write;

use vcd::{IdCode, ReferenceIndex, ScopeType, TimescaleUnit, VarType};

use super::error::VcdError;
use super::text;
use super::variable::{Name, Narrow, Suffix, Variables, WideState};
use super::writer::VcdWriter;

/// Widest vector that can be declared, in bits.
pub const MAX_WIDTH: u32 = 4096;

/// Version line of every file; it names the writer and never changes with the run.
const VERSION: &str = "sb2sb pool-model";

/// A one-bit variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar(pub(super) u32);

/// A variable of 1 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vector(pub(super) u32);

/// A variable of up to [`MAX_WIDTH`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide(pub(super) u32);

/// A string variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Text(pub(super) u32);

/// A variable without a value, which only happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event(pub(super) u32);

/// Collects scopes and variables, then becomes the writer of the changes.
#[derive(Debug)]
pub struct Declarations {
    header: HeaderText,
    scopes: Vec<String>,
    taken: HashSet<String>,
    /// Path and width of each variable; the position is its identifier.
    declared: Vec<(String, u32)>,
    variables: Variables,
    dumpvars: Vec<u8>,
}

impl Default for Declarations {
    fn default() -> Self {
        Self::new()
    }
}

impl Declarations {
    /// An empty header with the version line and a time scale of 1 ps.
    #[must_use]
    pub fn new() -> Self {
        Self {
            header: HeaderText::new(),
            scopes: Vec::new(),
            taken: HashSet::new(),
            declared: Vec::new(),
            variables: Variables::default(),
            dumpvars: Vec::new(),
        }
    }

    /// Opens a scope inside the current one.
    ///
    /// # Errors
    /// [`VcdError::Name`], [`VcdError::Duplicate`].
    pub fn scope(&mut self, name: &str) -> Result<(), VcdError> {
        let path = self.take_name(name)?;
        self.header
            .add(|header| header.scope_def(ScopeType::Module, name))?;
        self.scopes.push(path);
        Ok(())
    }

    /// Closes the current scope.
    ///
    /// # Errors
    /// [`VcdError::Unbalanced`] when none is open.
    pub fn upscope(&mut self) -> Result<(), VcdError> {
        if self.scopes.pop().is_none() {
            return Err(VcdError::Unbalanced {
                open: 0,
                expected: "one to close was expected",
            });
        }
        self.header.add(vcd::Writer::upscope)
    }

    /// Path of the current scope, parted by dots.
    #[must_use]
    pub fn path(&self) -> &str {
        self.scopes.last().map_or("", String::as_str)
    }

    /// Declares one bit; `None` starts as x.
    ///
    /// # Errors
    /// [`VcdError::Name`], [`VcdError::Duplicate`], [`VcdError::NoScope`].
    pub fn scalar(&mut self, name: &str, initial: Option<bool>) -> Result<Scalar, VcdError> {
        self.narrow(name, 1, initial.map(u64::from)).map(Scalar)
    }

    /// Declares `width` bits, 1 to 64; `None` starts as x.
    ///
    /// # Errors
    /// [`VcdError::Width`], [`VcdError::Value`] and those of [`Declarations::scalar`].
    pub fn vector(
        &mut self,
        name: &str,
        width: u32,
        initial: Option<u64>,
    ) -> Result<Vector, VcdError> {
        self.narrow(name, width, initial).map(Vector)
    }

    /// Declares `width` bits, 1 to [`MAX_WIDTH`], whose values are bytes; starts as zero or as x.
    ///
    /// # Errors
    /// [`VcdError::Width`] and those of [`Declarations::scalar`].
    pub fn wide(&mut self, name: &str, width: u32, zero: bool) -> Result<Wide, VcdError> {
        let (path, id) = self.declare(name, VarType::Wire, width, MAX_WIDTH)?;
        let suffix = Suffix::spaced(id);
        self.dumpvars
            .extend_from_slice(if zero { b"b0" } else { b"bx" });
        self.dumpvars.extend_from_slice(suffix.as_bytes());
        let spare = width.div_ceil(8) * 8 - width;
        self.variables.wide.push(WideState {
            last: vec![0; width.div_ceil(8) as usize],
            known: zero,
            first_mask: u8::MAX >> spare,
            suffix,
        });
        self.variables.wide_names.push(Name { path, width });
        Ok(Wide(last_index(self.variables.wide.len())))
    }

    /// Declares a string.
    ///
    /// # Errors
    /// As [`Declarations::scalar`].
    pub fn text(&mut self, name: &str, initial: &str) -> Result<Text, VcdError> {
        let (_, id) = self.declare(name, VarType::String, 1, 1)?;
        let suffix = Suffix::spaced(id);
        self.dumpvars.push(b's');
        text::escape(initial, &mut self.dumpvars);
        self.dumpvars.extend_from_slice(suffix.as_bytes());
        self.variables.text.push(suffix);
        Ok(Text(last_index(self.variables.text.len())))
    }

    /// Declares an event, which has no value.
    ///
    /// # Errors
    /// As [`Declarations::scalar`].
    pub fn event(&mut self, name: &str) -> Result<Event, VcdError> {
        let (_, id) = self.declare(name, VarType::Event, 1, 1)?;
        self.variables.event.push(Suffix::joined(id));
        Ok(Event(last_index(self.variables.event.len())))
    }

    /// Path, parted by dots, and width of every variable, in the order of their declaration.
    #[must_use]
    pub fn into_variables(self) -> Vec<(String, u32)> {
        self.declared
    }

    /// Writes the header and the values at time 0.
    ///
    /// # Errors
    /// [`VcdError::Unbalanced`] when a scope is still open; [`VcdError::Io`].
    pub fn start<W: Write>(mut self, out: W) -> Result<VcdWriter<W>, VcdError> {
        if !self.scopes.is_empty() {
            return Err(VcdError::Unbalanced {
                open: self.scopes.len(),
                expected: "none was expected at the end of the header",
            });
        }
        self.header.add(vcd::Writer::enddefinitions)?;
        let mut head = self.header.into_bytes();
        head.extend_from_slice(b"#0\n$dumpvars\n");
        head.append(&mut self.dumpvars);
        head.extend_from_slice(b"$end\n");
        VcdWriter::begin(out, &head, self.variables)
    }

    fn narrow(&mut self, name: &str, width: u32, initial: Option<u64>) -> Result<u32, VcdError> {
        let mask = u64::MAX >> (64 - width.clamp(1, 64));
        if let Some(value) = initial.filter(|value| value & !mask != 0) {
            return Err(VcdError::Value {
                name: self.path_of(name),
                width,
                value: format!("{value:#x}"),
            });
        }
        let (path, id) = self.declare(name, VarType::Wire, width, u64::BITS)?;
        let scalar = width == 1;
        let suffix = if scalar {
            Suffix::joined(id)
        } else {
            self.dumpvars.push(b'b');
            Suffix::spaced(id)
        };
        match initial {
            Some(value) => self
                .dumpvars
                .extend_from_slice(format!("{value:b}").as_bytes()),
            None => self.dumpvars.push(b'x'),
        }
        self.dumpvars.extend_from_slice(suffix.as_bytes());
        self.variables.narrow.push(Narrow {
            last: initial.unwrap_or(0),
            mask,
            suffix,
            known: initial.is_some(),
            scalar,
        });
        self.variables.narrow_names.push(Name { path, width });
        Ok(last_index(self.variables.narrow.len()))
    }

    fn declare(
        &mut self,
        name: &str,
        kind: VarType,
        width: u32,
        maximum: u32,
    ) -> Result<(String, IdCode), VcdError> {
        if self.scopes.is_empty() {
            return Err(VcdError::NoScope {
                name: name.to_owned(),
            });
        }
        if width == 0 || width > maximum {
            return Err(VcdError::Width {
                name: self.path_of(name),
                width,
                maximum,
            });
        }
        let path = self.take_name(name)?;
        let id = IdCode::from(self.declared.len() as u64);
        self.declared.push((path.clone(), width));
        let range = (width > 1).then(|| ReferenceIndex::Range(width.cast_signed() - 1, 0));
        self.header
            .add(|header| header.var_def(kind, width, id, name, range))?;
        Ok((path, id))
    }

    fn take_name(&mut self, name: &str) -> Result<String, VcdError> {
        let mut letters = name.bytes();
        let plain = letters
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
        if !plain {
            return Err(VcdError::Name {
                scope: self.path().to_owned(),
                name: name.to_owned(),
            });
        }
        let path = self.path_of(name);
        if !self.taken.insert(path.clone()) {
            return Err(VcdError::Duplicate {
                scope: self.path().to_owned(),
                name: name.to_owned(),
            });
        }
        Ok(path)
    }

    fn path_of(&self, name: &str) -> String {
        if self.scopes.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path())
        }
    }
}

fn last_index(count: usize) -> u32 {
    u32::try_from(count - 1).expect("variables are numbered by a u32")
}

/// The `vcd` crate's writer over memory.
struct HeaderText(vcd::Writer<Vec<u8>>);

impl HeaderText {
    fn new() -> Self {
        let mut header = vcd::Writer::new(Vec::new());
        header
            .version(VERSION)
            .and_then(|()| header.timescale(1, TimescaleUnit::PS))
            .expect("writing to a Vec cannot fail");
        Self(header)
    }

    fn add(
        &mut self,
        write: impl FnOnce(&mut vcd::Writer<Vec<u8>>) -> std::io::Result<()>,
    ) -> Result<(), VcdError> {
        Ok(write(&mut self.0)?)
    }

    fn into_bytes(mut self) -> Vec<u8> {
        std::mem::take(self.0.writer())
    }
}

impl std::fmt::Debug for HeaderText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeaderText").finish_non_exhaustive()
    }
}
