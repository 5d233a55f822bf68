// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The map as a translate filter: GTKWave shows the name where a signal has exactly the value of the key.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::soc::map::lookup::target;
use pool_model::soc::map::tree::nodes;
use pool_model::soc::{SocAddr, Viewed};

/// A line for the first address of every region, element and register: all sixteen digits, as GTKWave shows a value of
/// 64 bits, a blank, and the innermost name.
pub fn filter_text(generation: Generation) -> String {
    let mut text = format!(
        "# SPDX-License-Identifier: Apache-2.0 OR MIT\n# Places of {generation} by their addresses.\n"
    );
    for address in places(generation) {
        // The strap does not matter: no place has VALID.
        let viewed = Viewed::recover(address, true);
        let Ok(found) = target(viewed, generation) else {
            continue;
        };
        if let Some(location) = found.location() {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{:016x} {location}", address.0);
        }
    }
    text
}

fn places(generation: Generation) -> BTreeSet<SocAddr> {
    let mut places = BTreeSet::new();
    for node in nodes(generation) {
        let region = node.step.region;
        let base = node.address().0;
        let (count, stride) = region
            .elements
            .map_or((1, 0), |elements| (elements.count, elements.stride));
        places.insert(SocAddr(base));
        for element in 0..u64::from(count) {
            let start = base + element * stride;
            places.insert(SocAddr(start));
            for register in region.registers {
                places.insert(SocAddr(start + register.offset));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use pool_model::soc::map::path;

    /// Lines from one whose name is parsed to the next: all of them take too long.
    const STRIDE: usize = 31;

    #[test]
    fn keys_ascend_and_names_lead_back_to_their_keys() {
        // The two maps that differ in more than sizes.
        for generation in [Generation::V2, Generation::V4] {
            let text = filter_text(generation);
            let mut before = None;
            for (number, line) in text.lines().enumerate() {
                if line.starts_with('#') {
                    continue;
                }
                let (key, name) = line.split_once(' ').expect("key and name");
                assert_eq!(key.len(), 16, "{line}");
                let key = u64::from_str_radix(key, 16).expect("hexadecimal");
                if number % STRIDE == 0 {
                    assert_eq!(path::parse(name, generation), Ok(SocAddr(key)), "{line}");
                }
                assert!(before < Some(key), "{line}");
                before = Some(key);
            }
        }
    }

    /// [soc-address §6]: doorbells and semaphores, which transactions carry.
    #[test]
    fn places_of_transactions_have_names() {
        let text = filter_text(Generation::V3);
        for line in [
            "0000001002506038 APB_SE_0.SDMA_5.M2S.QUEUE[5].TDRTP_inc",
            "0000808280001818 TOP_SP_10.EVT_SEM.SEMAPHORE_INC[6]",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}");
        }
    }
}
