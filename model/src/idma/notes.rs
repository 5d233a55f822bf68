// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is worth saying about a descriptor that is not plain from its fields.

use super::descriptor::{Descriptor, Kind, Operation, rx, tx};
use crate::generation::Generation;

/// A remark with the section that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptorNote {
    /// The remark.
    pub text: String,
    /// Section of the specification.
    pub section: &'static str,
}

/// Remarks on a descriptor, in the order of its bits.
#[must_use]
pub fn notes(descriptor: &Descriptor, kind: Kind, generation: Generation) -> Vec<DescriptorNote> {
    let mut found = Vec::new();
    let mut note = |text: String, section| found.push(DescriptorNote { text, section });
    if kind == Kind::Completion {
        return found;
    }
    let is_parameter = kind == Kind::Tx && descriptor.has(tx::META);
    if descriptor.length_field() == 0 && !is_parameter {
        note(
            "length 0 moves 65536 bytes while encode_64k is 1, its reset value".to_owned(),
            "idma-ring §1.3, MC-8",
        );
    }
    match kind {
        Kind::Rx => {
            if descriptor.has(rx::SOW)
                && !descriptor.has(rx::DUAL_BUF)
                && generation == Generation::V2
            {
                note(
                    "strong ordering does not exist on v2".to_owned(),
                    "idma-ring §1.4",
                );
            }
            if descriptor.has(rx::DUAL_BUF) {
                note(
                    "bit 31 is an error: the SoC uses neither two buffers nor embedded semaphores"
                        .to_owned(),
                    "idma-ring §1.4, MC-34",
                );
            }
        }
        Kind::Tx => {
            if let Operation::Undefined(number) = descriptor.operation()
                && !is_parameter
            {
                note(
                    format!(
                        "operation {number} is illegal: the packet is dropped and illegal_op is raised"
                    ),
                    "idma-ring MC-29, decisions D-46",
                );
            }
            let v4 = matches!(generation, Generation::V4 | Generation::V4Plus);
            if descriptor.word1 & tx::NOTIFICATION_MASK != 0 && !v4 {
                note(
                    format!("the notification mask is not supported on {generation}"),
                    "idma-ring §1.5",
                );
            }
            if descriptor.has(tx::FIRST) != descriptor.has(tx::LAST) {
                note(
                    "one of several descriptors of a packet".to_owned(),
                    "idma-ring §2.9",
                );
            }
        }
        Kind::Completion => {}
    }
    found
}
