// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb map`: the regions of a chip.

mod filter;
mod picture;
mod rows;

use crate::args::GenerationArg;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb map | head -n 4
  base            size            region
  0x000000000000    0x1000000000  HBM_0..1, every 0x4000000000: HBM stack
  0x001000000000       0xc800000  APB_SE_0: control of an SEngine, with its DMA engines
  0x001002000000         0x80000    SDMA_0..31, every 0x100000: DMA engine

  $ sb2sb map --format json | head -n 1
  {\"path\":\"HBM_0\",\"base\":\"0x0000000000000000\",\"size\":\"0x1000000000\",\"plane\":\"main\",\"die\":0,\"depth\":0,\"elements\":null,\"hole_from\":\"0x600000000\",\"about\":\"HBM stack\",\"read\":\"returns what was written\",\"write\":\"stores\",\"registers\":[]}

  $ sb2sb map --format gtkw | grep 'TPB_0.EVT_SEM.SEMAPHORE_INC.12]'
  0000002802701830 TPB_0.EVT_SEM.SEMAPHORE_INC[12]

  sb2sb map --format svg > map.svg

Exit codes: 0, or 5 when the output cannot be written.";

/// How the map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MapFormat {
    /// Die 0 as an indented tree, one line for all copies of a region
    Text,
    /// JSON Lines, one for each region of both dies
    Json,
    /// A picture of the tree
    Svg,
    /// Translate filter for GTKWave: regions, elements and registers by their first address
    Gtkw,
}

/// Options of `map`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// How the map is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: MapFormat,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let generation = args.generation.generation;
    let text = match args.format {
        MapFormat::Text => rows::tree_text(generation),
        MapFormat::Json => rows::json_lines(generation)?,
        MapFormat::Svg => picture::svg(generation),
        MapFormat::Gtkw => filter::filter_text(generation),
    };
    console.print_bytes(text.as_bytes())?;
    Ok(Exit::Success)
}
