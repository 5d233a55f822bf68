// SPDX-License-Identifier: Apache-2.0 OR MIT
//! DMA engines inside a chip: every queue by its SoC address, every aperture as source and destination.
//! [idma-ring §§2.1, 2.8, 3.6, 3.11]

use pool_model::choices::Choices;
use pool_model::device::{Device, Progress};
use pool_model::generation::Generation;
use pool_model::idma::injection::{Injection, PortName};
use pool_model::idma::{Barrier, CopyBytes, CopyPair, EngineName, FaultKind, RingId};
use pool_model::soc::id::QueueId;
use pool_model::soc::sdma::{Udma, core_engine, queue_base, sdma_base};
use pool_model::soc::{SocAddr, evt_sem, sbuf, tpb_base};
use pool_model::system::{System, Topology};
use pool_model::transaction::{CoreId, Direction, NullSink, Transaction};

const LENGTH: u32 = 16;

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a test names an existing core")
}

fn system(generation: Generation) -> System {
    System::new(Topology {
        generation,
        cores: vec![core(0)],
        choices: Choices::default(),
    })
    .expect("one core")
}

/// A queue pair of an engine, with rings in memory of its core.
#[derive(Clone, Copy)]
struct Pair {
    core: CoreId,
    engine: u8,
    queue: u8,
    slot: u32,
    id: RingId,
}

const DIRECTIONS: [Udma; 2] = [Udma::S2m, Udma::M2s];

impl Pair {
    fn armed(system: &mut System, core_number: u8, engine: u8, queue: u8) -> Self {
        let pair = Self {
            core: core(core_number),
            engine,
            queue,
            slot: 0,
            id: RingId::FIRST_LAP,
        };
        for direction in DIRECTIONS {
            let ring = pair.ring(direction).0;
            let comp_cfg = if direction == Udma::M2s { 0xA0 } else { 0x54 };
            for (register, value) in [
                (0x28, ring as u32),
                (0x2C, (ring >> 32) as u32),
                (0x30, LENGTH),
                (comp_cfg, 0),
                (0x20, 0x0303_0000),
            ] {
                write(system, pair.register(direction, register), value);
            }
            write(system, pair.half(direction, 0x204), 1);
        }
        pair
    }

    /// In the DGE memory of the core. [soc-address §2.3]
    fn ring(self, direction: Udma) -> SocAddr {
        let index = 32 * u64::from(self.engine) + 2 * u64::from(self.queue);
        let index = index + u64::from(direction == Udma::S2m);
        SocAddr(tpb_base(self.core).0 + 0x4000_0000 + index * 0x1000)
    }

    fn register(self, direction: Udma, register: u64) -> SocAddr {
        let engine = core_engine(self.core, self.engine).expect("16 engines");
        let queue = QueueId::new(self.queue).expect("16 queues");
        SocAddr(queue_base(engine, direction, queue).0 + register)
    }

    fn half(self, direction: Udma, register: u64) -> SocAddr {
        let engine = core_engine(self.core, self.engine).expect("16 engines");
        let half = if direction == Udma::S2m { 0x2_0000 } else { 0 };
        SocAddr(sdma_base(engine).0 + half + register)
    }

    fn place(&mut self, system: &mut System, source: SocAddr, destination: SocAddr, bytes: u64) {
        let length = CopyBytes::new(bytes).expect("a legal length");
        let CopyPair { tx, rx } =
            CopyPair::new(source, destination, length, self.id, Barrier::None);
        for (direction, entry) in [(Udma::S2m, rx), (Udma::M2s, tx)] {
            let slot = SocAddr(self.ring(direction).0 + 16 * u64::from(self.slot));
            system.load(slot, &entry.pack()).expect("DGE memory");
        }
        self.slot += 1;
        if self.slot == LENGTH {
            self.slot = 0;
            self.id = self.id.next_lap();
        }
    }

    fn ring_doorbells(self, system: &mut System, count: u32) {
        for direction in DIRECTIONS {
            write(system, self.register(direction, 0x38), count);
        }
    }

    fn copy(&mut self, system: &mut System, source: SocAddr, destination: SocAddr, bytes: u64) {
        self.place(system, source, destination, bytes);
        self.ring_doorbells(system, 1);
    }
}

fn write(system: &mut System, address: SocAddr, value: u32) {
    system
        .write32(address, value, &mut NullSink)
        .expect("a register");
}

fn settle(system: &mut System) -> Progress {
    system
        .advance(100_000, &mut NullSink)
        .expect("the model does not fail")
        .progress()
}

fn ramp(length: usize, seed: u8) -> Vec<u8> {
    (0..length)
        .map(|i| (i as u8).wrapping_mul(29).wrapping_add(seed) ^ (i >> 8) as u8)
        .collect()
}

/// Apertures with memory behind them; each at a place that crosses a page. [soc-address §§1.6, 2.2, 2.3]
fn apertures() -> Vec<(&'static str, SocAddr)> {
    let tpb = |number: u8, offset: u64| SocAddr(tpb_base(core(number)).0 + offset);
    vec![
        ("SBUF of core 0", sbuf(core(0), 3 * 0x4_0000 + 0xFF1)),
        ("SBUF of core 1", sbuf(core(1), 0x2000)),
        (
            "SBUF of core 6, other die",
            sbuf(core(6), 5 * 0x4_0000 + 0x7),
        ),
        ("HBM 0", SocAddr(0x1_2345_6FFD)),
        ("HBM 2, other die", SocAddr(0x8000_0000_1000)),
        ("scratch RAM", tpb(2, 0x400_0FF0)),
        ("DGE memory", tpb(3, 0x4800_0001)),
        ("PSUM", tpb(0, 0x8_0200_0010)),
        ("host memory", SocAddr(0x4000_1234_5FF8)),
    ]
}

#[test]
fn every_pair_of_apertures() {
    let mut system = system(Generation::V3);
    let mut pair = Pair::armed(&mut system, 0, 0, 0);
    let places = apertures();
    let mut seed = 0_u8;
    for (from, source) in &places {
        for (to, destination) in &places {
            if from == to {
                continue;
            }
            for length in [1, 64, 3000] {
                seed = seed.wrapping_add(1);
                let length = if to.contains("PSUM") || from.contains("PSUM") {
                    length.min(0x700)
                } else {
                    length
                };
                let bytes = ramp(length as usize, seed);
                system
                    .load(*source, &bytes)
                    .unwrap_or_else(|e| panic!("{from}: {e}"));
                pair.copy(&mut system, *source, *destination, length);
                assert_eq!(settle(&mut system), Progress::Idle, "{from} to {to}");
                let mut found = vec![0; length as usize];
                system
                    .dump(*destination, &mut found)
                    .unwrap_or_else(|e| panic!("{to}: {e}"));
                assert_eq!(found, bytes, "{from} to {to}, {length} bytes");
            }
        }
    }
}

/// The own chip by the neighbor fold of its other die. [soc-address §1.5, idma-ring §3.7]
#[test]
fn folded_addresses_reach_the_other_die() {
    let mut system = system(Generation::V3);
    let mut pair = Pair::armed(&mut system, 0, 0, 0);
    let plain = sbuf(core(4), 0x100);
    let folded = SocAddr(plain.0 | 1 << 51 | 1 << 52 | 1 << 54);
    system.load(sbuf(core(0), 0), &[1, 2, 3, 4]).expect("SBUF");
    pair.copy(&mut system, sbuf(core(0), 0), folded, 4);
    settle(&mut system);
    let mut found = [0; 4];
    system.dump(plain, &mut found).expect("SBUF");
    assert_eq!(found, [1, 2, 3, 4]);
}

/// Holes read 0 and drop writes. [soc-address MC-10, decisions D-3]
#[test]
fn holes() {
    let mut system = system(Generation::V3);
    let mut pair = Pair::armed(&mut system, 0, 0, 0);
    let source = SocAddr(0x1000);
    let bytes = ramp(0x1_0000, 5);
    system.load(source, &bytes).expect("HBM");
    // 224 KiB of each 256 KiB are active; the copy crosses into the next partition.
    let start = 0x3_8000 - 0x100;
    pair.copy(&mut system, source, sbuf(core(0), start), 0x8200);
    settle(&mut system);
    let mut found = vec![0xAA; 0x8200];
    system.dump(sbuf(core(0), start), &mut found).expect("SBUF");
    assert_eq!(found[..0x100], bytes[..0x100]);
    assert_eq!(found[0x100..0x8100], vec![0; 0x8000]);
    assert_eq!(found[0x8100..], bytes[0x8100..0x8200]);
    pair.copy(&mut system, sbuf(core(0), start), SocAddr(0x9_0000), 0x8200);
    settle(&mut system);
    let mut copied = vec![0; 0x8200];
    system.dump(SocAddr(0x9_0000), &mut copied).expect("HBM");
    assert_eq!(copied, found);
    assert_eq!(system.core(core(0)).hole_accesses, 2);
}

/// A semaphore increment is a copy from the event accelerator into an INC window. [idma-ring §3.6]
#[test]
fn semaphore_increments() {
    for generation in [
        Generation::V3,
        Generation::V4,
        Generation::V4Plus,
        Generation::V5,
    ] {
        let mut system = system(generation);
        let mut pair = Pair::armed(&mut system, 0, 2, 1);
        let read_one = match generation {
            Generation::V4 | Generation::V4Plus => 0x94_0000_0000,
            _ => 0x90_0000_0004,
        };
        for index in [20_u32, 255] {
            for _ in 0..3 {
                let window = evt_sem(core(1), 0x1800 + 4 * index);
                pair.copy(&mut system, SocAddr(read_one), window, 4);
                settle(&mut system);
            }
            let count = system.read32(evt_sem(core(1), 0x1000 + 4 * index));
            assert_eq!(count, Ok(3), "{generation} semaphore {index}");
        }
    }
}

/// Sixteen engines of sixteen queues on every core. [idma-ring §2.2, soc-address §2.8]
#[test]
fn every_queue_is_reachable() {
    let mut system = system(Generation::V3);
    let mut value = 0;
    for pass in 0..2 {
        value = 0;
        for number in 0..8 {
            for engine in 0..16 {
                for queue in 0..16 {
                    let pair = Pair {
                        core: core(number),
                        engine,
                        queue,
                        slot: 0,
                        id: RingId::FIRST_LAP,
                    };
                    for direction in DIRECTIONS {
                        value += 1;
                        let address = pair.register(direction, 0x30);
                        if pass == 0 {
                            write(&mut system, address, value);
                        } else {
                            assert_eq!(system.read32(address), Ok(value), "{address}");
                        }
                    }
                }
            }
        }
    }
    assert_eq!(value, 8 * 16 * 16 * 2);
    // Appendix A of idma-ring: engine 5, queue 5
    assert_eq!(
        system.read32(SocAddr(0x10_0250_6030)),
        Ok((5 * 16 + 5) * 2 + 2)
    );
    system.reset();
    assert_eq!(system.read32(SocAddr(0x10_0250_6030)), Ok(0));
}

/// [idma-ring §3.11, MC-27]
#[test]
fn broadcast_doorbells() {
    let mut system = system(Generation::V3);
    let mut pairs: Vec<Pair> = (0..16)
        .map(|engine| Pair::armed(&mut system, 0, engine, 5))
        .collect();
    for pair in &mut pairs {
        pair.place(&mut system, SocAddr(0x1000), SocAddr(0x2000), 4);
    }
    // Aperture of the lower half, M2S and S2M of queue 5: engines 0 and 3 take the write.
    let excluded = !0x0009_u32 << 16;
    write(&mut system, SocAddr(0x10_020A_6038), excluded | 1);
    write(&mut system, SocAddr(0x10_0208_6038), excluded | 1);
    settle(&mut system);
    for pair in &pairs {
        let expected = u32::from(matches!(pair.engine, 0 | 3));
        for direction in DIRECTIONS {
            let head = system.read32(pair.register(direction, 0x4C));
            assert_eq!(head, Ok(0x4000_0000 | expected), "engine {}", pair.engine);
        }
    }
    // Only three registers have broadcast forms; reads give 0.
    write(&mut system, SocAddr(0x10_0208_6030), 7);
    assert_eq!(
        system.read32(pairs[0].register(Udma::M2s, 0x30)),
        Ok(LENGTH)
    );
    assert_eq!(system.read32(SocAddr(0x10_0208_6030)), Ok(0));
    // The host word of idma-ring §3.11 resets the queue of the engines whose bit is clear.
    write(
        &mut system,
        SocAddr(0x10_0208_60B0),
        !0x0001_u32 << 16 | 0x100,
    );
    assert_eq!(
        system.read32(pairs[0].register(Udma::M2s, 0x4C)),
        Ok(0x4000_0000)
    );
    assert_eq!(
        system.read32(pairs[3].register(Udma::M2s, 0x4C)),
        Ok(0x4000_0001)
    );
    // Engines 16 to 31 are core 1's, behind their own aperture.
    let other = Pair::armed(&mut system, 1, 2, 5);
    write(&mut system, SocAddr(0x10_0308_6038), !0x0004_u32 << 16 | 3);
    assert_eq!(
        system.read32(other.register(Udma::M2s, 0x3C)),
        Ok(0x4000_0003)
    );
}

/// Descriptors may write registers: one engine rings the doorbells of another, and its own. [idma-ring §3.12]
#[test]
fn doorbells_by_descriptor() {
    let mut system = system(Generation::V3);
    let mut ringer = Pair::armed(&mut system, 0, 0, 0);
    let mut rung = Pair::armed(&mut system, 0, 1, 3);
    let mut own = Pair::armed(&mut system, 0, 0, 7);
    let bytes = ramp(100, 1);
    system.load(SocAddr(0x1000), &bytes).expect("HBM");
    system
        .load(SocAddr(0x8000), &1_u32.to_le_bytes())
        .expect("HBM");
    rung.place(&mut system, SocAddr(0x1000), SocAddr(0x2000), 100);
    own.place(&mut system, SocAddr(0x1000), SocAddr(0x3000), 100);
    for pair in [rung, own] {
        for direction in DIRECTIONS {
            ringer.place(
                &mut system,
                SocAddr(0x8000),
                pair.register(direction, 0x38),
                4,
            );
        }
    }
    ringer.ring_doorbells(&mut system, 4);
    let mut seen: Vec<Transaction> = Vec::new();
    system
        .advance(1000, &mut seen)
        .expect("the model does not fail");
    for destination in [0x2000, 0x3000] {
        let mut found = vec![0; 100];
        system.dump(SocAddr(destination), &mut found).expect("HBM");
        assert_eq!(found, bytes);
    }
    assert_eq!(
        seen.iter()
            .filter(|t| t.effect.kind() == "doorbell")
            .count(),
        4
    );
}

/// Addresses behind which nothing is: the transfer stops. [idma-ring §2.10]
#[test]
fn addresses_that_do_not_decode() {
    for (source, destination, m2s, s2m) in [
        (0x13_0000_0000, 0x2000, 1 << 8, 0),
        (0x1000, 0x13_0000_0000, 0, 1 << 1),
        (0x0052_0000_0000_1000, 0x2000, 1 << 8, 0),
        (0x1000, 0xFFFF_0000_0000_0000, 0, 1 << 1),
        // EVT_SEM takes whole aligned words. [evt-sem MC-E3]
        (0x28_0270_1001, 0x2000, 1 << 8, 0),
    ] {
        let mut system = system(Generation::V3);
        let mut pair = Pair::armed(&mut system, 0, 0, 0);
        pair.copy(&mut system, SocAddr(source), SocAddr(destination), 4);
        assert_eq!(settle(&mut system), Progress::Idle);
        let cause = |system: &mut System, group: u64| {
            system.read32(SocAddr(pair.half(Udma::M2s, 0x3_A000 + 0x40 * group).0))
        };
        assert_eq!(
            cause(&mut system, 0),
            Ok(m2s),
            "{source:#x} to {destination:#x}"
        );
        assert_eq!(
            cause(&mut system, 1),
            Ok(s2m),
            "{source:#x} to {destination:#x}"
        );
    }
}

/// [decisions D-41]
#[test]
fn injections() {
    let engine = EngineName {
        core: core(0),
        number: 0,
    };
    for (injection, group, bit) in [
        (access(engine, PortName::Fetch, FaultKind::Response), 0, 11),
        (access(engine, PortName::Read, FaultKind::Silence), 0, 9),
        (access(engine, PortName::Write, FaultKind::Response), 1, 1),
        (
            Injection::Force {
                engine,
                group: 1,
                bit: 26,
            },
            1,
            26,
        ),
    ] {
        let mut system = system(Generation::V3);
        let mut pair = Pair::armed(&mut system, 0, 0, 0);
        system
            .inject(injection, &mut NullSink)
            .expect("the model can");
        let mut other = Pair::armed(&mut system, 0, 1, 0);
        for it in [&mut pair, &mut other] {
            it.copy(&mut system, SocAddr(0x1000), SocAddr(0x2000), 4);
        }
        settle(&mut system);
        let causes = [pair, other].map(|pair| {
            [0, 1].map(|group| {
                system
                    .read32(pair.half(Udma::M2s, 0x3_A000 + 0x40 * group))
                    .expect("a register")
            })
        });
        let mut expected = [[0; 2]; 2];
        expected[0][group] = 1 << bit;
        assert_eq!(causes, expected, "{injection:?}");
    }
}

fn access(engine: EngineName, port: PortName, kind: FaultKind) -> Injection {
    let first = match port {
        PortName::Fetch => tpb_base(core(0)).0 + 0x4000_0000,
        PortName::Read => 0x1000,
        PortName::Write => 0x2000,
        PortName::Completion => 0,
    };
    Injection::Access {
        engine: Some(engine),
        port,
        first,
        bytes: 4,
        kind,
    }
}

/// Records for every two packets, in a ring that runs full. [idma-ring §5.6, decisions D-40]
#[test]
fn notification_queues() {
    let mut system = system(Generation::V3);
    let mut pair = Pair::armed(&mut system, 0, 4, 6);
    let container = sdma_base(core_engine(core(0), 4).expect("16 engines")).0;
    let trigger = container + 0x4_0200 + 0x18 * 6;
    let ring = container + 0x4_1100 + 0x28 * 3;
    let records = 0x7000;
    for (address, value) in [
        (trigger + 0x0C, 1 << 16 | 2),
        (trigger + 0x14, 3),
        (ring, records),
        (ring + 0x08, 3),
    ] {
        write(&mut system, SocAddr(address), value);
        assert_eq!(system.read32(SocAddr(address)), Ok(value));
    }
    let mut copies = |system: &mut System, count| {
        for _ in 0..count {
            pair.copy(system, SocAddr(0x1000), SocAddr(0x2000), 4);
            settle(system);
        }
    };
    let record = |system: &System, slot: u64| {
        let mut bytes = [0; 8];
        system
            .dump(SocAddr(u64::from(records) + 16 * slot), &mut bytes)
            .expect("HBM");
        let [low, high] = [0, 4].map(|at| bytes[at..at + 4].try_into().expect("four bytes"));
        [u32::from_le_bytes(low), u32::from_le_bytes(high)]
    };
    copies(&mut system, 1);
    assert_eq!(record(&system, 0), [0, 0], "one packet is not enough");
    copies(&mut system, 3);
    // Type 2, phase 1, queue 6; two packets of the write side.
    let first_lap = [0x8200_0040, 0x1002];
    assert_eq!(record(&system, 0), first_lap);
    assert_eq!(record(&system, 1), first_lap);
    assert_eq!(system.read32(SocAddr(ring + 0x10)), Ok(2));
    copies(&mut system, 2);
    assert_eq!(
        system.read32(SocAddr(ring + 0x10)),
        Ok(2),
        "full: one slot stays free"
    );
    write(&mut system, SocAddr(ring + 0x0C), 2);
    copies(&mut system, 4);
    assert_eq!(
        record(&system, 2),
        [0xA200_0040, 0x1002],
        "says that one was lost"
    );
    assert_eq!(record(&system, 0), [0x0200_0040, 0x1002], "the second lap");
}

/// A packet without descriptors to land in is a hang, not an end.
#[test]
fn blocked_engines_are_reported() {
    let mut system = system(Generation::V3);
    let mut pair = Pair::armed(&mut system, 0, 9, 2);
    pair.place(&mut system, SocAddr(0x1000), SocAddr(0x2000), 4);
    write(&mut system, pair.register(Udma::M2s, 0x38), 1);
    let status = system
        .advance(1000, &mut NullSink)
        .expect("the model does not fail");
    assert_eq!(status.progress(), Progress::Blocked);
    let texts: Vec<String> = status.engines.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        ["core0.dma9.s2m.q2 waits for an RX descriptor of queue 2"]
    );
    let engine = system.engine(EngineName {
        core: core(0),
        number: 9,
    });
    let level = engine
        .and_then(|engine| engine.queue(Direction::M2s, 2))
        .map(pool_model::idma::queue::Queue::in_flight);
    assert_eq!(level, Some(1));
    write(&mut system, pair.register(Udma::S2m, 0x38), 1);
    assert_eq!(settle(&mut system), Progress::Idle);
}

/// Engines take turns in a fixed order: two runs have the same transactions.
#[test]
fn runs_repeat() {
    let run = || {
        let mut system = system(Generation::V3);
        for engine in [7, 0, 3] {
            for queue in [4, 1] {
                let mut pair = Pair::armed(&mut system, 2, engine, queue);
                for i in 0..5 {
                    let at = 0x1000 * (1 + u64::from(engine) * 16 + u64::from(queue));
                    pair.copy(
                        &mut system,
                        SocAddr(0x1000 + i),
                        SocAddr(0x10_0000 + at),
                        50,
                    );
                }
            }
        }
        let mut seen: Vec<Transaction> = Vec::new();
        system
            .advance(1000, &mut seen)
            .expect("the model does not fail");
        seen
    };
    let first = run();
    assert!(first.len() > 100);
    assert_eq!(first, run());
}

/// A sparse system of 63 chips with every SBUF touched once per partition fits in 1 GiB.
#[test]
fn sixty_three_chips_fit() {
    let mut chips: Vec<System> = (0..63).map(|_| system(Generation::V3)).collect();
    for chip in &mut chips {
        for number in CoreId::all() {
            for partition in 0..128 {
                chip.load(sbuf(number, partition << 18), &[1])
                    .expect("SBUF");
            }
        }
    }
    let resident: usize = chips.iter().map(System::resident_bytes).sum();
    assert_eq!(resident, 63 * 8 * 128 * 8192);
    let peak = std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
        });
    // Where the system does not say, the sum of the pages is all that can be checked.
    assert!(peak.is_none_or(|kib| kib < 1 << 20), "{peak:?} KiB");
}
