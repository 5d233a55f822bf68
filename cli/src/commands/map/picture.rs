// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The map as a picture: a box a region, with its parts as boxes inside. Heights are not to scale, since sizes differ by
//! ten orders of magnitude.

use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::soc::map::lookup::Plane;
use pool_model::soc::map::tree::{Node, nodes};

use super::rows::{base, label};

/// Height of a line of text, in pixels like all that follow.
const ROW: usize = 20;
/// Distance between the edges of boxes that lie in each other.
const INSET: usize = 8;
/// Free space around the picture.
const MARGIN: usize = 16;
/// Left edge of the outermost boxes; addresses stand left of it.
const LEFT: usize = 150;
/// Width of the outermost boxes.
const WIDTH: usize = 640;
/// Height of the title.
const TITLE: usize = 32;
/// Fill of a box by its depth.
const FILLS: [&str; 5] = ["#dbe7f3", "#eef3df", "#fbeedb", "#f5e1e6", "#e8e2f4"];

struct Frame {
    node: Node,
    top: usize,
    height: usize,
}

/// First copies on die 0 and their parts, as a self-contained SVG document.
pub fn svg(generation: Generation) -> String {
    let (frames, bottom) = frames(nodes(generation).filter(|node| node.first));
    let (width, height) = (LEFT + WIDTH + MARGIN, bottom + MARGIN);
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="monospace" font-size="12">
<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->
<title>Aperture map of {generation}</title>
<rect width="{width}" height="{height}" fill="white"/>
<text x="{MARGIN}" y="{}" font-size="16">Aperture map of {generation}, die 0; heights are not to scale</text>"#,
        MARGIN + ROW
    );
    for frame in &frames {
        draw(&mut text, frame);
    }
    text.push_str("</svg>\n");
    text
}

/// Boxes from the outside in, and the lower edge of the last one.
fn frames(nodes: impl Iterator<Item = Node>) -> (Vec<Frame>, usize) {
    let mut frames: Vec<Frame> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut y = MARGIN + TITLE;
    let close = |frames: &mut Vec<Frame>, open: &mut Vec<usize>, depth: usize, y: &mut usize| {
        for closed in open.drain(depth.min(open.len())..).rev() {
            let frame = &mut frames[closed];
            // A box without parts ends with its line of text.
            if *y > frame.top + ROW {
                *y += INSET;
            }
            frame.height = *y - frame.top;
        }
    };
    for node in nodes {
        close(&mut frames, &mut open, node.depth, &mut y);
        open.push(frames.len());
        frames.push(Frame {
            node,
            top: y,
            height: 0,
        });
        y += ROW;
    }
    close(&mut frames, &mut open, 0, &mut y);
    (frames, y)
}

fn draw(text: &mut String, frame: &Frame) {
    let Frame { node, top, height } = frame;
    let inset = node.depth * INSET;
    let left = LEFT + inset;
    let width = WIDTH - 2 * inset;
    let fill = FILLS[node.depth % FILLS.len()];
    let plane = match node.plane {
        Plane::Main => "",
        Plane::Peb => " (privileged plane)",
    };
    let about = escape(node.step.region.about);
    let size = readable(node.step.region.size);
    let baseline = top + ROW - 6;
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        r##"<g><title>{about}</title>
<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{fill}" stroke="#667"/>
<text x="{MARGIN}" y="{baseline}">{}</text>
<text x="{}" y="{baseline}">{}{plane}</text>
<text x="{}" y="{baseline}" text-anchor="end" fill="#556">{size}</text></g>"##,
        base(node),
        left + 6,
        escape(&label(node.step.region)),
        left + width - 6,
    );
}

/// A size in the largest unit that it is a whole number of.
fn readable(bytes: u64) -> String {
    for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes != 0 && bytes.trailing_zeros() >= shift {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} B")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of siblings do not overlap, and parts lie inside their region's box.
    #[test]
    fn boxes_nest() {
        for generation in Generation::ALL {
            let (frames, bottom) = frames(nodes(generation).filter(|node| node.first));
            let mut around: Vec<&Frame> = Vec::new();
            let mut free = MARGIN + TITLE;
            for frame in &frames {
                around.truncate(frame.node.depth);
                assert!(frame.top >= free, "{}", frame.node.path);
                assert!(frame.height >= ROW, "{}", frame.node.path);
                if let Some(parent) = around.last() {
                    let (inner, outer) = (frame.top + frame.height, parent.top + parent.height);
                    assert!(inner < outer, "{}", frame.node.path);
                }
                assert!(frame.top + frame.height <= bottom);
                free = frame.top + ROW;
                around.push(frame);
            }
        }
    }

    #[test]
    fn sizes_are_whole_numbers_of_their_unit() {
        for (bytes, text) in [
            (4, "4 B"),
            (1120, "1120 B"),
            (1024, "1 KiB"),
            (0x1C000, "112 KiB"),
            (0xC80_0000, "200 MiB"),
            (1 << 36, "64 GiB"),
            (1 << 46, "64 TiB"),
        ] {
            assert_eq!(readable(bytes), text);
        }
    }

    /// `make pictures` writes the file.
    #[test]
    fn the_picture_of_the_guide_is_up_to_date() {
        let file =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures/map_v3.svg");
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            found == svg(Generation::V3),
            "{} is out of date",
            file.display()
        );
    }

    #[test]
    fn markup_in_texts_is_escaped() {
        assert_eq!(escape("a<b>&c"), "a&lt;b&gt;&amp;c");
    }
}
