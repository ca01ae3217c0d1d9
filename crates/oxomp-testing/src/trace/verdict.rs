//! Compares a whole log with an expectation: each thread must fit a role, and all constraints must
//! hold.

use std::collections::BTreeMap;

use crate::settings::Subject;
use crate::trace::language::{Expectation, RoleKind};
use crate::trace::log::{Event, Log};
use crate::trace::matcher::{Obstacle, recognize};
use crate::trace::source::SourceLines;
use crate::trace::value::{Bindings, Lines};

/// Events shown before the one that is wrong.
const CONTEXT: usize = 6;

/// Checks `log`.
///
/// # Errors
///
/// Names the thread, event or constraint that is not as expected.
pub fn check(
    expectation: &Expectation,
    log: &Log,
    lines: &SourceLines,
    subject: Subject,
) -> Result<(), String> {
    if let Some(mark) = expectation.marks().find(|mark| !lines.has_mark(mark)) {
        return Err(format!("the source has no mark //@{mark}"));
    }
    for (line, name, wanted) in &expectation.callbacks {
        let found = log.callbacks.iter().find(|(event, _)| event == name).map(|(_, result)| result);
        if found != Some(wanted) {
            return Err(format!("line {line}: ompt_set_callback({name}) answered {found:?}"));
        }
    }
    let found = threads(expectation, log, lines)?;
    for order in expectation.orders.iter().filter(|one| subject == Subject::Runtime || !one.prompt)
    {
        let (last, first) = (found.seqs(&order.before).max(), found.seqs(&order.after).min());
        if let (Some(last), Some(first)) = (last, first)
            && last > first
        {
            return Err(format!(
                "line {}: {} < {}: event {first} happened before event {last}\n{}",
                order.line,
                order.before,
                order.after,
                excerpt(log, first, last)
            ));
        }
    }
    for total in &expectation.totals {
        let fits = |event: &&Event| {
            let mut bindings = found.globals.clone();
            let mut fits = |wanted: &crate::trace::value::ValuePattern, value: &str| {
                wanted.fits(value, &mut bindings, lines)
            };
            total.pattern.mismatch(event, &mut fits).is_none()
        };
        let count = log.events.iter().filter(fits).count();
        if count != total.count {
            let line = total.pattern.line;
            return Err(format!("line {line}: {count} such events, not {}", total.count));
        }
    }
    Ok(())
}

/// The names and labels bound when every thread has been recognized.
struct Found {
    globals: Bindings,
    labelled: Vec<(String, u64)>,
}

impl Found {
    /// The events with a label.
    fn seqs(&self, label: &str) -> impl Iterator<Item = u64> {
        self.labelled.iter().filter(move |(name, _)| name == label).map(|(_, seq)| *seq)
    }
}

fn threads(expectation: &Expectation, log: &Log, lines: &SourceLines) -> Result<Found, String> {
    let mut by_thread: BTreeMap<usize, Vec<&Event>> = BTreeMap::new();
    for event in &log.events {
        by_thread.entry(event.thread).or_default().push(event);
    }
    let sequences: Vec<Vec<&Event>> = by_thread.into_values().collect();
    let mut search = Search { expectation, lines, sequences: &sequences, failure: None };
    let mut taken = vec![0; expectation.roles.len()];
    match search.assign(0, &mut taken, Bindings::default(), Vec::new()) {
        Some(found) => Ok(found),
        None => Err(search.explain()),
    }
}

/// The search for an assignment of threads to roles, by backtracking.
struct Search<'a> {
    expectation: &'a Expectation,
    lines: &'a dyn Lines,
    sequences: &'a [Vec<&'a Event>],
    /// The obstacle of the thread that is farthest in the list, and farthest in it.
    failure: Option<(usize, Obstacle)>,
}

impl Search<'_> {
    fn assign(
        &mut self,
        thread: usize,
        taken: &mut Vec<usize>,
        globals: Bindings,
        labelled: Vec<(String, u64)>,
    ) -> Option<Found> {
        let Some(events) = self.sequences.get(thread) else {
            let roles = self.expectation.roles.iter().zip(&*taken);
            for (role, &count) in roles {
                if count < role.count.0 {
                    let reason = format!("{count} threads are in this role");
                    self.note(
                        thread,
                        Obstacle { position: 0, expected: vec![(role.line, reason)] },
                    );
                    return None;
                }
            }
            return Some(Found { globals, labelled });
        };
        let kind = kind_of(thread, events);
        for (index, role) in self.expectation.roles.iter().enumerate() {
            if role.kind != kind || taken[index] == role.count.1 {
                continue;
            }
            match recognize(&role.steps, events, &globals, self.lines) {
                Ok(recognized) => {
                    taken[index] += 1;
                    let mut labelled = labelled.clone();
                    let new = recognized.labelled.iter();
                    labelled.extend(new.map(|(name, seq)| ((*name).to_owned(), *seq)));
                    let globals = recognized.bindings.globals();
                    if let Some(found) = self.assign(thread + 1, taken, globals, labelled) {
                        return Some(found);
                    }
                    taken[index] -= 1;
                }
                Err(obstacle) => self.note(thread, obstacle),
            }
        }
        self.note(thread, Obstacle::default());
        None
    }

    fn note(&mut self, thread: usize, obstacle: Obstacle) {
        let place = |(thread, obstacle): &(usize, Obstacle)| (*thread, obstacle.position);
        let better = match &self.failure {
            None => true,
            Some(known) => {
                let new = (thread, obstacle.position);
                new > place(known) || (new == place(known) && known.1.expected.is_empty())
            }
        };
        if better {
            self.failure = Some((thread, obstacle));
        }
    }

    fn explain(self) -> String {
        let Some((thread, obstacle)) = self.failure else {
            return "the program has no events".to_owned();
        };
        let Some(events) = self.sequences.get(thread) else {
            let said = obstacle.expected.iter().map(|(line, what)| format!("line {line}: {what}"));
            return said.collect::<Vec<_>>().join("\n");
        };
        let mut text = format!("thread {thread} does not do what was expected:\n");
        let at = obstacle.position;
        for event in &events[at.saturating_sub(CONTEXT)..at.min(events.len())] {
            text += &format!("    {event}\n");
        }
        match events.get(at) {
            Some(event) => {
                text += &format!("  > {event}\n");
                let address = event.get("codeptr").unwrap_or_default();
                if let Some(line) = self.lines.line(address) {
                    text += &format!("    {address} returns to a call in line {line}\n");
                }
            }
            None => text += "  > (the end)\n",
        }
        if obstacle.expected.is_empty() {
            text += "    no role is left for this thread\n";
        }
        for (line, why) in &obstacle.expected {
            text += &format!("    line {line} was expected: {why}\n");
        }
        text
    }
}

/// The kind of a thread: the log's first thread is the primary one; the first event of any other
/// tells its kind. A thread without a begin is the program's own: it fulfils events, by which
/// detached tasks end.
fn kind_of(thread: usize, events: &[&Event]) -> RoleKind {
    let Some(first) = events.first() else { return RoleKind::Worker };
    match (first.name.as_str(), first.get("type")) {
        ("thread_begin", Some("initial")) if thread == 0 => RoleKind::Primary,
        ("thread_begin", Some("initial")) | ("task_schedule" | "task_end", _) => RoleKind::Root,
        _ => RoleKind::Worker,
    }
}

fn excerpt(log: &Log, first: u64, last: u64) -> String {
    let shown = log.events.iter().filter(|event| event.seq == first || event.seq == last);
    shown.map(|event| format!("    {event}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::{SourceLines, Subject, check};
    use crate::trace::{language, log};

    /// A program without marks: this test's own executable and source serve.
    fn lines() -> SourceLines {
        let executable = std::env::current_exe().expect("this program has a file");
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/trace/verdict.rs");
        SourceLines::new(&executable, &source).expect("readable")
    }

    fn verdict(expectation: &str, events: &[&str]) -> Result<(), String> {
        let text: Vec<_> =
            (1..).zip(expectation.lines().map(|line| line.trim().to_owned())).collect();
        let expectation = language::parse(&text).expect("a right expectation");
        let mut text = String::from("# set_callback work always\n");
        for (seq, event) in events.iter().enumerate() {
            text += &format!("{seq} thread={event}\n");
        }
        text += &format!("# end events={} dropped=0\n", events.len());
        check(&expectation, &log::parse(&text).expect("a right log"), &lines(), Subject::Runtime)
    }

    const TEAM: &str = "primary {
        thread_begin type=initial
        fork p=$p as fork
        run p=$p as run
    }
    worker 1-2 {
        thread_begin type=worker
        run p=$p as run
        end as end
    }
    order fork < run
    prompt end < run
    callback work always";

    const RIGHT: [&str; 6] = [
        "0 thread_begin type=initial",
        "0 fork p=p1",
        "1 thread_begin type=worker",
        "1 run p=p1",
        "1 end",
        "0 run p=p1",
    ];

    #[test]
    fn threads_find_their_roles() {
        let without_prompt = TEAM.replace("prompt end < run\n", "");
        assert_eq!(verdict(&without_prompt, &RIGHT), Ok(()));
    }

    #[test]
    fn a_wrong_event_a_missing_thread_and_one_too_many_fail() {
        let mut wrong = RIGHT;
        wrong[3] = "1 run p=p2";
        let error = verdict(TEAM, &wrong).expect_err("another region");
        assert!(error.contains("line 8 was expected: p is p2"), "{error}");

        let missing = [RIGHT[0], RIGHT[1], RIGHT[5]];
        let error = verdict(TEAM, &missing).expect_err("no worker");
        assert!(error.contains("line 6: 0 threads"), "{error}");

        let mut many = RIGHT.to_vec();
        many.extend(["2 thread_begin type=worker", "2 run p=p1", "2 end"]);
        many.extend(["3 thread_begin type=worker", "3 run p=p1", "3 end"]);
        let error = verdict(TEAM, &many).expect_err("three workers");
        assert!(error.contains("no role is left"), "{error}");
    }

    #[test]
    fn order_totals_and_callbacks_are_checked() {
        let error = verdict(TEAM, &RIGHT).expect_err("a worker's run comes before its end");
        assert!(error.contains("end < run"), "{error}");

        let base = TEAM.replace("prompt end < run\n", "");
        let error = verdict(&format!("{base}\ntotal 3 run .."), &RIGHT).expect_err("two runs");
        assert!(error.contains("2 such events, not 3"), "{error}");
        assert_eq!(verdict(&format!("{base}\ntotal 2 run p=$p"), &RIGHT), Ok(()));

        let error = verdict(&format!("{base}\ncallback work never"), &RIGHT).expect_err("always");
        assert!(error.contains("answered"), "{error}");
    }
}
