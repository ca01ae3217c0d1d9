//! `oxomp profile`: the program with the collector in it, then where its time went.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::launch::Ended;
use crate::props::ProfileProps;

mod attach;
mod once;
mod repeat;

pub(crate) use attach::attach;
pub(crate) use once::profile_once;
use repeat::repeat;

/// Runs the program, prints the summary on standard error, and ends as the program ended.
pub(crate) fn profile(props: &ProfileProps) -> Result<ExitCode, Failure> {
    match props.repeat {
        Some(count) => repeat(props, count),
        None => profile_once(props).map(Ended::pass_on),
    }
}
