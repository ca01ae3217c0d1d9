//! `oxomp generate`: manual pages and completions, from the definitions of the command line.
//!
//! Packages are made with it. It is hidden from users, and from what it makes.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Subcommand};
use clap_complete::aot;

use super::Cli;
use crate::failure::Failure;
use crate::output::written;
use crate::props::{GenerateProps, Shell};

mod help_text;
mod page;

/// The name of the command.
const NAME: &str = "oxomp";

#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write the manual pages into DIR: oxomp.1, and one for each command
    Man {
        /// Folder for the pages, created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print what completes command lines in bash
    Bash,
    /// Print what completes command lines in zsh
    Zsh,
    /// Print what completes command lines in fish
    Fish,
}

impl From<GenerateArgs> for GenerateProps {
    fn from(args: GenerateArgs) -> Self {
        match args.what {
            What::Man { folder } => Self::Man(folder),
            What::Bash => Self::Completions(Shell::Bash),
            What::Zsh => Self::Completions(Shell::Zsh),
            What::Fish => Self::Completions(Shell::Fish),
        }
    }
}

/// Writes the manual pages, or prints completions.
pub(crate) fn generate(props: &GenerateProps) -> Result<ExitCode, Failure> {
    match props {
        GenerateProps::Man(folder) => write_pages(folder)?,
        GenerateProps::Completions(shell) => {
            let text = completions(*shell);
            let mut stdout = stdout().lock();
            written(stdout.write_all(&text).and_then(|()| stdout.flush()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_pages(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
    for (name, text) in page::all(visible()) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| Failure::cannot_write(&path, &error))?;
    }
    Ok(())
}

fn completions(shell: Shell) -> Vec<u8> {
    let (mut command, mut text) = (visible(), Vec::new());
    // By their types: a value of the crate's enumeration would link its other shells, too.
    match shell {
        Shell::Bash => aot::generate(aot::Bash, &mut command, NAME, &mut text),
        Shell::Zsh => aot::generate(aot::Zsh, &mut command, NAME, &mut text),
        Shell::Fish => aot::generate(aot::Fish, &mut command, NAME, &mut text),
    }
    text
}

/// The definitions without hidden commands, of which generated completions would tell.
fn visible() -> clap::Command {
    let all = Cli::command();
    clap::Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(all.get_about().cloned().unwrap_or_default())
        .after_help(all.get_after_help().cloned().unwrap_or_default())
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommand_help_heading("COMMANDS")
        .subcommand_value_name("COMMAND")
        .subcommands(all.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}
