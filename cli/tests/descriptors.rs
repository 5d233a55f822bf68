// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb bd` between its spellings: none of them loses a bit, in any layout.

use std::io::Cursor;

use proptest::prelude::*;
use sb2sb_cli::{Console, Exit, Style};

fn bd(arguments: &[&str], input: &str) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console::new(
        Cursor::new(input.as_bytes()),
        &mut out,
        &mut err,
        Style::Plain,
    );
    let arguments = ["sb2sb", "bd"].iter().chain(arguments).map(Into::into);
    let exit = sb2sb_cli::main(arguments, &mut console);
    drop(console);
    assert_eq!(
        exit,
        Exit::Success,
        "{input}: {}",
        String::from_utf8_lossy(&err)
    );
    String::from_utf8(out).expect("output is text")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn json_and_text_lose_nothing(
        lines in prop::collection::vec((any::<u128>(), any::<u128>(), 0_usize..3), 1..20)
    ) {
        for (kind, name) in ["tx", "rx", "completion"].into_iter().enumerate() {
            let hex: String = lines
                .iter()
                .filter(|(.., of)| *of == kind)
                .flat_map(|(a, b, _)| [format!("{:032x}", a & b), "\n".to_owned()])
                .collect();
            for form in ["json", "text"] {
                let there = bd(&["--kind", name, "--to", form], &hex);
                prop_assert_eq!(&bd(&["--to", "hex"], &there), &hex);
            }
        }
    }
}
