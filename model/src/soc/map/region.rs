// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the map is made of: regions in regions, with copies, elements and registers, all as constant data.

use super::code::RegionCode;
use crate::generation::Generation;

/// A set of generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations(u8);

impl Generations {
    /// Every generation.
    pub const ALL: Self = Self(0x1F);
    /// v3, and v5, which runs on the map of v3. [decisions D-13]
    pub const V3_V5: Self = Self::of(&[Generation::V3, Generation::V5]);
    /// v4 and v4+.
    pub const V4: Self = Self::of(&[Generation::V4, Generation::V4Plus]);
    /// v3 and both v4.
    pub const V3_V4: Self = Self(Self::of(&[Generation::V3]).0 | Self::V4.0);
    /// v4 and later.
    pub const FROM_V4: Self = Self(Self::V4.0 | Self::of(&[Generation::V5]).0);

    /// The set of these generations.
    #[must_use]
    pub const fn of(members: &[Generation]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < members.len() {
            bits |= 1 << members[i].index();
            i += 1;
        }
        Self(bits)
    }

    /// Whether the generation is in the set.
    #[must_use]
    pub const fn contains(self, generation: Generation) -> bool {
        self.0 >> generation.index() & 1 == 1
    }
}

/// What a read and a write do, in a few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Effect and result of a read.
    pub read: &'static str,
    /// Effect of a write.
    pub write: &'static str,
}

impl Access {
    /// Plain storage.
    pub const STORAGE: Self = Self::new("returns what was written", "stores");
    /// A block that the model does not have. [soc-address MC-9]
    pub const OPAQUE: Self = Self::new("returns 0 (not modelled)", "dropped (not modelled)");
    /// Addresses behind which there is nothing. [soc-address MC-10], [evt-sem MC-E4]
    pub const HOLE: Self = Self::new("returns 0, counted as a hole", "dropped, counted as a hole");

    /// From its two sentences.
    #[must_use]
    pub const fn new(read: &'static str, write: &'static str) -> Self {
        Self { read, write }
    }
}

/// A 32-bit register at a place inside a region, or inside each element of one.
#[derive(Debug, PartialEq, Eq)]
pub struct Register {
    /// Name, as the specification spells it.
    pub name: &'static str,
    /// Byte offset from the start of the region or element.
    pub offset: u64,
    /// What accesses do.
    pub access: Access,
}

impl Register {
    /// A register from its parts.
    #[must_use]
    pub const fn new(
        name: &'static str,
        offset: u64,
        read: &'static str,
        write: &'static str,
    ) -> Self {
        Self {
            name,
            offset,
            access: Access::new(read, write),
        }
    }
}

/// One element of an array that has a name of its own.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedElement {
    /// Its index.
    pub index: u32,
    /// Its name.
    pub name: &'static str,
    /// What accesses do.
    pub access: Access,
}

/// Elements of a region that is an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Bytes from one element to the next.
    pub stride: u64,
    /// Number of elements.
    pub count: u32,
}

/// Copies of a region inside its container, each with a number in its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// Number of the first on die 0.
    pub first: u16,
    /// How many there are on one die.
    pub count: u16,
    /// Bytes from one to the next.
    pub pitch: u64,
    /// What die 1 adds to the number.
    pub die_step: u16,
}

/// How the instance number of a block follows from that of its container: `container · scale + add + number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Factor of the container's instance.
    pub scale: u16,
    /// Constant.
    pub add: u16,
}

/// What lies in a container between its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Nothing: those addresses are RESERVED. [decisions D-31]
    Reserved,
    /// The container itself: the children are only the parts of it that are known.
    Container,
}

/// Part of a region behind which there is no storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleRule {
    /// The whole region.
    All,
    /// Everything from this byte of the region, or of each element.
    From(u64),
}

/// One row of the map.
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    /// Name without number.
    pub name: &'static str,
    /// Code at block granularity; none for containers whose children tile them, and below that granularity.
    pub code: Option<RegionCode>,
    /// Start, in bytes from the start of the container.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Generations that have the row.
    pub generations: Generations,
    /// Copies, if the name carries a number.
    pub copies: Option<Copies>,
    /// Instance number of the block.
    pub numbering: Numbering,
    /// Elements, if the region is an array.
    pub elements: Option<Elements>,
    /// What is between the children.
    pub between: Between,
    /// Parts, ascending.
    pub children: &'static [Region],
    /// Registers of the region or of each element.
    pub registers: &'static [Register],
    /// Elements with names of their own.
    pub named: &'static [NamedElement],
    /// Addresses without storage.
    pub hole: Option<HoleRule>,
    /// What the region is.
    pub about: &'static str,
    /// What accesses do where no register says more.
    pub access: Access,
}

impl Region {
    /// A row with a name, a place, a size and a description; the rest by the methods below.
    #[must_use]
    pub const fn new(name: &'static str, offset: u64, size: u64, about: &'static str) -> Self {
        Self {
            name,
            code: None,
            offset,
            size,
            generations: Generations::ALL,
            copies: None,
            numbering: Numbering { scale: 1, add: 0 },
            elements: None,
            between: Between::Container,
            children: &[],
            registers: &[],
            named: &[],
            hole: None,
            about,
            access: Access::STORAGE,
        }
    }

    /// With a block code.
    #[must_use]
    pub const fn code(mut self, code: RegionCode) -> Self {
        self.code = Some(code);
        self
    }

    /// Only in these generations.
    #[must_use]
    pub const fn only(mut self, generations: Generations) -> Self {
        self.generations = generations;
        self
    }

    /// Numbered copies.
    #[must_use]
    pub const fn copies(mut self, first: u16, count: u16, pitch: u64, die_step: u16) -> Self {
        self.copies = Some(Copies {
            first,
            count,
            pitch,
            die_step,
        });
        self
    }

    /// Instance number from that of the container.
    #[must_use]
    pub const fn numbering(mut self, scale: u16, add: u16) -> Self {
        self.numbering = Numbering { scale, add };
        self
    }

    /// An array.
    #[must_use]
    pub const fn elements(mut self, stride: u64, count: u32) -> Self {
        self.elements = Some(Elements { stride, count });
        self
    }

    /// A container with nothing between its children.
    #[must_use]
    pub const fn container(mut self, children: &'static [Region]) -> Self {
        self.children = children;
        self.between = Between::Reserved;
        self
    }

    /// A block some parts of which are known.
    #[must_use]
    pub const fn parts(mut self, children: &'static [Region]) -> Self {
        self.children = children;
        self
    }

    /// With registers.
    #[must_use]
    pub const fn registers(mut self, registers: &'static [Register]) -> Self {
        self.registers = registers;
        self
    }

    /// With elements that have names.
    #[must_use]
    pub const fn named(mut self, named: &'static [NamedElement]) -> Self {
        self.named = named;
        self
    }

    /// With addresses behind which there is nothing.
    #[must_use]
    pub const fn hole(mut self, hole: HoleRule) -> Self {
        self.hole = Some(hole);
        if matches!(hole, HoleRule::All) {
            self.access = Access::HOLE;
        }
        self
    }

    /// What accesses do.
    #[must_use]
    pub const fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Number of copies on one die.
    #[must_use]
    pub const fn count(&self) -> u16 {
        match self.copies {
            Some(copies) => copies.count,
            None => 1,
        }
    }

    /// Start of a copy, in bytes from the start of the container.
    #[must_use]
    pub const fn start(&self, copy: u16) -> u64 {
        match self.copies {
            Some(copies) => self.offset + copies.pitch * copy as u64,
            None => self.offset,
        }
    }

    /// The copy that holds a byte of the container.
    #[must_use]
    pub const fn copy_at(&self, offset: u64) -> Option<u16> {
        let Some(from_first) = offset.checked_sub(self.offset) else {
            return None;
        };
        let (copy, within) = match self.copies {
            Some(copies) => (from_first / copies.pitch, from_first % copies.pitch),
            None => (0, from_first),
        };
        if copy < self.count() as u64 && within < self.size {
            Some(copy as u16)
        } else {
            None
        }
    }
}
