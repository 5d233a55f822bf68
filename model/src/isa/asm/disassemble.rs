// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Word to text: fields that have their default are left out.

use std::fmt::Write as _;

use super::super::addr4::Addr4;
use super::super::semaphore_value::{
    NUM_ADDR_REGISTERS, ValueSource, register_number, register_offset,
};
use super::super::update_mode::UpdateMode;
use super::super::wait_mode::WaitMode;
use super::super::word::{Events, Tensor3d, Word};
use super::names::{
    DEBUG_COMMANDS, DTYPES, LNC_FORMATS, NameTable, OPCODES, UPDATE_MODES, WAIT_MODES,
};
use super::parse::{DEFAULTS, MNEMONIC_S3D3, MNEMONIC_SB2SB};

/// The word as one line of assembly, without a line end.
#[must_use]
pub fn disassemble(word: &Word) -> String {
    let mut out = String::with_capacity(160);
    write_word(&mut out, word);
    out
}

// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
fn write_word(out: &mut String, word: &Word) {
    let header = &word.header;
    if header.opcode == DEFAULTS.header.opcode {
        out.push_str(MNEMONIC_SB2SB);
    } else {
        let _ = write!(out, "{MNEMONIC_S3D3} op={}", OPCODES.spell(header.opcode));
    }
    if header.inst_word_len != DEFAULTS.header.inst_word_len {
        let _ = write!(out, " len={}", header.inst_word_len);
    }
    if header.debug_cmd != DEFAULTS.header.debug_cmd {
        let _ = write!(out, " debug_cmd={}", DEBUG_COMMANDS.spell(header.debug_cmd));
    }
    if header.debug_hint != DEFAULTS.header.debug_hint {
        let _ = write!(out, " debug_hint={:#04x}", header.debug_hint);
    }
    if word.lnc_size_fmt != DEFAULTS.lnc_size_fmt {
        let _ = write!(out, " fmt={}", LNC_FORMATS.spell(word.lnc_size_fmt));
    }
    if word.in_dtype == word.out_dtype {
        let _ = write!(out, " dtype={}", DTYPES.spell(word.in_dtype));
    } else {
        let _ = write!(
            out,
            " in_dtype={} out_dtype={}",
            DTYPES.spell(word.in_dtype),
            DTYPES.spell(word.out_dtype)
        );
    }
    if word.num_active_channels != DEFAULTS.num_active_channels {
        let _ = write!(out, " ch={}", word.num_active_channels);
    }
    write_bytes(out, "reserved0", &word.reserved0);
    write_bytes(out, "reserved1", &word.reserved1);
    write_tensor(out, "src", &word.src);
    write_tensor(out, "dst", &word.dst);
    write_events(out, word.events);
}

fn write_bytes(out: &mut String, key: &str, bytes: &[u8]) {
    let Some(last) = bytes.iter().rposition(|&byte| byte != 0) else {
        return;
    };
    let _ = write!(out, " {key}=[");
    for (index, byte) in bytes[..=last].iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _ = write!(out, "{separator}{byte:#04x}");
    }
    out.push(']');
}

fn write_tensor(out: &mut String, key: &str, tensor: &Tensor3d) {
    let _ = write!(out, " {key}=");
    write_addr(out, tensor.start_addr);
    let is_used = |d: &usize| tensor.num_elem[*d] != 1 || tensor.step_elem[*d] != 1;
    let Some(last) = (0..3).rev().find(is_used) else {
        return;
    };
    for d in 0..=last {
        out.push_str(if d == 0 { "[" } else { ", " });
        let _ = write!(out, "{}", tensor.num_elem[d]);
        if tensor.step_elem[d] != 1 {
            let _ = write!(out, "@{}", tensor.step_elem[d]);
        }
    }
    out.push(']');
}

fn write_addr(out: &mut String, addr: Addr4) {
    let shape_register = addr.shape_from_register();
    let body = if shape_register {
        Addr4(addr.0 & !Addr4::SHAPE_BIT)
    } else {
        addr
    };
    let _ = match body.valid_register() {
        Some(register) => write!(out, "r{register}"),
        _ => write!(out, "{body:#x}"),
    };
    if shape_register {
        out.push_str(".shape");
    }
}

fn write_events(out: &mut String, events: Events) {
    let mut half = |key: &str, names: &NameTable, mode: u8, index: u8| {
        if mode == 0 && index == 0 {
            return;
        }
        let _ = write!(out, " {key}={}", names.spell(mode));
        if index != 0 {
            let _ = write!(out, "[{index}]");
        }
    };
    half("wait", &WAIT_MODES, events.wait_mode, events.wait_idx);
    half(
        "update",
        &UPDATE_MODES,
        events.update_mode,
        events.update_idx,
    );
    write_value(out, events);
}

/// The value is spelt as a register where it is one for every mode that reads it.
fn write_value(out: &mut String, events: Events) {
    let value = events.semaphore_value;
    let readers = [
        WaitMode::from_raw(events.wait_mode).and_then(WaitMode::value_source),
        UpdateMode::from_raw(events.update_mode).and_then(UpdateMode::value_source),
    ];
    let read_as = |source| readers.contains(&Some(source));
    let any_register = read_as(ValueSource::Register) || read_as(ValueSource::RegisterOffset);
    if value == DEFAULTS.events.semaphore_value && readers == [None, None] {
        return;
    }
    out.push_str(" value=");
    let (register, offset) = (register_number(value), register_offset(value));
    if read_as(ValueSource::Immediate) || !any_register || register >= NUM_ADDR_REGISTERS {
        write_number(out, value);
    } else if offset == 0 {
        let _ = write!(out, "r{register}");
    } else if read_as(ValueSource::RegisterOffset) {
        let _ = write!(out, "r{register}+{offset}");
    } else {
        write_number(out, value);
    }
}

fn write_number(out: &mut String, value: u32) {
    let _ = if value < 0x1_0000 {
        write!(out, "{value}")
    } else {
        write!(out, "{value:#x}")
    };
}
