//! The judge: it follows the events of a run, and applies the rules at each.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_mutex_t};

use crate::event::Event;
use crate::history::History;
use crate::rule::{Rule, Violation};
use crate::run::Run;
use crate::{
    barriers, dependences, frames, levels, mutexes, nesting, regions, states, tasks, threads, words,
};

/// Judges all of `events`, which are in the order in which they happened, by `rules`.
///
/// The violations of a single event come first, in the order of the events; then those that only
/// the whole run shows.
#[must_use]
pub fn judge(events: &[Event], rules: &[Rule]) -> (History, Vec<Violation>) {
    let mut judge = Judge::new(events, rules);
    while judge.step().is_some() {}
    judge.end()
}

/// Judges events one by one.
#[derive(Debug)]
pub struct Judge<'e> {
    run: Run<'e>,
    next: usize,
}

impl<'e> Judge<'e> {
    /// A judge of `events` that applies `rules`, and has seen no event yet.
    #[must_use]
    pub fn new(events: &'e [Event], rules: &'e [Rule]) -> Self {
        Self { run: Run::new(events, rules), next: 0 }
    }

    /// Judges the next event; its position, or `None` after the last.
    pub fn step(&mut self) -> Option<usize> {
        let run = &mut self.run;
        let events = run.events;
        let event = events.get(self.next)?;
        run.at = self.next;
        self.next += 1;
        words::objects(run, event);
        frames::order(run, event);
        if event.is_fulfilment() {
            tasks::fulfil(run, event);
        } else {
            on_thread(run, event);
        }
        Some(run.at)
    }

    /// The run up to the event that was judged last.
    #[must_use]
    pub fn run(&self) -> &Run<'e> {
        &self.run
    }

    /// Judges the whole run, once each event has been judged.
    #[must_use]
    pub fn end(self) -> (History, Vec<Violation>) {
        let mut run = self.run;
        mutexes::check(&mut run);
        dependences::check(&mut run);
        barriers::check(&mut run);
        regions::at_end(&mut run);
        tasks::at_end(&mut run);
        threads::at_end(&mut run);
        (run.history, run.found)
    }
}

/// Judges an event that belongs to its thread.
fn on_thread(run: &mut Run<'_>, event: &Event) {
    threads::check(run, event);
    words::place(run, event);
    match event.code {
        ompt_callbacks_t::PARALLEL_BEGIN => regions::begin(run, event),
        ompt_callbacks_t::IMPLICIT_TASK if event.begins() => regions::enter(run, event),
        _ => {}
    }
    states::check(run, event);
    levels::check(run, event);
    frames::check(run, event);
    run.keep(event);
    nesting::follow(run, event);
    match event.code {
        ompt_callbacks_t::THREAD_END => threads::end(run, event),
        ompt_callbacks_t::MUTEX_ACQUIRE
        | ompt_callbacks_t::MUTEX_ACQUIRED
        | ompt_callbacks_t::MUTEX_RELEASED
        | ompt_callbacks_t::NEST_LOCK => {
            let asks = event.code == ompt_callbacks_t::MUTEX_ACQUIRE;
            let asked = asks.then_some(ompt_mutex_t(event.kind));
            run.threads.entry(event.thread).or_default().asked = asked;
        }
        ompt_callbacks_t::IMPLICIT_TASK if !event.begins() => regions::leave(run, event),
        ompt_callbacks_t::PARALLEL_END => regions::end(run, event),
        ompt_callbacks_t::TASK_CREATE => tasks::create(run, event),
        ompt_callbacks_t::TASK_SCHEDULE => tasks::schedule(run, event),
        _ if event.discards() => tasks::discard(run, event),
        _ => {}
    }
}
