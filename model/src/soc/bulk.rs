// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Verdict, route and block of many addresses: the rules of the other modules, tabulated once per origin.
//!
//! The high bits `[54:46]` index a table of 512 outcomes; bits `[39:10]` walk three tables of 1024 entries (1 GiB, 1 MiB and
//! 1 KiB granules), of which equal ones are shared. Nothing is compared and nothing allocated per address.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::SocAddr;
use super::id::Die;
use super::legality::Illegal;
use super::map::code::RegionCode;
use super::map::lookup::{Block, Plane, Step, lookup, step, target};
use super::map::region::{Between, Region};
use super::route::{Origin, Route, route};
use super::view::{Field, ViewRequest, Viewed};
use crate::generation::Generation;

/// Outcome for one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Bytes from the start of the block; 0 without a block.
    pub offset: u64,
    /// The block; [`RegionCode::Reserved`] in gaps and for illegal addresses.
    pub region: RegionCode,
    /// Instance of the block.
    pub instance: u8,
    /// The route, which holds the verdict.
    pub route: Route,
}

impl Decoded {
    /// What a buffer is filled with before it is used.
    pub const EMPTY: Self = Self {
        offset: 0,
        region: RegionCode::Reserved,
        instance: 0,
        route: Route::Illegal(Illegal::HighBits),
    };

    /// The first reason why the address is illegal, if it is.
    #[must_use]
    pub const fn verdict(&self) -> Option<Illegal> {
        match self.route {
            Route::Illegal(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Bits that one table resolves.
const LEVEL_BITS: u32 = 10;
/// Entries of one table.
const LEVEL: usize = 1 << LEVEL_BITS;
/// Bytes of a granule of the first, second and third table.
const GRANULES: [u64; 3] = [1 << 30, 1 << 20, 1 << 10];
/// The first table resolves bits `[39:30]`; the bits between them and bit 46 are 0 in every aperture below host memory.
const TABULATED: u64 = 1 << 40;
const BETWEEN: u64 = UPPER_HALF - TABULATED;
/// Bit 46: host memory, and `PCIE_M0` in the privileged plane. [soc-address §1.6]
const UPPER_HALF: u64 = 1 << 46;
/// Values of bits `[54:46]`.
const HIGHS: usize = 512;

/// Rows of the first table: the main plane, the privileged plane, then three single rows.
const PEB_ROWS: u16 = LEVEL as u16;
const RESERVED_ROW: u16 = 2 * LEVEL as u16;
const PCIE_A0_ROW: u16 = RESERVED_ROW + 1;
const PCIE_M0_ROW: u16 = RESERVED_ROW + 2;

/// Rows of the first table, rounded up.
const ROWS: usize = 4 * LEVEL;
/// Tables of the second and of the third level; what does not fit is looked up in the map.
const TABLES: usize = 32;
/// Kinds of leaves.
const LEAVES: usize = 256;

/// What bits `[54:46]` decide.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct High {
    route: Route,
    die: u8,
    /// First row and the bits of the row that come from the address, while bits `[45:40]` are 0.
    row: u16,
    row_mask: u16,
    /// Row otherwise.
    beyond: u16,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(align(4))]
struct Row {
    second: u8,
    leaf: u8,
    instance: u8,
    die_step: u8,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(align(4))]
struct Middle {
    third: u8,
    leaf: u8,
    /// Number that blocks add which are numbered inside their container.
    number: u8,
}

/// How instance and offset of a block follow; equal for all blocks of a kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(align(32))]
struct Leaf {
    code: RegionCode,
    scale: u8,
    add: u8,
    /// All ones if the block is numbered inside its container.
    number_mask: u8,
    /// Smaller parts than the last table resolves: the map itself is asked.
    fine: bool,
    /// Low address bits that count, and what is subtracted from them.
    mask: u64,
    start: u64,
}

/// Leaf that stands for asking the map.
const FINE: Leaf = Leaf {
    code: RegionCode::Reserved,
    scale: 0,
    add: 0,
    number_mask: 0,
    fine: true,
    mask: 0,
    start: 0,
};

/// A decoder for one origin, generation and strap.
pub struct BulkDecoder {
    origin: Origin,
    generation: Generation,
    nbr_en: bool,
    highs: Box<[High; HIGHS]>,
    map: Arc<Tables>,
}

impl BulkDecoder {
    /// Tabulates the rules for accesses that an origin makes.
    #[must_use]
    pub fn new(origin: Origin, generation: Generation, nbr_en: bool) -> Self {
        Self {
            origin,
            generation,
            nbr_en,
            highs: Box::new(std::array::from_fn(|high| {
                high_bits(high as u64, origin, nbr_en)
            })),
            map: Arc::new(Tables::build(generation)),
        }
    }

    /// The same map for accesses of another origin, with another strap; the tables are shared.
    #[must_use]
    pub fn for_origin(&self, origin: Origin, nbr_en: bool) -> Self {
        Self {
            origin,
            generation: self.generation,
            nbr_en,
            highs: Box::new(std::array::from_fn(|high| {
                high_bits(high as u64, origin, nbr_en)
            })),
            map: Arc::clone(&self.map),
        }
    }

    /// Decodes as many addresses as both slices hold and returns their number. Views are recovered by
    /// [soc-address MC-1].
    pub fn decode(&self, addresses: &[SocAddr], out: &mut [Decoded]) -> usize {
        for (address, slot) in addresses.iter().zip(out.iter_mut()) {
            *slot = self.decode_one(*address);
        }
        addresses.len().min(out.len())
    }

    /// Decodes one address.
    #[must_use]
    #[inline]
    pub fn decode_one(&self, address: SocAddr) -> Decoded {
        if self.generation == Generation::V2 {
            return self.decode_by_map(address);
        }
        let bits = address.0;
        let high = &self.highs[(bits >> 46) as usize % HIGHS];
        let upper = bits & (Field::HIGH_BITS.mask() | Field::RESERVED.mask());
        if upper != 0 {
            let reason = if upper > Field::RESERVED.mask() {
                Illegal::HighBits
            } else {
                Illegal::ReservedBit
            };
            return Decoded {
                route: Route::Illegal(reason),
                ..Decoded::EMPTY
            };
        }
        let near = high.row + ((bits >> 30) as u16 & high.row_mask);
        let row = if bits & BETWEEN == 0 {
            near
        } else {
            high.beyond
        };
        let map = &*self.map;
        let row = map.rows[usize::from(row) % ROWS];
        let middle = map.middles[index(row.second, bits >> 20)];
        let end = map.ends[index(middle.third, bits >> 10)];
        // Exactly one of the three levels names a leaf; the others hold 0.
        let leaf = &map.leaves[usize::from(row.leaf | middle.leaf | end)];
        if leaf.fine {
            return self.decode_by_map(address);
        }
        let root = row.instance + row.die_step * high.die;
        Decoded {
            offset: (bits & leaf.mask).wrapping_sub(leaf.start),
            region: leaf.code,
            instance: root
                .wrapping_mul(leaf.scale)
                .wrapping_add(leaf.add)
                .wrapping_add(middle.number & leaf.number_mask),
            route: high.route,
        }
    }

    /// The same answer from the rules themselves.
    #[must_use]
    pub fn decode_by_map(&self, address: SocAddr) -> Decoded {
        let viewed = Viewed::recover(address, self.nbr_en);
        let block = target(viewed, self.generation)
            .map_or_else(|_| Block::default(), |target| target.block());
        Decoded {
            offset: block.offset,
            region: block.code,
            instance: block.instance,
            route: route(viewed, self.origin),
        }
    }
}

/// Place of an entry, by the table's number and the address bits that select the entry.
const fn index(table: u8, bits: u64) -> usize {
    ((table as usize % TABLES) << LEVEL_BITS) | (bits as usize % LEVEL)
}

/// Outcome of bits `[54:46]`, bits `[63:55]` being 0.
fn high_bits(high: u64, origin: Origin, nbr_en: bool) -> High {
    let address = SocAddr(high << 46);
    let viewed = Viewed {
        address,
        view: ViewRequest::Recover.resolve(address, nbr_en),
    };
    let route = route(viewed, origin);
    let upper_half = high & 1 == 1;
    let (row, row_mask, beyond) = match route {
        Route::Illegal(_) => (RESERVED_ROW, 0, RESERVED_ROW),
        Route::PcieM0(_) => (PCIE_M0_ROW, 0, RESERVED_ROW),
        Route::PebAlias(_) => (PEB_ROWS, LEVEL as u16 - 1, RESERVED_ROW),
        _ if upper_half => (PCIE_A0_ROW, 0, PCIE_A0_ROW),
        _ => (0, LEVEL as u16 - 1, RESERVED_ROW),
    };
    High {
        route,
        row,
        row_mask,
        beyond,
        die: Field::DIE.get(address) as u8,
    }
}

/// The tables of a generation. Table 0 of each level and leaf 0 hold nothing.
struct Tables {
    rows: Box<[Row; ROWS]>,
    middles: Box<[Middle; TABLES * LEVEL]>,
    ends: Box<[u8; TABLES * LEVEL]>,
    leaves: Box<[Leaf; LEAVES]>,
}

/// An array on the heap.
fn boxed<T: Copy + Default, const N: usize>() -> Box<[T; N]> {
    match vec![T::default(); N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice was made with N elements"),
    }
}

/// The tables while they are built.
struct Builder {
    generation: Generation,
    plane: Plane,
    /// Addresses of die 0 at which a block or a container of the plane begins or ends.
    boundaries: BTreeSet<u64>,
    middles: Interned<Vec<Middle>>,
    ends: Interned<Vec<u8>>,
    leaves: Interned<Leaf>,
}

/// Things that are kept once, under a number.
struct Interned<T> {
    known: BTreeMap<T, u8>,
    capacity: usize,
}

impl<T: Ord> Interned<T> {
    /// Holds one thing, under number 0.
    fn new(zero: T, capacity: usize) -> Self {
        Self {
            known: BTreeMap::from([(zero, 0)]),
            capacity,
        }
    }

    /// The number of a thing, which is added if it is new; none when there is no room.
    fn number(&mut self, thing: T) -> Option<u8> {
        let next = u8::try_from(self.known.len()).ok()?;
        if usize::from(next) < self.capacity {
            Some(*self.known.entry(thing).or_insert(next))
        } else {
            self.known.get(&thing).copied()
        }
    }
}

/// What a granule holds.
enum Granule {
    Gap,
    /// Wholly inside one block; the number is that of the block inside its container.
    Block {
        leaf: Leaf,
        number: u8,
    },
    Mixed,
}

impl Tables {
    fn build(generation: Generation) -> Self {
        let mut leaves = Interned::new(Leaf::default(), LEAVES);
        leaves.known.insert(FINE, FINE_LEAF);
        let mut builder = Builder {
            generation,
            plane: Plane::Main,
            boundaries: BTreeSet::new(),
            middles: Interned::new(vec![Middle::default(); LEVEL], TABLES),
            ends: Interned::new(vec![0; LEVEL], TABLES),
            leaves,
        };
        let mut rows = Vec::new();
        let mut upper_halves = vec![Row::default()];
        for plane in [Plane::Main, Plane::Peb] {
            builder.plane = plane;
            builder.boundaries.clear();
            builder.collect(plane.regions(generation), None);
            rows.extend((0..LEVEL as u64).map(|granule| builder.row(granule * GRANULES[0])));
            upper_halves.push(builder.row(UPPER_HALF));
        }
        rows.extend(upper_halves);
        let mut tables = Self {
            rows: boxed(),
            middles: boxed(),
            ends: boxed(),
            leaves: boxed(),
        };
        tables.rows[..rows.len()].copy_from_slice(&rows);
        for (table, number) in builder.middles.known {
            tables.middles[index(number, 0)..][..LEVEL].copy_from_slice(&table);
        }
        for (table, number) in builder.ends.known {
            tables.ends[index(number, 0)..][..LEVEL].copy_from_slice(&table);
        }
        for (leaf, number) in builder.leaves.known {
            tables.leaves[usize::from(number)] = leaf;
        }
        tables
    }
}

/// Number of [`FINE`].
const FINE_LEAF: u8 = 1;

impl Builder {
    fn collect(&mut self, regions: &'static [Region], parent: Option<Step>) {
        for region in regions {
            if !region.generations.contains(self.generation) {
                continue;
            }
            for copy in 0..region.count() {
                let step = step(region, copy, Die::Zero, parent);
                if region.code.is_some() || region.between == Between::Reserved {
                    self.boundaries.insert(step.base);
                    self.boundaries.insert(step.base + region.size);
                }
                self.collect(region.children, Some(step));
            }
        }
    }

    fn row(&mut self, start: u64) -> Row {
        let [zero, one] = Die::ALL.map(|die| self.root_instance(die, start));
        let mut row = Row {
            instance: zero,
            die_step: one.wrapping_sub(zero),
            ..Row::default()
        };
        // Host memory and PCIE_M0 are looked up as a whole, so one byte stands for them.
        let size = if start == UPPER_HALF { 1 } else { GRANULES[0] };
        match self.granule(start, size) {
            Granule::Gap => {}
            Granule::Block { leaf, .. } => row.leaf = self.leaf(leaf),
            Granule::Mixed => {
                let entries = (0..LEVEL as u64)
                    .map(|i| self.middle(start + i * GRANULES[1]))
                    .collect();
                match self.middles.number(entries) {
                    Some(number) => row.second = number,
                    None => row.leaf = FINE_LEAF,
                }
            }
        }
        row
    }

    fn middle(&mut self, start: u64) -> Middle {
        match self.granule(start, GRANULES[1]) {
            Granule::Gap => Middle::default(),
            Granule::Block { leaf, number } => Middle {
                third: 0,
                leaf: self.leaf(leaf),
                number,
            },
            Granule::Mixed => {
                let mut middle = Middle::default();
                let entries = (0..LEVEL as u64)
                    .map(
                        |i| match self.granule(start + i * GRANULES[2], GRANULES[2]) {
                            Granule::Gap => 0,
                            Granule::Block { leaf, number } => {
                                middle.number = middle.number.max(number);
                                self.leaf(leaf)
                            }
                            Granule::Mixed => FINE_LEAF,
                        },
                    )
                    .collect();
                match self.ends.number(entries) {
                    Some(number) => middle.third = number,
                    None => middle.leaf = FINE_LEAF,
                }
                middle
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> u8 {
        self.leaves.number(leaf).unwrap_or(FINE_LEAF)
    }

    /// Looks at some bytes: one block, one gap, or several things.
    fn granule(&self, start: u64, size: u64) -> Granule {
        let inside = start + 1..start + size;
        if self.boundaries.range(inside).next().is_some() {
            return Granule::Mixed;
        }
        let found = lookup(self.plane, Die::Zero, start, self.generation);
        let Some(location) = found.location() else {
            return Granule::Gap;
        };
        let block = location.block();
        let base = start - block.offset;
        let mut leaf = Leaf {
            code: block.code,
            scale: 1,
            ..Leaf::default()
        };
        let mut number = 0;
        for step in location.steps() {
            let numbering = step.region.numbering;
            if numbering.scale > 1 {
                leaf.scale = numbering.scale as u8;
                leaf.add = numbering.add as u8;
                leaf.number_mask = u8::MAX;
                number = step.number.unwrap_or(0) as u8;
            }
            if step.region.code == Some(block.code) && step.base == base {
                // The low bits in which the bytes of the block differ, and its place in them: the same for all copies.
                let last = base + step.region.size - 1;
                leaf.mask = u64::MAX >> (base ^ last).leading_zeros();
                leaf.start = base & leaf.mask;
                break;
            }
        }
        Granule::Block { leaf, number }
    }

    /// Instance of the root region that a granule of the first table touches.
    fn root_instance(&self, die: Die, start: u64) -> u8 {
        for region in self.plane.regions(self.generation) {
            for copy in 0..region.count() {
                let step = step(region, copy, die, None);
                if step.base < start + GRANULES[0] && start < step.base + region.size {
                    return step.instance as u8;
                }
            }
        }
        0
    }
}
