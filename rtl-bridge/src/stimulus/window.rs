// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Register traffic and lookups of the window block: few windows and few granules, so that they meet.

use pool_model::soc::window::{FILE_SIZE, STRIDE, WindowRegister};

use super::Choices;
use crate::device::WindowStimulus;

/// Windows that are used more than others.
const WINDOWS: [u32; 6] = [0, 1, 2, 3, 38, 39];
/// Offsets at and behind the end of the registers, and unaligned ones.
const ODD_OFFSETS: [u32; 8] = [
    FILE_SIZE - 4,
    FILE_SIZE,
    FILE_SIZE + 4,
    0x7FC,
    1,
    2,
    STRIDE + 3,
    FILE_SIZE - 1,
];
/// Bits `[31:20]` that matches and lookups share.
const GRANULES: [u32; 6] = [
    0x0010_0000,
    0x0040_0000,
    0x0400_0000,
    0x8000_0000,
    0x8010_0000,
    0xFFF0_0000,
];
const MASKS: [u32; 5] = [
    0xFFF0_0000,
    0xFF00_0000,
    0xFC00_0000,
    0x8000_0000,
    0x7FF0_0000,
];

/// One cycle.
pub fn stimulus(choices: &mut impl Choices) -> WindowStimulus {
    let mut stimulus = WindowStimulus::default();
    if !choices.one_in(5) {
        let register = choices.below(WindowRegister::ALL.len() as u32);
        let window = match choices.below(4) {
            3 => choices.below(40),
            _ => choices.pick(&WINDOWS),
        };
        let offset = match choices.below(16) {
            14 => choices.pick(&ODD_OFFSETS),
            15 => choices.below(0x800),
            _ => STRIDE * window + 4 * register,
        };
        stimulus.reg_valid = true;
        stimulus.reg_write = !choices.one_in(3);
        stimulus.reg_addr = offset as u16;
        stimulus.reg_wdata = value(WindowRegister::ALL[register as usize], choices);
    }
    stimulus.lookup_addr = match choices.below(4) {
        3 => choices.word(),
        _ => choices.pick(&GRANULES) | choices.word() & 0xF_FFFF,
    };
    stimulus.lookup_nx = choices.one_in(2);
    stimulus.lookup_q7 = choices.byte() % 8;
    stimulus.miss_pass = choices.one_in(2);
    stimulus
}

/// A value for a register: mostly one with which a window can hit, now and then any.
fn value(register: WindowRegister, choices: &mut impl Choices) -> u32 {
    if choices.one_in(6) {
        return choices.word();
    }
    match register {
        WindowRegister::Control => {
            // Mostly valid; gates now and then. [soc-address §3.1]
            let gates = match choices.below(3) {
                0 => 0,
                _ => choices.word() & 0x7E,
            };
            gates | u32::from(!choices.one_in(5))
        }
        WindowRegister::MaskLo => choices.pick(&MASKS),
        WindowRegister::MaskHi => choices.pick(&[0xFF, 0xFF, 0x0F, 0]),
        WindowRegister::MatchLo => choices.pick(&GRANULES),
        WindowRegister::MatchHi => choices.pick(&[0, 0, 0, 0xF0]),
        WindowRegister::ReplaceLo | WindowRegister::ReplaceHi => choices.word(),
    }
}
