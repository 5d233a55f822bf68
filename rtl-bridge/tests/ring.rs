// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The verilated DMA engines: what a script shows, the suite on every generation, and the report of a hang.

use std::num::NonZeroUsize;

use pool_model::generation::Generation;
use rtl_bridge::cosim::{Options, run};
use rtl_bridge::lockstep::{BlockLockstep, Design, Outcome, RingLockstep};
use rtl_bridge::mutants::table;
use rtl_bridge::stimulus::Seeded;
use rtl_bridge::stimulus::ring::{copies, script, script_of_bytes};
use rtl_bridge::{
    RingEvent, RingEventKind, RingOp, RingOpKind, RingScript, RtlError, Suite, UdmaGroup, Watchdog,
};

const V3: u8 = 1;
const S2M: u64 = 0x2_0000;
const GEN: u64 = 0x3_8000;
/// `en_pref`, `en_scheduling` or `en_stream`, `allow_lt_min_pref`. [idma-ring §§2.3, 2.4]
const ENABLED: u32 = 0x0313_0000;

#[derive(Default)]
struct Builder(RingScript);

impl Builder {
    fn op(&mut self, kind: RingOpKind) -> &mut RingOp {
        self.0.ops.push(RingOp {
            address: 0,
            data: 0,
            start: 0,
            kind,
            engine: 0,
            port: 0,
            what: 0,
            settled: kind != RingOpKind::Reset,
        });
        self.0.ops.last_mut().unwrap()
    }

    fn reset(&mut self) {
        self.op(RingOpKind::Reset).what = V3;
    }

    fn write(&mut self, address: u64, data: u32) {
        let op = self.op(RingOpKind::Write);
        (op.address, op.data) = (address, data);
    }

    fn read(&mut self, address: u64) {
        self.op(RingOpKind::Read).address = address;
    }

    fn poke(&mut self, address: u64, bytes: &[u8]) {
        let start = self.0.bytes.len() as u32;
        self.0.bytes.extend_from_slice(bytes);
        let op = self.op(RingOpKind::Poke);
        (op.address, op.start, op.data) = (address, start, bytes.len() as u32);
    }

    /// Descriptor `slot` of queue 1.
    fn descriptor(&mut self, base: u64, slot: u64, words: [u32; 4]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.poke(base + 16 * slot, &bytes);
    }

    /// Queue 1 of engine 0 with rings of four descriptors.
    fn arm(&mut self) {
        for (side, base) in [(0, 0x1000), (S2M, 0x2000)] {
            let queue = side + 0x2000;
            self.write(queue + 0x28, base);
            self.write(queue + 0x30, 4);
            self.write(queue + 0x44, base + 0x2000);
            self.write(queue + 0x20, ENABLED);
            self.write(side + 0x204, 1);
        }
        self.write(0x20A0, 1);
        self.write(S2M + 0x2054, 1);
    }
}

/// Two descriptors of 40 and 8 bytes into one of 64.
fn small_copy() -> RingScript {
    let mut it = Builder::default();
    it.reset();
    it.arm();
    let data: Vec<u8> = (0..48).collect();
    it.poke(0x5010, &data[..40]);
    it.poke(0x6000, &data[40..]);
    it.descriptor(0x1000, 0, [0x0500_0028, 0x0108_0003, 0x5010, 0]);
    it.descriptor(0x1000, 1, [0x0900_0008, 0x0108_0003, 0x6000, 0]);
    it.descriptor(0x2000, 0, [0x0100_0040, 0, 0x7004, 0]);
    it.write(S2M + 0x2038, 1);
    it.write(0x2038, 2);
    it.op(RingOpKind::Settle);
    it.read(0x204C);
    it.read(S2M + 0x204C);
    it.0
}

fn event(
    kind: RingEventKind,
    s2m: bool,
    address: u64,
    length: u32,
) -> (RingEventKind, bool, u64, u32) {
    (kind, s2m, address, length)
}

/// By hand from [idma-ring §§1.9, 2.6, 2.9] and the contract.
#[test]
fn a_small_copy_does_what_is_written() {
    let mut rtl = UdmaGroup::new().unwrap();
    let end = rtl.run(&small_copy(), Watchdog::default()).unwrap();
    assert!(!end.hung);
    let found: Vec<_> = rtl
        .events()
        .iter()
        .map(|it| event(it.kind, it.s2m, it.address, it.length))
        .collect();
    let expected = [
        event(RingEventKind::Fetch, true, 0x2000, 1),
        event(RingEventKind::Fetch, false, 0x1000, 2),
        event(RingEventKind::Read, false, 0x5010, 40),
        event(RingEventKind::Write, true, 0x7004, 40),
        event(RingEventKind::Completion, false, 0x3000, 4),
        event(RingEventKind::Read, false, 0x6000, 8),
        event(RingEventKind::Write, true, 0x702C, 8),
        event(RingEventKind::Completion, true, 0x4000, 16),
        event(RingEventKind::Packet, true, 0, 0),
        event(RingEventKind::Completion, false, 0x3004, 4),
        event(RingEventKind::Packet, false, 0, 0),
    ];
    let mut ordered = found.clone();
    // Agents are in order, each for itself.
    let key = |it: &(RingEventKind, bool, u64, u32)| (it.0, it.1);
    ordered.sort_by_key(key);
    let mut by_agent = expected.to_vec();
    by_agent.sort_by_key(key);
    assert_eq!(ordered, by_agent);
    let written: Vec<u8> = (0..48).collect();
    assert_eq!(rtl.memory(0)[0x7004..0x7034], written);
    // BUF1_USED, LAST, FIRST, ring id 1, and 48 bytes. [decisions D-23]
    let entry: [u32; 4] = [0x4D00_0000, 48, 0, 0];
    let entry: Vec<u8> = entry.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(rtl.memory(0)[0x4000..0x4010], entry);
    assert_eq!(rtl.values(), [0x4000_0002, 0x4000_0001]);
}

#[test]
fn model_and_rtl_agree_on_a_small_copy_and_the_model_is_not_asked_before() {
    let mut lockstep = RingLockstep::new(Design::Plain).unwrap();
    let run = lockstep.run_script(&small_copy()).unwrap();
    assert_eq!(run.difference, None);
    assert_eq!(run.tally.operations, small_copy().ops.len() as u64);
}

/// The same script on an instance that has done something else, and on a fresh one.
#[test]
fn a_reset_leaves_nothing_behind() {
    let mut used = UdmaGroup::new().unwrap();
    let other = script(Generation::V5, 300, &mut Seeded::new(3));
    used.run(&other, Watchdog::default()).unwrap();
    let mut fresh = UdmaGroup::new().unwrap();
    for rtl in [&mut used, &mut fresh] {
        rtl.run(&small_copy(), Watchdog::default()).unwrap();
    }
    assert_eq!(used.events(), fresh.events());
    assert_eq!(used.bytes(), fresh.bytes());
    assert_eq!(used.states(), fresh.states());
    assert_eq!(used.memory(0), fresh.memory(0));
    assert_eq!(used.memory(1), fresh.memory(1));
}

/// Without a time-out, an access without response is waited for for ever. [idma-ring §2.5 `AXI.cfg_1`]
#[test]
fn a_hang_says_what_both_sides_wait_for() {
    let mut script = small_copy();
    let mut faults = Builder::default();
    faults.write(GEN + 0x2300, 0);
    let op = faults.op(RingOpKind::Fault);
    (op.port, op.what) = (1, 1);
    let at = script.ops.len() - 5;
    script.ops.splice(at..at, faults.0.ops);
    let mut lockstep = RingLockstep::new(Design::Plain).unwrap();
    lockstep.set_watchdog(Watchdog {
        quiet: 500,
        longest: 10_000,
    });
    match lockstep.run_script(&script) {
        Err(RtlError::Hang(hang)) => {
            assert!(hang.model.contains("response of memory"), "{hang}");
            assert!(hang.rtl.contains("the move of a packet, queue 1"), "{hang}");
            let outcome = Outcome::from_error(&RtlError::Hang(hang), None);
            assert_eq!((outcome.name(), outcome.exit_code()), ("hang", 3));
        }
        other => panic!("{other:?}"),
    }
    // The instance goes on with the next script.
    assert_eq!(lockstep.run_script(&small_copy()).unwrap().difference, None);
}

#[test]
fn a_script_of_bytes_is_bounded_and_ends() {
    for (seed, length) in [(0_u8, 0_u16), (1, 40), (255, 4000)] {
        let data: Vec<u8> = (0..length)
            .map(|at| at.to_le_bytes()[0].wrapping_mul(29) ^ seed)
            .collect();
        let script = script_of_bytes(Generation::V4, 200, &data);
        assert!(script.ops.len() <= 200);
        let kind = script.ops.last().map(|op| op.kind);
        assert_eq!(kind, Some(RingOpKind::Settle));
    }
}

#[test]
fn a_shorter_script_is_the_beginning_of_a_longer_one() {
    let [long, short] =
        [400, 150].map(|length| script(Generation::V3, length, &mut Seeded::new(9)));
    assert_eq!(long.ops[..150], short.ops);
    assert!(long.bytes.starts_with(&short.bytes));
}

#[test]
fn the_yardstick_moves_what_the_lock_step_moves() {
    let script = copies(Generation::V3, 16, 512);
    let mut rtl = UdmaGroup::new().unwrap();
    let bare = rtl.run_bare(&script, Watchdog::default()).unwrap();
    assert!(rtl.events().is_empty());
    let watched = rtl.run(&script, Watchdog::default()).unwrap();
    assert_eq!(bare, watched);
    assert_eq!(bare.packets, 64);
    let reads = |it: &&RingEvent| it.kind == RingEventKind::Read && it.length == 512;
    assert_eq!(rtl.events().iter().filter(reads).count(), 64);
}

fn options(budget: u64, jobs: usize) -> Options {
    Options {
        suites: vec![Suite::Ring],
        budget,
        jobs: NonZeroUsize::new(jobs).unwrap(),
        ..Options::default()
    }
}

/// Counters that a short run may leave at 0.
const RARE: [&str; 1] = ["runs ended by overlapping buffers"];

#[test]
fn the_suite_agrees_on_every_generation_and_reaches_everything() {
    let report = run(&options(100_000, 2)).unwrap();
    assert_eq!(report.outcome(), &Outcome::Match, "{report}");
    let generations: Vec<_> = report
        .blocks
        .iter()
        .map(|it| it.generation.unwrap())
        .collect();
    assert_eq!(generations, Generation::ALL);
    let counters: Vec<_> = report.blocks[0].counters().map(|(name, _)| name).collect();
    for (at, name) in counters.into_iter().enumerate() {
        let total: u64 = report.blocks.iter().map(|it| it.tally.counts[at]).sum();
        assert!(total > 0 || RARE.contains(&name), "never: {name}\n{report}");
    }
}

#[test]
fn the_report_does_not_depend_on_the_jobs() {
    let [one, two] = [1, 2].map(|jobs| run(&options(10_000, jobs)).unwrap().to_string());
    assert_eq!(one, two);
}

/// The report of a mismatch: both events, the descriptors, the section, and the command that repeats it.
#[test]
fn a_mismatch_is_explained_and_repeated() {
    let row = table()
        .iter()
        .find(|row| row.name == "ring_id_not_flipped")
        .unwrap();
    let report = run(&Options {
        mutant: Some(row.id),
        generations: vec![Generation::V3],
        ..options(100_000, 1)
    })
    .unwrap();
    let text = report.to_string();
    assert_eq!(report.exit_code(), 1, "{text}");
    for part in [
        "replay: sb2sb cosim --suite ring --generation v3",
        "idma-ring §",
        "BD at",
    ] {
        assert!(text.contains(part), "{part} is missing\n{text}");
    }
    let Outcome::Mismatch(found) = report.outcome() else {
        panic!("{text}");
    };
    let rtl_bridge::lockstep::Divergence::Block(found) = &**found else {
        panic!("{text}");
    };
    assert!(found.reproduced, "{text}");
    let again = run(&Options {
        operation: found.case.index,
        mutant: Some(row.id),
        generations: vec![Generation::V3],
        ..options(100_000, 1)
    })
    .unwrap();
    assert_eq!(again.outcome(), report.outcome());
}
