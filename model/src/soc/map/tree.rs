// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every region of a generation's map, copies included, from the outside in. [soc-address §2]

use super::lookup::{Plane, Step, has_die, step};
use super::region::Region;
use crate::generation::Generation;
use crate::soc::SocAddr;
use crate::soc::id::Die;
use crate::soc::view::Field;

/// A region, or a copy of one, with its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The map that it is in.
    pub plane: Plane,
    /// Die of the own chip.
    pub die: Die,
    /// Regions around it.
    pub depth: usize,
    /// The region with its number and its base inside the die.
    pub step: Step,
    /// Names from the root to the region: `TPB_0.EVT_SEM`.
    pub path: String,
    /// Whether it and every region around it is the first copy, on die 0.
    pub first: bool,
}

impl Node {
    /// First address: plain on the own chip, with PEB in the privileged plane.
    #[must_use]
    pub fn address(&self) -> SocAddr {
        let plane = match self.plane {
            Plane::Main => 0,
            Plane::Peb => Field::PEB.mask(),
        };
        Field::DIE.set(
            SocAddr(plane | self.step.base),
            u64::from(self.die.number()),
        )
    }
}

/// All regions of a generation, each before its parts, siblings by ascending base; die 0 before die 1, and the
/// privileged plane last.
pub fn nodes(generation: Generation) -> impl Iterator<Item = Node> {
    [Plane::Main, Plane::Peb]
        .into_iter()
        .flat_map(move |plane| Die::ALL.into_iter().map(move |die| (plane, die)))
        .filter(move |&(_, die)| has_die(generation, die))
        .flat_map(move |(plane, die)| Walk::new(plane, die, generation))
}

/// Walk through one die of one plane.
struct Walk {
    plane: Plane,
    die: Die,
    generation: Generation,
    /// What is still to be visited, the next one last.
    pending: Vec<Node>,
}

impl Walk {
    fn new(plane: Plane, die: Die, generation: Generation) -> Self {
        let mut walk = Self {
            plane,
            die,
            generation,
            pending: Vec::new(),
        };
        walk.push(plane.regions(generation), None);
        walk
    }

    fn push(&mut self, regions: &'static [Region], parent: Option<&Node>) {
        let mut children: Vec<Node> = regions
            .iter()
            .filter(|region| region.generations.contains(self.generation))
            .flat_map(|region| (0..region.count()).map(move |copy| (region, copy)))
            .map(|(region, copy)| self.node(region, copy, parent))
            .collect();
        children.sort_by_key(|node| std::cmp::Reverse(node.step.base));
        self.pending.append(&mut children);
    }

    fn node(&self, region: &'static Region, copy: u16, parent: Option<&Node>) -> Node {
        let step = step(region, copy, self.die, parent.map(|parent| parent.step));
        let own_first = copy == 0 && self.die == Die::Zero;
        Node {
            plane: self.plane,
            die: self.die,
            depth: parent.map_or(0, |parent| parent.depth + 1),
            step,
            path: match parent {
                Some(parent) => format!("{}.{}", parent.path, step.label()),
                None => step.label(),
            },
            first: own_first && parent.is_none_or(|parent| parent.first),
        }
    }
}

impl Iterator for Walk {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let node = self.pending.pop()?;
        self.push(node.step.region.children, Some(&node));
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soc::map::path;

    /// Blocks by name alone, both dies, counted from the tables of the specification. [soc-address §§2.2, 2.7, 2.8]
    #[test]
    fn blocks_of_the_chip_are_all_there() {
        let roots = |name: &str| {
            nodes(Generation::V3)
                .filter(|node| node.depth == 0 && node.plane == Plane::Main)
                .filter(|node| node.step.region.name == name)
                .count()
        };
        let found = ["TPB", "HBM", "TOP_SP", "APB_SE", "APB_IO", "PCIE_A0"].map(roots);
        assert_eq!(found, [8, 4, 20, 4, 2, 2]);
        let engines = nodes(Generation::V3)
            .filter(|node| node.plane == Plane::Main)
            .filter(|node| ["SDMA", "D2H", "H2D"].contains(&node.step.region.name))
            .count();
        assert_eq!(engines, 132);
    }

    /// [soc-address §6]: the base of an EVT_SEM leaf, on either die and in the privileged plane.
    #[test]
    fn addresses_are_those_of_the_specification() {
        let base = |path: &str| {
            nodes(Generation::V3)
                .find(|node| node.path == path)
                .map(|node| node.address().0)
        };
        assert_eq!(
            base("TPB_0.EVT_SEM.SEMAPHORE_INC"),
            Some(0x0000_0028_0270_1800)
        );
        assert_eq!(base("TPB_5"), Some(0x0000_8030_0000_0000));
        assert_eq!(base("PCIE_M0_0"), Some(0x0020_4000_0000_0000));
    }

    #[test]
    fn every_path_is_understood_and_parts_lie_inside() {
        for generation in Generation::ALL {
            let mut around: Vec<Node> = Vec::new();
            for node in nodes(generation) {
                assert_eq!(path::parse(&node.path, generation), Ok(node.address()));
                around.truncate(node.depth);
                if let Some(parent) = around.last() {
                    let end = parent.step.base + parent.step.region.size;
                    assert!(node.step.base >= parent.step.base, "{}", node.path);
                    assert!(
                        node.step.base + node.step.region.size <= end,
                        "{}",
                        node.path
                    );
                }
                around.push(node);
            }
        }
    }

    #[test]
    fn siblings_ascend_and_only_one_copy_is_first() {
        let firsts: Vec<Node> = nodes(Generation::V3).filter(|node| node.first).collect();
        assert!(firsts.iter().all(|node| node.die == Die::Zero));
        let mut roots = firsts
            .iter()
            .filter(|node| node.depth == 0 && node.plane == Plane::Main)
            .map(|node| node.step.base);
        assert!(roots.by_ref().is_sorted());
        assert!(firsts.iter().any(|node| node.path == "TPB_0.POOL"));
        assert!(!firsts.iter().any(|node| node.path.starts_with("TPB_1")));
    }
}
