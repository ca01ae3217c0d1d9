//! The program that a command runs, and the runtime that it is to run on.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use crate::props::RuntimePolicy;

#[derive(Debug, Args)]
pub(super) struct ProgramArgs {
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(super) program: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum RuntimeArg {
    /// Keep a runtime that tools can watch (libomp, libiomp5); put oxomp's under programs of
    /// libgomp
    Auto,
    /// Put oxomp's runtime under every program
    Oxomp,
    /// Change nothing
    Keep,
}

impl From<RuntimeArg> for RuntimePolicy {
    fn from(argument: RuntimeArg) -> Self {
        match argument {
            RuntimeArg::Auto => Self::Auto,
            RuntimeArg::Oxomp => Self::Oxomp,
            RuntimeArg::Keep => Self::Keep,
        }
    }
}
