// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A leg that does not start.

use crate::transaction::FaultClass;

/// A failed check. [decisions D-44]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{class}: {detail}")]
pub struct LegFault {
    /// Class of the fault.
    pub class: FaultClass,
    /// What was found and what would have been legal.
    pub detail: String,
}

/// The error of a check.
pub(super) fn fault<T>(class: FaultClass, detail: String) -> Result<T, LegFault> {
    Err(LegFault { class, detail })
}
