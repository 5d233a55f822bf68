// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fenced examples of the guide's chapter on addresses.

use pool_model::generation::Generation;
use pool_model::soc::map::lookup::{Target, target};
use pool_model::soc::map::path;
use pool_model::soc::route::{Origin, route};
use pool_model::soc::{SocAddr, Viewed};

const CHAPTER: &str = include_str!("../../docs/addresses.md");

/// Information line and content lines of every fenced block.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in CHAPTER.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push((info, Vec::new()));
            }
            None if open => blocks.last_mut().expect("one is open").1.push(line),
            None => {}
        }
    }
    assert!(!open, "every block is closed");
    blocks
}

fn address(text: &str) -> SocAddr {
    let digits = text.strip_prefix("0x").expect("0x");
    SocAddr(u64::from_str_radix(digits, 16).expect("hexadecimal"))
}

#[test]
fn examples_of_the_chapter() {
    let mut checked = 0;
    // Blocks of commands are run by the check of all printed commands.
    for (info, lines) in blocks().into_iter().filter(|(info, _)| *info != "console") {
        let (kind, rest) = info.split_once(' ').unwrap_or((info, ""));
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let address = address(words[0]);
            let nbr_en = rest != "nbr_en=0";
            let viewed = Viewed::recover(address, nbr_en);
            match kind {
                "addr" => {
                    let generation: Generation = if rest.is_empty() {
                        Generation::V3
                    } else {
                        rest.parse().expect("a generation")
                    };
                    let found = target(viewed, generation).expect("legal");
                    let location = found.location().expect("a region");
                    assert_eq!(location.to_string(), words[1], "{line}");
                    assert_eq!(path::parse(words[1], generation), Ok(address), "{line}");
                }
                "route" => {
                    let found = route(viewed, Origin::default());
                    assert_eq!([viewed.view.name(), found.name()], words[1..], "{line}");
                }
                "illegal" => {
                    let reason = target(viewed, Generation::V3).expect_err(line);
                    assert_eq!(reason.name(), words[1], "{line}");
                }
                "empty" => {
                    let found = target(viewed, Generation::V3).expect("legal");
                    assert!(matches!(found, Target::Reserved(_)), "{line}");
                }
                other => panic!("no check for blocks of kind {other}"),
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 27);
}
