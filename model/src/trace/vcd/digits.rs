// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers as ASCII digits, many digits per step.

/// The eight binary digits of every byte, most significant first.
const BINARY: [[u8; 8]; 256] = {
    let mut table = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut digit = 0;
        while digit < 8 {
            table[byte][digit] += (byte >> (7 - digit)) as u8 & 1;
            digit += 1;
        }
        byte += 1;
    }
    table
};

/// The two decimal digits of 0 to 99.
const DECIMAL: [[u8; 2]; 100] = {
    let mut table = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        table[number][0] += (number / 10) as u8;
        table[number][1] += (number % 10) as u8;
        number += 1;
    }
    table
};

/// Most digits that [`binary`] counts.
pub(super) const BINARY_DIGITS: usize = 64;

/// Most digits of a `u64` in decimal.
pub(super) const DECIMAL_DIGITS: usize = 20;

/// Writes `value` in binary without leading zeros (0 is `0`) and returns the number of digits; the
/// rest of `out` is overwritten with anything.
///
/// All 64 places are always written: a loop over the needed ones only would cost a mispredicted
/// branch, which is dearer than the stores.
#[inline]
pub(super) fn binary(value: u64, out: &mut [u8; BINARY_DIGITS]) -> usize {
    let leading = (value | 1).leading_zeros();
    let aligned = (value << leading).to_be_bytes();
    let (eights, _) = out.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(aligned) {
        *eight = BINARY[usize::from(byte)];
    }
    BINARY_DIGITS - leading as usize
}

/// Writes a number of many bytes, most significant first, in binary without leading zeros and
/// returns the number of digits. `out` must have room for eight digits a byte.
pub(super) fn binary_wide(bytes: &[u8], out: &mut [u8]) -> usize {
    let Some(first) = bytes.iter().position(|byte| *byte != 0) else {
        out[0] = b'0';
        return 1;
    };
    let lead = &BINARY[usize::from(bytes[first])][bytes[first].leading_zeros() as usize..];
    out[..lead.len()].copy_from_slice(lead);
    let rest = &bytes[first + 1..];
    for (eight, byte) in out[lead.len()..].chunks_exact_mut(8).zip(rest) {
        eight.copy_from_slice(&BINARY[usize::from(*byte)]);
    }
    lead.len() + 8 * rest.len()
}

/// Writes `value` in decimal at the end of `out` and returns the position of the first digit.
pub(super) fn decimal(mut value: u64, out: &mut [u8; DECIMAL_DIGITS]) -> usize {
    let mut start = out.len();
    while value >= 100 {
        start -= 2;
        out[start..start + 2].copy_from_slice(&DECIMAL[(value % 100) as usize]);
        value /= 100;
    }
    let pair = DECIMAL[value as usize];
    start -= 1;
    out[start] = pair[1];
    if value >= 10 {
        start -= 1;
        out[start] = pair[0];
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge_values() -> impl Iterator<Item = u64> {
        (0..64).flat_map(|bit| {
            let power = 1_u64 << bit;
            [
                power - 1,
                power,
                power | 1,
                power.wrapping_mul(0x5555),
                !power,
            ]
        })
    }

    #[test]
    fn binary_agrees_with_the_standard_formatter() {
        for value in edge_values() {
            let mut out = [0; BINARY_DIGITS];
            let digits = binary(value, &mut out);
            assert_eq!(
                std::str::from_utf8(&out[..digits]),
                Ok(&*format!("{value:b}"))
            );
        }
    }

    #[test]
    fn wide_binary_agrees_with_the_standard_formatter() {
        for value in edge_values() {
            let number = u128::from(value) << 37 | u128::from(value);
            let mut out = [0; 128];
            let digits = binary_wide(&number.to_be_bytes(), &mut out);
            assert_eq!(
                std::str::from_utf8(&out[..digits]),
                Ok(&*format!("{number:b}"))
            );
        }
    }

    #[test]
    fn decimal_agrees_with_the_standard_formatter() {
        let tens = (0..20).map(|power| 10_u64.pow(power));
        for value in edge_values().chain(tens.flat_map(|ten| [ten - 1, ten, ten + 1])) {
            let mut out = [0; DECIMAL_DIGITS];
            let start = decimal(value, &mut out);
            assert_eq!(std::str::from_utf8(&out[start..]), Ok(&*value.to_string()));
        }
    }
}
