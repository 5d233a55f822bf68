// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The blocks of one TPB that programs and hosts reach: SBUF, EVT_SEM, POOL LOCAL_REG.

use super::SocAddr;
use crate::generation::Generation;
use crate::transaction::CoreId;

/// Die select. [soc-address §2.1]
const DIE_BIT: u32 = 47;
/// SEngine select inside a die. [soc-address §2.1]
const SENGINE_BIT: u32 = 38;
/// TPB rather than HBM or APB. [soc-address §2.1]
const TPB_BIT: u32 = 37;
/// TPB select inside an SEngine. [soc-address §2.1]
const TPB_IN_SENGINE_BIT: u32 = 36;
/// Bytes from a TPB base to the end of its last region. [soc-address §2.2]
const TPB_SIZE: u64 = 0x8_0400_0000;
/// SBUF window of v2 to v4. [soc-address §2.3]
const SBUF_SIZE: u64 = 0x200_0000;
/// SBUF window of v5: 128 partitions of 1 MiB. [decisions D-13]
const SBUF_SIZE_V5: u64 = 0x800_0000;
/// EVT_SEM container. [soc-address §2.3]
const EVT_SEM_OFFSET: u64 = 0x8_0270_0000;
const EVT_SEM_SIZE: u64 = 0x10_0000;
/// POOL block and its LOCAL_REG. [soc-address §§2.3, 2.4]
const POOL_OFFSET: u64 = 0x8_0300_0000;
const LOCAL_REG_OFFSET: u64 = POOL_OFFSET + 0x6_0000;
const LOCAL_REG_SIZE: u64 = 0x1_0000;

/// Base address of a core's TPB: `die<<47 | s<<38 | 1<<37 | t<<36`. [soc-address §2.1, HIGH/OBSERVED]
#[must_use]
pub fn tpb_base(core: CoreId) -> SocAddr {
    let number = u64::from(core.number());
    let (die, sengine, tpb) = (number >> 2, (number >> 1) & 1, number & 1);
    SocAddr(
        (die << DIE_BIT) | (sengine << SENGINE_BIT) | (1 << TPB_BIT) | (tpb << TPB_IN_SENGINE_BIT),
    )
}

/// Address of a byte of a core's State Buffer window; `offset` is partition · stride + byte.
#[must_use]
pub fn sbuf(core: CoreId, offset: u64) -> SocAddr {
    SocAddr(tpb_base(core).0 + offset)
}

/// Address of a byte of a core's EVT_SEM container. [soc-address §2.6]
#[must_use]
pub fn evt_sem(core: CoreId, offset: u32) -> SocAddr {
    SocAddr(tpb_base(core).0 + EVT_SEM_OFFSET + u64::from(offset))
}

/// Address of a byte of a core's POOL LOCAL_REG block. [soc-address §2.4]
#[must_use]
pub fn local_reg(core: CoreId, offset: u32) -> SocAddr {
    SocAddr(tpb_base(core).0 + LOCAL_REG_OFFSET + u64::from(offset))
}

/// A region of a TPB that the model decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TpbRegion {
    /// The State Buffer window, holes included.
    Sbuf,
    /// The EVT_SEM container.
    EvtSem,
    /// LOCAL_REG of the POOL block.
    LocalReg,
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Core that owns the region.
    pub core: CoreId,
    /// The region.
    pub region: TpbRegion,
    /// Byte offset from the start of the region.
    pub offset: u64,
}

/// Finds the block that an address of the own chip leads to; `None` outside the decoded regions.
#[must_use]
pub fn locate(address: SocAddr, generation: Generation) -> Option<Place> {
    let core = CoreId::all().find(|core| {
        let base = tpb_base(*core).0;
        (base..base + TPB_SIZE).contains(&address.0)
    })?;
    let offset = address.0 - tpb_base(core).0;
    let sbuf_size = match generation {
        Generation::V5 => SBUF_SIZE_V5,
        Generation::V2 | Generation::V3 | Generation::V4 | Generation::V4Plus => SBUF_SIZE,
    };
    let regions = [
        (TpbRegion::Sbuf, 0, sbuf_size),
        (TpbRegion::EvtSem, EVT_SEM_OFFSET, EVT_SEM_SIZE),
        (TpbRegion::LocalReg, LOCAL_REG_OFFSET, LOCAL_REG_SIZE),
    ];
    regions.into_iter().find_map(|(region, base, size)| {
        (base..base + size).contains(&offset).then(|| Place {
            core,
            region,
            offset: offset - base,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(number: u8) -> CoreId {
        CoreId::new(number).expect("a test names an existing core")
    }

    /// [soc-address §§2.2, 2.6], [evt-sem §5]
    #[test]
    fn bases_are_those_of_the_map() {
        let bases = [
            0x20_0000_0000,
            0x30_0000_0000,
            0x60_0000_0000,
            0x70_0000_0000,
            0x8020_0000_0000,
            0x8030_0000_0000,
            0x8060_0000_0000,
            0x8070_0000_0000,
        ];
        for (number, base) in (0..).zip(bases) {
            assert_eq!(tpb_base(core(number)), SocAddr(base), "core {number}");
        }
        assert_eq!(evt_sem(core(0), 0x1830), SocAddr(0x28_0270_1830));
        assert_eq!(evt_sem(core(4), 0x1850), SocAddr(0x8028_0270_1850));
    }

    #[test]
    fn locate_finds_first_and_last_byte_of_each_region_and_nothing_beyond() {
        for number in 0..CoreId::PER_CHIP {
            let core = core(number);
            for (region, first, last) in [
                (TpbRegion::Sbuf, sbuf(core, 0), sbuf(core, 0x1FF_FFFF)),
                (TpbRegion::EvtSem, evt_sem(core, 0), evt_sem(core, 0xF_FFFF)),
                (
                    TpbRegion::LocalReg,
                    local_reg(core, 0),
                    local_reg(core, 0xFFFF),
                ),
            ] {
                let found = locate(first, Generation::V3).expect("the first byte is inside");
                assert_eq!((found.core, found.region, found.offset), (core, region, 0));
                let found = locate(last, Generation::V3).expect("the last byte is inside");
                assert_eq!(
                    (found.core, found.region, found.offset),
                    (core, region, last.0 - first.0)
                );
                let after = locate(SocAddr(last.0 + 1), Generation::V3);
                assert!(
                    after.is_none_or(|place| place.region != region),
                    "{region:?}"
                );
            }
        }
        assert_eq!(locate(SocAddr(0), Generation::V3), None);
        assert_eq!(locate(SocAddr(u64::MAX), Generation::V3), None);
    }

    /// [decisions D-13]
    #[test]
    fn sbuf_of_v5_covers_128_mib() {
        let last = sbuf(core(0), 0x7FF_FFFF);
        assert!(locate(last, Generation::V4).is_none());
        assert_eq!(
            locate(last, Generation::V5).map(|p| p.region),
            Some(TpbRegion::Sbuf)
        );
        assert!(locate(SocAddr(last.0 + 1), Generation::V5).is_none());
    }
}
