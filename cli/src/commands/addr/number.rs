// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An address as people write it.

use pool_model::soc::SocAddr;

/// Hexadecimal digits of an address.
const DIGITS: usize = 16;

/// Text that is no address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Something else than digits.
    #[error(
        "`{found}` is no address; expected 0x and hexadecimal digits, or 16 hexadecimal digits"
    )]
    NotANumber {
        /// The text.
        found: String,
    },
    /// More than 64 bits.
    #[error("`{found}` is too large; expected at most 0xffffffffffffffff")]
    TooLarge {
        /// The text.
        found: String,
    },
}

/// Reads an address. Without 0x all digits have to be there, so that no decimal number passes for a hexadecimal one.
///
/// # Errors
/// [`NumberError`] for anything else.
pub fn parse_address(text: &str) -> Result<SocAddr, NumberError> {
    let found = || text.escape_debug().to_string();
    let marked = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let digits = marked.unwrap_or(text).replace('_', "");
    let complete = marked.is_some() || digits.len() == DIGITS;
    if digits.is_empty() || !complete || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(NumberError::NotANumber { found: found() });
    }
    u64::from_str_radix(&digits, 16)
        .map(SocAddr)
        .map_err(|_| NumberError::TooLarge { found: found() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_address_and_the_next_number() {
        assert_eq!(parse_address("0xffffffffffffffff"), Ok(SocAddr(u64::MAX)));
        assert!(matches!(
            parse_address("0x10000000000000000"),
            Err(NumberError::TooLarge { .. })
        ));
        assert_eq!(parse_address("0x00000000000000000001"), Ok(SocAddr(1)));
    }

    #[test]
    fn without_a_mark_all_digits_are_needed() {
        let address = Ok(SocAddr(0x0000_0028_0270_1830));
        assert_eq!(parse_address("0000002802701830"), address);
        assert_eq!(parse_address("0x28_0270_1830"), address);
        for text in [
            "",
            "0x",
            "_",
            "2802701830",
            "17",
            "0x-1",
            "+0x1",
            "0xg",
            "é",
        ] {
            assert!(
                matches!(parse_address(text), Err(NumberError::NotANumber { .. })),
                "{text}"
            );
        }
    }
}
