//! The collector's environment variables.

use std::env;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oxomp_trace::Rank;

use crate::attached::Variables;
use crate::message;

/// The largest size of the file unless OXOMP_MAX_SIZE says otherwise, in bytes.
const DEFAULT_MAX_SIZE: u64 = 256 << 20;
/// The least size that holds a chunk for each of a few threads, in bytes.
const LEAST_MAX_SIZE: u64 = 1 << 20;

/// Samples per second of a thread's processor time, unless OXOMP_HZ says otherwise: less than 1 %
/// of it even where a signal and a walk take 60 µs, as in virtual machines whose timers are slow.
const DEFAULT_HZ: u32 = 150;
/// More samples than that per second would disturb the program.
const MOST_HZ: u32 = 20_000;

/// Which events are recorded, by OXOMP_EVENTS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The events of the recording's first part, as many as cost little, and of the windows.
    Some,
    /// As many as the file has room for.
    All,
    /// Only the begins and ends of threads.
    None,
}

/// OXOMP_HZ and OXOMP_SAMPLER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sampling {
    Off,
    Every { hz: u32, timer_only: bool },
}

impl Sampling {
    /// The time between two samples, ns.
    pub(crate) fn period_ns(self) -> u64 {
        match self {
            Self::Off => 0,
            Self::Every { hz, .. } => 1_000_000_000 / u64::from(hz),
        }
    }

    fn read(variables: &Variables) -> Self {
        let hz = match variables.text("OXOMP_HZ") {
            Some(text) if !text.trim().is_empty() => text.trim().parse().unwrap_or_else(|_| {
                message::print(&format!(
                    "OXOMP_HZ={text} is not a number of samples per second: using {DEFAULT_HZ}"
                ));
                DEFAULT_HZ
            }),
            _ => DEFAULT_HZ,
        };
        let sampler = variables.text("OXOMP_SAMPLER").unwrap_or_default();
        let timer_only = match sampler.trim() {
            "" | "auto" => false,
            "timer" => true,
            "off" => return Self::Off,
            other => {
                message::print(&format!(
                    "OXOMP_SAMPLER={other} is neither auto nor timer nor off: using auto"
                ));
                false
            }
        };
        if hz == 0 { Self::Off } else { Self::Every { hz: hz.min(MOST_HZ), timer_only } }
    }
}

/// The variables of oxomp, read once.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The process's place in a parallel job, from the launcher's variables.
    pub(crate) rank: Option<Rank>,
    /// OXOMP_OUT: the directory to write to.
    pub(crate) out: Option<PathBuf>,
    /// OXOMP_MAX_SIZE: bytes the file may have.
    pub(crate) max_size: u64,
    /// OXOMP_VERBOSE: say what is done.
    pub(crate) verbose: bool,
    /// OXOMP_LIVE: a reader follows the recording.
    pub(crate) live: bool,
    /// OXOMP_EVENTS: which events are recorded beside the sums.
    pub(crate) events: Kept,
    /// OXOMP_HZ and OXOMP_SAMPLER: how often call paths are sampled.
    pub(crate) sampling: Sampling,
    /// OXOMP_COUNTERS: names of counters.
    pub(crate) counters: String,
    /// OXOMP_FAKE_COUNTERS: who opens them.
    pub(crate) fake_counters: Option<String>,
    /// OXOMP_BANDWIDTH: bytes per second that the processors fetch from memory, and the threads
    /// that did.
    pub(crate) bandwidth: Option<(u64, u64)>,
    /// OXOMP_LAST: for how long events and samples are kept, ns; `None`: for ever.
    pub(crate) last_ns: Option<u64>,
    /// OXOMP_SLOW_REGION: regions that take longer are told to a reader, ns.
    pub(crate) slow_ns: Option<u64>,
}

/// Whether OXOMP_TOOL lets the collector run, and the process trusts its environment: the collector
/// writes files that its variables name.
pub(crate) fn wanted() -> bool {
    // SAFETY: the call only reads the auxiliary vector.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        /// The runtime asks again before it starts.
        static IS_SAID: AtomicBool = AtomicBool::new(false);
        if !IS_SAID.swap(true, Relaxed) {
            message::print(
                "nothing is recorded: the process has more rights than its user (AT_SECURE)",
            );
        }
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
    /// Reads the variables.
    pub(crate) fn read(variables: &Variables) -> Self {
        let rank = Rank::of_process();
        let is_set = |name| {
            let value = variables.text(name);
            value.is_some_and(|value| !matches!(value.trim(), "" | "0" | "false" | "no"))
        };
        message::speak_for(rank.as_ref());
        let (max_size, remark) = max_size(&variables.text("OXOMP_MAX_SIZE").unwrap_or_default());
        if let Some(remark) = remark {
            message::print(&remark);
        }
        Self {
            rank,
            out: variables.os("OXOMP_OUT").filter(|out| !out.is_empty()).map(PathBuf::from),
            max_size,
            verbose: is_set("OXOMP_VERBOSE"),
            live: is_set("OXOMP_LIVE"),
            events: kept(&variables.text("OXOMP_EVENTS").unwrap_or_default()).unwrap_or_else(
                |other| {
                    message::print(&format!(
                        "OXOMP_EVENTS={other} is neither some nor all nor none: using some"
                    ));
                    Kept::Some
                },
            ),
            sampling: Sampling::read(variables),
            counters: variables.text("OXOMP_COUNTERS").unwrap_or_default(),
            fake_counters: variables.text("OXOMP_FAKE_COUNTERS"),
            bandwidth: bandwidth(&variables.text("OXOMP_BANDWIDTH").unwrap_or_default()),
            last_ns: seconds(variables, "OXOMP_LAST"),
            slow_ns: seconds(variables, "OXOMP_SLOW_REGION"),
        }
    }
}

/// The bytes per second that OXOMP_BANDWIDTH names, and behind a slash the threads that fetched
/// them; `None` and a message if it names none.
fn bandwidth(text: &str) -> Option<(u64, u64)> {
    let (bytes, threads) = text.trim().split_once('/').unwrap_or((text.trim(), "0"));
    match (bytes.parse(), threads.parse()) {
        _ if bytes.is_empty() => None,
        (Ok(bytes), Ok(threads)) if bytes > 0 => Some((bytes, threads)),
        _ => {
            message::print(&format!(
                "OXOMP_BANDWIDTH={text} is not a number of bytes per second: no limit is known"
            ));
            None
        }
    }
}

/// The nanoseconds of a variable in seconds; `None`, and a message, if it has no such value.
fn seconds(variables: &Variables, name: &str) -> Option<u64> {
    let text = variables.text(name)?;
    let nanoseconds = text.trim().parse::<f64>().ok().map(|seconds| seconds * 1e9);
    let nanoseconds = nanoseconds.filter(|value| (1.0..1e18).contains(value));
    if nanoseconds.is_none() && !text.trim().is_empty() {
        message::print(&format!("{name}={text} is not a time in seconds: it is ignored"));
    }
    nanoseconds.map(|value| value as u64)
}

/// The events that OXOMP_EVENTS asks for, or the text if the variable has no such value.
fn kept(text: &str) -> Result<Kept, String> {
    match text.trim() {
        "" | "some" => Ok(Kept::Some),
        "all" => Ok(Kept::All),
        "none" => Ok(Kept::None),
        _ => Err(text.to_owned()),
    }
}

/// The size that OXOMP_MAX_SIZE asks for; if it cannot be used, another size and a message about
/// it.
fn max_size(text: &str) -> (u64, Option<String>) {
    let instead = |size: u64, why| {
        (size, Some(format!("OXOMP_MAX_SIZE={text} is {why}: using {}M", size >> 20)))
    };
    match text.trim() {
        "" => (DEFAULT_MAX_SIZE, None),
        words => match size(words) {
            None => instead(DEFAULT_MAX_SIZE, "not a size such as 500M or 2G"),
            Some(size) if size < LEAST_MAX_SIZE => instead(LEAST_MAX_SIZE, "too small"),
            Some(size) => (size, None),
        },
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

#[cfg(test)]
mod tests {
    use super::{bandwidth, max_size};

    #[test]
    fn a_bandwidth_may_name_the_threads() {
        assert_eq!(bandwidth("20000000000/4"), Some((20_000_000_000, 4)));
        assert_eq!(bandwidth(" 5 "), Some((5, 0)));
        for text in ["", "0", "fast", "5/", "-5", "5GB"] {
            assert_eq!(bandwidth(text), None, "{text}");
        }
    }

    #[test]
    fn a_size_that_is_not_used_is_told() {
        assert_eq!(max_size(""), (256 << 20, None));
        assert_eq!(max_size(" 1M "), (1 << 20, None));
        assert_eq!(max_size("2G"), (2 << 30, None));
        let (size, remark) = max_size("100K");
        assert_eq!(size, 1 << 20);
        assert_eq!(remark.as_deref(), Some("OXOMP_MAX_SIZE=100K is too small: using 1M"));
        let (size, remark) = max_size("much");
        assert_eq!(size, 256 << 20);
        let told = "OXOMP_MAX_SIZE=much is not a size such as 500M or 2G: using 256M";
        assert_eq!(remark.as_deref(), Some(told));
    }
}
