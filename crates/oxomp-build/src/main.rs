//! The program behind `cargo xtask`: executes `demo` and `dist`, and starts the crate `xtask` for
//! all else.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use oxomp_build::commands::Command;
use oxomp_build::workspace::{Workspace, cargo};

/// The package of the other commands.
const OTHERS: &str = "xtask";

#[derive(Parser, Debug)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let is_own = env::args().nth(1).is_some_and(|word| Command::is_named(&word));
    if is_own { Arguments::parse().command.run(&Workspace::load()?) } else { start_others() }
}

/// Becomes the program of the other commands, which Cargo builds first. Returns only if Cargo
/// cannot be started.
fn start_others() -> Result<()> {
    let mut others = cargo();
    others.args(["run", "--quiet", "--package", OTHERS, "--bin", OTHERS, "--"]);
    Err(others.args(env::args_os().skip(1)).exec()).context("cannot start Cargo")
}
