// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the value of a field means, in a few words.

use pool_model::generation::Generation;
use pool_model::isa::{
    Addr4, AddrForm, DType, DebugCmd, Geometry, LncSizeFmt, Opcode, Tensor3d, UpdateEffect,
    UpdateMode, ValueSource, WaitCondition, WaitMode, Word, element_bytes_of_tag, register_number,
    register_offset,
};

/// The meaning of the field with this path; empty where there is nothing to say.
pub fn meaning(path: &str, word: &Word, generation: Generation) -> String {
    let events = &word.events;
    let wait = WaitMode::from_raw_in(events.wait_mode, generation);
    let update = UpdateMode::from_raw_in(events.update_mode, generation);
    match path {
        "header.opcode" => opcode(word.header.opcode, generation),
        "header.inst_word_len" => format!("{} bytes", 4 * u32::from(word.header.inst_word_len)),
        "header.debug_cmd" => DebugCmd::from_raw(word.header.debug_cmd)
            .map_or_else(String::new, |command| command.name().to_owned()),
        "events.wait_mode" => member(
            WaitMode::from_raw(events.wait_mode).map(WaitMode::name),
            wait.is_some(),
            generation,
        ),
        "events.wait_idx" => wait.map_or_else(String::new, |mode| waited(mode, events.wait_idx)),
        "events.update_mode" => member(
            UpdateMode::from_raw(events.update_mode).map(UpdateMode::name),
            update.is_some(),
            generation,
        ),
        "events.update_idx" => {
            update.map_or_else(String::new, |mode| updated(mode, events.update_idx))
        }
        "events.semaphore_value" => value(wait, update, events.semaphore_value),
        "in_dtype" => dtype(word.in_dtype, generation),
        "out_dtype" => dtype(word.out_dtype, generation),
        "src.start_addr" => address(word.src.start_addr, generation),
        "dst.start_addr" => address(word.dst.start_addr, generation),
        "src.step_elem" | "dst.step_elem" => "elements, innermost first".to_owned(),
        "src.num_elem" => elements(&word.src),
        "dst.num_elem" => elements(&word.dst),
        "lnc_size_fmt" => lnc(word.lnc_size_fmt),
        "num_active_channels" => "partitions from each start partition".to_owned(),
        _ => String::new(),
    }
}

fn member(name: Option<&'static str>, in_generation: bool, generation: Generation) -> String {
    match (name, in_generation) {
        (None, _) => "not a member".to_owned(),
        (Some(name), true) => name.to_owned(),
        (Some(name), false) => format!("{name}, not a member on {generation}"),
    }
}

fn opcode(raw: u8, generation: Generation) -> String {
    let opcode = Opcode(raw);
    member(opcode.name(), opcode.member_of(generation), generation)
}

fn dtype(raw: u8, generation: Generation) -> String {
    let known = DType::from_raw_in(raw, generation).is_some();
    let name = member(DType::from_raw(raw).map(DType::name), known, generation);
    match element_bytes_of_tag(raw, generation) {
        Some(1) => format!("{name}, 1 byte"),
        Some(bytes) => format!("{name}, {bytes} bytes"),
        None => name,
    }
}

fn waited(mode: WaitMode, index: u8) -> String {
    match mode.condition() {
        Some(WaitCondition::Semaphore { .. }) => format!("semaphore {index}"),
        Some(WaitCondition::Event { .. }) => format!("event {index}"),
        Some(WaitCondition::Always | WaitCondition::Unordered) | None => "not used".to_owned(),
    }
}

fn updated(mode: UpdateMode, index: u8) -> String {
    match mode.action().map(|action| action.effect) {
        Some(UpdateEffect::Event(_)) => format!("event {index}"),
        Some(_) => format!("semaphore {index}"),
        None => "not used".to_owned(),
    }
}

/// The one field serves both halves; they may read it differently. [isa-word §6.3]
fn value(wait: Option<WaitMode>, update: Option<UpdateMode>, raw: u32) -> String {
    let readings = [
        ("wait", wait.and_then(WaitMode::value_source)),
        ("update", update.and_then(UpdateMode::value_source)),
    ];
    let texts: Vec<String> = readings
        .into_iter()
        .filter_map(|(half, source)| Some(format!("{half}: {}", reading(source?, raw))))
        .collect();
    if texts.is_empty() {
        "not used".to_owned()
    } else {
        texts.join(", ")
    }
}

fn reading(source: ValueSource, raw: u32) -> String {
    match source {
        ValueSource::Immediate => raw.to_string(),
        ValueSource::Register => format!("register {}", register_number(raw)),
        ValueSource::RegisterOffset => {
            format!(
                "register {} + {}",
                register_number(raw),
                register_offset(raw)
            )
        }
    }
}

fn address(addr: Addr4, generation: Generation) -> String {
    let (text, shape_register) = match addr.form() {
        AddrForm::Immediate {
            address,
            shape_register,
        } => (place(address, generation), shape_register),
        AddrForm::Register { shape_register, .. } => {
            let text = match addr.valid_register() {
                Some(register) => format!("address register {register}"),
                None => "address register, malformed".to_owned(),
            };
            (text, shape_register)
        }
        AddrForm::Indirect { register: false } => ("indirect".to_owned(), false),
        AddrForm::Indirect { register: true } => ("indirect by register".to_owned(), false),
        AddrForm::Contradictory => ("indirect and shape register at once".to_owned(), false),
    };
    if shape_register {
        format!("{text}, shape from a register")
    } else {
        text
    }
}

fn place(address: u32, generation: Generation) -> String {
    match Geometry::of(generation).place(address) {
        Some(place) => format!(
            "{} partition {}, byte {:#x}",
            place.space.name(),
            place.partition,
            place.offset
        ),
        None => "no memory".to_owned(),
    }
}

fn elements(tensor: &Tensor3d) -> String {
    if tensor.start_addr.shape_from_register() {
        return "waived: the shape comes from a register".to_owned();
    }
    match tensor.stored_elements() {
        1 => "1 element in each partition".to_owned(),
        count => format!("{count} elements in each partition"),
    }
}

fn lnc(raw: u8) -> String {
    match LncSizeFmt::from_raw(raw) {
        Some(LncSizeFmt::Lnc1) => "LNC1: the core itself".to_owned(),
        Some(LncSizeFmt::Lnc2) => "LNC2: the peer in pairs (0,1) (2,3) (4,5) (6,7)".to_owned(),
        Some(format) => format.name().to_owned(),
        None => "not a member".to_owned(),
    }
}
