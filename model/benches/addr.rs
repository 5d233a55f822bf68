// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rate of the bulk address decode, as a ratio to copying the same addresses.
//!
//! Both are measured in turns in one run, on the same 256 MiB; of each the best of the turns counts. The decoder writes
//! its outcomes into one buffer that is reused, as a consumer of a stream would. Prints one JSON object a line.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pool_model::generation::Generation;
use pool_model::soc::SocAddr;
use pool_model::soc::bulk::{BulkDecoder, Decoded};
use pool_model::soc::route::Origin;

/// 256 MiB of addresses.
const ADDRESSES: u32 = (256 << 20) / size_of::<SocAddr>() as u32;
const TURNS: usize = 5;
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

fn best(times: &[Duration]) -> f64 {
    times
        .iter()
        .min()
        .map_or(f64::INFINITY, Duration::as_secs_f64)
}

fn main() {
    let source = addresses();
    let mut copy = source.clone();
    let mut out = vec![Decoded::EMPTY; CHUNK];
    let bulk = BulkDecoder::new(Origin::default(), Generation::V3, true);
    let mut copying = Vec::new();
    let mut decoding = Vec::new();
    for _ in 0..TURNS {
        let start = Instant::now();
        copy.copy_from_slice(black_box(&source));
        black_box(&mut copy);
        copying.push(start.elapsed());

        let start = Instant::now();
        for chunk in source.chunks(CHUNK) {
            bulk.decode(black_box(chunk), &mut out);
            black_box(&mut out);
        }
        decoding.push(start.elapsed());
    }
    let rate = |seconds: f64| f64::from(ADDRESSES) / seconds / 1e6;
    let (memcpy, decode) = (rate(best(&copying)), rate(best(&decoding)));
    println!(r#"{{"name":"addr.memcpy","value":{memcpy:.1},"unit":"Maddresses/s"}}"#);
    println!(
        r#"{{"name":"addr.bulk_decode","value":{decode:.1},"unit":"Maddresses/s","ratio_to":"addr.memcpy","ratio":{:.3}}}"#,
        decode / memcpy
    );
}
