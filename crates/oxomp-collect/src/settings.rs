//! The collector's environment variables.

use std::env;
use std::path::PathBuf;

use oxomp_trace::Rank;

use crate::message;

/// The largest size of the file unless OXOMP_MAX_SIZE says otherwise, in bytes.
const DEFAULT_MAX_SIZE: u64 = 256 << 20;
/// The least size that holds a chunk for each of a few threads, in bytes.
const LEAST_MAX_SIZE: u64 = 1 << 20;

/// The variables of oxomp, read once.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// OXOMP_OUT: the directory to write to.
    pub(crate) out: Option<PathBuf>,
    /// OXOMP_MAX_SIZE: bytes the file may have.
    pub(crate) max_size: u64,
    /// OXOMP_VERBOSE: say what is done.
    pub(crate) verbose: bool,
    /// The process's place in a parallel job, from the launcher's variables.
    pub(crate) rank: Option<Rank>,
}

/// Whether OXOMP_TOOL lets the collector run, and the process trusts its environment: the collector
/// writes files that its variables name.
pub(crate) fn wanted() -> bool {
    // SAFETY: the call only reads the auxiliary vector.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        message::print(
            "nothing is recorded: the process has more rights than its user (AT_SECURE)",
        );
        return false;
    }
    match env::var("OXOMP_TOOL").ok().as_deref().map(str::trim) {
        None | Some("" | "profile") => true,
        Some("off") => false,
        Some(other) => {
            message::print(&format!(
                "OXOMP_TOOL={other} is neither profile nor off: using profile"
            ));
            true
        }
    }
}

impl Settings {
    pub(crate) fn read() -> Self {
        let rank = Rank::of_process();
        message::speak_for(rank.as_ref());
        let max_size = match env::var("OXOMP_MAX_SIZE") {
            Ok(text) if !text.trim().is_empty() => size(text.trim()).unwrap_or_else(|| {
                message::print(&format!(
                    "OXOMP_MAX_SIZE={text} is not a size such as 500M or 2G: using {}M",
                    DEFAULT_MAX_SIZE >> 20
                ));
                DEFAULT_MAX_SIZE
            }),
            _ => DEFAULT_MAX_SIZE,
        };
        Self {
            out: env::var_os("OXOMP_OUT").filter(|out| !out.is_empty()).map(PathBuf::from),
            max_size: max_size.max(LEAST_MAX_SIZE),
            verbose: env::var("OXOMP_VERBOSE")
                .is_ok_and(|value| !matches!(value.trim(), "" | "0" | "false" | "no")),
            rank,
        }
    }
}

/// The bytes that `text` means: a number with an optional K, M or G.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" | "KB" | "KiB" => 10,
        "M" | "m" | "MB" | "MiB" => 20,
        "G" | "g" | "GB" | "GiB" => 30,
        _ => return None,
    };
    digits.trim_end().parse::<u64>().ok()?.checked_mul(1 << unit)
}
