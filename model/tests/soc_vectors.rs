// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The vectors and worked examples of the specification, read from their tables.
//! [soc-address §§4, 6], [evt-sem §5]

use pool_model::generation::Generation;
use pool_model::soc::cam::{Cam, CamEntry, Direction, Instance, RemapForm, Verdict};
use pool_model::soc::fold::{
    FoldOptions, Peer, chip_id_fold, fold, neighbor_fold, plain_die_select,
};
use pool_model::soc::host::{attached_chip, hbm_of};
use pool_model::soc::id::{Q7Core, QueueId, SdmaEngine, TopSpRuntimeId};
use pool_model::soc::legality::{Illegal, verdicts};
use pool_model::soc::map::lookup::target;
use pool_model::soc::map::path;
use pool_model::soc::route::{Origin, Route, route};
use pool_model::soc::routing_id::user_device;
use pool_model::soc::sdma::{Udma, doorbell};
use pool_model::soc::semaphore::{
    EvtSemLeaf, SemaOp, evt_sem_leaf, sema_addr, top_sp_base, top_sp_of_runtime, top_sp_sema_addr,
};
use pool_model::soc::tlb::{SoftwareTlb, TlbMiss, TlbWrite};
use pool_model::soc::tpb::{sbuf_byte, tpb_of};
use pool_model::soc::view::{View, Viewed, decode_local, decode_neighbor};
use pool_model::soc::window::{Requester, WindowFile, WindowMissPolicy, WindowRegister};
use pool_model::soc::{ChipId, Die, SengineId, SocAddr, sbuf};
use pool_model::transaction::CoreId;

/// [soc-address §6], one line each.
const SOC: &str = "\
dec  016A923456789ABC L 123456789ABC die=1 id=2A v=1 rsv=0 ro=1 otf=0 hi=0
dec  016A923456789ABC N 123456789ABC die=1 nr=2 es=0 ed=1 route=0 peb=1 v=1
dec  0000002802701830 L 2802701830 die=0 id=0 v=0
dec  0000803000141234 L 3000141234 die=1 id=0 v=0
dec  0020008280001000 N 8280001000 die=0 peb=1 v=0
dec  0018008006C84000 N 8006C84000 die=0 ed=1 es=0 route=1 v=0
dec  02020028027018A8 L 28027018A8 die=0 id=02 v=0 otf=1
dec  006A803000100000 L 3000100000 die=1 id=2A v=1
dec  0058800000100000 N 100000 die=1 ed=1 route=1 v=1
dec  0058800000100000 L 100000 die=1 id=18 v=1
tpb  2802701830 -> n=0 off=802701830
tpb  803000141234 -> n=5 off=141234
tpb  807803FFFFFF -> n=7 off=803FFFFFF
tpb  2804000000 -> none
sema tpb=4 op=I idx=12 -> 802802701830
sema topsp_rt=8 op=I idx=6 -> 808280001818
sema tpb=0 op=R idx=0 -> 2802701000
sbuf 803000141234 -> tpb=5 part=5 byte=1234
hbm  804012345678 -> h=3 off=12345678
dma  e=5 M2S q=5 -> 1002506038
dma  e=127 M2S q=15 -> 805005F10038
fold chip id=2A die=1 off=3000100000 -> 006A803000100000
fold nbr  die=1 off=100000 -> 0058800000100000
fold chip id=12 die=1 off=100000 -> 0052800000100000
fold plain die=1 off=2802701850 -> 802802701850
win  m=FFFF0 t=00070 r=0028020 A=07012345 -> hit 2802012345
win  m=FFFF0 t=00070 r=0028020 A=07F12345 -> hit 2802F12345
win  m=FFFF0 t=00070 r=0028020 A=08012345 -> miss
win  m=FFFFF t=00090 r=8028027 A=09001830 -> hit 802802701830
cam  cmp=2000000000 mask=1FFFFFF remap=3000000000 W 2000141234 -> 3000141234
cam  cmp=2000000000 mask=1FFFFFF remap=3000000000 W 802000141234 -> miss
rid  8 -> user 1
rid  12 -> user 13
rid  19 -> user 23
";

/// [evt-sem §5], the address rows.
const EVT: &str = "\
addr  tpb=0 EVENT 0  -> 2802700000
addr  tpb=0 READ 0   -> 2802701000
addr  tpb=0 SET 255  -> 28027017FC
addr  tpb=0 INC 12   -> 2802701830
addr  tpb=4 INC 20   -> 802802701850
addr  tpb=0 DEC 7    -> 2802701C1C
addr  sp_rt=8 INC 6  -> 808280001818
addr  sp_rt=15 READ 2 -> 808440001008
dec   2802701814 -> INC 5
dec   2802701FFC -> DEC 255
dec   2802702000 -> reserved1
dec   2802700400 -> reserved0
dec   28027013FC -> READ 255
dec   2802701400 -> SET 0
";

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is hexadecimal"))
}

fn dec(text: &str) -> u8 {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is a decimal number"))
}

/// The value of `key=value` in a row.
fn field<'a>(row: &'a [&'a str], key: &str) -> Option<&'a str> {
    row.iter()
        .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("vectors name existing cores")
}

fn op(name: &str) -> SemaOp {
    match name {
        "EVENT" => SemaOp::Event,
        "R" | "READ" => SemaOp::Read,
        "S" | "SET" => SemaOp::Set,
        "I" | "INC" => SemaOp::Inc,
        "D" | "DEC" => SemaOp::Dec,
        other => panic!("no operation {other}"),
    }
}

fn die(text: &str) -> Die {
    Die::new(dec(text)).expect("vectors name existing dies")
}

#[test]
fn soc_vectors() {
    let mut checked = 0;
    for line in SOC.lines() {
        let row: Vec<&str> = line.split_whitespace().collect();
        let result = *row.last().expect("a row has words");
        match row[0] {
            "dec" => check_decode(&row, line),
            "tpb" => {
                let found = tpb_of(SocAddr(hex(row[1])));
                match field(&row, "n") {
                    Some(n) => {
                        let offset = hex(field(&row, "off").expect("an offset"));
                        assert_eq!(found, Some((core(dec(n)), offset)), "{line}");
                    }
                    None => assert_eq!(found, None, "{line}"),
                }
            }
            "sema" => {
                let op = op(field(&row, "op").expect("an operation"));
                let index = dec(field(&row, "idx").expect("an index"));
                let found = if let Some(tpb) = field(&row, "tpb") {
                    sema_addr(core(dec(tpb)), op, index)
                } else {
                    let rt = dec(field(&row, "topsp_rt").expect("a TOP_SP"));
                    let rt = TopSpRuntimeId::new(rt).expect("below 16");
                    top_sp_sema_addr(rt, op, index)
                };
                assert_eq!(found, SocAddr(hex(result)), "{line}");
            }
            "sbuf" => {
                let found = sbuf_byte(SocAddr(hex(row[1])), Generation::V3).expect(line);
                assert_eq!(
                    (
                        found.core.number(),
                        found.partition,
                        u64::from(found.byte),
                        found.hole
                    ),
                    (5, 5, hex(field(&row, "byte").expect("a byte")), false),
                    "{line}"
                );
            }
            "hbm" => {
                let found = hbm_of(SocAddr(hex(row[1])), Generation::V3).expect(line);
                assert_eq!(
                    (found.hbm.number(), found.offset),
                    (3, hex(field(&row, "off").expect("an offset"))),
                    "{line}"
                );
            }
            "dma" => {
                let engine = dec(field(&row, "e").expect("an engine"));
                let queue = dec(field(&row, "q").expect("a queue"));
                let found = doorbell(
                    SdmaEngine::new(engine).expect("vectors name existing engines"),
                    Udma::M2s,
                    QueueId::new(queue).expect("vectors name existing queues"),
                );
                assert_eq!(found, SocAddr(hex(result)), "{line}");
            }
            "fold" => {
                let offset = hex(field(&row, "off").expect("an offset"));
                let die = die(field(&row, "die").expect("a die"));
                let found = match row[1] {
                    "chip" => {
                        let id = hex(field(&row, "id").expect("an id")) as u8;
                        chip_id_fold(offset, die, ChipId::new(id).expect("below 64"))
                    }
                    "nbr" => neighbor_fold(offset, die),
                    _ => plain_die_select(offset, die),
                };
                assert_eq!(found, SocAddr(hex(result)), "{line}");
            }
            "win" => check_window(&row, line),
            "cam" => check_cam(&row, line),
            "rid" => assert_eq!(
                user_device(u32::from(dec(row[1]))),
                u32::from(dec(result)),
                "{line}"
            ),
            other => panic!("no vector of kind {other}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 34);
}

fn check_decode(row: &[&str], line: &str) {
    let address = SocAddr(hex(row[1]));
    let local = decode_local(address);
    let neighbor = decode_neighbor(address);
    assert_eq!(local.local, hex(row[3]), "{line}");
    assert_eq!(neighbor.local, local.local, "{line}");
    for word in &row[4..] {
        let (key, value) = word.split_once('=').expect("key=value");
        let expected = hex(value);
        let found = match (key, row[2]) {
            ("die", "L") => u64::from(local.die),
            ("die", _) => u64::from(neighbor.die),
            ("id", _) => u64::from(local.cayman_id),
            ("v", "L") => u64::from(local.cayman_id_valid),
            ("v", _) => u64::from(neighbor.id_valid),
            ("rsv", _) => u64::from(local.reserved),
            ("ro", _) => u64::from(local.relaxed_ordering),
            ("otf", _) => u64::from(local.ok_to_fail),
            ("hi", _) => u64::from(local.high_bits),
            ("nr", _) => u64::from(neighbor.neighbor_rsvd),
            ("es", _) => u64::from(neighbor.exit_seng),
            ("ed", _) => u64::from(neighbor.exit_die),
            ("route", _) => u64::from(neighbor.neighbor_route),
            ("peb", _) => u64::from(neighbor.peb),
            other => panic!("no field {other:?}"),
        };
        assert_eq!(found, expected, "{key} of {line}");
    }
}

fn window_from(mask: u64, matched: u64, replace: u64, control: u32) -> WindowFile {
    let mut file = WindowFile::default();
    let values = [
        (WindowRegister::Control, u64::from(control)),
        (WindowRegister::MaskLo, mask << 20 & 0xFFFF_FFFF),
        (WindowRegister::MaskHi, mask >> 12),
        (WindowRegister::MatchLo, matched << 20 & 0xFFFF_FFFF),
        (WindowRegister::MatchHi, matched >> 12),
        (WindowRegister::ReplaceLo, replace << 20 & 0xFFFF_FFFF),
        (WindowRegister::ReplaceHi, replace >> 12),
    ];
    for (register, value) in values {
        file.write(register.offset(), value as u32)
            .expect("window 0 exists");
    }
    file
}

fn check_window(row: &[&str], line: &str) {
    let get = |key| hex(field(row, key).expect("a field"));
    let file = window_from(get("m"), get("t"), get("r"), 1);
    let found = file.peek(get("A") as u32, Requester::Nx, WindowMissPolicy::Miss);
    let expected = (row[row.len() - 2] == "hit").then(|| SocAddr(hex(row[row.len() - 1])));
    assert_eq!(found.address, expected, "{line}");
}

fn check_cam(row: &[&str], line: &str) {
    let get = |key| hex(field(row, key).expect("a field"));
    let cam = cam_with(
        CamEntry {
            cmp_addr: get("cmp"),
            cmp_mask: get("mask"),
            remap_addr: get("remap"),
            valid: true,
            wr_pass: true,
            id_cmp_dis: true,
            remap_en: true,
            ..CamEntry::default()
        },
        RemapForm::Relocate,
    );
    let found = cam.decide(SocAddr(hex(row[5])), 0, Direction::Write);
    let expected = match row[7] {
        "miss" => Verdict::Deny { entry: None },
        address => Verdict::Pass {
            address: SocAddr(hex(address)),
            entry: Some(0),
        },
    };
    assert_eq!(found, expected, "{line}");
}

fn cam_with(entry: CamEntry, form: RemapForm) -> Cam {
    let mut cam = Cam::new(Instance::Amzn, form);
    for (word, value) in entry.write_words(0).into_iter().enumerate() {
        cam.write_buffer(word, value).expect("entry 0 exists");
    }
    cam
}

#[test]
fn evt_sem_vectors() {
    let mut checked = 0;
    for line in EVT.lines() {
        let row: Vec<&str> = line.split_whitespace().collect();
        if row[0] == "addr" {
            let (op, index) = (op(row[2]), dec(row[3]));
            let found = if let Some(tpb) = field(&row, "tpb") {
                sema_addr(core(dec(tpb)), op, index)
            } else {
                let rt = dec(field(&row, "sp_rt").expect("a TOP_SP"));
                top_sp_sema_addr(TopSpRuntimeId::new(rt).expect("below 16"), op, index)
            };
            assert_eq!(found, SocAddr(hex(row[5])), "{line}");
        } else {
            let leaf = evt_sem_leaf((hex(row[1]) & 0xF_FFFF) as u32);
            let expected = match row[3] {
                "reserved0" => EvtSemLeaf::Reserved0,
                "reserved1" => EvtSemLeaf::Reserved1,
                name => EvtSemLeaf::Entry(op(name), dec(row[4])),
            };
            assert_eq!(leaf, expected, "{line}");
            // The map says the same in its own words.
            let viewed = Viewed::recover(SocAddr(hex(row[1])), true);
            let found = target(viewed, Generation::V3).expect("legal");
            let location = found.location().expect("EVT_SEM has no gaps");
            let (name, index) = match row[3] {
                "reserved0" => ("RESERVED_0".to_owned(), None),
                "reserved1" => ("RESERVED_1".to_owned(), None),
                name => (format!("SEMAPHORE_{name}"), Some(u32::from(dec(row[4])))),
            };
            assert_eq!(location.path(), format!("TPB_0.EVT_SEM.{name}"), "{line}");
            assert_eq!(location.index(), index, "{line}");
        }
        checked += 1;
    }
    assert_eq!(checked, 14);
}

fn path_of(address: u64) -> String {
    target(Viewed::recover(SocAddr(address), true), Generation::V3)
        .expect("examples are legal")
        .location()
        .expect("examples name regions")
        .to_string()
}

/// Ex 1, and the note on the seventh vector.
#[test]
fn illegal_words_give_all_their_reasons() {
    let reasons = |bits, view| {
        verdicts(Viewed {
            address: SocAddr(bits),
            view,
        })
        .iter()
        .collect::<Vec<_>>()
    };
    let word = 0x016A_9234_5678_9ABC;
    assert_eq!(
        reasons(word, View::Neighbor),
        [
            Illegal::NeighborReserved,
            Illegal::ExitWithoutRoute,
            Illegal::PebWithId
        ]
    );
    assert_eq!(reasons(word, View::Local), []);
    let word = 0x0202_0028_0270_18A8;
    assert_eq!(reasons(word, View::Local), [Illegal::IdWithoutValid]);
    assert_eq!(
        Viewed::recover(SocAddr(word), true).view,
        View::Neighbor,
        "VALID is 0 and flags are set"
    );
    assert_eq!(reasons(word, View::Neighbor), [Illegal::NeighborReserved]);
}

/// Ex 2 to 9.
#[test]
fn examples_of_places() {
    for (address, path) in [
        (0x28_0270_1830, "TPB_0.EVT_SEM.SEMAPHORE_INC[12]"),
        (0x8030_0014_1234, "TPB_5.STATE_BUF[5]+0x1234"),
        (0x8028_0270_1830, "TPB_4.EVT_SEM.SEMAPHORE_INC[12]"),
        (0x8082_8000_1818, "TOP_SP_10.EVT_SEM.SEMAPHORE_INC[6]"),
        (0x0020_0082_8000_1000, "PEB_SP_0.EVT_SEM.SEMAPHORE_READ[0]"),
        (0x8040_1234_5678, "HBM_3+0x12345678"),
        (0x10_0250_6038, "APB_SE_0.SDMA_5.M2S.QUEUE[5].TDRTP_inc"),
        (0x8050_05F1_0038, "APB_SE_3.SDMA_31.M2S.QUEUE[15].TDRTP_inc"),
    ] {
        assert_eq!(path_of(address), path);
        assert_eq!(path::parse(path, Generation::V3), Ok(SocAddr(address)));
    }
    let eighth = top_sp_of_runtime(TopSpRuntimeId::new(8).expect("below 16"));
    assert_eq!(eighth.number(), 10);
    assert_eq!(top_sp_base(eighth), SocAddr(0x8082_8000_0000));
    let entry = sbuf(core(5), 5 * 0x4_0000 + 0x1234);
    assert_eq!(entry, SocAddr(0x8030_0014_1234));
}

/// Ex 6, 7.
#[test]
fn examples_of_planes() {
    let origin = Origin::default();
    let alias = SocAddr(0x0020_0082_8000_1000);
    assert_eq!(
        route(Viewed::recover(alias, true), origin),
        Route::PebAlias(Die::Zero)
    );
    let forced = Viewed {
        address: alias,
        view: View::Local,
    };
    assert_eq!(decode_local(alias).cayman_id, 32);
    assert_eq!(
        route(forced, origin),
        Route::Illegal(Illegal::IdWithoutValid)
    );

    let exit = SengineId::new(2).expect("below 4");
    let attached = SocAddr(attached_chip(exit).0 + 0x80_06C8_4000);
    assert_eq!(attached, SocAddr(0x0018_0080_06C8_4000));
    let viewed = Viewed::recover(attached, true);
    assert_eq!(
        route(viewed, origin),
        Route::AttachedChip {
            exit_seng: exit,
            die: Die::Zero
        }
    );
    assert_eq!(path_of(attached.0), "APB_IO_0+0x6c84000");
    assert_eq!(
        (
            decode_local(attached).cayman_id,
            decode_local(attached).cayman_id_valid
        ),
        (24, false)
    );
}

/// Ex 10 to 13.
#[test]
fn examples_of_folds() {
    let chip = |id| ChipId::new(id).expect("below 64");
    let to = |routing_id, die, offset| {
        let options = FoldOptions::default();
        fold(offset, Peer { routing_id, die }, Origin::default(), options)
            .expect("examples can be folded")
            .address
    };
    let tenth = to(Some(42), Die::One, 0x30_0010_0000);
    assert_eq!(tenth, SocAddr(0x006A_8030_0010_0000));
    for (me_die, expected) in [
        (Die::One, Route::SameDie(Die::One)),
        (Die::Zero, Route::OtherDie(Die::One)),
    ] {
        let there = Origin {
            chip: chip(42),
            die: me_die,
        };
        assert_eq!(route(Viewed::recover(tenth, true), there), expected);
    }

    let eleventh = to(None, Die::One, 0x10_0000);
    assert_eq!(eleventh, SocAddr(0x0058_8000_0010_0000));
    let set: Vec<u32> = (0..64).filter(|bit| eleventh.0 >> bit & 1 == 1).collect();
    assert_eq!(set, [20, 47, 51, 52, 54]);
    assert_eq!(Viewed::recover(eleventh, true).view, View::Neighbor);
    assert_eq!(Viewed::recover(eleventh, false).view, View::Local);

    assert_eq!(
        to(Some(0x12), Die::One, 0x10_0000),
        SocAddr(0x0052_8000_0010_0000)
    );

    let semaphore = sema_addr(core(0), SemaOp::Inc, 20).0;
    assert_eq!(
        to(Some(0x12), Die::Zero, semaphore),
        SocAddr(0x0052_0028_0270_1850)
    );
    let folded = to(None, Die::One, semaphore);
    assert_eq!(folded, SocAddr(0x0058_8028_0270_1850));
    let plain = plain_die_select(semaphore, Die::One);
    assert_eq!(plain, SocAddr(0x8028_0270_1850));
    for address in [folded, plain] {
        let viewed = Viewed::recover(address, true);
        assert_eq!(route(viewed, Origin::default()), Route::OtherDie(Die::One));
        assert_eq!(path_of(address.0), "TPB_4.EVT_SEM.SEMAPHORE_INC[20]");
    }
}

/// Ex 14 to 16.
#[test]
fn examples_of_windows() {
    let q7 = Requester::Q7(Q7Core::new(3).expect("below 8"));
    let file = window_from(0xF_FFF0, 0x0_0070, 0x2_8020, 0x5);
    let ask =
        |file: &WindowFile, address, who| file.peek(address, who, WindowMissPolicy::Miss).address;
    assert_eq!(ask(&file, 0x0701_2345, q7), Some(SocAddr(0x28_0201_2345)));
    assert_eq!(ask(&file, 0x07F1_2345, q7), Some(SocAddr(0x28_02F1_2345)));
    assert_eq!(ask(&file, 0x0801_2345, q7), None);
    assert_eq!(ask(&file, 0x0701_2345, Requester::Nx), None);
    assert_eq!(path_of(0x28_0201_2345), "TPB_0.PSUM_BUF[2]+0x2345");

    let mut file = WindowFile::default();
    for (register, value) in [
        (WindowRegister::MaskLo, 0xFFF0_0000),
        (WindowRegister::MaskHi, 0xFF),
        (WindowRegister::MatchLo, 0x0900_0000),
        (WindowRegister::ReplaceLo, 0x0270_0000),
        (WindowRegister::ReplaceHi, 0x8028),
        (WindowRegister::Control, 1),
    ] {
        file.write(register.offset(), value).expect("window 0");
    }
    assert_eq!(
        ask(&file, 0x0900_1830, Requester::Nx),
        Some(SocAddr(0x8028_0270_1830))
    );
    file.write(WindowRegister::ReplaceHi.offset(), 0x52_8028)
        .expect("window 0");
    assert_eq!(
        ask(&file, 0x0900_1830, Requester::Nx),
        Some(SocAddr(0x0052_8028_0270_1830))
    );
}

/// Ex 17.
#[test]
fn example_of_the_software_tlb() {
    let scratch = SocAddr(0x1234_5678);
    let mut v2 = SoftwareTlb::v2(SocAddr(0xFFF_C290_0000), scratch);
    let mut v3 = SoftwareTlb::v3(core(0), scratch);
    for (tlb, writes) in [
        (
            &mut v2,
            Some([
                TlbWrite {
                    register: 0x10_021C,
                    value: 0x28,
                },
                TlbWrite {
                    register: 0x10_0218,
                    value: 0x0200_0000,
                },
            ]),
        ),
        (&mut v3, None),
    ] {
        let cold = tlb.translate(SocAddr(0x28_0201_2345));
        assert_eq!(cold.nx, 0x0701_2345);
        assert_eq!(
            cold.miss,
            Some(TlbMiss {
                record: 0,
                tag: 0x28_0200_0000,
                writes
            })
        );
        assert_eq!(tlb.next_alloc(), 1);
        let warm = tlb.translate(SocAddr(0x28_02FF_0000));
        assert_eq!((warm.nx, warm.miss), (0x07FF_0000, None));
    }
}

/// Ex 18.
#[test]
fn example_of_the_fabric_remapper() {
    let entry = CamEntry {
        cmp_addr: 0x20_0000_0000,
        cmp_mask: 0x1FF_FFFF,
        remap_addr: 0x30_0000_0000,
        valid: true,
        wr_pass: true,
        id_cmp_dis: true,
        remap_en: true,
        ..CamEntry::default()
    };
    for (form, expected) in [
        (RemapForm::Relocate, 0x30_0014_1234),
        (RemapForm::Literal, 0x30_0000_0000),
    ] {
        let cam = cam_with(entry, form);
        let write = |address| cam.decide(SocAddr(address), 0, Direction::Write);
        assert_eq!(
            write(0x20_0014_1234),
            Verdict::Pass {
                address: SocAddr(expected),
                entry: Some(0)
            }
        );
        assert_eq!(write(0x8020_0014_1234), Verdict::Deny { entry: None });
    }
}
