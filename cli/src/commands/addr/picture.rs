// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The answer for people: the fields of the address, where it leads, and what is there.

use std::fmt::Write as _;

use pool_model::soc::map::lookup::{Gap, Hole, Location, Target};
use pool_model::soc::route::Route;
use pool_model::soc::view::Field;
use pool_model::soc::{Decode, SocAddr, View};

/// Width of the longest bit range and of the longest field name.
const RANGE_WIDTH: usize = 7;
const NAME_WIDTH: usize = Field::RELAXED_ORDERING.name.len();

/// Appends the lines about an address.
pub fn write(text: &mut String, address: SocAddr, decoded: &Decode) {
    line(text, &format!("{address}, {} view", decoded.view.name()));
    fields(text, address, decoded.view);
    match decoded.verdicts.first() {
        None => entry(text, "verdict", "legal"),
        Some(_) => {
            for reason in decoded.verdicts.iter() {
                let said = format!("illegal, {}: {}", reason.name(), reason.explanation());
                entry(text, "verdict", &said);
            }
        }
    }
    entry(text, "route", &route(decoded.route));
    match &decoded.target {
        None => {}
        Some(Target::Reserved(gap)) => empty(text, gap, decoded.local.ok_to_fail),
        Some(Target::Region(location)) => region(text, location),
    }
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn entry(text: &mut String, label: &str, content: &str) {
    line(text, &format!("  {label:7}  {content}"));
}

/// The bits in groups, and a leg from each group to its name.
fn fields(text: &mut String, address: SocAddr, view: View) {
    let named: &[Field] = match view {
        View::Local => &Field::LOCAL_VIEW,
        View::Neighbor => &Field::NEIGHBOR_VIEW,
    };
    // Highest bits first, as they are written.
    let all: Vec<Field> = std::iter::once(Field::HIGH_BITS)
        .chain(named.iter().rev().copied())
        .collect();
    let groups: Vec<String> = all.iter().map(|field| group(*field, address)).collect();
    line(text, &format!("  {}", groups.join(" ")));
    for last in (0..all.len()).rev() {
        text.push_str("  ");
        for group in &groups[..last] {
            let _ = write!(text, "│{:1$}", "", group.len());
        }
        // The leg bends at its group and ends below the start of the last one.
        let dashes: usize = groups[last..all.len() - 1]
            .iter()
            .map(|group| group.len() + 1)
            .sum();
        let field = all[last];
        let value = if field == Field::LOCAL {
            format!("{:#x}", field.get(address))
        } else {
            field.get(address).to_string()
        };
        let leg = "─".repeat(dashes + 1);
        line(
            text,
            &format!(
                "└{leg} {:RANGE_WIDTH$} {:NAME_WIDTH$} {value}",
                range(field),
                field.name
            ),
        );
    }
}

/// The bits of a field: binary digits, or hexadecimal ones of the address inside the die.
fn group(field: Field, address: SocAddr) -> String {
    let value = field.get(address);
    if field == Field::LOCAL {
        format!("0x{value:012x}")
    } else {
        format!("{value:0width$b}", width = field.width as usize)
    }
}

fn range(field: Field) -> String {
    if field.width == 1 {
        format!("[{}]", field.shift)
    } else {
        format!("[{}:{}]", field.shift + field.width - 1, field.shift)
    }
}

fn route(route: Route) -> String {
    let name = route.name();
    match route {
        Route::SameDie(die) => format!("{name}: die {}, which makes the access", die.number()),
        Route::OtherDie(die) => format!("{name}: die {} of the own package", die.number()),
        Route::OtherChip { id, die } => {
            format!("{name}: chip {}, die {}", id.number(), die.number())
        }
        Route::PebAlias(die) => format!("{name}: privileged plane of die {}", die.number()),
        Route::AttachedChip { exit_seng, die } => format!(
            "{name}: die {} of the chip attached to SEngine {}",
            die.number(),
            exit_seng.number()
        ),
        Route::PcieM0(die) => format!("{name}: PCIE_M0 window of die {}", die.number()),
        Route::Illegal(reason) => format!("{name}: {}", reason.name()),
    }
}

/// A gap, and what becomes of an access to it. [soc-address MC-3]
fn empty(text: &mut String, gap: &Gap, ok_to_fail: bool) {
    entry(text, "region", &gap.to_string());
    let (read, write) = if ok_to_fail {
        ("returns 0xDEADBEEF", "dropped")
    } else {
        ("fails with DecodeError", "fails with DecodeError")
    };
    entry(text, "read", read);
    entry(text, "write", write);
}

fn region(text: &mut String, location: &Location) {
    entry(text, "region", &location.to_string());
    let steps: Vec<(String, &str)> = location
        .steps()
        .enumerate()
        .map(|(depth, step)| {
            let label = format!("{:1$}{2}", "", 2 * depth, step.label());
            (label, step.region.about)
        })
        .chain(inner(location))
        .collect();
    let width = steps.iter().map(|(label, _)| label.len()).max();
    for (label, about) in &steps {
        let content = format!("  {label:0$}  {about}", width.unwrap_or_default());
        entry(text, "", content.trim_end());
    }
    if let Some(hole) = location.hole() {
        entry(text, "hole", hole_meaning(hole));
    }
    let access = location.access();
    entry(text, "read", access.read);
    entry(text, "write", access.write);
}

/// Element and register below the innermost region.
fn inner(location: &Location) -> impl Iterator<Item = (String, &'static str)> {
    let depth = location.steps().count();
    let element = location.index().map(|index| {
        let name = location.element_name().unwrap_or_default();
        (format!("{:1$}[{index}]", "", 2 * depth), name)
    });
    let depth = depth + usize::from(element.is_some());
    let register = location.register().map(|register| {
        (
            format!("{:1$}{2}", "", 2 * depth, register.name),
            "register",
        )
    });
    element.into_iter().chain(register)
}

/// [soc-address MC-10], [evt-sem MC-E4], [decisions D-51]
const fn hole_meaning(hole: Hole) -> &'static str {
    match hole {
        Hole::Sbuf => "beyond the bytes that a partition of the SBUF has",
        Hole::Hbm => "beyond the populated part of the HBM",
        Hole::ReservedSbuf => "reserved part of the SBUF",
        Hole::EvtSem => "reserved leaf of EVT_SEM",
    }
}
