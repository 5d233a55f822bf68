// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From an address to the regions around it. [soc-address §§2.2–2.8]

use std::fmt;

use super::code::RegionCode;
use super::region::{Access, Between, HoleRule, Region, Register};
use super::root;
use crate::generation::Generation;
use crate::soc::SocAddr;
use crate::soc::id::Die;
use crate::soc::legality::{Illegal, verdicts};
use crate::soc::view::{Field, View, Viewed};

/// Regions that can lie in each other, root included.
pub const MAX_DEPTH: usize = 5;

/// Which of the two maps is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Plane {
    /// The apertures of the die.
    #[default]
    Main,
    /// PEB = 1: the privileged aliases and `PCIE_M0`.
    Peb,
}

impl Plane {
    /// Root regions of a generation.
    #[must_use]
    pub fn regions(self, generation: Generation) -> &'static [Region] {
        match (self, generation) {
            (Self::Main, Generation::V2) => &root::SUNDA_ROOT,
            (Self::Main, _) => &root::ROOT,
            (Self::Peb, Generation::V2) => &[],
            (Self::Peb, _) => &root::PEB_ROOT,
        }
    }

    /// The high bits of an address in the plane.
    const fn bits(self) -> u64 {
        match self {
            Self::Main => 0,
            Self::Peb => Field::PEB.mask(),
        }
    }
}

/// Dies that a generation's map covers. [soc-address §2.10]
#[must_use]
pub const fn has_die(generation: Generation, die: Die) -> bool {
    !matches!((generation, die), (Generation::V2, Die::One))
}

/// One region on the way down to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The row of the map.
    pub region: &'static Region,
    /// Number in the name, where there are copies.
    pub number: Option<u16>,
    /// Instance number of the block. [`super::region::Numbering`]
    pub instance: u16,
    /// Start of the region, inside the die.
    pub base: u64,
}

impl Step {
    /// Name with the number: `TPB_5`.
    #[must_use]
    pub fn label(&self) -> String {
        match self.number {
            Some(number) => format!("{}_{number}", self.region.name),
            None => self.region.name.to_owned(),
        }
    }
}

/// A named place of the own chip: the regions around an address and the offset in the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    plane: Plane,
    die: Die,
    local: u64,
    root: Step,
    inner: [Option<Step>; MAX_DEPTH - 1],
}

/// A block with its instance number and the offset in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// Which block.
    pub code: RegionCode,
    /// TPB, TOP_SP, HBM, APB_SE or engine number, the die, or 8·TPB + core for Q7 memories.
    pub instance: u8,
    /// Bytes from the start of the block.
    pub offset: u64,
}

/// Why there is no storage behind an address inside a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hole {
    /// Beyond the valid bytes of an SBUF partition: `SbufHole`. [soc-address MC-10]
    Sbuf,
    /// Beyond the populated size of an HBM. [decisions D-51]
    Hbm,
    /// In `RESERVED_SBUF`. [decisions D-51]
    ReservedSbuf,
    /// In a reserved leaf of EVT_SEM. [evt-sem MC-E4]
    EvtSem,
}

/// Addresses to which the map gives no name. [decisions D-31]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The region in which the gap is; none at the root.
    pub inside: Option<Location>,
    /// First byte, inside the die.
    pub start: u64,
    /// First byte after it, inside the die.
    pub end: u64,
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A region.
    Region(Location),
    /// Nothing: RESERVED.
    Reserved(Gap),
}

impl Target {
    /// The location, unless the address is in a gap.
    #[must_use]
    pub const fn location(&self) -> Option<&Location> {
        match self {
            Self::Region(location) => Some(location),
            Self::Reserved(_) => None,
        }
    }

    /// The block around the address; [`Block::default`] in a gap.
    #[must_use]
    pub fn block(&self) -> Block {
        self.location().map_or_else(Block::default, Location::block)
    }
}

/// What is at an address, in the view in which it is meant. The chip that a route leads to has the same map.
///
/// # Errors
/// The reason why the address is illegal.
pub fn target(viewed: Viewed, generation: Generation) -> Result<Target, Illegal> {
    if let Some(reason) = verdicts(viewed).first() {
        return Err(reason);
    }
    let privileged = viewed.view == View::Neighbor && Field::PEB.get(viewed.address) == 1;
    let plane = if privileged { Plane::Peb } else { Plane::Main };
    let die = Die::from_bit(Field::DIE.get(viewed.address) == 1);
    Ok(lookup(
        plane,
        die,
        Field::LOCAL.get(viewed.address),
        generation,
    ))
}

/// What is at a byte of a die.
#[must_use]
pub fn lookup(plane: Plane, die: Die, local: u64, generation: Generation) -> Target {
    let local = local & Field::LOCAL.mask();
    let regions = if has_die(generation, die) {
        plane.regions(generation)
    } else {
        &[]
    };
    let whole_die = (0, Field::LOCAL.mask() + 1);
    let root = match child(regions, whole_die, die, None, local, generation) {
        Ok(step) => step,
        Err((start, end)) => {
            return Target::Reserved(Gap {
                inside: None,
                start,
                end,
            });
        }
    };
    let mut location = Location {
        plane,
        die,
        local,
        root,
        inner: [None; MAX_DEPTH - 1],
    };
    let mut here = root;
    for slot in 0..MAX_DEPTH - 1 {
        let extent = (here.base, here.base + here.region.size);
        match child(
            here.region.children,
            extent,
            die,
            Some(here),
            local,
            generation,
        ) {
            Ok(step) => {
                location.inner[slot] = Some(step);
                here = step;
            }
            Err((start, end)) if here.region.between == Between::Reserved => {
                return Target::Reserved(Gap {
                    inside: Some(location),
                    start,
                    end,
                });
            }
            Err(_) => break,
        }
    }
    Target::Region(location)
}

/// The child that holds a byte, or the extent of the gap around it.
fn child(
    regions: &'static [Region],
    extent: (u64, u64),
    die: Die,
    parent: Option<Step>,
    local: u64,
    generation: Generation,
) -> Result<Step, (u64, u64)> {
    let (mut start, mut end) = extent;
    let offset = local - extent.0;
    for region in regions {
        if !region.generations.contains(generation) {
            continue;
        }
        if let Some(copy) = region.copy_at(offset) {
            return Ok(step(region, copy, die, parent));
        }
        for copy in 0..region.count() {
            let first = extent.0 + region.start(copy);
            let last = first + region.size;
            if last <= local {
                start = start.max(last);
            } else if first > local {
                end = end.min(first);
            }
        }
    }
    Err((start, end))
}

/// The step into a copy of a region.
pub(in crate::soc) fn step(
    region: &'static Region,
    copy: u16,
    die: Die,
    parent: Option<Step>,
) -> Step {
    let number = region
        .copies
        .map(|copies| copies.first + copy + copies.die_step * u16::from(die.number()));
    let container = parent.map_or(0, |parent| parent.instance);
    let own = if parent.is_some() && region.numbering.scale == 1 {
        0
    } else {
        number.unwrap_or(0)
    };
    Step {
        region,
        number,
        instance: container * region.numbering.scale + region.numbering.add + own,
        base: parent.map_or(0, |parent| parent.base) + region.start(copy),
    }
}

impl Location {
    /// The regions from the root to the innermost.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        std::iter::once(&self.root).chain(self.inner.iter().flatten())
    }

    /// The innermost region.
    #[must_use]
    pub fn innermost(&self) -> &Step {
        self.inner.iter().flatten().last().unwrap_or(&self.root)
    }

    /// Row of the innermost region.
    #[must_use]
    pub fn region(&self) -> &'static Region {
        self.innermost().region
    }

    /// The map that it is in.
    #[must_use]
    pub const fn plane(&self) -> Plane {
        self.plane
    }

    /// Die of the own chip.
    #[must_use]
    pub const fn die(&self) -> Die {
        self.die
    }

    /// The address: plain on the own chip, with PEB in the privileged plane.
    #[must_use]
    pub fn address(&self) -> SocAddr {
        self.with_plane(self.local)
    }

    /// Start of the innermost region.
    #[must_use]
    pub fn base(&self) -> SocAddr {
        self.with_plane(self.innermost().base)
    }

    fn with_plane(&self, local: u64) -> SocAddr {
        Field::DIE.set(
            SocAddr(local | self.plane.bits()),
            u64::from(self.die.number()),
        )
    }

    /// Bytes from the start of the innermost region.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.local - self.innermost().base
    }

    /// Element of the innermost region, if it is an array.
    #[must_use]
    pub fn index(&self) -> Option<u32> {
        let elements = self.region().elements?;
        let index = self.offset() / elements.stride;
        (index < u64::from(elements.count)).then_some(index as u32)
    }

    /// Bytes from the start of the element, or of the region if it is no array.
    #[must_use]
    pub fn within(&self) -> u64 {
        match (self.index(), self.region().elements) {
            (Some(_), Some(elements)) => self.offset() % elements.stride,
            _ => self.offset(),
        }
    }

    /// The register whose four bytes hold the address.
    #[must_use]
    pub fn register(&self) -> Option<&'static Register> {
        let word = self.within() & !3;
        self.region()
            .registers
            .iter()
            .find(|register| register.offset == word)
    }

    /// Name of the element, if it has one of its own.
    #[must_use]
    pub fn element_name(&self) -> Option<&'static str> {
        self.named().map(|element| element.name)
    }

    fn named(&self) -> Option<&'static super::region::NamedElement> {
        let index = self.index()?;
        (self.within() < 4)
            .then(|| self.region().named.iter().find(|e| e.index == index))
            .flatten()
    }

    /// What a read and a write do here.
    #[must_use]
    pub fn access(&self) -> Access {
        if self.hole().is_some() {
            Access::HOLE
        } else if let Some(register) = self.register() {
            register.access
        } else if let Some(element) = self.named() {
            element.access
        } else {
            self.region().access
        }
    }

    /// Why there is no storage, if there is none.
    #[must_use]
    pub fn hole(&self) -> Option<Hole> {
        let inside = match self.region().hole? {
            HoleRule::All => true,
            HoleRule::From(valid) => self.within() >= valid,
        };
        let hole = match self.region().code {
            Some(RegionCode::StateBuf) => Hole::Sbuf,
            Some(RegionCode::Hbm) => Hole::Hbm,
            Some(RegionCode::ReservedSbuf) => Hole::ReservedSbuf,
            _ => Hole::EvtSem,
        };
        inside.then_some(hole)
    }

    /// The smallest block around the address that has a code.
    #[must_use]
    pub fn block(&self) -> Block {
        self.steps()
            .filter_map(|step| {
                step.region.code.map(|code| Block {
                    code,
                    instance: step.instance as u8,
                    offset: self.local - step.base,
                })
            })
            .last()
            .unwrap_or_default()
    }

    /// Names of the regions, without index and offset: `TPB_0.EVT_SEM.SEMAPHORE_INC`.
    #[must_use]
    pub fn path(&self) -> String {
        let labels: Vec<String> = self.steps().map(Step::label).collect();
        labels.join(".")
    }
}

/// Path with index, register and offset; [`super::path::parse`] reads it back.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path())?;
        if let Some(index) = self.index() {
            write!(f, "[{index}]")?;
        }
        let rest = match self.register() {
            Some(register) => {
                write!(f, ".{}", register.name)?;
                self.within() - register.offset
            }
            None => self.within(),
        };
        if rest != 0 {
            write!(f, "+{rest:#x}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RESERVED {:#x}..{:#x}", self.start, self.end)?;
        if let Some(inside) = &self.inside {
            write!(f, " of {}", inside.path())?;
        }
        Ok(())
    }
}
