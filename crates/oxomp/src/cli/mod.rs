//! The command line as clap sees it, one file a command; the rest of the program takes
//! [`crate::props`].

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::props::Command;

pub(crate) use generate::generate;

mod advise;
mod debug;
mod diff;
mod doctor;
mod generate;
mod paths;
mod profile;
mod program;
mod report;
mod run;
mod scale;
mod seconds;
mod top;

const EXAMPLES: &str = "\
EXAMPLES:
  oxomp run -- ./solver -n 1000          run a gcc or clang program on oxomp's runtime
  oxomp run -v -- ./solver -n 1000       the same, and say what was done and which runtime is in use
  oxomp profile -- ./solver -n 1000      where did the time go? no rebuild, no privileges
  oxomp profile -- python3 train.py      programs that bring their own libgomp
  oxomp top 4711                         what do the threads of a running process do, right now?
  oxomp report oxomp-solver-1            print the summary of a run again, even of a killed one
  oxomp diff before after                what did a change of the program gain or cost, and where?
  oxomp scale -- ./solver -n 1000        1, 2, 4 ... threads: which region stops scaling, and why?
  oxomp advise oxomp-solver-1            which schedule, how many threads? replayed from a run
  oxomp doctor -- ./solver               which runtime would it load, and can tools watch it there?
  oxomp debug 4711                       what do the threads of process 4711 wait for, and who holds
                                         it?
  oxomp debug -- ./solver -n 1000        the same, where the program hangs or crashes
  oxomp paths lib                        the folder of the libraries, for scripts

Compile with -g to see file names and lines. The exit status, the signals and the output of the
program pass through; what oxomp says of a running program goes to standard error.

ENVIRONMENT:
  OXOMP_HOME=DIR                         the folder that holds oxomp's lib, if that is not beside
                                         the folder of the command; see `oxomp paths`
  NO_COLOR=1                             no colours on a terminal

EXIT STATUS: the program's if one is run; 125 if oxomp failed, 126 if the program cannot be run, 127
if there is no such program. `diff`, `doctor` and `debug` have a status 1 or 124 of their own.";

/// Runs OpenMP programs on the oxomp runtime, shows where their time went, and why they hang.
#[derive(Debug, Parser)]
#[command(name = "oxomp", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Run a program on oxomp's OpenMP runtime
    #[command(after_help = run::EXAMPLES)]
    Run(run::RunArgs),
    /// Run a program and show where its threads' time went
    #[command(after_help = profile::EXAMPLES)]
    Profile(profile::ProfileArgs),
    /// Show what the threads of a running process do, again and again
    #[command(after_help = top::EXAMPLES)]
    Top(top::TopArgs),
    /// Print the summary of a recorded run, or write it for other programs
    #[command(after_help = report::EXAMPLES)]
    Report(report::ReportArgs),
    /// Compare two recorded runs, or two sets of repeated runs, construct by construct
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::DiffArgs),
    /// Run a program at 1, 2, 4 ... threads and show what keeps it from scaling
    #[command(after_help = scale::EXAMPLES, override_usage = scale::USAGE)]
    Scale(scale::ScaleArgs),
    /// Replay a recorded run under other schedules and numbers of threads
    #[command(after_help = advise::EXAMPLES, override_usage = advise::USAGE)]
    Advise(advise::AdviseArgs),
    /// Say which OpenMP runtime a program would load, or check a runtime's OMPT
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::DoctorArgs),
    /// Explain a program that hangs or has crashed: who waits for what, and who holds it
    #[command(after_help = debug::EXAMPLES, override_usage = debug::USAGE)]
    Debug(debug::DebugArgs),
    /// Print where oxomp's libraries, headers and tools lie
    #[command(after_help = paths::EXAMPLES)]
    Paths(paths::PathsArgs),
    /// Make manual pages and completions
    #[command(hide = true)]
    Generate(generate::GenerateArgs),
}

impl Cli {
    /// Parses `words`, of which the first is our own name.
    ///
    /// # Errors
    ///
    /// Also for an option before the program that there is not: to clap, it is the program.
    pub(crate) fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let cli = Self::try_parse_from(words)?;
        let (subcommand, program) = match &cli.command {
            Subcommands::Run(args) => ("run", &args.program.program),
            Subcommands::Profile(args) => ("profile", &args.program),
            Subcommands::Doctor(args) => ("doctor", &args.program),
            Subcommands::Report(_)
            | Subcommands::Top(_)
            | Subcommands::Diff(_)
            | Subcommands::Scale(_)
            | Subcommands::Advise(_)
            | Subcommands::Debug(_)
            | Subcommands::Paths(_)
            | Subcommands::Generate(_) => {
                return Ok(cli);
            }
        };
        let Some(first) = program.first() else { return Ok(cli) };
        let before = words.len().checked_sub(program.len() + 1).and_then(|last| words.get(last));
        if !first.as_encoded_bytes().starts_with(b"-") || before.is_some_and(|word| word == "--") {
            return Ok(cli);
        }
        let message = format!("unexpected argument '{}' found", first.display());
        let mut command = Self::command();
        command.build();
        let command = command.find_subcommand_mut(subcommand).expect("it has just been parsed");
        Err(command.error(ErrorKind::UnknownArgument, message))
    }
}

impl From<Cli> for Command {
    fn from(cli: Cli) -> Self {
        match cli.command {
            Subcommands::Run(args) => Self::Run(args.into()),
            Subcommands::Profile(args) => args.into(),
            Subcommands::Top(args) => Self::Top(args.into()),
            Subcommands::Report(args) => args.into(),
            Subcommands::Diff(args) => Self::Diff(args.into()),
            Subcommands::Scale(args) => Self::Scale(args.into()),
            Subcommands::Advise(args) => Self::Advise(args.into()),
            Subcommands::Doctor(args) => Self::Doctor(args.into()),
            Subcommands::Debug(args) => Self::Debug(args.into()),
            Subcommands::Paths(args) => Self::Paths(args.into()),
            Subcommands::Generate(args) => Self::Generate(args.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{CommandFactory, Parser};

    use super::Cli;
    use crate::props::Command;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_behind_the_program_belong_to_it() {
        for line in [
            &["oxomp", "run", "-v", "--", "./app", "-v", "--", "--help"][..],
            &["oxomp", "run", "-v", "./app", "-v", "--", "--help"][..],
        ] {
            let Command::Run(props) = Cli::parse_from(line).into() else {
                panic!("`run` gives a run")
            };
            assert!(props.verbose);
            assert_eq!(props.program, ["./app", "-v", "--", "--help"]);
        }
    }

    #[test]
    fn an_option_that_there_is_not_is_no_program() {
        let parse =
            |line: &str| Cli::parse_words(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in ["oxomp profile --typo -- ./app", "oxomp run -v --typo ./app"] {
            let error = parse(line).expect_err("there is no such option").to_string();
            assert!(error.contains("'--typo'") && error.contains("Usage: oxomp"), "{error}");
        }
        for line in ["oxomp profile -v -- --app", "oxomp doctor ./app --typo", "oxomp run ./app"] {
            assert!(parse(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn a_program_is_demanded() {
        assert!(Cli::try_parse_from(["oxomp", "profile", "--"]).is_err());
    }
}
