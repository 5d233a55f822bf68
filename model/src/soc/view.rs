// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The two readings of the high address bits: fields, get and set, and the rule that picks one.
//! [soc-address §§1.1–1.4]

use serde::Serialize;

use super::SocAddr;

/// Which reading of bits `[55:48]` is meant. [soc-address §1.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// Chip-id reading.
    Local,
    /// Exit and plane flags.
    Neighbor,
}

impl View {
    /// The name that commands use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Neighbor => "neighbor",
        }
    }

    /// The view that the bits alone mean. `nbr_en` is the strap of the neighbor fold, normally on.
    /// [soc-address MC-1]
    #[must_use]
    pub const fn recover(address: SocAddr, nbr_en: bool) -> Self {
        let flags = Field::CAYMAN_ID.get(address);
        let neighbor = if Field::CAYMAN_ID_VALID.get(address) == 1 {
            nbr_en && flags == NEIGHBOR_FOLD_FLAGS
        } else {
            flags != 0
        };
        if neighbor {
            Self::Neighbor
        } else {
            Self::Local
        }
    }
}

/// Bits `[53:48]` of every address that the neighbor fold makes: EXIT_DIE and NEIGHBOR_ROUTE. [soc-address MC-1]
pub const NEIGHBOR_FOLD_FLAGS: u64 = 0x18;

/// How a caller wants the view to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViewRequest {
    /// By the rule of [`View::recover`].
    #[default]
    Recover,
    /// As told, whatever the bits are.
    Force(View),
}

impl ViewRequest {
    /// The view in force for an address.
    #[must_use]
    pub const fn resolve(self, address: SocAddr, nbr_en: bool) -> View {
        match self {
            Self::Recover => View::recover(address, nbr_en),
            Self::Force(view) => view,
        }
    }
}

/// An address together with the view in which it is meant. [soc-address MC-1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Viewed {
    /// The 64 bits.
    pub address: SocAddr,
    /// Their reading.
    pub view: View,
}

impl Viewed {
    /// Reads an address back from where only its bits are stored. [soc-address MC-1]
    #[must_use]
    pub const fn recover(address: SocAddr, nbr_en: bool) -> Self {
        Self {
            address,
            view: View::recover(address, nbr_en),
        }
    }
}

/// A bit field of a SoC address. [soc-address §1.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Name as in the headers.
    pub name: &'static str,
    /// Lowest bit.
    pub shift: u32,
    /// Number of bits.
    pub width: u32,
}

impl Field {
    /// Byte address inside one die.
    pub const LOCAL: Self = Self::new("LOCAL", 0, 47);
    /// Die of the package.
    pub const DIE: Self = Self::new("DIE", 47, 1);
    /// Chip id, local view.
    pub const CAYMAN_ID: Self = Self::new("CAYMAN_ID", 48, 6);
    /// Route by chip id, local view.
    pub const CAYMAN_ID_VALID: Self = Self::new("CAYMAN_ID_VALID", 54, 1);
    /// Reserved, local view.
    pub const RESERVED: Self = Self::new("RESERVED", 55, 1);
    /// Relaxed-ordering attribute, both views.
    pub const RELAXED_ORDERING: Self = Self::new("PCIE_ATTR_RELAXED_ORDERING", 56, 1);
    /// Failure-permitted attribute, both views.
    pub const OK_TO_FAIL: Self = Self::new("OK_TO_FAIL", 57, 1);
    /// Reserved, neighbor view.
    pub const NEIGHBOR_RSVD: Self = Self::new("NEIGHBOR_RSVD", 48, 2);
    /// SEngine of the exit link, neighbor view.
    pub const EXIT_SENG: Self = Self::new("EXIT_SENG", 50, 1);
    /// Die of the exit link, neighbor view.
    pub const EXIT_DIE: Self = Self::new("EXIT_DIE", 51, 1);
    /// Neighbor routing engaged, neighbor view.
    pub const NEIGHBOR_ROUTE: Self = Self::new("NEIGHBOR_ROUTE", 52, 1);
    /// Privileged plane, neighbor view.
    pub const PEB: Self = Self::new("PEB", 53, 1);
    /// The bit of [`Field::CAYMAN_ID_VALID`] under its neighbor name.
    pub const ID_VALID: Self = Self::new("ID_VALID", 54, 1);
    /// Reserved, neighbor view.
    pub const PCIE_U_RSVD: Self = Self::new("PCIE_U_RSVD", 55, 1);
    /// Bits that no macro touches; they can be read here, but have no setter in the headers.
    pub const HIGH_BITS: Self = Self::new("HIGH_BITS", 58, 6);

    /// The fields of the local view that have macros, ascending. [soc-address §1.1]
    pub const LOCAL_VIEW: [Self; 7] = [
        Self::LOCAL,
        Self::DIE,
        Self::CAYMAN_ID,
        Self::CAYMAN_ID_VALID,
        Self::RESERVED,
        Self::RELAXED_ORDERING,
        Self::OK_TO_FAIL,
    ];
    /// The fields of the neighbor view that have macros, ascending. [soc-address §1.2]
    pub const NEIGHBOR_VIEW: [Self; 11] = [
        Self::LOCAL,
        Self::DIE,
        Self::NEIGHBOR_RSVD,
        Self::EXIT_SENG,
        Self::EXIT_DIE,
        Self::NEIGHBOR_ROUTE,
        Self::PEB,
        Self::ID_VALID,
        Self::PCIE_U_RSVD,
        Self::RELAXED_ORDERING,
        Self::OK_TO_FAIL,
    ];

    const fn new(name: &'static str, shift: u32, width: u32) -> Self {
        Self { name, shift, width }
    }

    /// Right-justified mask of the field.
    #[must_use]
    pub const fn value_mask(self) -> u64 {
        (1 << self.width) - 1
    }

    /// The bits of the field in place.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.value_mask() << self.shift
    }

    /// GET: the value of the field.
    #[must_use]
    pub const fn get(self, address: SocAddr) -> u64 {
        (address.0 >> self.shift) & self.value_mask()
    }

    /// SET: the address with the field replaced; a value that is too wide loses its high bits.
    #[must_use]
    pub const fn set(self, address: SocAddr, value: u64) -> SocAddr {
        SocAddr((address.0 & !self.mask()) | ((value & self.value_mask()) << self.shift))
    }

    const fn flag(self, address: SocAddr) -> bool {
        self.get(address) != 0
    }
}

/// All fields of the local view, with the bits above them. [soc-address §1.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct LocalFields {
    /// Byte address inside the die.
    pub local: u64,
    /// Die, 0 or 1.
    pub die: u8,
    /// Chip id, 0..=63.
    pub cayman_id: u8,
    /// Route by chip id.
    pub cayman_id_valid: bool,
    /// Bit 55.
    pub reserved: bool,
    /// Relaxed-ordering attribute.
    pub relaxed_ordering: bool,
    /// Failure-permitted attribute.
    pub ok_to_fail: bool,
    /// Bits `[63:58]`.
    pub high_bits: u8,
}

/// All fields of the neighbor view, with the bits above them. [soc-address §1.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct NeighborFields {
    /// Byte address inside the die.
    pub local: u64,
    /// Die, 0 or 1.
    pub die: u8,
    /// Bits `[49:48]`.
    pub neighbor_rsvd: u8,
    /// SEngine of the exit link inside its die.
    pub exit_seng: bool,
    /// Die of the exit link.
    pub exit_die: bool,
    /// Neighbor routing engaged.
    pub neighbor_route: bool,
    /// Privileged plane.
    pub peb: bool,
    /// Bit 54.
    pub id_valid: bool,
    /// Bit 55.
    pub pcie_u_rsvd: bool,
    /// Relaxed-ordering attribute.
    pub relaxed_ordering: bool,
    /// Failure-permitted attribute.
    pub ok_to_fail: bool,
    /// Bits `[63:58]`.
    pub high_bits: u8,
}

/// Splits an address by the local view. [soc-address §1.1]
#[must_use]
pub const fn decode_local(address: SocAddr) -> LocalFields {
    LocalFields {
        local: Field::LOCAL.get(address),
        die: Field::DIE.get(address) as u8,
        cayman_id: Field::CAYMAN_ID.get(address) as u8,
        cayman_id_valid: Field::CAYMAN_ID_VALID.flag(address),
        reserved: Field::RESERVED.flag(address),
        relaxed_ordering: Field::RELAXED_ORDERING.flag(address),
        ok_to_fail: Field::OK_TO_FAIL.flag(address),
        high_bits: Field::HIGH_BITS.get(address) as u8,
    }
}

/// Splits an address by the neighbor view. [soc-address §1.2]
#[must_use]
pub const fn decode_neighbor(address: SocAddr) -> NeighborFields {
    NeighborFields {
        local: Field::LOCAL.get(address),
        die: Field::DIE.get(address) as u8,
        neighbor_rsvd: Field::NEIGHBOR_RSVD.get(address) as u8,
        exit_seng: Field::EXIT_SENG.flag(address),
        exit_die: Field::EXIT_DIE.flag(address),
        neighbor_route: Field::NEIGHBOR_ROUTE.flag(address),
        peb: Field::PEB.flag(address),
        id_valid: Field::ID_VALID.flag(address),
        pcie_u_rsvd: Field::PCIE_U_RSVD.flag(address),
        relaxed_ordering: Field::RELAXED_ORDERING.flag(address),
        ok_to_fail: Field::OK_TO_FAIL.flag(address),
        high_bits: Field::HIGH_BITS.get(address) as u8,
    }
}
