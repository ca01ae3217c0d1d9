//! The conformance check of a runtime.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::check_line::{CheckLine, Result as CheckResult};
use super::examined::Examined;
use super::probe::Probe;
use super::report::Report;
use super::runtime_file;
use crate::failure::Failure;
use crate::locate::Installation;
use crate::progress::{PATIENCE, Progress};

/// How many checks run at once: most wait for each other's threads, or for what does not come.
const AT_ONCE: usize = 4;

/// How long a check of another runtime may take: in some calls, some of them hang for ever. Longer
/// than the wait for an event that does not come.
const FOREIGN_LIMIT: Duration = Duration::from_secs(20);

/// Checks the runtime at `place`, a folder or a file, and reports to standard output.
pub(crate) fn check(place: &Path, as_json: bool, only: Option<&str>) -> Result<ExitCode, Failure> {
    let runtime = runtime_file::find(place)?;
    let mut probe = Probe::find(&Installation::find()?)?;
    let list = probe.run(&[OsStr::new("list")], None)?;
    let checks: Vec<CheckLine> = list
        .lines()
        .filter_map(CheckLine::parse)
        .filter(|check| only.is_none_or(|text| check.matches(text)))
        .collect();
    if checks.is_empty() {
        return Err(Failure::own(match only {
            Some(text) => format!("--only {text}: no check has that in its name or group"),
            None => format!("the probe lists no checks: it {}", list.end()),
        }));
    }
    let mut report = Report::new(as_json);
    let examined = Examined::of(&probe, runtime.as_os_str(), runtime.parent())?;
    report.head(&runtime, &examined);
    if !examined.is_ours() {
        probe.limit(FOREIGN_LIMIT);
    }
    in_order(&probe, &runtime, &checks, |check, result| {
        report.line(check, result);
        report.goes_on()
    })?;
    report.end()
}

/// Makes the checks, several at once, and hands each result over in the list's order, as soon as
/// it and those before it are known, until `show` returns false.
fn in_order(
    probe: &Probe,
    runtime: &Path,
    checks: &[CheckLine],
    mut show: impl FnMut(&CheckLine, &CheckResult) -> bool,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((at, check)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    checks.get(at).map(|check| (at, check))
                } {
                    let result = make(probe, runtime, check);
                    if sender.send((at, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // When this is dropped, the threads end.
        let results = results;
        let mut known = BTreeMap::new();
        let mut shown = 0;
        let mut progress = Progress::begin();
        loop {
            let (at, result) = match results.recv_timeout(PATIENCE) {
                Ok(found) => found,
                Err(RecvTimeoutError::Timeout) => {
                    progress.show(&format!("{shown} of {} checks", checks.len()));
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            progress.clear();
            known.insert(at, result?);
            while let Some(result) = known.remove(&shown) {
                if !show(&checks[shown], &result) {
                    return Ok(());
                }
                shown += 1;
            }
        }
    })
}

fn make(probe: &Probe, runtime: &Path, check: &CheckLine) -> Result<CheckResult, Failure> {
    let words = ["check", &check.id, &check.form].map(OsStr::new);
    let words = [&words[..], &[runtime.as_os_str()]].concat();
    Ok(CheckResult::of(&probe.run(&words, runtime.parent())?))
}
