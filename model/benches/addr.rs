// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rate of the bulk address decode, as a ratio to copying the same addresses.
//!
//! Both go over the same 256 MiB in pieces of 256 KiB, in turns. Of each piece the best turn counts, so that a machine with
//! other work disturbs both alike. The decoder writes its outcomes into one buffer that is reused, as a consumer of a
//! stream would. Prints one JSON object a line.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pool_model::generation::Generation;
use pool_model::soc::SocAddr;
use pool_model::soc::bulk::{BulkDecoder, Decoded};
use pool_model::soc::route::Origin;

/// 256 MiB of addresses.
const ADDRESSES: u32 = (256 << 20) / size_of::<SocAddr>() as u32;
const TURNS: usize = 7;
/// Addresses between two looks at the clock.
const PIECE: usize = (256 << 10) / size_of::<SocAddr>();
/// Outcomes that are held at a time.
const CHUNK: usize = 4096;

/// Addresses as programs use them: most in SBUF, the rest semaphores, doorbells, HBM and other chips, in no order.
fn addresses() -> Vec<SocAddr> {
    const KINDS: [(u64, u64); 8] = [
        (0x20_0000_0000, 0x1FF_FFFF),
        (0x30_0000_0000, 0x1FF_FFFF),
        (0x8060_0000_0000, 0x1FF_FFFF),
        (0x0058_8070_0000_0000, 0x1FF_FFFF),
        (0x0052_0020_0000_0000, 0x1FF_FFFF),
        (0x28_0270_0000, 0x1FFF),
        (0x10_0200_0000, 0x1FF_FFFF),
        (0x0000_0000_0000, 0x5_FFFF_FFFF),
    ];
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    (0..ADDRESSES)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let (base, mask) = KINDS[(seed >> 61) as usize];
            SocAddr(base | (seed >> 8) & mask)
        })
        .collect()
}

/// Runs a piece of the work and keeps the shorter of its time and the one so far.
fn keep_best(best: &mut Duration, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    *best = start.elapsed().min(*best);
}

fn main() {
    let source = addresses();
    let mut copy = source.clone();
    let mut out = vec![Decoded::EMPTY; CHUNK];
    let bulk = BulkDecoder::new(Origin::default(), Generation::V3, true);
    let mut best = vec![[Duration::MAX; 2]; source.len().div_ceil(PIECE)];
    for _ in 0..TURNS {
        let pieces = source.chunks(PIECE).zip(copy.chunks_mut(PIECE));
        for ((from, to), [copying, decoding]) in pieces.zip(&mut best) {
            keep_best(copying, || {
                to.copy_from_slice(black_box(from));
                black_box(to);
            });
            keep_best(decoding, || {
                for chunk in from.chunks(CHUNK) {
                    bulk.decode(black_box(chunk), &mut out);
                    black_box(&mut out);
                }
            });
        }
    }
    let rate = |column: usize| {
        let total: Duration = best.iter().map(|times| times[column]).sum();
        f64::from(ADDRESSES) / total.as_secs_f64() / 1e6
    };
    let (memcpy, decode) = (rate(0), rate(1));
    println!(r#"{{"name":"addr.memcpy","value":{memcpy:.1},"unit":"Maddresses/s"}}"#);
    println!(
        r#"{{"name":"addr.bulk_decode","value":{decode:.1},"unit":"Maddresses/s","ratio_to":"addr.memcpy","ratio":{:.3}}}"#,
        decode / memcpy
    );
}
