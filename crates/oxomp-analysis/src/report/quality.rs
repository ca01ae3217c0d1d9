//! How far the numbers can be trusted: warnings before the numbers, and a section after them.

use oxomp_trace::Disagreement;

use super::units::{count, percent, plural, share, time};
use crate::summary::{Quality, Summary};
use oxomp_text::{Page, glued};

/// Warns of everything that makes the numbers wrong or incomplete.
pub(super) fn write_warnings(page: &mut Page, summary: &Summary) {
    let quality = &summary.quality;
    if quality.lost_events > 0 {
        page.warning(&format!(
            "{} could not be recorded: the numbers below are too small",
            plural(quality.lost_events, "event")
        ));
    }
    if let Some(reason) = &quality.stopped {
        page.warning(&format!("recording stopped early: {reason}"));
    }
    if !quality.disagreements.is_empty() {
        let text = "counts of this recording disagree, so numbers below are wrong: see Data";
        page.warning(text);
    }
    if let Some(text) = unknown_processor(summary) {
        page.warning(&text);
    }
    for damage in &quality.damaged {
        page.warning(&format!("part of the data is damaged and left out: {damage}"));
    }
}

/// What a report lacks if the recording is of a processor that this version does not know.
#[must_use]
pub fn unknown_processor(summary: &Summary) -> Option<String> {
    let name = summary.header.unknown_processor()?;
    Some(format!(
        "recorded on a processor that this oxomp does not know, {name}: system calls have no names, \
         and nothing is read from its code; use a newer oxomp"
    ))
}

/// The section on the data: counts of events, repairs and losses.
pub(super) fn write(page: &mut Page, summary: &Summary) {
    let quality = &summary.quality;
    page.heading("Data");
    let mut facts = vec![format!("{} recorded", plural(quality.events, "event"))];
    if quality.folded > 0 {
        let many = count(quality.folded);
        facts.push(format!("{many} regions, barriers and locks summed up in the program"));
    }
    if quality.folded_tasks > 0 {
        facts.push(format!("{} summed up in the program", plural(quality.folded_tasks, "task")));
    }
    facts.extend(losses(quality));
    if quality.open_chunks > 0 {
        let chunks = plural(quality.open_chunks, "chunk");
        facts.push(format!("{chunks} open when the program went away"));
    }
    page.paragraph(&format!("  {}", facts.join(", ")), 2);
    let counted = [(quality.counted, "region"), (quality.counted_tasks, "task")];
    let counted = counted.into_iter().filter(|(number, _)| *number > 0);
    let counted: Vec<_> = counted.map(|(number, what)| plural(number, what)).collect();
    if !counted.is_empty() {
        let line = "too short to be timed on all threads, so that what they did is estimated from the \
                    timed ones of the same construct";
        page.paragraph(&format!("  {line}: {}", counted.join(", ")), 4);
    }
    if !quality.recording.is_empty() {
        page.paragraph(&format!("  {}", recording(summary)), 4);
    }
    if quality.counted_acquisitions > 0 {
        page.paragraph(&format!("  {}", acquisitions(summary)), 4);
    }
    if let Some(cpu) = quality.unseen_cpu_ns.filter(|cpu| is_worth_a_line(*cpu, summary)) {
        let line = "CPU time of threads that OpenMP does not know, which no time above contains";
        page.paragraph(&format!("  {line}: {}", glued(&time(cpu))), 4);
    }
    if let Some(line) = guessed(quality) {
        page.paragraph(&format!("  {line}"), 4);
    }
    if let Some(why) = &quality.unsampled {
        page.paragraph(&format!("  no call paths were sampled: {why}"), 4);
    }
    if let Some(why) = &quality.unread_python {
        page.paragraph(&format!("  {why}"), 4);
    }
    write_counts(page, "repaired deviations of the runtime", &quality.repaired);
    write_counts(page, "events that fitted nowhere", &quality.anomalies);
    write_counts(page, "left out, since there was no room", &quality.left_out);
    for disagreement in &quality.disagreements {
        page.paragraph(&format!("  counts that disagree: {}", differ(disagreement)), 4);
    }
}

/// The two counts, and by how much they differ, in words.
#[must_use]
pub fn differ(disagreement: &Disagreement) -> String {
    let ((one, other), (first, second)) = (disagreement.counts, disagreement.what.names());
    let (one_shown, other_shown) = (count(one), count(other));
    let apart = count(one.abs_diff(other));
    format!("{one_shown} {first}, {other_shown} {second} ({apart} apart)")
}

/// For how many intervals it is a guess which part of them was blocked, in words; `None` if it is
/// known for all.
#[must_use]
pub fn guessed(quality: &Quality) -> Option<String> {
    (quality.guessed > 0).then(|| {
        format!(
            "time blocked and time without a processor are told apart by the numbers of context \
             switches only, since the system has no /proc/self/task/*/schedstat, in {}",
            plural(quality.guessed, "interval")
        )
    })
}

/// What recording took of the threads' time, by class.
fn recording(summary: &Summary) -> String {
    let of = |ns: u64| percent(share(ns, summary.budget.total_ns));
    let costs = &summary.quality.recording;
    let classes = costs.iter().map(|one| format!("{} {}", one.class, glued(&of(one.cost_ns))));
    let classes: Vec<String> = classes.collect();
    let all = summary.quality.recording_ns();
    format!(
        "about {} of the threads' time went to recording ({}): {}",
        glued(&of(all)),
        glued(&time(all)),
        classes.join(", ")
    )
}

/// The acquisitions that were only counted, and by how much their waits may be wrong.
fn acquisitions(summary: &Summary) -> String {
    let square = |error: u64| error as f64 * error as f64;
    let variance: f64 = summary.mutexes.iter().map(|one| square(one.wait_error_ns)).sum();
    format!(
        "locks that were taken too often to be timed each time, so that waits and holds are \
         estimated from some at random: {}, wait ± {}",
        plural(summary.quality.counted_acquisitions, "acquisition"),
        glued(&time(variance.sqrt() as u64))
    )
}

/// Whether CPU time that is in no class is more than the collector's own and than the errors of
/// measurement.
fn is_worth_a_line(cpu: u64, summary: &Summary) -> bool {
    cpu > 20_000_000 && share(cpu, summary.header.wall_ns) > 0.02
}

/// The losses of data, as far as they are known, in words.
fn losses(quality: &Quality) -> Vec<String> {
    let mut losses = Vec::new();
    if quality.lost_events > 0 {
        losses.push(format!("{} lost", count(quality.lost_events)));
    }
    if quality.lost_chunks > 0 {
        let chunks = plural(quality.lost_chunks, "damaged chunk");
        losses.push(format!("an unknown number lost in {chunks}"));
    } else if !quality.damaged.is_empty() {
        losses.push("an unknown number lost".to_owned());
    }
    if quality.stopped.is_some() {
        losses.push("all later ones lost".to_owned());
    }
    if losses.is_empty() {
        losses.push("none lost".to_owned());
    }
    losses
}

fn write_counts(page: &mut Page, what: &str, counts: &[(&'static str, u64)]) {
    if counts.is_empty() {
        return;
    }
    let list: Vec<String> = counts
        .iter()
        .map(|(name, number)| format!("{name} {}", glued(&format!("({})", count(*number)))))
        .collect();
    page.paragraph(&format!("  {what}: {}", list.join(", ")), 4);
}
