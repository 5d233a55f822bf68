// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Consumers of the transaction stream.

use super::{Effect, Transaction};

/// Takes transactions in the order in which they happen.
///
/// Dispatch is static: with a sink whose [`Sink::ENABLED`] is false the transactions are not even
/// built.
pub trait Sink {
    /// Whether transactions are to be built for this sink at all.
    const ENABLED: bool = true;

    /// Takes one transaction.
    fn accept(&mut self, transaction: &Transaction);
}

impl<S: Sink> Sink for &mut S {
    const ENABLED: bool = S::ENABLED;

    fn accept(&mut self, transaction: &Transaction) {
        (**self).accept(transaction);
    }
}

/// Keeps every transaction.
impl Sink for Vec<Transaction> {
    fn accept(&mut self, transaction: &Transaction) {
        self.push(transaction.clone());
    }
}

/// A sink that may be absent at run time.
impl<S: Sink> Sink for Option<S> {
    fn accept(&mut self, transaction: &Transaction) {
        if let Some(sink) = self {
            sink.accept(transaction);
        }
    }
}

/// Drops everything, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullSink;

impl Sink for NullSink {
    const ENABLED: bool = false;

    fn accept(&mut self, _: &Transaction) {}
}

/// Feeds two sinks, the left one first.
#[derive(Debug)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: Sink, B: Sink> Sink for Tee<A, B> {
    const ENABLED: bool = A::ENABLED || B::ENABLED;

    fn accept(&mut self, transaction: &Transaction) {
        if A::ENABLED {
            self.0.accept(transaction);
        }
        if B::ENABLED {
            self.1.accept(transaction);
        }
    }
}

/// Counts transactions by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counting {
    counts: [u64; Effect::KINDS.len()],
}

impl Counting {
    /// How many transactions of a kind have passed; `None` for a name that is no kind.
    #[must_use]
    pub fn of(&self, kind: &str) -> Option<u64> {
        let position = Effect::KINDS.iter().position(|name| *name == kind)?;
        Some(self.counts[position])
    }

    /// All transactions.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Sink for Counting {
    fn accept(&mut self, transaction: &Transaction) {
        let kind = transaction.effect.kind();
        if let Some(position) = Effect::KINDS.iter().position(|name| *name == kind) {
            self.counts[position] += 1;
        }
    }
}
