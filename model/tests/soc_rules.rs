// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Views, legality, routes and folds against rules that are written here a second time.
//! [soc-address §§1.1–1.8]

use pool_model::soc::fold::{FoldError, FoldKind, FoldOptions, Peer, fold};
use pool_model::soc::legality::{Illegal, MissingTarget, missing_target, verdicts};
use pool_model::soc::route::{Origin, Route, route};
use pool_model::soc::routing_id::{
    MAP_DEVICES, NO_PEER, NO_ROUTING_ID, POD_DEVICE, PortMap, UNKNOWN_DEVICE, UNKNOWN_ROUTING_ID,
    is_valid, routing_id, switch_family, user_device,
};
use pool_model::soc::view::{Field, View, ViewRequest, Viewed, decode_local, decode_neighbor};
use pool_model::soc::{ChipId, Die, SengineId, SocAddr, tpb_base};
use pool_model::transaction::CoreId;
use proptest::prelude::*;

/// Name, absolute mask. [soc-address §§1.1, 1.2]
const LOCAL: [(&str, u64); 7] = [
    ("LOCAL", 0x0000_7FFF_FFFF_FFFF),
    ("DIE", 0x0000_8000_0000_0000),
    ("CAYMAN_ID", 0x003F_0000_0000_0000),
    ("CAYMAN_ID_VALID", 0x0040_0000_0000_0000),
    ("RESERVED", 0x0080_0000_0000_0000),
    ("PCIE_ATTR_RELAXED_ORDERING", 0x0100_0000_0000_0000),
    ("OK_TO_FAIL", 0x0200_0000_0000_0000),
];
const NEIGHBOR: [(&str, u64); 11] = [
    ("LOCAL", 0x0000_7FFF_FFFF_FFFF),
    ("DIE", 0x0000_8000_0000_0000),
    ("NEIGHBOR_RSVD", 0x0003_0000_0000_0000),
    ("EXIT_SENG", 0x0004_0000_0000_0000),
    ("EXIT_DIE", 0x0008_0000_0000_0000),
    ("NEIGHBOR_ROUTE", 0x0010_0000_0000_0000),
    ("PEB", 0x0020_0000_0000_0000),
    ("ID_VALID", 0x0040_0000_0000_0000),
    ("PCIE_U_RSVD", 0x0080_0000_0000_0000),
    ("PCIE_ATTR_RELAXED_ORDERING", 0x0100_0000_0000_0000),
    ("OK_TO_FAIL", 0x0200_0000_0000_0000),
];

#[test]
fn fields_have_the_masks_of_the_headers() {
    for (fields, table) in [
        (Field::LOCAL_VIEW.to_vec(), LOCAL.to_vec()),
        (Field::NEIGHBOR_VIEW.to_vec(), NEIGHBOR.to_vec()),
    ] {
        let found: Vec<_> = fields.iter().map(|f| (f.name, f.mask())).collect();
        assert_eq!(found, table);
        let all = table.iter().fold(0, |all, (_, mask)| {
            assert_eq!(all & mask, 0, "fields do not overlap");
            all | mask
        });
        assert_eq!(all, (1 << 58) - 1, "fields fill [57:0]");
    }
    assert_eq!(Field::HIGH_BITS.mask(), 0xFC00_0000_0000_0000);
}

/// A view as the recovery table gives it, row by row. [soc-address §1.4]
fn expected_view(bits: u64, nbr_en: bool) -> View {
    let flags = bits >> 48 & 0x3F;
    match (bits >> 54 & 1, flags) {
        (0, 0) => View::Local,
        (0, _) => View::Neighbor,
        (_, 0x18) if nbr_en => View::Neighbor,
        _ => View::Local,
    }
}

/// The legality table in its order. [soc-address §1.5]
fn expected_reasons(bits: u64, view: View) -> Vec<Illegal> {
    let bit = |n: u32| bits >> n & 1 == 1;
    let mut reasons = Vec::new();
    if bits >> 58 != 0 {
        reasons.push(Illegal::HighBits);
    }
    if bit(55) {
        reasons.push(Illegal::ReservedBit);
    }
    match view {
        View::Local => {
            if !bit(54) && bits >> 48 & 0x3F != 0 {
                reasons.push(Illegal::IdWithoutValid);
            }
        }
        View::Neighbor => {
            if bit(48) || bit(49) {
                reasons.push(Illegal::NeighborReserved);
            }
            if !bit(52) && (bit(50) || bit(51)) {
                reasons.push(Illegal::ExitWithoutRoute);
            }
            if bit(53) && bit(52) {
                reasons.push(Illegal::PebWithRoute);
            }
            if bit(53) && bit(54) {
                reasons.push(Illegal::PebWithId);
            }
        }
    }
    reasons
}

/// The decision list of the specification. [soc-address §1.7]
fn expected_route(bits: u64, view: View, origin: Origin) -> Route {
    if let Some(reason) = expected_reasons(bits, view).first() {
        return Route::Illegal(*reason);
    }
    let bit = |n: u32| bits >> n & 1 == 1;
    let die = if bit(47) { Die::One } else { Die::Zero };
    let near = if die == origin.die {
        Route::SameDie(die)
    } else {
        Route::OtherDie(die)
    };
    let id = (bits >> 48 & 0x3F) as u8;
    if view == View::Local {
        if !bit(54) || id == origin.chip.number() {
            near
        } else {
            Route::OtherChip {
                id: ChipId::new(id).expect("six bits"),
                die,
            }
        }
    } else if bit(53) && bit(46) {
        Route::PcieM0(die)
    } else if bit(53) {
        Route::PebAlias(die)
    } else if !bit(52) || bit(54) {
        near
    } else {
        let exit_seng = 2 * u8::from(bit(51)) + u8::from(bit(50));
        Route::AttachedChip {
            exit_seng: SengineId::new(exit_seng).expect("two bits"),
            die,
        }
    }
}

fn origin(chip: u8, die: Die) -> Origin {
    Origin {
        chip: ChipId::new(chip).expect("below 64"),
        die,
    }
}

/// All values of bits [63:46], both dies, some chips, all ways to find the view.
#[test]
fn every_pattern_of_the_high_bits() {
    let mut routes = [0_usize; 7];
    for high in 0..1_u64 << 18 {
        let bits = high << 46 | 0x28_0270_1830;
        for (me, nbr_en) in [
            (origin(0, Die::Zero), true),
            (origin(42, Die::One), true),
            (origin(24, Die::Zero), false),
        ] {
            let view = View::recover(SocAddr(bits), nbr_en);
            assert_eq!(view, expected_view(bits, nbr_en), "{bits:#x}");
            for request in [
                ViewRequest::Recover,
                ViewRequest::Force(View::Local),
                ViewRequest::Force(View::Neighbor),
            ] {
                let in_force = request.resolve(SocAddr(bits), nbr_en);
                let viewed = Viewed {
                    address: SocAddr(bits),
                    view: in_force,
                };
                let reasons: Vec<_> = verdicts(viewed).iter().collect();
                assert_eq!(reasons, expected_reasons(bits, in_force), "{bits:#x}");
                let code = reasons.first().map_or(0, |first| {
                    1 + Illegal::ALL
                        .iter()
                        .position(|r| r == first)
                        .expect("listed")
                });
                assert_eq!(usize::from(verdicts(viewed).code()), code);
                let found = route(viewed, me);
                assert_eq!(found, expected_route(bits, in_force, me), "{bits:#x}");
                routes[usize::from(found.index())] += 1;
                if request == ViewRequest::Recover {
                    assert!(
                        !reasons.contains(&Illegal::IdWithoutValid),
                        "recovery never produces {bits:#x}"
                    );
                }
            }
        }
    }
    assert!(routes.iter().all(|count| *count > 0), "{routes:?}");
}

/// [soc-address §1.5, MC-3]
#[test]
fn ok_to_fail_decides_about_missing_targets() {
    for (bits, expected) in [
        (0x0000_0012_4000_0000, MissingTarget::DecodeError),
        (0x0200_0012_4000_0000, MissingTarget::Dropped),
        (0x0100_0012_4000_0000, MissingTarget::DecodeError),
    ] {
        assert_eq!(
            missing_target(Viewed::recover(SocAddr(bits), true)),
            expected
        );
    }
}

proptest! {
    #[test]
    fn get_and_set_obey_their_laws(bits in any::<u64>(), value in any::<u64>(), other in any::<u64>()) {
        let address = SocAddr(bits);
        for field in Field::LOCAL_VIEW.into_iter().chain(Field::NEIGHBOR_VIEW) {
            let set = field.set(address, value);
            prop_assert_eq!(field.get(set), value & field.value_mask());
            prop_assert_eq!(set.0 & !field.mask(), bits & !field.mask(), "the rest stays");
            prop_assert_eq!(field.set(set, field.get(address)), address);
            for second in Field::LOCAL_VIEW {
                if field.mask() & second.mask() == 0 {
                    prop_assert_eq!(
                        second.set(set, other),
                        field.set(second.set(address, other), value),
                        "order does not matter"
                    );
                }
            }
        }
    }

    #[test]
    fn fields_are_slices(bits in any::<u64>()) {
        let local = decode_local(SocAddr(bits));
        let neighbor = decode_neighbor(SocAddr(bits));
        let slice = |hi: u32, lo: u32| bits << (63 - hi) >> (63 - hi + lo);
        prop_assert_eq!(local.local, slice(46, 0));
        prop_assert_eq!(u64::from(local.die), slice(47, 47));
        prop_assert_eq!(u64::from(local.cayman_id), slice(53, 48));
        prop_assert_eq!(u64::from(local.cayman_id_valid), slice(54, 54));
        prop_assert_eq!(u64::from(local.reserved), slice(55, 55));
        prop_assert_eq!(u64::from(local.relaxed_ordering), slice(56, 56));
        prop_assert_eq!(u64::from(local.ok_to_fail), slice(57, 57));
        prop_assert_eq!(u64::from(local.high_bits), slice(63, 58));
        prop_assert_eq!(neighbor.local, slice(46, 0));
        prop_assert_eq!(u64::from(neighbor.die), slice(47, 47));
        prop_assert_eq!(u64::from(neighbor.neighbor_rsvd), slice(49, 48));
        prop_assert_eq!(u64::from(neighbor.exit_seng), slice(50, 50));
        prop_assert_eq!(u64::from(neighbor.exit_die), slice(51, 51));
        prop_assert_eq!(u64::from(neighbor.neighbor_route), slice(52, 52));
        prop_assert_eq!(u64::from(neighbor.peb), slice(53, 53));
        prop_assert_eq!(u64::from(neighbor.id_valid), slice(54, 54));
        prop_assert_eq!(u64::from(neighbor.pcie_u_rsvd), slice(55, 55));
        prop_assert_eq!(u64::from(neighbor.relaxed_ordering), slice(56, 56));
        prop_assert_eq!(u64::from(neighbor.ok_to_fail), slice(57, 57));
        prop_assert_eq!(u64::from(neighbor.high_bits), slice(63, 58));
    }

    /// Whatever form a fold takes, the address leads to the peer.
    #[test]
    fn folds_lead_to_the_peer(
        offset in 0_u64..1 << 46,
        routing_id in proptest::option::of(0_u32..200),
        (chip, me_die, peer_die) in (0_u8..64, any::<bool>(), any::<bool>()),
        (nbr_en, plain) in any::<(bool, bool)>(),
    ) {
        let me = origin(chip, Die::from_bit(me_die));
        let peer = Peer { routing_id, die: Die::from_bit(peer_die) };
        let options = FoldOptions { nbr_en, plain_die_select: plain };
        let reserved = routing_id.is_some_and(|id| id % 64 == 24) && nbr_en;
        match fold(offset, peer, me, options) {
            Err(error) => {
                prop_assert!(reserved);
                prop_assert_eq!(error, FoldError::ChipIdReserved { found: routing_id.unwrap_or(0) });
            }
            Ok(folded) => {
                prop_assert!(!reserved);
                let expected = match routing_id {
                    None => (peer.die == me.die, me.chip.number()),
                    Some(id) => (peer.die == me.die, (id % 64) as u8),
                };
                let kind = match (routing_id, peer.die == me.die) {
                    (Some(_), _) => FoldKind::ChipId,
                    (None, true) => FoldKind::NoRewrite,
                    (None, false) if nbr_en && !plain => FoldKind::Neighbor,
                    (None, false) => FoldKind::PlainDieSelect,
                };
                prop_assert_eq!(folded.kind, kind);
                prop_assert_eq!(folded.routing_id_truncated, routing_id.is_some_and(|id| id > 63));
                prop_assert_eq!(folded.address.0 & ((1 << 47) - 1), offset);
                let found = route(Viewed::recover(folded.address, nbr_en), me);
                match found {
                    Route::SameDie(die) => {
                        prop_assert_eq!((die, expected), (peer.die, (true, me.chip.number())));
                    }
                    Route::OtherDie(die) => {
                        prop_assert_eq!((die, expected), (peer.die, (false, me.chip.number())));
                    }
                    Route::OtherChip { id, die } => {
                        prop_assert_eq!((die, id.number()), (peer.die, expected.1));
                        prop_assert_ne!(id, me.chip);
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
    }
}

/// Both sides of each boundary of the fold. [soc-address MC-5 to MC-7], [decisions D-32, D-47, D-50]
#[test]
fn fold_boundaries() {
    let me = origin(3, Die::Zero);
    let to = |routing_id, die, nbr_en, plain_die_select| {
        fold(
            0x20_0000_0000,
            Peer { routing_id, die },
            me,
            FoldOptions {
                nbr_en,
                plain_die_select,
            },
        )
    };
    let bits = |result: Result<pool_model::soc::fold::Folded, FoldError>| {
        result.map(|folded| folded.address.0)
    };
    assert_eq!(bits(to(None, Die::Zero, true, false)), Ok(0x20_0000_0000));
    assert_eq!(
        bits(to(None, Die::One, true, false)),
        Ok(0x0058_8020_0000_0000)
    );
    assert_eq!(bits(to(None, Die::One, true, true)), Ok(0x8020_0000_0000));
    assert_eq!(bits(to(None, Die::One, false, false)), Ok(0x8020_0000_0000));
    // The own id, given explicitly, folds with that id.
    assert_eq!(
        bits(to(Some(3), Die::Zero, true, false)),
        Ok(0x0043_0020_0000_0000)
    );
    for id in [24, 88, 24 + 64 * 1000] {
        assert_eq!(
            bits(to(Some(id), Die::Zero, true, false)),
            Err(FoldError::ChipIdReserved { found: id })
        );
        assert_eq!(
            bits(to(Some(id), Die::Zero, false, false)),
            Ok(0x0058_0020_0000_0000)
        );
    }
    for (id, truncated) in [(63, false), (64, true)] {
        let folded = to(Some(id), Die::Zero, true, false).expect("not 24");
        assert_eq!(folded.routing_id_truncated, truncated);
    }
    let peer = Peer {
        routing_id: None,
        die: Die::Zero,
    };
    let last = (1 << 47) - 1;
    assert!(fold(last, peer, me, FoldOptions::default()).is_ok());
    assert_eq!(
        fold(last + 1, peer, me, FoldOptions::default()),
        Err(FoldError::OffsetTooWide { found: last + 1 })
    );
    // The input is aperture base and offset. [soc-address MC-6]
    let core = CoreId::new(5).expect("below 8");
    let base = Field::LOCAL.get(tpb_base(core));
    assert_eq!(base, 0x30_0000_0000);
}

/// [soc-address §1.8]
#[test]
fn routing_ids_and_port_map() {
    let table = [0, 3, 4, 7, 12, 15, 8, 11, 1, 2, 5, 6, 13, 14, 9, 10];
    let inverse = [0, 8, 9, 1, 2, 10, 11, 3, 6, 14, 15, 7, 4, 12, 13, 5];
    for id in 0..64_u32 {
        let slot = (id % 16) as usize;
        assert_eq!(user_device(id), table[slot] + id / 16 * 16);
        assert_eq!(routing_id(id), inverse[slot] + id / 16 * 16);
        assert_eq!(routing_id(user_device(id)), id);
        assert_eq!(switch_family(id), (id / 16, id % 16));
    }
    assert!(is_valid(15, 16) && !is_valid(16, 16));
    assert!(!is_valid(NO_ROUTING_ID, u32::MAX));

    // A ring of four devices: port 0 leads up, port 1 down, the others nowhere.
    let ids = [2, 0, 3, 1];
    let map = PortMap::build(&ids, |rid, port| match port {
        0 => Some((rid + 1) % 4),
        1 => Some((rid + 3) % 4),
        2 if rid == 0 => Some(40),
        2 if rid == 1 => Some(20),
        _ => None,
    })
    .expect("four devices fit");
    for (device, id) in (0_u8..).zip(ids) {
        let number = i32::from(device);
        let device = usize::from(device);
        assert_eq!(map.routing_id(device), i32::from(id as u8));
        assert_eq!(map.device(id as usize), number);
        let up = ids.iter().position(|other| *other == (id + 1) % 4);
        assert_eq!(usize::try_from(map.query(device, 0)).ok(), up);
        assert_eq!(map.query(device, 3), NO_PEER);
        assert_eq!(map.entry(device, 3), Some(POD_DEVICE));
    }
    let first = ids.iter().position(|id| *id == 0).expect("listed");
    assert_eq!(map.entry(first, 2), Some(UNKNOWN_DEVICE), "beyond the map");
    assert_eq!(map.query(first, 2), NO_PEER);
    assert_eq!(map.device(20), UNKNOWN_DEVICE);
    assert_eq!(map.routing_id(4), UNKNOWN_ROUTING_ID);
    assert_eq!(map.query(99, 0), NO_PEER);
    assert_eq!(map.entry(0, 4), None);
    let nobody = |_: u32, _: usize| None;
    assert!(PortMap::build(&[32], nobody).is_err());
    let many: Vec<u32> = (0..=MAP_DEVICES as u32).collect();
    assert!(PortMap::build(&many, nobody).is_err());
    assert!(PortMap::build(&many[..MAP_DEVICES], nobody).is_ok());
}
