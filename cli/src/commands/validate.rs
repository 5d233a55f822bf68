// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb validate`: which words are legal.

use std::fmt::{self, Write as _};

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{Predicate, PredicateSet, validate_bulk};

use super::each_batch;
use crate::args::{GenerationArg, OutputFormat, WordArgs, nc_versions};
use crate::console::{Console, Outputs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Batch;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb validate good.hex
  3 words on v3: all valid

  $ sb2sb validate --generation v5 mixed.hex
  mixed.hex:4: word 1 is invalid: 6 check_active_ports, 10 size_check_src
  2 words on v5: 1 valid, 1 invalid

  $ sb2sb validate --format json mixed.hex
  {\"index\":0,\"generation\":\"v3\",\"valid\":true,\"first_failure\":0,\"failures\":[],\"predicates\":[]}
  {\"index\":1,\"generation\":\"v3\",\"valid\":false,\"first_failure\":6,\"failures\":[6,10],\"predicates\":[\"check_active_ports\",\"size_check_src\"]}

Exit codes: 0 all words are valid, 1 some are not, 2 a line or record is no word.";

/// Options of `validate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// NeuronCore version argument of the validator, if not the generation's own
    #[arg(long, value_name = "V", value_parser = nc_versions(), ignore_case = true)]
    nc: Option<NcVersion>,
    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
    /// Print nothing but errors; the exit code is the answer
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    words: WordArgs,
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    words: u64,
    invalid: u64,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let generation = args.generation.generation;
    let version = args.nc.unwrap_or(generation.nc_version());
    let mut tally = Tally::default();
    let mut results = Vec::new();
    let mut text = String::new();
    let malformed = each_batch(
        &args.words.files,
        args.words.input,
        console,
        |batch, outputs| {
            results.resize(batch.words.len(), PredicateSet::EMPTY);
            validate_bulk(batch.words, generation, version, &mut results);
            tally.words += results.len() as u64;
            tally.invalid += results.iter().filter(|set| !set.is_empty()).count() as u64;
            if args.quiet {
                return Ok(());
            }
            report(
                args.format,
                generation,
                &batch,
                &results,
                &mut text,
                outputs,
            )
        },
    )?;
    let exit = match (malformed, tally.invalid) {
        (true, _) => Exit::Usage,
        (false, 0) => Exit::Success,
        (false, _) => Exit::No,
    };
    if args.format == OutputFormat::Text && !args.quiet {
        match console.print(format_args!("{}\n", Summary(&tally, generation))) {
            Ok(()) | Err(Failure::ReaderGone) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(exit)
}

fn report(
    format: OutputFormat,
    generation: Generation,
    batch: &Batch<'_>,
    results: &[PredicateSet],
    text: &mut String,
    outputs: &mut Outputs<'_, '_>,
) -> Result<(), Failure> {
    for (position, &failures) in results.iter().enumerate() {
        text.clear();
        let index = batch.first_index + position as u64;
        match format {
            OutputFormat::Json => json_line(text, index, generation, failures),
            OutputFormat::Text if failures.is_empty() => continue,
            OutputFormat::Text => text_line(text, &batch.place(position), index, failures),
        }
        outputs.print_bytes(text.as_bytes())?;
    }
    Ok(())
}

// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
fn text_line(text: &mut String, place: &str, index: u64, failures: PredicateSet) {
    let _ = write!(text, "{place}: word {index} is invalid:");
    for (count, predicate) in failures.iter().enumerate() {
        let separator = if count == 0 { "" } else { "," };
        let _ = write!(text, "{separator} {} {predicate}", predicate.number());
    }
    text.push('\n');
}

fn json_line(text: &mut String, index: u64, generation: Generation, failures: PredicateSet) {
    let first = failures.first().map_or(0, Predicate::number);
    let _ = write!(
        text,
        r#"{{"index":{index},"generation":"{generation}","valid":{},"first_failure":{first},"failures":["#,
        failures.is_empty()
    );
    for (count, predicate) in failures.iter().enumerate() {
        let separator = if count == 0 { "" } else { "," };
        let _ = write!(text, "{separator}{}", predicate.number());
    }
    text.push_str(r#"],"predicates":["#);
    for (count, predicate) in failures.iter().enumerate() {
        let separator = if count == 0 { "" } else { "," };
        let _ = write!(text, r#"{separator}"{predicate}""#);
    }
    text.push_str("]}\n");
}

struct Summary<'a>(&'a Tally, Generation);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(&Tally { words, invalid }, generation) = *self;
        let noun = if words == 1 { "word" } else { "words" };
        write!(f, "{words} {noun} on {generation}: ")?;
        match (words, invalid) {
            (0, _) => f.write_str("nothing to check"),
            (1, 0) => f.write_str("valid"),
            (1, _) => f.write_str("invalid"),
            (_, 0) => f.write_str("all valid"),
            (words, invalid) => write!(f, "{} valid, {invalid} invalid", words - invalid),
        }
    }
}
