// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rate of the DMA engine: large descriptors as a ratio to `memcpy` of the same bytes, small ones in descriptors per
//! second. The engine runs over plain memory and over the fabric of a chip; the sink is the null sink.

mod measure;

use std::hint::black_box;

use measure::{Variant, compare, is_test_run, promise, working_set};
use pool_model::choices::Choices;
use pool_model::device::Device;
use pool_model::generation::Generation;
use pool_model::idma::{
    Barrier, CopyBytes, CopyPair, Engine, EngineName, MemoryPort, Out, PortFault, RingId, Scratch,
};
use pool_model::soc::SocAddr;
use pool_model::system::{System, Topology};
use pool_model::time::Tick;
use pool_model::transaction::{CoreId, NullSink};

/// Start of the rings of the read and of the write side.
const TX_RING: u64 = 0x4_0000_0000;
const RX_RING: u64 = 0x4_8000_0000;

/// Memory without pages: what the engine itself costs.
struct Flat {
    data: Vec<u8>,
    tx: Vec<u8>,
    rx: Vec<u8>,
}

impl MemoryPort for Flat {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        let start = address as usize;
        buffer.copy_from_slice(&self.data[start..start + buffer.len()]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault> {
        let start = address as usize;
        self.data[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn fetch(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        let (ring, base) = if address >= RX_RING {
            (&self.rx, RX_RING)
        } else {
            (&self.tx, TX_RING)
        };
        let start = (address - base) as usize;
        buffer.copy_from_slice(&ring[start..start + buffer.len()]);
        Ok(())
    }
}

/// The two rings of a copy of `bytes` from 0 to `bytes`, in descriptors of `size`.
fn rings(bytes: u64, size: u64) -> (Vec<u8>, Vec<u8>) {
    let (mut tx, mut rx) = (Vec::new(), Vec::new());
    let length = CopyBytes::new(size).expect("a legal length");
    for offset in (0..bytes).step_by(size as usize) {
        let pair = CopyPair::new(
            SocAddr(offset),
            SocAddr(bytes + offset),
            length,
            RingId::FIRST_LAP,
            Barrier::None,
        );
        tx.extend_from_slice(&pair.tx.pack());
        rx.extend_from_slice(&pair.rx.pack());
    }
    (tx, rx)
}

/// Register writes that arm queue 0 and ring its doorbells: offset in the engine and value. [idma-ring §2.8]
fn arming(descriptors: u32, bases: [u64; 2]) -> Vec<(u32, u32)> {
    let mut writes = Vec::new();
    for (half, base, control, comp_cfg) in
        [(0x2_0000, bases[1], 0x64, 0x54), (0, bases[0], 0xB0, 0xA0)]
    {
        let queue = half + 0x1000;
        writes.extend([
            (queue + control, 0x100),
            (queue + 0x28, base as u32),
            (queue + 0x2C, (base >> 32) as u32),
            (queue + 0x30, descriptors + 1),
            (queue + comp_cfg, 0),
            (queue + 0x20, 0x0303_0000),
            (half + 0x204, 1),
        ]);
    }
    writes.extend([(0x2_1038, descriptors), (0x1038, descriptors)]);
    writes
}

fn flat(bytes: u64, size: u64) -> impl FnMut() {
    let (tx, rx) = rings(bytes, size);
    let descriptors = (bytes / size) as u32;
    let mut memory = Flat {
        data: vec![1; 2 * bytes as usize],
        tx,
        rx,
    };
    let core = CoreId::new(0).expect("core 0 exists");
    let mut engine = Engine::new(EngineName { core, number: 0 }, 16, Generation::V3);
    let mut scratch = Scratch::default();
    move || {
        let mut out = Out {
            sink: &mut NullSink,
            tick: Tick(0),
        };
        for (offset, value) in arming(descriptors, [TX_RING, RX_RING]) {
            engine.write(offset, value, &mut out);
        }
        engine.settle(&mut memory, &mut scratch, &mut out);
        assert_eq!(engine.read(0x104C), 0x4000_0000 | descriptors);
    }
}

/// The same over HBM of a chip, which is sparse.
fn chip(bytes: u64, size: u64) -> impl FnMut() {
    const ENGINE_0: u64 = 0x10_0200_0000;
    let (tx, rx) = rings(bytes, size);
    let descriptors = (bytes / size) as u32;
    let mut system = System::new(Topology {
        generation: Generation::V3,
        cores: CoreId::all().take(1).collect(),
        choices: Choices::default(),
    })
    .expect("one core");
    for (base, ring) in [(TX_RING, tx), (RX_RING, rx)] {
        system.load(SocAddr(base), &ring).expect("HBM");
    }
    system
        .load(SocAddr(0), &vec![1; 2 * bytes as usize])
        .expect("HBM");
    move || {
        for (offset, value) in arming(descriptors, [TX_RING, RX_RING]) {
            let address = SocAddr(ENGINE_0 + u64::from(offset));
            system
                .write32(address, value, &mut NullSink)
                .expect("a register");
        }
        system
            .advance(u64::MAX, &mut NullSink)
            .expect("the model does not fail");
        let head = system.read32(SocAddr(ENGINE_0 + 0x104C));
        assert_eq!(head, Ok(0x4000_0000 | descriptors));
    }
}

fn main() {
    if is_test_run() {
        return;
    }
    let bytes = working_set() as u64;
    let source = vec![1_u8; bytes as usize];
    let mut target = vec![0_u8; bytes as usize];
    let rates = compare(
        "B",
        bytes,
        &mut [
            Variant::new("idma.memcpy", || {
                target.copy_from_slice(black_box(&source));
                black_box(&mut target);
            }),
            Variant::new("idma.copy_64k", flat(bytes, 65_536)),
            Variant::new("idma.copy_64k_chip", chip(bytes, 65_536)),
        ],
    );
    promise("64 KiB descriptors to memcpy", rates[1] / rates[0], 0.40);
    promise("the same on a chip", rates[2] / rates[0], 0.40);
    let small = (bytes / 8).max(512);
    compare(
        "descriptors",
        small / 512,
        &mut [
            Variant::new("idma.descriptors_512", flat(small, 512)),
            Variant::new("idma.descriptors_512_chip", chip(small, 512)),
        ],
    );
}
