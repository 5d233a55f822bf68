// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error bits and interrupt groups, row by row. [idma-ring §§5.7, 7.2, decisions D-21, D-41, D-53]

mod idma_support;

use idma_support::*;
use pool_model::generation::Generation;
use pool_model::idma::errors::{M2S_NAMES, S2M_NAMES, m2s, s2m};

/// The table of [idma-ring §7.2], with words of each row that its name must have. Bits 28 to 31 of the read side are
/// not defined there; 31 of both is model-private [decisions D-46].
const ROWS: [(&str, &str); 28] = [
    ("serial", "data AXI parity"),
    ("stream parity", "data AXI response"),
    ("stream response", "data AXI timeout"),
    ("stream timeout", "header-split length"),
    ("completion AXI parity", "header split ignored"),
    ("completion AXI response", "promotion"),
    ("completion AXI timeout", "no-descriptor timeout"),
    ("data AXI parity", "no-descriptor hint"),
    ("data AXI response", "prefetch AXI parity"),
    ("data AXI timeout", "prefetch AXI response"),
    ("prefetch AXI parity", "prefetch AXI timeout"),
    ("prefetch AXI response", "ring id"),
    ("prefetch AXI timeout", "saturation"),
    ("length overflow", "completion AXI parity"),
    ("max descriptors", "completion AXI response"),
    ("FIRST", "completion AXI timeout"),
    ("LAST", "stream-ACK FIFO"),
    ("ring id", "completion FIFO"),
    ("data buffer parity", "stream header parity"),
    ("ack packet parity", "stream header error"),
    ("un-ack parity", "stream data parity"),
    ("coalescing parity", "stream data error"),
    ("header buffer parity", "stream FIRST"),
    ("data parity", "stream LAST"),
    ("prefetch descriptor parity", "packet length"),
    ("prefetch header parity", "data header parity"),
    ("MSI-X timeout", "data parity"),
    ("MSI-X response", "un-ack parity"),
];

#[test]
fn names() {
    for (bit, (read, write)) in ROWS.iter().enumerate() {
        assert!(M2S_NAMES[bit].contains(read), "M2S bit {bit}");
        assert!(S2M_NAMES[bit].contains(write), "S2M bit {bit}");
    }
    for (bit, word) in [
        (28, "pre-un-ack"),
        (29, "coalescing"),
        (30, "prefetch descriptor"),
        (31, "transaction table"),
    ] {
        assert!(S2M_NAMES[bit].contains(word), "S2M bit {bit}");
    }
    let bit_of = |bits: u32| bits.trailing_zeros() as usize;
    for (bits, word) in [
        (m2s::COMPLETION_RESPONSE, "completion AXI response"),
        (m2s::COMPLETION_TIMEOUT, "completion AXI timeout"),
        (m2s::DATA_RESPONSE, "data AXI response"),
        (m2s::DATA_TIMEOUT, "data AXI timeout"),
        (m2s::PREFETCH_RESPONSE, "prefetch AXI response"),
        (m2s::PREFETCH_TIMEOUT, "prefetch AXI timeout"),
        (m2s::PACKET_LENGTH, "length"),
        (m2s::MAX_DESCRIPTORS, "max descriptors"),
        (m2s::FIRST, "FIRST"),
        (m2s::LAST, "LAST"),
        (m2s::RING_ID, "ring id"),
        (m2s::ILLEGAL_OP, "illegal operation"),
    ] {
        assert!(M2S_NAMES[bit_of(bits)].contains(word), "{word}");
    }
    for (bits, word) in [
        (s2m::DATA_RESPONSE, "data AXI response"),
        (s2m::DATA_TIMEOUT, "data AXI timeout"),
        (s2m::NO_DESCRIPTOR_TIMEOUT, "no-descriptor timeout"),
        (s2m::NO_DESCRIPTOR_HINT, "no-descriptor hint"),
        (s2m::PREFETCH_RESPONSE, "prefetch AXI response"),
        (s2m::PREFETCH_TIMEOUT, "prefetch AXI timeout"),
        (s2m::RING_ID, "ring id"),
        (s2m::COMPLETION_RESPONSE, "completion AXI response"),
        (s2m::COMPLETION_TIMEOUT, "completion AXI timeout"),
    ] {
        assert!(S2M_NAMES[bit_of(bits)].contains(word), "{word}");
    }
}

/// Every bit through the injection port: cause, log, abort by the mask. [decisions D-21, D-41]
#[test]
fn every_bit_can_be_forced() {
    for (group, direction) in [(0, M2s), (1, S2m)] {
        let other = if direction == M2s { S2m } else { M2s };
        for bit in 0..32 {
            let mut quiet = Bench::armed(8);
            quiet.inject(group, bit);
            assert_eq!(quiet.cause(direction), 1 << bit);
            assert_eq!(quiet.cause(other), 0);
            assert_eq!(quiet.state(direction), 1, "abort masks reset to all ones");
            assert_eq!(quiet.log(direction), [0; 4]);
            assert!(quiet.engine.error_log(direction).taken);

            let mut aborting = Bench::armed(8);
            aborting.write(secondary(direction, 0x30), !(1 << bit));
            aborting.inject(group, (bit + 1) % 32);
            assert_eq!(aborting.state(direction), 1, "the other bits are masked");
            aborting.inject(group, bit);
            assert_eq!((aborting.state(direction), aborting.state(other)), (2, 1));

            let mut unlogged = Bench::armed(8);
            unlogged.write(half(direction) + 0x20C, 1 << bit);
            unlogged.inject(group, bit);
            assert!(!unlogged.engine.error_log(direction).taken);
            unlogged.inject(group, (bit + 1) % 32);
            assert!(unlogged.engine.error_log(direction).taken);
        }
    }
    let mut bench = Bench::armed(8);
    bench.inject(3, 0);
    bench.inject(0, 32);
    bench.inject(0, 255);
    assert_eq!((bench.cause(M2s), bench.cause(S2m)), (0, 0));
}

/// Group C: bits 0 to 5 are the read side's, 6 to 11 the write side's. [idma-ring §7.2]
#[test]
fn group_c() {
    for bit in 0..32 {
        let mut bench = Bench::armed(8);
        bench.inject(2, bit);
        assert_eq!(bench.read(0x3_A080), 1 << bit);
        assert_eq!((bench.state(M2s), bench.state(S2m)), (1, 1));
        bench.write(0x3_A0B0, 0);
        bench.inject(2, bit);
        let expected = match bit {
            0..=5 => (2, 1),
            6..=11 => (1, 2),
            _ => (1, 1),
        };
        assert_eq!((bench.state(M2s), bench.state(S2m)), expected, "bit {bit}");
    }
}

/// Registers of a group. [idma-ring §5.7, decisions D-53]
#[test]
fn group_registers() {
    const ONES: u32 = u32::MAX;
    for base in [
        0x3_8000, 0x3_8040, 0x3_8080, 0x3_80C0, 0x3_A000, 0x3_A040, 0x3_A080,
    ] {
        let mut bench = Bench::new(Generation::V3);
        let read = |bench: &Bench| {
            [0, 8, 0x10, 0x18, 0x20, 0x28, 0x30].map(|offset| bench.read(base + offset))
        };
        assert_eq!(read(&bench), [0, 0, ONES, 0, 0, 0, ONES], "{base:#x}");
        bench.write(base + 8, 0xF0F0);
        bench.write(base, 0xFF00);
        bench.write(base + 0x10, 0xFF);
        assert_eq!(
            read(&bench),
            [0xF000, 0, 0xFF, 0, 0xF000, 0, ONES],
            "{base:#x}"
        );
        bench.write(base + 0x18, 0x0F);
        bench.write(base + 0x28, 0x28);
        bench.write(base + 0x30, 1);
        bench.write(base + 0x20, 0);
        assert_eq!(
            read(&bench),
            [0xF000, 0, 0x0F, 0, 0xF000, 0x28, 1],
            "{base:#x}"
        );
        assert_eq!(bench.state(M2s), 0, "cause_set aborts nothing");
        assert!(!bench.engine.error_log(M2s).taken);
    }
}

/// Summaries in primary group D: bits 8, 9, 10. [idma-ring §5.7]
#[test]
fn summaries() {
    for (group, bit) in [(0, 8), (1, 9), (2, 10)] {
        let mut bench = Bench::armed(8);
        bench.inject(group, 3);
        assert_eq!(bench.read(0x3_80C0), 0, "masked after reset");
        bench.write(0x3_A010 + 0x40 * u32::from(group), 0);
        assert_eq!(bench.read(0x3_80C0), 1 << bit);
        bench.write(0x3_80D0, 0);
        assert_eq!(bench.read(0x3_80E0), 1 << bit);
        bench.write(0x3_A000 + 0x40 * u32::from(group), 0);
        assert_eq!(bench.read(0x3_80C0), 0);
    }
}
