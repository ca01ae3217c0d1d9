//! The rules that hold for the events of every program, all of those of `oxomp-event-order`; and
//! the program's own view, which must agree with them.

use oxomp_event_order::history::{History, Region};
use oxomp_event_order::judge::Judge;
use oxomp_event_order::rule::Rule;
use oxomp_event_order::run::Run;
use oxomp_sys::ompt::ompt_task_flag_t;

use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log};
use crate::trace::told;

/// The word that a probe of the program passes: what the routines of OpenMP tell the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The iteration, or 0.
    pub iteration: usize,
    /// `omp_get_thread_num()`.
    pub thread_num: u64,
    /// `omp_get_num_threads()`.
    pub num_threads: u64,
    /// `omp_get_level()`.
    pub level: usize,
    /// `omp_get_active_level()`.
    pub active_level: usize,
    /// `omp_in_final()`.
    pub in_final: bool,
}

impl Seen {
    /// What the probe passed, if the event is one.
    #[must_use]
    pub fn of(event: &Event) -> Option<Self> {
        let word = event.get("arg")?.strip_prefix("0x")?;
        let word = u64::from_str_radix(word, 16).ok()?;
        let part = |from: u32, bits: u32| (word >> from) & ((1 << bits) - 1);
        Some(Self {
            iteration: part(0, 16) as usize,
            thread_num: part(16, 8),
            num_threads: part(24, 8),
            level: part(32, 8) as usize,
            active_level: part(40, 8) as usize,
            in_final: part(48, 1) == 1,
        })
    }
}

/// The history of a log, and what in it breaks the rules.
#[must_use]
pub fn check(log: &Log) -> (History, Vec<Violation>) {
    let events = told::events(log);
    let mut judge = Judge::new(&events, Rule::ALL);
    let mut found = Vec::new();
    while let Some(at) = judge.step() {
        found.extend(
            own_view(judge.run(), &log.events[at])
                .map(|(clause, said)| Violation::new(clause, said, at)),
        );
    }
    let (history, violations) = judge.end();
    found.extend(violations.into_iter().map(Violation::from));
    (history, found)
}

/// Compares what the routines of OpenMP say with what the events say; the clause and the fault.
fn own_view(run: &Run<'_>, event: &Event) -> Option<(&'static str, String)> {
    const CLAUSE: &str = "5.2 §18.2, omp_get_thread_num, omp_get_num_threads, omp_get_level";
    let seen = Seen::of(event)?;
    let history = run.history();
    let current = run.current(event.thread).and_then(|task| history.tasks.get(&task));
    let Some(task) = current else {
        return Some(("control-tool", "a probe outside all tasks".to_owned()));
    };
    let alone = Region { size: 1, ..Region::default() };
    let region = history.regions.get(&task.region).unwrap_or(&alone);
    let wanted = Seen {
        iteration: seen.iteration,
        thread_num: history.thread_num(run.stack(event.thread)),
        num_threads: if region.is_league { 1 } else { region.size },
        level: region.level,
        active_level: region.active_level,
        in_final: task.has(ompt_task_flag_t::FINAL),
    };
    let differs = seen != wanted;
    differs.then(|| (CLAUSE, format!("the program sees {seen:?}, the events say {wanted:?}")))
}
