// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Firmware log lines: every format against the specification's table, and whole legs in order.
//! [isa-word §8.1], [idma-ring §3.2]

mod pool_support;

use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::pool::q7::{Destination, LegPlan, LegWindows, Role, doorbells, log};
use pool_model::transaction::{LogLine, Q7Line, RoleToken};
use pool_support::{Bench, word};

/// The formats of the specification: what stands in backquotes in the second column of §8.
fn formats_of_the_specification() -> Vec<String> {
    let text = include_str!("../../docs/spec/isa-word.md");
    let section = text
        .split("\n## ")
        .find(|section| section.starts_with("8. Firmware log strings"))
        .expect("the section");
    let mut formats: Vec<String> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| line.split('`').nth(1).map(str::to_owned))
        .collect();
    // One row spells its sixteen entries in words.
    let xt = formats
        .iter_mut()
        .find(|format| format.starts_with("P%i: Q7:   xt_addrs[16] = ["))
        .expect("the row of xt_addrs");
    *xt = format!("{}{}]", xt, vec!["0x%08x%08x"; 16].join(", "));
    // And one line names three formats of the dispatcher.
    let dispatch = section
        .split("Dispatch on the same core (offsets not given): ")
        .nth(1)
        .expect("the sentence");
    formats.extend(
        dispatch
            .split('`')
            .skip(1)
            .step_by(2)
            .take(3)
            .map(str::to_owned),
    );
    formats
}

enum Arg {
    Number(i128),
    Text(&'static str),
}

/// What a C library makes of a format: `%d %i %u %zu %0d %x %llx %04x %08x %s`.
fn printf(format: &str, args: &[Arg]) -> String {
    let mut out = String::new();
    let mut args = args.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let end = rest[at + 1..]
            .find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'l' | 'z'))
            .expect("a conversion")
            + at
            + 1;
        let spec = &rest[at + 1..end];
        let width: usize = spec
            .trim_start_matches('0')
            .trim_end_matches(['l', 'z'])
            .parse()
            .unwrap_or(0);
        match (rest.as_bytes()[end], args.next().expect("an argument")) {
            (b'd' | b'i' | b'u', Arg::Number(n)) => write!(out, "{n}"),
            (b'x', Arg::Number(n)) => write!(out, "{n:0width$x}"),
            (b's', Arg::Text(text)) => write!(out, "{text}"),
            _ => panic!("{format}"),
        }
        .expect("a string");
        rest = &rest[end + 1..];
    }
    assert!(args.next().is_none(), "{format}: an argument is left over");
    out + rest
}

fn n(value: impl Into<i128>) -> Arg {
    Arg::Number(value.into())
}

/// One line of every kind with the arguments that its format takes, the core's index apart.
fn every_line() -> Vec<(Q7Line, Vec<Arg>)> {
    use RoleToken::{Rx, Tx};
    let (rx, tx) = (|| Arg::Text("RX"), || Arg::Text("TX"));
    let table: [u64; 16] = std::array::from_fn(|i| 0x20_4000_0000 + 16 * i as u64);
    let halves = table
        .iter()
        .flat_map(|e| [n(e >> 32), n(e & 0xFFFF_FFFF)])
        .collect();
    let swizzle: [u8; 16] = std::array::from_fn(|i| 15 - i as u8);
    vec![
        (
            Q7Line::Collective {
                total_src_nelem: 64,
                total_dst_nelem: 65,
                dtype: 6,
                dst_nc: 1,
                src_nc: 0,
                mask: 0xF0,
            },
            vec![n(64), n(65), n(6), n(1), n(0), n(0xF0)],
        ),
        (Q7Line::ChannelFailed { channel: 17 }, vec![n(17)]),
        (Q7Line::DecodeCollective, vec![]),
        (Q7Line::PreSyncPost { own: 3, other: 2 }, vec![n(3), n(2)]),
        (
            Q7Line::PreSyncAddresses {
                remote_pool: 0x8B00_0000,
                remote_q7: 0x8B18_0000,
                ready: 0x8A70_1BF8,
            },
            vec![n(0x8B00_0000_u32), n(0x8B18_0000_u32), n(0x8A70_1BF8_u32)],
        ),
        (
            Q7Line::Channels {
                num_chans: 128,
                tpb_idx: 7,
            },
            vec![n(128), n(7)],
        ),
        (
            Q7Line::Classified {
                engine_base: 0x28_0300_0000,
                tpb_base: 0x20_0000_0000,
                is_tpb: true,
                is_die_0: false,
                engine_idx: 2,
            },
            vec![
                n(0x28_0300_0000_u64),
                n(0x20_0000_0000_u64),
                n(1),
                n(0),
                n(2),
            ],
        ),
        (
            Q7Line::GenStart {
                role: Rx,
                cpu_id: 0,
            },
            vec![rx(), n(0)],
        ),
        (
            Q7Line::GenInputs {
                role: Tx,
                ring_num: 3,
                tpb_idx: 1,
                free_dim_bytes: 128,
                remote_tpb_idx: 4,
                routing_id: -1,
                dma_mask: 0xABCD_000F,
            },
            vec![tx(), n(3), n(1), n(128), n(4), n(-1), n(0xABCD_000F_u32)],
        ),
        (
            Q7Line::GenMask {
                role: Rx,
                dma_mask: 0xF,
                n_active_dmas: 4,
            },
            vec![rx(), n(0xF), n(4)],
        ),
        (
            Q7Line::GenAddresses {
                role: Tx,
                src_addr: 0x20_0000_0100,
                dst_addr: 0x8020_0000_0200,
            },
            vec![tx(), n(0x20_0000_0100_u64), n(0x8020_0000_0200_u64)],
        ),
        (
            Q7Line::GenFold {
                role: Rx,
                routing_id: 18,
                dst_addr: 0x58_8020_0000_0200,
                n_active_dmas: 4,
            },
            vec![rx(), n(18), n(0x58_8020_0000_0200_u64), n(4)],
        ),
        (
            Q7Line::GenLoop {
                role: Tx,
                num_indices: 32,
                num_dma_descs: 34,
            },
            vec![tx(), n(32), n(34)],
        ),
        (
            Q7Line::GenIteration {
                role: Rx,
                iteration: 5,
                num_indices: 32,
                base_addr: 0x20_0050_0000,
                n_active_dmas: 4,
                bytes_per_p: 128,
            },
            vec![rx(), n(5), n(32), n(0x20_0050_0000_u64), n(4), n(128)],
        ),
        (
            Q7Line::Swizzle { table: swizzle },
            swizzle.iter().map(|e| n(*e)).collect(),
        ),
        (
            Q7Line::XtAddresses {
                table: Box::new(table),
            },
            halves,
        ),
        (
            Q7Line::GenLocalSemaphore {
                role: Tx,
                tpb_idx: 0,
                sem: 252,
            },
            vec![tx(), n(0), n(252)],
        ),
        (
            Q7Line::GenRemoteSemaphore {
                role: Rx,
                remote_tpb: 1,
                routing_id: -1,
                sem: 253,
            },
            vec![rx(), n(1), n(-1), n(253)],
        ),
        (Q7Line::GenEnd { role: Tx }, vec![tx()]),
        (
            Q7Line::StartStart {
                role: Tx,
                cpu_id: 1,
            },
            vec![tx(), n(1)],
        ),
        (
            Q7Line::StartInputs {
                role: Rx,
                ring_num: 0,
                num_descriptors: 34,
                sdma_bcast_base: 0x0708_0000,
            },
            vec![rx(), n(0), n(34), n(0x0708_0000)],
        ),
        (
            Q7Line::StartTrigger {
                role: Rx,
                addr: 0x070A_1038,
                mask: 0xF,
                n_desc: 34,
            },
            vec![rx(), Arg::Text("S2M"), n(0x070A_1038), n(0xF), n(34)],
        ),
        (
            Q7Line::StartTrigger {
                role: Tx,
                addr: 0x0708_1038,
                mask: 0x8000,
                n_desc: 3,
            },
            vec![tx(), Arg::Text("M2S"), n(0x0708_1038), n(0x8000), n(3)],
        ),
        (Q7Line::StartDraining { role: Rx }, vec![rx()]),
        (Q7Line::StartDrained { role: Tx }, vec![tx()]),
        (Q7Line::StartLeftPop, vec![]),
        (Q7Line::StartTxWriting, vec![]),
        (Q7Line::StartTxWritten, vec![]),
        (Q7Line::StartRxWriting, vec![]),
        (Q7Line::StartRightPush, vec![]),
        (Q7Line::StartSignaled, vec![]),
        (Q7Line::StartEnd { role: Rx }, vec![rx()]),
        (
            Q7Line::DescriptorStream {
                written: 33,
                expected: 34,
            },
            vec![n(33), n(34)],
        ),
        (
            Q7Line::InDispatch {
                cpu_id: 1,
                opcode: 0xF0,
            },
            vec![n(1), n(0xF0)],
        ),
        (Q7Line::UnknownExtendedOpcode { opcode: 5 }, vec![n(5)]),
    ]
}

#[test]
fn every_line_is_what_the_firmware_prints() {
    let formats = formats_of_the_specification();
    for (line, args) in every_line() {
        assert!(
            formats.iter().any(|f| f == line.format()),
            "{}",
            line.format()
        );
        let mut all = vec![n(1)];
        all.extend(args);
        let expected = printf(line.format(), &all);
        assert_eq!(LogLine::Q7 { prid: 1, line }.to_string(), expected);
    }
}

#[test]
fn window_lines_are_what_the_firmware_prints() {
    let formats = formats_of_the_specification();
    let abstract_view = LogLine::ProgramWindow {
        num: 3,
        vld: true,
        xt_addr: 0x0700_0000,
        soc_addr: 0x10_0200_0000,
        u_mask: 0xFF,
        l_mask: 0xFF00_0000,
    };
    let registers = LogLine::ProgramWindowRegisters {
        num: 3,
        mask: 0xFF_FF00_0000,
        match_bits: 0x0700_0000,
        replace: 0x10_0200_0000,
    };
    let args = vec![
        n(3),
        n(1),
        n(0x0700_0000),
        n(0x10_0200_0000_u64),
        n(0xFF),
        n(0xFF00_0000_u32),
    ];
    for (line, args) in [
        (abstract_view, args),
        (
            registers,
            vec![
                n(3),
                n(0xFF_FF00_0000_u64),
                n(0x0700_0000),
                n(0x10_0200_0000_u64),
            ],
        ),
        (LogLine::ExtendedInst, vec![]),
        (LogLine::Sb2sbCollective, vec![]),
        (LogLine::Dispatch { opcode: 0xBF }, vec![n(0xBF)]),
        (LogLine::BadOpcode { opcode: 0xC0 }, vec![n(0xC0)]),
    ] {
        assert!(
            formats.iter().any(|f| f == line.format()),
            "{}",
            line.format()
        );
        assert_eq!(line.to_string(), printf(line.format(), &args));
    }
}

/// v5 dropped 25 strings: these 24 and the function's own name. [idma-ring §6]
#[test]
fn strings_that_v5_does_not_have() {
    let formats: std::collections::BTreeSet<_> = every_line()
        .into_iter()
        .filter(|(line, _)| line.of_gen_or_start())
        .map(|(line, _)| line.format())
        .collect();
    assert_eq!(formats.len(), 24);
    assert!(
        formats
            .iter()
            .all(|f| f.contains("rdma_desc") || f.contains("Q7:   "))
    );
}

fn leg(bench: &Bench, text: &str) -> (LegPlan, Vec<String>) {
    let word = word(text);
    let site = bench.site;
    let destination = Destination::of_word(&word, site, &bench.context).expect("a peer");
    let plan = LegPlan::of_word(&word, destination, &bench.around()).expect("a leg");
    let windows = LegWindows::of_leg(&plan).expect("windows");
    let (presync_windows, presync) =
        LegWindows::of_presync(&destination, site, &bench.context).expect("a window");
    let counts: Vec<_> = plan.counts().collect();
    let queue = plan.layout.queue;
    let mut lines = log::decode(Role::Rx, &word, &destination, site, plan.raw_mask);
    lines.extend(log::presync(&presync_windows, &presync, &destination, site));
    lines.push(log::channels(Role::Rx, &plan));
    lines.extend(log::window_lines(Role::Rx, &windows, site));
    for role in Role::ALL {
        lines.extend(log::generation(role, &plan));
    }
    for role in Role::ALL {
        let writes = doorbells(site.core, queue, role.udma(), &counts);
        lines.extend(
            log::start_before(role, site, queue.number(), &writes, &windows).expect("mapped"),
        );
        lines.extend(match role {
            Role::Rx => log::start_signaling(site),
            Role::Tx => log::start_popped(site),
        });
        lines.extend(log::start_after(role, site));
    }
    (plan, lines.iter().map(ToString::to_string).collect())
}

const GOLDEN: &str = "\
P0: Decode : SB2SB_Collective
P0: SB2SB_Collective : total_src_nelem = 4, total_dst_nelem = 4, dtype=6, dst_nc=1, src_nc=0, mask=0x6
P0: SB2SB Pre-sync: This TPB (NC 0) is letting NC 1 know that we are ready to receive data.
P0: engine_base_addr=2803000000 tpb_base_addr=2000000000 -> is_tpb=1 is_die_0=1 engine_idx=2
R: program_window: num=0, vld=1, xt_addr=0x88000000, soc_addr=0x3800000000, u_mask=0xff, l_mask=0xfc000000
R: program_window: num=0, mask=0xfffc000000, match=0x88000000, replace=0x3800000000
P0: SB2SB Pre-sync: remote_pool_xt_addr=0x8b000000, remote_q7_xt_addr=0x8b180000, sb2sb_ready_to_receive_remote=0x8a701bf8
P0: SB2SB_Collective: num_chans=3, tpb_idx=0
P0: engine_base_addr=2803000000 tpb_base_addr=2000000000 -> is_tpb=1 is_die_0=1 engine_idx=2
R: program_window: num=0, vld=1, xt_addr=0x7000000, soc_addr=0x1002000000, u_mask=0xff, l_mask=0xff000000
R: program_window: num=0, mask=0xffff000000, match=0x7000000, replace=0x1002000000
R: program_window: num=1, vld=1, xt_addr=0x9000000, soc_addr=0x2040000000, u_mask=0xff, l_mask=0xff000000
R: program_window: num=1, mask=0xffff000000, match=0x9000000, replace=0x2040000000
P0: Q7: rdma_desc_gen [RX] Start, cpu_id=0
P0: Q7: rdma_desc_gen [RX] ring_num=0, tpb_idx=0, free_dim_bytes=8, remote_tpb_idx=1, routing_id=-1, dma_mask=0x6
P0: Q7: rdma_desc_gen [RX] dma_mask=0x0006, n_active_dmas=2
P0: Q7: rdma_desc_gen [RX] src_addr=0x2000000100, dst_addr=0x3000000200
P0: Q7: rdma_desc_gen [RX] after remote_routing_id=$-1, dst_addr=0x3000000200, n_active_dmas=2
P0: Q7: rdma_desc_gen [RX] Starting descriptor loop, num_indices=2, num_dma_descs=4
P0: Q7: rdma_desc_gen [RX] Loop iter 0/2: base_addr=0x2000000100, n_active_dmas=2, bytes_per_P=8
P0: Q7:   shuffled_sbuf_swizzle[16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
P0: Q7:   xt_addrs[16] = [0x0000002040006000, 0x000000204000a000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]
P0: Q7: rdma_desc_gen [RX] Loop iter 1/2: base_addr=0x2000080100, n_active_dmas=2, bytes_per_P=8
P0: Q7:   shuffled_sbuf_swizzle[16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
P0: Q7:   xt_addrs[16] = [0x0000002040006010, 0x000000204000a010, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000]
P0: Q7: rdma_desc_gen [RX] Pushing local semaphore descriptor, tpb_idx=0, sem=252
P0: Q7: rdma_desc_gen [RX] Pushing remote semaphore descriptor, remote_tpb=1, routing_id=-1, sem=253
P0: Q7: rdma_desc_gen [RX] End
";

const GOLDEN_START: &str = "\
P0: Q7: rdma_desc_start [RX] Start, cpu_id=0
P0: Q7: rdma_desc_start [RX] ring_num=0, num_descriptors=4, sdma_bcast_base=0x07080000
P0: Q7: rdma_desc_start [RX] Trigger S2M DMA; addr=0x07121038, mask=0x0002, n_desc=4
P0: Q7: rdma_desc_start [RX] Trigger S2M DMA; addr=0x07221038, mask=0x0004, n_desc=3
P0: Q7: rdma_desc_start [RX] Draining descriptor writes
P0: Q7: rdma_desc_start [RX] Descriptor writes drained
P0: Q7: rdma_desc_start [RX] Writing tail pointer increment
P0: Q7: rdma_desc_start [RX] Signaling TX to proceed (right_push)
P0: Q7: rdma_desc_start [RX] TX signaled
P0: Q7: rdma_desc_start [RX] End
P1: Q7: rdma_desc_start [TX] Start, cpu_id=1
P1: Q7: rdma_desc_start [TX] ring_num=0, num_descriptors=4, sdma_bcast_base=0x07080000
P1: Q7: rdma_desc_start [TX] Trigger M2S DMA; addr=0x07101038, mask=0x0002, n_desc=4
P1: Q7: rdma_desc_start [TX] Trigger M2S DMA; addr=0x07201038, mask=0x0004, n_desc=3
P1: Q7: rdma_desc_start [TX] Draining descriptor writes
P1: Q7: rdma_desc_start [TX] Descriptor writes drained
P1: Q7: rdma_desc_start [TX] Waiting for RX sync (left_pop)
P1: Q7: rdma_desc_start [TX] Writing tail pointer increment
P1: Q7: rdma_desc_start [TX] Tail pointer increment written
P1: Q7: rdma_desc_start [TX] End
";

const LEG: &str = "sb2sb dtype=bfloat16 ch=3 src=0x100[4] dst=0x200[4]";

#[test]
fn a_whole_leg() {
    let mut bench = Bench::v3();
    bench.context.dma_engine_mask = 6;
    let (_, lines) = leg(&bench, LEG);
    let expected: Vec<&str> = GOLDEN.lines().collect();
    assert_eq!(lines[..expected.len()], expected);
    let start: Vec<&str> = GOLDEN_START.lines().collect();
    assert_eq!(lines[lines.len() - start.len()..], start);
    // TX says the same of generation as RX, of its own rings.
    let own = |token: &str| {
        let token = format!("rdma_desc_gen [{token}]");
        lines
            .iter()
            .filter_map(|line| Some(line.split_once(&token)?.1.replace("cpu_id=1", "cpu_id=0")))
            .collect::<Vec<_>>()
    };
    assert_eq!(own("RX"), own("TX"));
    assert!(lines.iter().any(|line| {
        line.starts_with("P1: Q7:   xt_addrs[16] = [0x0000002040004000, 0x0000002040008000,")
    }));
}

#[test]
fn v5_says_nothing_of_generation_and_start() {
    let bench = Bench::new(Generation::V5, 0);
    let (_, lines) = leg(&bench, LEG);
    assert!(lines.iter().all(|line| !line.contains("Q7:")));
    assert!(lines.iter().any(|line| line.contains("Pre-sync")));
    assert!(lines.iter().any(|line| line.contains("num_chans=3")));
}
