// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb addr`: what a SoC address means, and the address of a path.

mod number;
mod picture;
mod record;

use pool_model::soc::map::path;
use pool_model::soc::route::Origin;
use pool_model::soc::{ChipId, DecodeInputs, Die, SocAddr, View, ViewRequest, decode};

use crate::args::{GenerationArg, OutputFormat};
use crate::console::{Console, Outputs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Line, Problem, Source, Stopped, read_lines_of};
use number::parse_address;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb addr 0x0000002802701830
  0x0000002802701830, local view
    000000 0 0 0 0 000000 0 0x002802701830
    │      │ │ │ │ │      │ └─ [46:0]  LOCAL                      0x2802701830
    │      │ │ │ │ │      └─── [47]    DIE                        0
    │      │ │ │ │ └────────── [53:48] CAYMAN_ID                  0
    │      │ │ │ └──────────── [54]    CAYMAN_ID_VALID            0
    │      │ │ └────────────── [55]    RESERVED                   0
    │      │ └──────────────── [56]    PCIE_ATTR_RELAXED_ORDERING 0
    │      └────────────────── [57]    OK_TO_FAIL                 0
    └───────────────────────── [63:58] HIGH_BITS                  0
    verdict  legal
    route    SameDie: die 0, which makes the access
    region   TPB_0.EVT_SEM.SEMAPHORE_INC[12]
               TPB_0              one NeuronCore
                 EVT_SEM          events and semaphores
                   SEMAPHORE_INC  256 counts, added to
                     [12]
    read     returns 0, AccessViolation + 1 (write-only)
    write    adds the written value to the semaphore, modulo 2^32

  $ sb2sb addr --make TPB_5.STATE_BUF[5]+0x1234
  0x0000803000141234

  $ sb2sb addr --format json - < addresses.txt | cut -d, -f1-4
  {\"address\":\"0x0000002802701830\",\"view\":\"local\",\"local\":\"0x2802701830\",\"die\":0
  {\"address\":\"0x0058802802701830\",\"view\":\"neighbor\",\"local\":\"0x2802701830\",\"die\":1
  {\"address\":\"0x0052002802701850\",\"view\":\"local\",\"local\":\"0x2802701850\",\"die\":0
  {\"address\":\"0x0000001240000000\",\"view\":\"local\",\"local\":\"0x1240000000\",\"die\":0

An address is 0x and hexadecimal digits, or all 16 digits without 0x; `_` between them is ignored.

Exit codes: 0 all addresses are legal, 1 some are not, 2 what was given is no address or no path.";

/// How the view is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ViewArg {
    /// By the bits, and by --nbr-en
    Auto,
    /// Chip id, whatever the bits are
    Local,
    /// Exit and plane flags, whatever the bits are
    Neighbor,
}

/// Options of `addr`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// Chip that makes the access, 0 to 63
    #[arg(long, value_name = "N", default_value = "0", value_parser = chip)]
    chip: ChipId,
    /// Die that makes the access, 0 or 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = die)]
    die: Die,
    /// Strap of the neighbor fold: 1 reads chip 24 with VALID as the fold
    #[arg(
        long,
        value_name = "0|1",
        default_value = "1",
        value_parser = strap,
        action = clap::ArgAction::Set,
    )]
    nbr_en: bool,
    /// How bits [55:48] are read
    #[arg(long, value_name = "VIEW", default_value = "auto")]
    view: ViewArg,
    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
    /// Print the address of this path: names, [index] where there are elements, +offset
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with_all = ["addresses", "chip", "die", "nbr_en", "view"],
    )]
    make: Vec<String>,
    /// Addresses; - is standard input with one a line, where # starts a comment
    #[arg(value_name = "ADDR", required_unless_present = "make")]
    addresses: Vec<String>,
}

fn chip(text: &str) -> Result<ChipId, String> {
    text.parse()
        .ok()
        .and_then(|number| ChipId::new(number).ok())
        .ok_or_else(|| "expected a number from 0 to 63".to_owned())
}

fn die(text: &str) -> Result<Die, String> {
    strap(text).map(Die::from_bit)
}

fn strap(text: &str) -> Result<bool, String> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err("expected 0 or 1".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if !args.make.is_empty() {
        return make(args, console);
    }
    let view = match args.view {
        ViewArg::Auto => ViewRequest::Recover,
        ViewArg::Local => ViewRequest::Force(View::Local),
        ViewArg::Neighbor => ViewRequest::Force(View::Neighbor),
    };
    let (stdin, mut outputs) = console.split();
    let mut answers = Answers {
        inputs: DecodeInputs {
            view,
            origin: Origin {
                chip: args.chip,
                die: args.die,
            },
            nbr_en: args.nbr_en,
            generation: args.generation.generation,
        },
        format: args.format,
        outputs: &mut outputs,
        text: String::new(),
        any: false,
        illegal: false,
        malformed: false,
    };
    for argument in &args.addresses {
        let answered = if argument == "-" {
            read_lines_of(&Source::Stdin, stdin, &mut |number, line| {
                answers.line(number, line)
            })
        } else {
            answers.argument(argument).map_err(Stopped::Consumer)
        };
        match answered {
            Ok(()) => {}
            Err(Stopped::Read(problem)) => {
                answers.malformed = true;
                answers.outputs.error(&problem);
            }
            // Whoever has seen enough gets the answer for what was looked at.
            Err(Stopped::Consumer(Failure::ReaderGone)) => break,
            Err(Stopped::Consumer(failure)) => return Err(failure),
        }
    }
    Ok(match (answers.malformed, answers.illegal) {
        (true, _) => Exit::Usage,
        (false, true) => Exit::No,
        (false, false) => Exit::Success,
    })
}

fn make(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Success;
    for text in &args.make {
        match path::parse(text, args.generation.generation) {
            Err(error) => {
                console.error(&error);
                exit = Exit::Usage;
            }
            Ok(address) => match args.format {
                OutputFormat::Text => console.print(format_args!("{address}\n"))?,
                OutputFormat::Json => {
                    let line = serde_json::json!({ "address": address.to_string(), "path": text });
                    console.print(format_args!("{line}\n"))?;
                }
            },
        }
    }
    Ok(exit)
}

/// What is asked, where answers go, and what they were so far.
struct Answers<'e, 'c, 'a> {
    inputs: DecodeInputs,
    format: OutputFormat,
    outputs: &'e mut Outputs<'c, 'a>,
    text: String,
    any: bool,
    illegal: bool,
    malformed: bool,
}

impl Answers<'_, '_, '_> {
    fn argument(&mut self, argument: &str) -> Result<(), Failure> {
        match parse_address(argument) {
            Ok(address) => self.answer(address),
            Err(error) => {
                self.malformed = true;
                self.outputs.error(&error);
                Ok(())
            }
        }
    }

    fn line(&mut self, number: usize, line: Line<'_>) -> Result<(), Failure> {
        let file = || Source::Stdin.name();
        let bytes = match line {
            Line::Pause => return self.outputs.flush(),
            Line::TooLong => {
                self.malformed = true;
                let file = file();
                self.outputs
                    .error(&Problem::LongLine { file, line: number });
                return Ok(());
            }
            Line::Bytes(bytes) => bytes,
        };
        let line = String::from_utf8_lossy(bytes);
        let content = line.split_once('#').map_or(&*line, |(before, _)| before);
        let found = content.trim();
        if found.is_empty() {
            return Ok(());
        }
        match parse_address(found) {
            Ok(address) => self.answer(address),
            Err(error) => {
                self.malformed = true;
                let indent = content.len() - content.trim_start().len();
                self.outputs.error(&Problem::Address {
                    file: file(),
                    line: number,
                    column: content[..indent].chars().count() + 1,
                    message: error.to_string(),
                });
                Ok(())
            }
        }
    }

    fn answer(&mut self, address: SocAddr) -> Result<(), Failure> {
        let decoded = decode(address, self.inputs);
        self.illegal |= !decoded.verdicts.is_legal();
        self.text.clear();
        match self.format {
            OutputFormat::Json => record::write(&mut self.text, address, &decoded)?,
            OutputFormat::Text => {
                if self.any {
                    self.text.push('\n');
                }
                picture::write(&mut self.text, address, &decoded);
            }
        }
        self.any = true;
        self.outputs.print_bytes(self.text.as_bytes())
    }
}
