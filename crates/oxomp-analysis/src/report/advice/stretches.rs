//! Advice on serial code.

use super::regions::is_between_calls;
use crate::report::certainty::{Advice, Cause};
use crate::report::names::Names;
use crate::report::{calls, serial};
use crate::summary::{HotStretch, SerialStretch, Summary};

/// With fewer samples than `ENOUGH`, shares of a stretch say nothing. A stretch reads and writes if
/// this is so in the part `MUCH` of its samples.
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
    if reads_or_writes(stretch, summary) {
        let within = hot.map_or_else(String::new, |hot| format!(" ({hot})"));
        let text = format!(
            "one thread reads and writes between {from} and {to}{within}: a task that does it while \
             the others compute, or fewer and larger pieces"
        );
        // Beside other work all of it is hidden, if there is as much.
        let half = stretch.total_ns.saturating_sub(stretch.waited_ns) / 2;
        return Cause::work(half, half).advice(None, summary, text);
    }
    let mut text = format!("run in parallel what lies between {from} and {to}");
    if let Some(hot) = hot {
        text.push_str(&format!(", above all {hot}"));
    }
    let cause = Cause { lost_ns: stretch.gain_ns, ..Cause::default() };
    cause.advice(None, summary, text)
}

/// Whether the samples of a stretch are mostly in functions that read and write files.
fn reads_or_writes(stretch: &SerialStretch, summary: &Summary) -> bool {
    let matches = |hot: &&HotStretch| (hot.after, hot.before) == (stretch.after, stretch.before);
    let sampled = summary.sampled.as_ref().map(|sampled| &sampled.stretches);
    let hot = sampled.and_then(|stretches| stretches.iter().find(matches));
    hot.is_some_and(|hot| hot.samples >= ENOUGH && hot.in_files as f64 >= MUCH * hot.samples as f64)
}
