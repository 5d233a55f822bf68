// SPDX-License-Identifier: Apache-2.0 OR MIT
//! String values. The format ends them at the first blank, so blanks travel as escapes.

/// Longest string that is shown, in bytes before escaping. `GTKWave` 3.3.118 hands values to its
/// scripts through a buffer of 1024 bytes without a check and dies on longer ones.
pub const MAX_TEXT: usize = 1000;

/// What stands at the end of a string that was cut to [`MAX_TEXT`].
const CUT: &str = "...";

/// Appends `text` as it stands in a file between `s` and the identifier.
///
/// Printable ASCII other than `\` is kept. Every other byte of the UTF-8 form is a backslash and
/// three octal digits, which viewers show as the byte that was meant. An empty string is one escaped
/// blank, because readers take the identifier of an empty one for its value. Control characters and
/// NUL are escaped like blanks. Texts above [`MAX_TEXT`] bytes are cut and end in `...`.
pub fn escape(text: &str, out: &mut Vec<u8>) {
    if text.is_empty() {
        escape_byte(b' ', out);
    }
    if text.len() <= MAX_TEXT {
        escape_bytes(text.as_bytes(), out);
    } else {
        let mut end = MAX_TEXT - CUT.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        escape_bytes(&text.as_bytes()[..end], out);
        out.extend_from_slice(CUT.as_bytes());
    }
}

fn escape_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        if byte.is_ascii_graphic() && byte != b'\\' {
            out.push(byte);
        } else {
            escape_byte(byte, out);
        }
    }
}

fn escape_byte(byte: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[
        b'\\',
        b'0' + (byte >> 6),
        b'0' + (byte >> 3 & 7),
        b'0' + (byte & 7),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = Vec::new();
        escape(text, &mut out);
        String::from_utf8(out).expect("escapes are ASCII")
    }

    #[test]
    fn blanks_controls_backslashes_and_other_scripts_are_octal() {
        assert_eq!(escaped("S: Dispatch"), r"S:\040Dispatch");
        assert_eq!(escaped("a\tb\nc\0"), r"a\011b\012c\000");
        assert_eq!(escaped(r"a\040"), r"a\134040");
        assert_eq!(escaped("é"), r"\303\251");
        assert_eq!(escaped(""), r"\040");
        assert_eq!(escaped("!\"#$%&'()*+,-./~"), "!\"#$%&'()*+,-./~");
    }

    #[test]
    fn the_longest_text_is_kept_and_the_next_is_cut() {
        let longest = "x".repeat(MAX_TEXT);
        assert_eq!(escaped(&longest), longest);
        let cut = escaped(&"x".repeat(MAX_TEXT + 1));
        assert_eq!(cut.len(), MAX_TEXT);
        assert!(cut.ends_with("x..."));
    }

    #[test]
    fn a_cut_does_not_split_a_character() {
        let cut = escaped(&"é".repeat(MAX_TEXT));
        assert!(cut.ends_with(r"\303\251..."));
        assert_eq!((cut.len() - CUT.len()) % r"\303\251".len(), 0);
    }
}
