//! The command lines of `cargo xtask demo` and `cargo xtask dist`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Subcommand, ValueEnum};

use crate::demo;
use crate::dist::{self, DistRequest, Profile};
use crate::workspace::Workspace;

/// A command that this crate executes.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Build in release, compile examples/solver.c with `cc -fopenmp`, run it under
    /// `oxomp profile`.
    Demo,
    /// Put the command, the libraries and the headers into one folder.
    #[command(after_help = dist::EXAMPLES)]
    Dist {
        /// How to build: `release` is what users get, `testing` builds quickly and keeps
        /// assertions.
        #[arg(long, value_enum, default_value_t = ProfileArgument::Release)]
        profile: ProfileArgument,
        /// The folder [default: dist/ for release, testing-dist/ in the target folder for testing].
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

/// The word that names a [`Profile`].
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProfileArgument {
    /// [`Profile::Release`]
    Release,
    /// [`Profile::Testing`]
    Testing,
}

impl Command {
    /// Whether `word` is the name of one of these commands.
    pub fn is_named(word: &str) -> bool {
        Self::has_subcommand(word)
    }

    /// Executes the command in `workspace`.
    pub fn run(self, workspace: &Workspace) -> Result<()> {
        match self {
            Self::Demo => demo::run(workspace),
            Self::Dist { profile, out } => {
                let profile = match profile {
                    ProfileArgument::Release => Profile::Release,
                    ProfileArgument::Testing => Profile::Testing,
                };
                let built = dist::build(workspace, &DistRequest { profile, out })?;
                println!("{}", built.root.display());
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn the_commands_have_these_names() {
        assert!(Command::is_named("demo") && Command::is_named("dist"));
        assert!(!Command::is_named("test") && !Command::is_named("--help"));
    }
}
