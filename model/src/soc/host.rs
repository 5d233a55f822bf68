// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HBM, the host's BARs, and host memory as the device sees it. [soc-address §§1.6, 2.9]

use super::SocAddr;
use super::id::{Die, HbmId, SdmaEngine, SengineId, TopSpId};
use super::map::{root, tpb};
use super::sdma::{apb_se_base, engine_die, sengine_channel};
use super::semaphore::top_sp_base;
use super::tpb::tpb_base;
use super::view::Field;
use crate::generation::Generation;
use crate::transaction::CoreId;

/// Base of an HBM: `die<<47 | s<<38`. [soc-address §2.1]
#[must_use]
pub const fn hbm_base(hbm: HbmId) -> SocAddr {
    let number = hbm.number() as u64;
    Field::DIE.set(SocAddr((number & 1) << 38), number >> 1)
}

/// A byte of an HBM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HbmByte {
    /// Which stack.
    pub hbm: HbmId,
    /// Byte offset in its aperture.
    pub offset: u64,
    /// Beyond the populated size. [decisions D-51]
    pub hole: bool,
}

/// HBM that bits `[47:0]` lead to. [soc-address §2.1]
#[must_use]
pub fn hbm_of(address: SocAddr, generation: Generation) -> Option<HbmByte> {
    let local = Field::LOCAL.get(address);
    let offset = local & (root::HBM_SIZE - 1);
    if local & !(1 << 38) != offset {
        return None;
    }
    let number = 2 * Field::DIE.get(address) + (local >> 38);
    Some(HbmByte {
        hbm: HbmId::new(number as u8).ok()?,
        offset,
        hole: offset >= root::hbm_populated(generation),
    })
}

/// A window of BAR0. Every one maps onto one piece of the die's address space.
struct BarWindow {
    bar: u64,
    soc: u64,
    size: u64,
}

/// Starts of the groups in BAR0 and the distances inside them. [soc-address §2.9]
const BAR0_APB_IO: (u64, u64) = (0, 0x4000_0000);
const BAR0_APB_SE: (u64, u64) = (0x8000_0000, 0x1000_0000);
const BAR0_TPB: (u64, u64) = (0xD000_0000, 0x400_0000);
const BAR0_TOP_SP: (u64, u64) = (0xF000_0000, 0x40_0000);
/// First half of a TPB's slot; the second maps the upper part of the TPB. [soc-address §2.9]
const SLOT_HALF: u64 = 0x200_0000;

fn bar0_windows() -> impl Iterator<Item = BarWindow> {
    let apb_io = Die::ALL.into_iter().map(|die| BarWindow {
        bar: BAR0_APB_IO.0 + BAR0_APB_IO.1 * u64::from(die.number()),
        soc: Field::DIE
            .set(SocAddr(root::APB_IO.0), u64::from(die.number()))
            .0,
        size: root::APB_IO.1,
    });
    let apb_se = SengineId::all().map(|sengine| BarWindow {
        bar: BAR0_APB_SE.0 + BAR0_APB_SE.1 * u64::from(sengine.number()),
        soc: apb_se_base(sengine).0,
        size: root::APB_SE_SIZE,
    });
    let tpb = CoreId::all().flat_map(|core| {
        let bar = BAR0_TPB.0 + BAR0_TPB.1 * u64::from(core.number());
        let soc = tpb_base(core).0;
        [(0, 0), (SLOT_HALF, tpb::PSUM_BUF)].map(|(in_bar, in_tpb)| BarWindow {
            bar: bar + in_bar,
            soc: soc + in_tpb,
            size: SLOT_HALF,
        })
    });
    let top_sp = TopSpId::all().map(|id| BarWindow {
        bar: BAR0_TOP_SP.0 + BAR0_TOP_SP.1 * u64::from(id.number()),
        soc: top_sp_base(id).0,
        size: root::TOP_SP_SIZE,
    });
    apb_io.chain(apb_se).chain(tpb).chain(top_sp)
}

/// SoC address behind an offset in BAR0; `None` between the windows. [soc-address §2.9]
#[must_use]
pub fn bar0_to_soc(offset: u64) -> Option<SocAddr> {
    bar0_windows().find_map(|window| {
        let within = offset.checked_sub(window.bar)?;
        (within < window.size).then(|| SocAddr(window.soc + within))
    })
}

/// Offset in BAR0 of an address of the own chip; `None` where the host has no window. [soc-address §2.9]
#[must_use]
pub fn soc_to_bar0(address: SocAddr) -> Option<u64> {
    bar0_windows().find_map(|window| {
        let within = address.0.checked_sub(window.soc)?;
        (within < window.size).then(|| window.bar + within)
    })
}

/// SoC address behind an offset in BAR4, which holds the HBM apertures one after the other. [soc-address §2.9]
#[must_use]
pub fn bar4_to_soc(offset: u64) -> Option<SocAddr> {
    let hbm = HbmId::new(u8::try_from(offset / root::HBM_SIZE).ok()?).ok()?;
    Some(SocAddr(hbm_base(hbm).0 + offset % root::HBM_SIZE))
}

/// Offset in BAR4 of an address of the own chip; `None` outside the HBM apertures. [soc-address §2.9]
#[must_use]
pub fn soc_to_bar4(address: SocAddr) -> Option<u64> {
    HbmId::all().find_map(|hbm| {
        let offset = address.0.checked_sub(hbm_base(hbm).0)?;
        (offset < root::HBM_SIZE).then(|| root::HBM_SIZE * u64::from(hbm.number()) + offset)
    })
}

/// Address at which the device sees a physical address of the host, through a die's `PCIE_A0`.
/// [soc-address §1.6, HIGH/OBSERVED]
#[must_use]
pub const fn host_memory(physical: u64, die: Die) -> SocAddr {
    Field::DIE.set(SocAddr(physical | root::PCIE_A0), die.number() as u64)
}

/// `PCIE_B0_n`: memory of a directly attached chip, through the link of SEngine n. [soc-address §1.6]
#[must_use]
pub const fn attached_chip(exit: SengineId) -> SocAddr {
    let number = exit.number() as u64;
    let address = Field::NEIGHBOR_ROUTE.set(SocAddr(0), 1);
    let address = Field::EXIT_DIE.set(address, number >> 1);
    Field::EXIT_SENG.set(address, number & 1)
}

/// Link that the driver chooses for an engine: that of its own SEngine, engine / 32. [soc-address §1.6]
/// The host engines have none of their own and use the first of their die.
#[must_use]
pub const fn exit_of_engine(engine: SdmaEngine) -> SengineId {
    match sengine_channel(engine) {
        Some((sengine, _)) => sengine,
        None => SengineId::wrapping(2 * engine_die(engine).number()),
    }
}

/// `PCIE_M0` of a die. [soc-address §1.6]
#[must_use]
pub const fn pcie_m0(die: Die) -> SocAddr {
    let address = Field::PEB.set(SocAddr(root::PCIE_A0), 1);
    Field::DIE.set(address, die.number() as u64)
}
