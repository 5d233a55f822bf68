// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The 0xBF instruction word: fields, enums, validator, assembly text. [isa-word §§1–7]

#[cfg(feature = "arbitrary")]
pub mod near_valid;
