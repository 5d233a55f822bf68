// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a waveform ends: finished, dropped, flushed, or refused.

mod trace_read;
mod trace_run;

use std::io;
use std::sync::{Arc, Mutex};

use pool_model::generation::Generation;
use pool_model::time::Tick;
use pool_model::trace::wave::{WaveError, WaveLayout, WaveSink};
use pool_model::transaction::{Agent, CoreId, Effect, Sink};
use trace_read::{by_vcd, by_wellen, value_at};
use trace_run::{core, feed, file_of, layout_of, transaction, transactions};

#[test]
fn a_dropped_sink_leaves_everything_up_to_the_last_transaction() {
    let run = transactions();
    let layout = layout_of(&run);
    let mut file = Vec::new();
    let mut sink = WaveSink::new(&mut file, &layout).expect("header");
    feed(&mut sink, &run);
    drop(sink);
    assert_eq!(by_vcd(&file), by_vcd(&file_of(&run, &layout)));
    assert!(file.ends_with(b"\n#28000\n"), "one tick after the fault");
}

#[test]
fn a_flush_leaves_a_file_with_all_complete_ticks() {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .expect("not poisoned")
                .extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let run = transactions();
    let out = Shared::default();
    let layout = layout_of(&run);
    let mut sink = WaveSink::new(out.clone(), &layout).expect("header");
    for transaction in run
        .iter()
        .take_while(|transaction| transaction.tick < Tick(14))
    {
        sink.accept(transaction);
    }
    sink.flush().expect("flush");
    let waves = by_wellen(&out.0.lock().expect("not poisoned"));
    let core = layout.core_path(core(0));
    let write = format!("{core}.leg.write");
    assert_eq!(value_at(&waves, &write, Tick(11).picoseconds() - 1), "1");
    assert_eq!(value_at(&waves, &write, Tick(11).picoseconds()), "0");
    // Tick 12 may get more transactions.
    assert_eq!(
        value_at(&waves, &format!("{core}.seq.complete"), u64::MAX),
        "0"
    );
}

#[test]
fn what_the_layout_does_not_have_is_an_error_and_stays_one() {
    let run = transactions();
    let only = |cores: &[CoreId]| {
        let layout = WaveLayout::scout(Generation::V3, cores.iter().copied()).into_layout();
        let mut sink = WaveSink::new(Vec::new(), &layout).expect("header");
        feed(&mut sink, &run);
        sink.finish(Tick(0)).expect_err("not declared")
    };
    assert!(matches!(only(&[core(0)]), WaveError::Core(other) if other == core(1)));
    let missing = only(&[core(0), core(1)]);
    assert!(
        matches!(missing, WaveError::Semaphore { index: 3, .. }),
        "{missing}"
    );
}

#[test]
fn a_stream_that_goes_back_in_time_is_an_error() {
    let done = |tick| transaction(tick, Agent::Sequencer(core(0)), Effect::ReadDone { pc: 0 });
    let run = [done(5), done(4)];
    let mut sink = WaveSink::new(Vec::new(), &layout_of(&run)).expect("header");
    feed(&mut sink, &run);
    let error = sink.finish(Tick(9)).expect_err("time goes back");
    assert_eq!(
        error.to_string(),
        "a transaction of tick 4 follows one of tick 5"
    );
}
