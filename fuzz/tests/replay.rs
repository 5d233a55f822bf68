// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every kept input runs through its target, without libFuzzer.

use std::fs;
use std::path::{Path, PathBuf};

use sb2sb_fuzz::input::{Format, Input};
use sb2sb_fuzz::word_roundtrip;

/// The files of `seeds/TARGET` and `regressions/TARGET`.
fn kept(target: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = ["seeds", "regressions"]
        .iter()
        .filter_map(|kind| fs::read_dir(root.join(kind).join(target)).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no inputs for {target}");
    files
}

#[test]
fn word_roundtrip_keeps_its_laws_on_every_kept_input() {
    for file in kept("word_roundtrip") {
        let data = fs::read(&file).unwrap();
        let result = word_roundtrip::run(&Input::decode(&data, Format::WordsOrText));
        assert_eq!(result, Ok(()), "{}", file.display());
    }
}

#[cfg(feature = "rtl")]
#[test]
fn model_and_rtl_agree_on_every_kept_input() {
    let mut lockstep = sb2sb_fuzz::validate_lockstep::ValidateLockstep::new().unwrap();
    for file in kept("validate_lockstep") {
        let data = fs::read(&file).unwrap();
        if let Err(finding) = lockstep.run(&Input::decode(&data, Format::Words)) {
            panic!("{}: {finding}", file.display());
        }
    }
}

#[cfg(feature = "rtl")]
fn agrees<L: rtl_bridge::lockstep::BlockLockstep>(target: &str) {
    use rtl_bridge::lockstep::Design;
    use sb2sb_fuzz::block_lockstep::BlockTarget;
    let mut lockstep = BlockTarget::<L>::new(Design::Plain).unwrap();
    for file in kept(target) {
        if let Err(finding) = lockstep.run(&fs::read(&file).unwrap()) {
            panic!("{}: {finding}", file.display());
        }
    }
    for data in [&[][..], &[0xFF], &[1, 2, 3]] {
        assert!(lockstep.run(data).is_ok(), "{target}: {data:?}");
    }
}

#[cfg(feature = "rtl")]
#[test]
fn the_blocks_agree_on_every_kept_input() {
    use rtl_bridge::lockstep::{AddrLockstep, EvtSemLockstep, WindowLockstep};
    agrees::<AddrLockstep>("addr_lockstep");
    agrees::<WindowLockstep>("window_lockstep");
    agrees::<EvtSemLockstep>("evt_sem_lockstep");
}

#[cfg(feature = "rtl")]
#[test]
fn dma_engines_of_model_and_rtl_agree_on_every_kept_input() {
    use rtl_bridge::lockstep::Design;
    let mut target = sb2sb_fuzz::ring_lockstep::RingTarget::new(Design::Plain).unwrap();
    for file in kept("ring_lockstep") {
        if let Err(finding) = target.run(&fs::read(&file).unwrap()) {
            panic!("{}: {finding}", file.display());
        }
    }
}

/// A kept input in a folder that no target reads would never run.
#[test]
fn regressions_are_filed_under_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(root.join("regressions")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let known = [
            "word_roundtrip",
            "validate_lockstep",
            "addr_lockstep",
            "window_lockstep",
            "evt_sem_lockstep",
            "ring_lockstep",
            "README.md",
        ];
        assert!(known.contains(&name.as_str()), "{name}");
    }
}
