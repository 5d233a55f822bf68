// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fields of a 16-byte entry and the layouts that they form. [idma-ring §§1.3–1.5, 1.9, 4.4, 4.5]

/// A field of the 128 bits of an entry; bit 0 is the least significant bit of word 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Name in the specification, in `snake_case`.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// Bits, 1 to 64.
    pub width: u32,
    /// How values are written.
    pub radix: Radix,
}

/// How the values of a field are written in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// Decimal; a one-bit field that is 1 is its bare name.
    Decimal,
    /// Hexadecimal.
    Hexadecimal,
    /// The name of an engine operation. [idma-ring §4.1]
    Operation,
}

/// A way to read the 128 bits. The fields cover every bit exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name in text and JSON.
    pub name: &'static str,
    /// Fields by ascending position.
    pub fields: &'static [BitField],
    /// Bits that the name alone stands for.
    pub implied: u128,
    /// What it is, in a few words.
    pub about: &'static str,
}

impl BitField {
    /// Largest value.
    #[must_use]
    pub const fn max(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// The field's bits in place.
    #[must_use]
    pub const fn mask(&self) -> u128 {
        (self.max() as u128) << self.low
    }

    /// The value of the field.
    #[must_use]
    pub const fn get(&self, bits: u128) -> u64 {
        (bits >> self.low) as u64 & self.max()
    }

    /// `bits` with the field replaced; bits of `value` that do not fit are dropped.
    #[must_use]
    pub const fn set(&self, bits: u128, value: u64) -> u128 {
        bits & !self.mask() | ((value & self.max()) as u128) << self.low
    }

    /// Word that holds the field, and its highest and lowest bit there; the 64-bit pointer counts from word 2.
    #[must_use]
    pub const fn place(&self) -> (u32, u32, u32) {
        let bit = self.low % 32;
        (self.low / 32, bit + self.width - 1, bit)
    }

    /// Whether the bits have no meaning and are written 0.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        self.name.contains("rsvd")
    }
}

impl Layout {
    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static BitField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The layout with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        LAYOUTS.iter().find(|layout| layout.name == name)
    }
}

const fn field(name: &'static str, low: u32, width: u32) -> BitField {
    BitField {
        name,
        low,
        width,
        radix: Radix::Decimal,
    }
}

const fn hex(name: &'static str, low: u32, width: u32) -> BitField {
    BitField {
        radix: Radix::Hexadecimal,
        ..field(name, low, width)
    }
}

const OP: BitField = BitField {
    radix: Radix::Operation,
    ..field("op", 32 + 23, 3)
};

/// Joins lists of fields at compile time.
macro_rules! fields {
    ($($part:expr),+ $(,)?) => {{
        const COUNT: usize = 0 $(+ $part.len())+;
        const JOINED: [BitField; COUNT] = {
            let mut all = [field("", 0, 1); COUNT];
            let mut at = 0;
            $({
                let mut i = 0;
                while i < $part.len() {
                    all[at] = $part[i];
                    at += 1;
                    i += 1;
                }
            })+
            assert!(at == COUNT);
            all
        };
        &JOINED
    }};
}

/// [idma-ring §1.3]
const TX_WORD0: [BitField; 11] = [
    field("len", 0, 16),
    hex("netag0_meta", 16, 6),
    field("rsvd_dummy", 22, 1),
    field("meta", 23, 1),
    field("ring_id", 24, 2),
    field("first", 26, 1),
    field("last", 27, 1),
    field("int_en", 28, 1),
    field("no_snoop", 29, 1),
    field("dmb", 30, 1),
    field("concat", 31, 1),
];

/// Bits 20 and up of word 1, the same for every operation. [idma-ring §1.5]
const TX_WORD1_HIGH: [BitField; 6] = [
    field("optype", 32 + 20, 3),
    OP,
    field("write_barrier", 32 + 26, 1),
    field("rsvd27", 32 + 27, 1),
    field("notification_mask", 32 + 28, 1),
    field("arg", 32 + 29, 3),
];

/// The low 20 bits of word 1 for CME. [idma-ring §1.5]
const CME: [BitField; 18] = [
    field("is_last_block", 32, 1),
    field("is_first_block", 33, 1),
    field("block_attr_rsvd", 34, 1),
    field("cached_crc_iv_index", 35, 3),
    field("result_byte_swap", 38, 1),
    field("result_bit_swap", 39, 1),
    field("intermediate_byte_swap", 40, 1),
    field("intermediate_bit_swap", 41, 1),
    field("source_byte_swap", 42, 1),
    field("source_bit_swap", 43, 1),
    field("init_byte_swap", 44, 1),
    field("init_bit_swap", 45, 1),
    field("validate_crc", 46, 1),
    field("use_stored_crc_iv", 47, 1),
    field("send_crc", 48, 1),
    field("store_crc_result", 49, 1),
    field("store_source_crc", 50, 1),
    field("copy_src_data", 51, 1),
];

const POINTER: [BitField; 1] = [hex("buf_ptr", 64, 64)];

/// [idma-ring §4.5], one row each; bits without a name are reserved.
const ADD: [BitField; 9] = [
    field("sub", 32, 3),
    field("rsvd3", 35, 1),
    field("flag", 36, 1),
    field("flag_rt", 37, 1),
    field("data_write_barrier", 38, 1),
    field("data_last", 39, 1),
    field("rsvd8", 40, 4),
    field("out_dtype", 44, 4),
    field("accum_dtype", 48, 4),
];
const FMA: [BitField; 9] = [
    field("sub", 32, 3),
    field("rsvd3", 35, 1),
    field("flag", 36, 1),
    field("rsvd5", 37, 1),
    field("data_write_barrier", 38, 1),
    field("data_last", 39, 1),
    field("in_dtype", 40, 4),
    field("scale_dtype", 44, 4),
    field("accum_dtype", 48, 4),
];
const MIN_MAX: [BitField; 9] = [
    field("sub", 32, 3),
    field("rsvd3", 35, 1),
    field("data_last", 36, 1),
    field("use_const", 37, 1),
    field("data_write_barrier", 38, 1),
    field("notify", 39, 1),
    field("in_dtype", 40, 4),
    field("out_dtype", 44, 4),
    field("accum_dtype", 48, 4),
];
const EXT: [BitField; 4] = [
    field("sub", 32, 3),
    field("rsvd3", 35, 9),
    field("mid_dtype", 44, 4),
    field("accum_dtype", 48, 4),
];
const SPLIT: [BitField; 6] = [
    field("split_count", 32, 3),
    field("rsvd3", 35, 2),
    field("several", 37, 1),
    field("rsvd6", 38, 2),
    field("shape_index", 40, 8),
    field("dtype", 48, 4),
];
const TRANSPOSE: [BitField; 5] = [
    field("element_bytes", 32, 5),
    field("several", 37, 1),
    field("rsvd6", 38, 2),
    field("out_shape_index", 40, 8),
    field("dtype", 48, 4),
];
const REPLICATION: [BitField; 2] = [field("count", 32, 16), field("rsvd16", 48, 4)];

/// Word 1 of a parameter descriptor; bit 26 says that a parameter is there. [idma-ring §§4.2, 4.4]
const PARAMETER_WORD1: [BitField; 7] = [
    field("sub", 32, 3),
    hex("rsvd3", 35, 17),
    field("optype", 32 + 20, 3),
    OP,
    field("parameter_present", 32 + 26, 1),
    field("rsvd27", 32 + 27, 2),
    field("arg", 32 + 29, 3),
];
/// [idma-ring §4.4]
const PARAMETER_WORDS: [BitField; 6] = [
    field("parameter_len", 64, 24),
    field("select_a", 88, 2),
    field("select_b", 90, 2),
    field("select_c", 92, 2),
    field("rsvd94", 94, 2),
    hex("parameter", 96, 32),
];
/// [idma-ring §1.1]
const META_WORDS: [BitField; 2] = [hex("meta1", 64, 32), hex("meta2", 96, 32)];

/// [idma-ring §1.4]
const RX: [BitField; 10] = [
    field("len", 0, 16),
    field("rsvd16", 16, 8),
    field("ring_id", 24, 2),
    field("rsvd26", 26, 2),
    field("int_en", 28, 1),
    field("sow", 29, 1),
    field("rsvd30", 30, 1),
    field("dual_buf", 31, 1),
    hex("buf2_ptr_lo", 32, 32),
    hex("buf1_ptr", 64, 64),
];
/// [idma-ring §1.4], with `DUAL_BUF`
const RX_DUAL: [BitField; 6] = [
    field("len", 0, 16),
    field("len2", 16, 14),
    field("rsvd30", 30, 1),
    field("dual_buf", 31, 1),
    hex("buf2_ptr_lo", 32, 32),
    hex("buf1_ptr", 64, 64),
];

/// [idma-ring §1.9, decisions D-23]
const COMPLETION: [BitField; 13] = [
    hex("meta", 0, 24),
    field("ring_id", 24, 2),
    field("first", 26, 1),
    field("last", 27, 1),
    field("rsvd28", 28, 1),
    field("ddp", 29, 1),
    field("buf1_used", 30, 1),
    field("error", 31, 1),
    field("len", 32, 32),
    field("rsvd64", 64, 16),
    field("buf2_len", 80, 14),
    field("rsvd94", 94, 1),
    field("buf2_used", 95, 1),
];
const COMPLETION_WORD3: [BitField; 1] = [hex("metadata", 96, 32)];

const TX_FIELDS: &[BitField] = fields!(TX_WORD0, CME, TX_WORD1_HIGH, POINTER);

const fn word1(value: u32) -> u128 {
    (value as u128) << 32
}

/// Every layout. The first that fits is the one in which [`super::Descriptor`] shows itself.
pub const LAYOUTS: &[Layout] = &[
    Layout {
        name: "tx_copy",
        fields: TX_FIELDS,
        implied: word1(super::descriptor::COPY_WORD1),
        about: "read side of a plain copy",
    },
    Layout {
        name: "tx",
        fields: TX_FIELDS,
        implied: 0,
        about: "read side",
    },
    Layout {
        name: "tx_add",
        fields: fields!(TX_WORD0, ADD, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0200_0000),
        about: "source of a sum",
    },
    Layout {
        name: "tx_fma",
        fields: fields!(TX_WORD0, FMA, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0210_0000),
        about: "source of a scaled sum",
    },
    Layout {
        name: "tx_max",
        fields: fields!(TX_WORD0, MIN_MAX, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0220_0000),
        about: "source of a maximum",
    },
    Layout {
        name: "tx_min",
        fields: fields!(TX_WORD0, MIN_MAX, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0230_0000),
        about: "source of a minimum",
    },
    Layout {
        name: "tx_ext",
        fields: fields!(TX_WORD0, EXT, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0240_0000),
        about: "source of a combined operation",
    },
    Layout {
        name: "tx_gce",
        fields: fields!(TX_WORD0, FMA, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0250_0000),
        about: "source of a gradient compression",
    },
    Layout {
        name: "tx_split",
        fields: fields!(TX_WORD0, SPLIT, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0080_0000),
        about: "source of a striding split",
    },
    Layout {
        name: "tx_transpose",
        fields: fields!(TX_WORD0, TRANSPOSE, TX_WORD1_HIGH, POINTER),
        implied: word1(0x0090_0000),
        about: "source of a transpose",
    },
    Layout {
        name: "tx_replication",
        fields: fields!(TX_WORD0, REPLICATION, TX_WORD1_HIGH, POINTER),
        implied: word1(0x00A0_0000),
        about: "source of a replication",
    },
    Layout {
        name: "meta",
        fields: fields!(TX_WORD0, PARAMETER_WORD1, PARAMETER_WORDS),
        implied: 1 << 23,
        about: "parameters of a compute packet",
    },
    Layout {
        name: "meta_cme",
        fields: fields!(TX_WORD0, CME, TX_WORD1_HIGH, META_WORDS),
        implied: 1 << 23 | word1(0x0100_0000),
        about: "parameters of a CME packet",
    },
    Layout {
        name: "rx",
        fields: &RX,
        implied: 0,
        about: "write side",
    },
    Layout {
        name: "rx_dual",
        fields: &RX_DUAL,
        implied: 1 << 31,
        about: "write side with two buffers, which this SoC does not use",
    },
    Layout {
        name: "completion",
        fields: fields!(COMPLETION, COMPLETION_WORD3),
        implied: 0,
        about: "completion that the write side reports",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_covers_every_bit_once() {
        for layout in LAYOUTS {
            let mut covered = 0_u128;
            for field in layout.fields {
                assert_eq!(covered & field.mask(), 0, "{} {}", layout.name, field.name);
                assert_eq!(
                    layout.field(field.name),
                    Some(field),
                    "{}: two fields are called {}",
                    layout.name,
                    field.name
                );
                covered |= field.mask();
            }
            assert_eq!(covered, u128::MAX, "{}", layout.name);
        }
    }

    /// Appendix B of idma-ring
    #[test]
    fn field_slices() {
        let tx = Layout::by_name("tx").expect("it exists");
        let rx = Layout::by_name("rx").expect("it exists");
        let done = Layout::by_name("completion").expect("it exists");
        let rows = [
            (tx, "len", 0, 15, 0),
            (tx, "meta", 0, 23, 23),
            (tx, "ring_id", 0, 25, 24),
            (tx, "first", 0, 26, 26),
            (tx, "last", 0, 27, 27),
            (tx, "int_en", 0, 28, 28),
            (tx, "no_snoop", 0, 29, 29),
            (rx, "sow", 0, 29, 29),
            (tx, "dmb", 0, 30, 30),
            (tx, "concat", 0, 31, 31),
            (rx, "dual_buf", 0, 31, 31),
            (tx, "is_last_block", 1, 0, 0),
            (tx, "block_attr_rsvd", 1, 2, 2),
            (tx, "cached_crc_iv_index", 1, 5, 3),
            (tx, "result_byte_swap", 1, 6, 6),
            (tx, "init_bit_swap", 1, 13, 13),
            (tx, "validate_crc", 1, 14, 14),
            (tx, "use_stored_crc_iv", 1, 15, 15),
            (tx, "send_crc", 1, 16, 16),
            (tx, "store_crc_result", 1, 17, 17),
            (tx, "store_source_crc", 1, 18, 18),
            (tx, "copy_src_data", 1, 19, 19),
            (tx, "optype", 1, 22, 20),
            (tx, "op", 1, 25, 23),
            (tx, "write_barrier", 1, 26, 26),
            (tx, "notification_mask", 1, 28, 28),
            (done, "ring_id", 0, 25, 24),
            (done, "first", 0, 26, 26),
            (done, "last", 0, 27, 27),
            (done, "ddp", 0, 29, 29),
            (done, "buf1_used", 0, 30, 30),
            (done, "error", 0, 31, 31),
        ];
        for (layout, name, word, high, low) in rows {
            let field = layout.field(name).expect("it exists");
            assert_eq!(field.place(), (word, high, low), "{} {name}", layout.name);
        }
    }
}
