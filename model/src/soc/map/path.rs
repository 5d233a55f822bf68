// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From a name to an address: `TPB_0.EVT_SEM.SEMAPHORE_INC[12]`.
//!
//! ```text
//! path     = name { "." name } [ "[" index "]" ] [ "." register ] [ "+" offset ]
//! name     = region name of the map, with its number where there are copies: TPB_5, STATE_BUF
//! index    = number of an element, decimal or 0x hexadecimal
//! offset   = bytes from the element if there is an index, from the register if there is one, else from the region
//! ```
//! Names are compared without regard to case.

use thiserror::Error;

use super::lookup::{Plane, Step, step};
use super::region::Region;
use crate::generation::Generation;
use crate::soc::SocAddr;
use crate::soc::id::Die;
use crate::soc::view::Field;

/// A path that names nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// A region has no part of this name.
    #[error("{} has no `{found}`; {}", inside(container), expectation(near, all))]
    UnknownName {
        /// Path of the region, empty at the root.
        container: String,
        /// The name.
        found: String,
        /// Names that are close to it.
        near: Vec<String>,
        /// All names, with the range of their numbers.
        all: Vec<String>,
    },
    /// The region's number does not exist.
    #[error("`{name}_{found}` does not exist; expected {name}_{first} to {name}_{last}")]
    UnknownNumber {
        /// Name without number.
        name: &'static str,
        /// The number.
        found: String,
        /// Lowest number.
        first: u16,
        /// Highest number.
        last: u16,
    },
    /// An index on something that is no array.
    #[error("`{path}` is no array, but an index was given")]
    NotAnArray {
        /// The region.
        path: String,
    },
    /// The element does not exist.
    #[error("`{path}[{found}]` does not exist; expected an index from 0 to {last}")]
    UnknownIndex {
        /// The region.
        path: String,
        /// The index.
        found: u64,
        /// Highest index.
        last: u32,
    },
    /// The offset leads out of what it is counted from.
    #[error("offset {found:#x} leaves `{path}`; expected at most {last:#x}")]
    OffsetTooLarge {
        /// The region.
        path: String,
        /// The offset.
        found: u64,
        /// Highest offset.
        last: u64,
    },
    /// Not of the form of a path.
    #[error("`{found}` at column {column} is not understood; expected {expected}")]
    Syntax {
        /// The text in question.
        found: String,
        /// Its column, from 1.
        column: usize,
        /// What would have been legal.
        expected: &'static str,
    },
}

fn inside(container: &str) -> String {
    if container.is_empty() {
        "the map".to_owned()
    } else {
        format!("`{container}`")
    }
}

fn expectation(near: &[String], all: &[String]) -> String {
    if !near.is_empty() {
        format!("did you mean {}?", near.join(" or "))
    } else if all.is_empty() {
        "it has no parts".to_owned()
    } else {
        format!("expected one of {}", all.join(", "))
    }
}

/// Suggestions given for a name that does not exist.
const SUGGESTIONS: usize = 3;
/// Longest name for which suggestions are sought.
const LONGEST_NAME: usize = 64;

/// Address on the own chip of a path.
///
/// # Errors
/// [`PathError`], with names that are close to one that does not exist.
pub fn parse(text: &str, generation: Generation) -> Result<SocAddr, PathError> {
    let (names, offset) = match text.split_once('+') {
        Some((names, offset)) => (names, number(offset, text, "a number of bytes")?),
        None => (text, 0),
    };
    let (names, index, register) = match names.split_once('[') {
        Some((names, rest)) => {
            let (index, rest) = rest
                .split_once(']')
                .ok_or_else(|| syntax(rest, text, "an index and `]`"))?;
            let register = match rest.strip_prefix('.') {
                Some(register) => Some(register),
                None if rest.is_empty() => None,
                None => {
                    return Err(syntax(
                        rest,
                        text,
                        "`.` and a register, `+` and an offset, or the end",
                    ));
                }
            };
            (names, Some(number(index, text, "an index")?), register)
        }
        None => (names, None, None),
    };

    let mut cursor = Cursor {
        plane: Plane::Main,
        die: Die::Zero,
        step: None,
        path: String::new(),
    };
    let mut extent = None;
    for name in names.split('.') {
        if extent.is_some() {
            return Err(syntax(name, text, "the end: a register has no parts"));
        }
        // Only the last name can be a register; a region of the same name goes first.
        match cursor.enter(name, generation) {
            Ok(()) => {}
            Err(error) => match cursor.register(name) {
                Some(found) if !cursor.is_array() => extent = Some(found),
                _ => return Err(error),
            },
        }
    }
    if let Some(index) = index {
        if extent.is_some() {
            return Err(PathError::NotAnArray { path: cursor.path });
        }
        extent = Some(cursor.element(index)?);
    }
    if let Some(register) = register {
        let (element, _) = extent.unwrap_or_default();
        let (within, size) = cursor
            .register(register)
            .ok_or_else(|| cursor.unknown(register, generation))?;
        extent = Some((element + within, size));
    }
    cursor.address(extent, offset)
}

fn syntax(found: &str, text: &str, expected: &'static str) -> PathError {
    let column = found.as_ptr() as usize - text.as_ptr() as usize + 1;
    PathError::Syntax {
        found: found.to_owned(),
        column,
        expected,
    }
}

fn number(digits: &str, text: &str, expected: &'static str) -> Result<u64, PathError> {
    let parsed = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16),
        None if !digits.starts_with('+') => digits.parse(),
        _ => return Err(syntax(digits, text, expected)),
    };
    parsed.map_err(|_| syntax(digits, text, expected))
}

/// Where a path has come to.
struct Cursor {
    plane: Plane,
    die: Die,
    step: Option<Step>,
    path: String,
}

impl Cursor {
    fn enter(&mut self, name: &str, generation: Generation) -> Result<(), PathError> {
        let dies: &[Die] = match self.step {
            None => &Die::ALL,
            Some(_) => &[self.die],
        };
        let planes: &[Plane] = match self.step {
            None => &[Plane::Main, Plane::Peb],
            Some(_) => &[self.plane],
        };
        for &plane in planes {
            for &die in dies {
                for region in self.children(plane, die, generation) {
                    for copy in 0..region.count() {
                        let step = step(region, copy, die, self.step);
                        if matches(name, &step) {
                            self.plane = plane;
                            self.die = die;
                            self.step = Some(step);
                            if !self.path.is_empty() {
                                self.path.push('.');
                            }
                            self.path.push_str(&step.label());
                            return Ok(());
                        }
                    }
                }
            }
        }
        Err(self.unknown(name, generation))
    }

    fn children(
        &self,
        plane: Plane,
        die: Die,
        generation: Generation,
    ) -> impl Iterator<Item = &'static Region> + use<> {
        let regions = match self.step {
            Some(step) => step.region.children,
            None if super::lookup::has_die(generation, die) => plane.regions(generation),
            None => &[],
        };
        regions
            .iter()
            .filter(move |region| region.generations.contains(generation))
    }

    /// Whether registers of the region reached need an index.
    fn is_array(&self) -> bool {
        self.step.is_some_and(|step| step.region.elements.is_some())
    }

    /// Offset and size of a register of the region reached.
    fn register(&self, name: &str) -> Option<(u64, u64)> {
        let register = self
            .step?
            .region
            .registers
            .iter()
            .find(|register| register.name.eq_ignore_ascii_case(name))?;
        Some((register.offset, 4))
    }

    /// Offset and size of an element of the region reached.
    fn element(&self, index: u64) -> Result<(u64, u64), PathError> {
        let elements = self
            .step
            .and_then(|step| step.region.elements)
            .ok_or_else(|| PathError::NotAnArray {
                path: self.path.clone(),
            })?;
        if index >= u64::from(elements.count) {
            return Err(PathError::UnknownIndex {
                path: self.path.clone(),
                found: index,
                last: elements.count - 1,
            });
        }
        Ok((index * elements.stride, elements.stride))
    }

    fn address(&self, extent: Option<(u64, u64)>, offset: u64) -> Result<SocAddr, PathError> {
        let (base, whole) = self
            .step
            .map_or((0, 0), |step| (step.base, step.region.size));
        let (within, size) = extent.unwrap_or((0, whole));
        if offset >= size {
            return Err(PathError::OffsetTooLarge {
                path: self.path.clone(),
                found: offset,
                last: size.saturating_sub(1),
            });
        }
        let plane = match self.plane {
            Plane::Main => 0,
            Plane::Peb => Field::PEB.mask(),
        };
        Ok(Field::DIE.set(
            SocAddr(plane | (base + within + offset)),
            u64::from(self.die.number()),
        ))
    }

    /// The error for a name that the region reached does not have.
    fn unknown(&self, name: &str, generation: Generation) -> PathError {
        let mut near = Vec::new();
        let mut all: Vec<String> = Vec::new();
        let planes: &[Plane] = match self.step {
            None => &[Plane::Main, Plane::Peb],
            Some(_) => &[self.plane],
        };
        for &plane in planes {
            for region in self.children(plane, Die::Zero, generation) {
                if region.copies.is_none() {
                    consider(&mut near, name, region.name);
                    all.push(region.name.to_owned());
                    continue;
                }
                let dies = if self.step.is_none() && super::lookup::has_die(generation, Die::One) {
                    2
                } else {
                    1
                };
                let numbers = self.numbers(plane, region.name, dies, generation);
                let (Some(&first), Some(&last)) = (numbers.iter().min(), numbers.iter().max())
                else {
                    continue;
                };
                if let Some(found) = given_number(name, region.name) {
                    return PathError::UnknownNumber {
                        name: region.name,
                        found: found.to_owned(),
                        first,
                        last,
                    };
                }
                for number in &numbers {
                    consider(&mut near, name, &format!("{}_{number}", region.name));
                }
                let range = if first == last {
                    format!("{}_{first}", region.name)
                } else {
                    format!("{}_{first}..{last}", region.name)
                };
                if !all.contains(&range) {
                    all.push(range);
                }
            }
        }
        if let Some(step) = self.step {
            for register in step.region.registers {
                consider(&mut near, name, register.name);
                all.push(register.name.to_owned());
            }
        }
        near.sort();
        near.dedup();
        let closest = near.first().map_or(0, |(distance, _)| *distance);
        near.retain(|(distance, _)| *distance == closest);
        near.truncate(SUGGESTIONS);
        PathError::UnknownName {
            container: self.path.clone(),
            found: name.to_owned(),
            near: near.into_iter().map(|(_, name)| name).collect(),
            all,
        }
    }

    /// Numbers that exist under a name, over all rows of the name.
    fn numbers(&self, plane: Plane, name: &str, dies: u16, generation: Generation) -> Vec<u16> {
        self.children(plane, Die::Zero, generation)
            .filter(|region| region.name == name)
            .filter_map(|region| region.copies)
            .flat_map(|copies| {
                (0..dies).flat_map(move |die| {
                    (0..copies.count).map(move |copy| copies.first + copy + die * copies.die_step)
                })
            })
            .collect()
    }
}

/// The number that follows a name.
fn given_number<'a>(found: &'a str, name: &str) -> Option<&'a str> {
    let head = found.get(..name.len())?;
    let number = found.get(name.len()..)?.strip_prefix('_')?;
    (head.eq_ignore_ascii_case(name)
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit()))
    .then_some(number)
}

fn matches(name: &str, step: &Step) -> bool {
    match step.number {
        None => name.eq_ignore_ascii_case(step.region.name),
        // The number is compared as text, so that TPB_00 is not TPB_0.
        Some(number) => {
            given_number(name, step.region.name).is_some_and(|found| found == number.to_string())
        }
    }
}

/// Keeps a name if it is close to what was written.
fn consider(near: &mut Vec<(usize, String)>, found: &str, candidate: &str) {
    if found.len() > LONGEST_NAME {
        return;
    }
    let distance = distance(&found.to_ascii_uppercase(), &candidate.to_ascii_uppercase());
    if distance <= 1 + candidate.len() / 5 {
        near.push((distance, candidate.to_owned()));
    }
}

/// Edits between two short names, in bytes: insertions, deletions, substitutions, and swaps of neighbors.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}
