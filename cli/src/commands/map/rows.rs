// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The map as a tree of text, and as JSON Lines.

use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::soc::map::lookup::Plane;
use pool_model::soc::map::region::{Between, Elements, HoleRule, Region};
use pool_model::soc::map::tree::{Node, nodes};
use serde::Serialize;

use crate::failure::Failure;

/// Hexadecimal digits of a byte of a die, and of the size of the largest region.
pub const DIGITS: usize = 12;

/// First copies on die 0, with what the others are.
pub fn tree_text(generation: Generation) -> String {
    let mut text = format!(
        "{:width$}  {:width$}  region\n",
        "base",
        "size",
        width = DIGITS + 2
    );
    let mut plane = Plane::Main;
    for node in nodes(generation).filter(|node| node.first) {
        if node.plane != plane {
            plane = node.plane;
            text.push_str("privileged plane:\n");
        }
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{}  {}  {:indent$}{}: {}",
            base(&node),
            size(&node),
            "",
            label(node.step.region),
            node.step.region.about,
            indent = 2 * node.depth,
        );
    }
    text
}

/// Base inside the die, with all digits.
pub fn base(node: &Node) -> String {
    format!("0x{:0DIGITS$x}", node.step.base)
}

/// Size in bytes, right-aligned.
pub fn size(node: &Node) -> String {
    format!(
        "{:>1$}",
        format!("{:#x}", node.step.region.size),
        DIGITS + 2
    )
}

/// Name with the numbers of the copies on die 0, their distance, and the elements.
pub fn label(region: &Region) -> String {
    let mut label = region.name.to_owned();
    if let Some(copies) = region.copies {
        let _ = match copies.count {
            0 | 1 => write!(label, "_{}", copies.first),
            count => write!(
                label,
                "_{}..{}, every {:#x}",
                copies.first,
                copies.first + count - 1,
                copies.pitch
            ),
        };
    }
    if let Some(Elements { stride, count }) = region.elements {
        let _ = write!(label, " [{count}], every {stride:#x}");
    }
    label
}

#[derive(Serialize)]
struct Record<'a> {
    path: &'a str,
    base: String,
    size: String,
    plane: &'static str,
    die: u8,
    depth: usize,
    elements: Option<Array>,
    hole_from: Option<String>,
    about: &'static str,
    read: Option<&'static str>,
    write: Option<&'static str>,
    registers: Vec<RegisterRecord>,
}

#[derive(Serialize)]
struct Array {
    count: u32,
    stride: String,
}

#[derive(Serialize)]
struct RegisterRecord {
    name: &'static str,
    offset: String,
    read: &'static str,
    write: &'static str,
}

/// Every region of both dies.
pub fn json_lines(generation: Generation) -> Result<String, Failure> {
    let mut text = String::new();
    for node in nodes(generation) {
        let line =
            serde_json::to_string(&record(&node)).map_err(|error| Failure::Output(error.into()))?;
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

fn record(node: &Node) -> Record<'_> {
    let region = node.step.region;
    let hole_from = region.hole.map(|hole| match hole {
        HoleRule::All => 0,
        HoleRule::From(first) => first,
    });
    // Between the parts of a container there is nothing to read or write.
    let access = (region.between == Between::Container).then_some(region.access);
    Record {
        path: &node.path,
        base: node.address().to_string(),
        size: format!("{:#x}", region.size),
        plane: match node.plane {
            Plane::Main => "main",
            Plane::Peb => "peb",
        },
        die: node.die.number(),
        depth: node.depth,
        elements: region.elements.map(|Elements { stride, count }| Array {
            count,
            stride: format!("{stride:#x}"),
        }),
        hole_from: hole_from.map(|first| format!("{first:#x}")),
        about: region.about,
        read: access.map(|access| access.read),
        write: access.map(|access| access.write),
        registers: region
            .registers
            .iter()
            .map(|register| RegisterRecord {
                name: register.name,
                offset: format!("{:#x}", register.offset),
                read: register.access.read,
                write: register.access.write,
            })
            .collect(),
    }
}
