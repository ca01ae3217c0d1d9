//! oxomp: runs OpenMP programs on the oxomp runtime, shows where their time went, and why they
//! hang.

#![forbid(unsafe_code)]
// `eprintln!` and `println!` panic where standard error or output is closed or full.
#![deny(clippy::print_stderr, clippy::print_stdout)]

use std::ffi::OsString;
use std::io::{Write, stdout};
use std::process::ExitCode;

use clap::error::ErrorKind;

mod advise;
mod alive;
mod attach;
mod bandwidth;
mod cli;
mod data_folder;
mod debug;
mod diff;
mod doctor;
mod document;
mod duration;
mod elf;
mod failure;
mod file_size;
mod flight;
mod launch;
mod live;
mod locate;
mod median_run;
mod messages;
mod mpi_calls;
mod names;
mod new_file;
mod no_recording;
mod ours;
mod output;
mod part;
mod paths;
mod process_profiles;
mod profile;
mod program;
mod progress;
mod props;
mod ranks;
mod readers;
mod recordings;
mod repetitions;
mod report;
mod run;
mod runs;
mod runtime_choice;
mod scale;
mod signals;
mod slicing;
mod terminal;
mod top;
mod trigger;
mod user_tools;
mod variables;
mod verbose;
mod watch;

use cli::Cli;
use failure::Failure;
use props::Command;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let command = match Cli::parse_words(&words) {
        Ok(cli) => cli.into(),
        Err(error) => return show_clap_error(&error),
    };
    let outcome = match command {
        Command::Run(props) => run::run(&props),
        Command::Profile(props) => profile::profile(&props),
        Command::Attach(props) => profile::attach(&props),
        Command::Top(props) => top::top(&props),
        Command::Report(props) => report::report(&props),
        Command::JsonSchema(kind) => report::json_schema(kind),
        Command::Diff(props) => diff::diff(&props),
        Command::Scale(props) => scale::scale(&props),
        Command::Advise(props) => advise::advise(&props),
        Command::Doctor(props) => doctor::doctor(&props),
        Command::Debug(props) => debug::debug(&props),
        Command::Paths(props) => paths::paths(&props),
        Command::Generate(props) => cli::generate(&props),
    };
    outcome.unwrap_or_else(|failure| fail(&failure))
}

/// Says why the command failed.
fn fail(failure: &Failure) -> ExitCode {
    messages::say(failure);
    ExitCode::from(failure.status)
}

/// Help and version are not errors; errors have our own status, as 2 may be a program's.
fn show_clap_error(error: &clap::Error) -> ExitCode {
    let printed = error.print().and_then(|()| stdout().flush());
    match (error.kind(), output::written(printed)) {
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Ok(())) => ExitCode::SUCCESS,
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Err(failure)) => fail(&failure),
        _ => ExitCode::from(Failure::own("").status),
    }
}
