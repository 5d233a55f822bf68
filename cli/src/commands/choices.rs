// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb choices`: what the model does where the hardware is not known.

use pool_model::choices::{ChoiceInfo, Choices};

use crate::args::OutputFormat;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb choices d2 isa.mc3
  d2 = fault  (can be fault, read_first)
      an LNC1 leg whose source and destination share bytes (also isa.mc19)
      [decisions D-2, isa-word MC-19; choice]
  isa.mc3 = reject
      0xFF in a mode byte fails predicate 2
      [isa-word MC-3; choice]

  $ sb2sb choices --format json d2
  {\"key\":\"d2\",\"value\":\"fault\",\"values\":[\"fault\",\"read_first\"],\"about\":\"an LNC1 leg whose source and destination share bytes (also isa.mc19)\",\"section\":\"decisions D-2, isa-word MC-19\",\"confidence\":\"choice\"}

Choices with several values can be set: in a scenario's [choices], or by `sb2sb run --set KEY=VALUE`.";

/// Options of `choices`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
    /// Only the choices with these keys
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let all: Vec<ChoiceInfo> = Choices::default().list().collect();
    for key in &args.keys {
        if !all.iter().any(|choice| choice.key == key) {
            return Err(Failure::Usage(format!(
                "no choice has the key `{key}`; `sb2sb choices` lists them"
            )));
        }
    }
    let wanted = all
        .iter()
        .filter(|choice| args.keys.is_empty() || args.keys.iter().any(|key| key == choice.key));
    for choice in wanted {
        match args.format {
            OutputFormat::Json => {
                let line =
                    serde_json::to_string(choice).map_err(|error| Failure::Output(error.into()))?;
                console.print(format_args!("{line}\n"))?;
            }
            OutputFormat::Text => print_text(choice, console)?,
        }
    }
    Ok(Exit::Success)
}

fn print_text(choice: &ChoiceInfo, console: &mut Console<'_>) -> Result<(), Failure> {
    let ChoiceInfo {
        key,
        value,
        values,
        about,
        section,
        confidence,
    } = choice;
    console.print(format_args!("{key} = {value}"))?;
    if values.len() > 1 {
        console.print(format_args!("  (can be {})", values.join(", ")))?;
    }
    console.print(format_args!(
        "\n    {about}\n    [{section}; {confidence}]\n"
    ))
}
