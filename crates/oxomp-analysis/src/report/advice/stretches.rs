//! Advice on serial code.

use super::regions::is_between_calls;
use crate::report::certainty::{Advice, Cause};
use crate::report::names::Names;
use crate::report::{calls, serial};
use crate::summary::{HotStretch, SerialStretch, Summary};

/// With fewer samples than `ENOUGH`, shares of a stretch say nothing. A stretch reads and writes,
/// or is Python, if this is so in the part `MUCH` of its samples.
const ENOUGH: u64 = 10;
const MUCH: f64 = 0.5;

pub(super) fn advices(summary: &Summary, names: Names<'_>) -> Vec<Advice> {
    let counted = |stretch: &&SerialStretch| {
        summary.regions.iter().any(|region| is_between_calls(stretch, region))
    };
    let serial = summary.serial.iter().filter(|stretch| !counted(stretch));
    serial.map(|stretch| advice(stretch, summary, names)).collect()
}

fn advice(stretch: &SerialStretch, summary: &Summary, names: Names<'_>) -> Advice {
    let (from, to) = serial::ends(stretch, names);
    let hot = calls::of_stretch(summary, stretch);
    let is_mostly = |part: fn(&HotStretch) -> u64| {
        samples_of(stretch, summary)
            .is_some_and(|of| of.samples >= ENOUGH && part(of) as f64 >= MUCH * of.samples as f64)
    };
    if is_mostly(|of| of.in_files) {
        let within = hot.map_or_else(String::new, |hot| format!(" ({hot})"));
        let text = format!(
            "one thread reads and writes between {from} and {to}{within}: a task that does it while \
             the others compute, or fewer and larger pieces"
        );
        return up_to_all(stretch).advice(None, summary, text);
    }
    if is_mostly(|of| of.in_python) {
        let text = format!(
            "one thread runs Python between {from} and {to}: one operation of a library on a whole \
             array in place of a loop, which may run in parallel, too"
        );
        return up_to_all(stretch).advice(None, summary, text);
    }
    let mut text = format!("run in parallel what lies between {from} and {to}");
    if let Some(hot) = hot {
        text.push_str(&format!(", above all {hot}"));
    }
    let cause = Cause { lost_ns: stretch.gain_ns, ..Cause::default() };
    cause.advice(None, summary, text)
}

/// Code of `stretch` that goes on beside other work, or gets cheaper: up to all of its time is won.
fn up_to_all(stretch: &SerialStretch) -> Cause {
    let half = stretch.total_ns.saturating_sub(stretch.waited_ns) / 2;
    Cause::work(half, half)
}

/// The samples in a stretch, if there are any.
fn samples_of<'a>(stretch: &SerialStretch, summary: &'a Summary) -> Option<&'a HotStretch> {
    let matches = |hot: &&HotStretch| (hot.after, hot.before) == (stretch.after, stretch.before);
    summary.sampled.as_ref()?.stretches.iter().find(matches)
}
