//! A run as its events so far describe it, and the rules that they break.

use std::collections::BTreeMap;

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_mutex_t, ompt_sync_region_t};

use crate::event::{Event, Object};
use crate::history::History;
use crate::rule::{Rule, Violation};

/// What the events so far say of tasks, regions and threads, and the rules that they break.
#[derive(Debug)]
pub struct Run<'e> {
    pub(crate) events: &'e [Event],
    /// The position of the event that is judged.
    pub(crate) at: usize,
    rules: &'e [Rule],
    pub(crate) history: History,
    pub(crate) threads: BTreeMap<usize, Thread>,
    /// The constructs of each task that have begun and not ended, innermost last.
    pub(crate) open: BTreeMap<Object, Vec<Construct>>,
    pub(crate) found: Vec<Violation>,
}

/// A thread as the events so far describe it.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) is_over: bool,
    /// The tasks on its stack, the executed one last.
    pub(crate) stack: Vec<Object>,
    /// The kind of mutex between `mutex_acquire` and the thread's next event about mutexes.
    pub(crate) asked: Option<ompt_mutex_t>,
}

/// A construct that has begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Construct {
    pub(crate) code: ompt_callbacks_t,
    pub(crate) kind: i32,
    pub(crate) begun: usize,
}

impl<'e> Run<'e> {
    pub(crate) fn new(events: &'e [Event], rules: &'e [Rule]) -> Self {
        Self {
            events,
            at: 0,
            rules,
            history: History::default(),
            threads: BTreeMap::new(),
            open: BTreeMap::new(),
            found: Vec::new(),
        }
    }

    /// The tasks and regions so far.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The tasks on a thread's stack, the executed one last.
    #[must_use]
    pub fn stack(&self, thread: usize) -> &[Object] {
        self.threads.get(&thread).map_or(&[], |thread| &thread.stack)
    }

    /// The task that a thread executes.
    #[must_use]
    pub fn current(&self, thread: usize) -> Option<Object> {
        self.stack(thread).last().copied()
    }

    /// Whether one of `rules` is applied.
    pub(crate) fn applies(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| self.rules.contains(rule))
    }

    /// Notes that the current event breaks a rule.
    pub(crate) fn say(&mut self, rule: Rule, said: impl Into<String>) {
        self.say_of(rule, said, &[self.at]);
    }

    /// Notes that `events` break a rule.
    pub(crate) fn say_of(&mut self, rule: Rule, said: impl Into<String>, events: &[usize]) {
        if self.applies(&[rule]) {
            self.found.push(Violation { rule, said: said.into(), events: events.to_vec() });
        }
    }

    /// Notes that the event breaks `rule`, unless its thread executes its task; `role` is the
    /// task's role in the event.
    pub(crate) fn executes(&mut self, rule: Rule, event: &Event, role: &str) {
        let (task, current) = (event.task, self.current(event.thread));
        if current != Some(task) {
            self.say(rule, format!("{role} is {task}, the thread executes {}", shown(current)));
        }
    }

    /// The kinds of synchronization that tasks on the thread's stack are in.
    pub(crate) fn open_on(&self, thread: usize) -> impl Iterator<Item = ompt_sync_region_t> + '_ {
        let constructs =
            self.stack(thread).iter().filter_map(move |task| self.open.get(task)).flatten();
        constructs
            .filter(|construct| construct.code == ompt_callbacks_t::SYNC_REGION)
            .map(|construct| ompt_sync_region_t(construct.kind))
    }

    /// Adds the event to those of the task in which it happened.
    pub(crate) fn keep(&mut self, event: &Event) {
        let is_own = matches!(
            event.code,
            ompt_callbacks_t::IMPLICIT_TASK
                | ompt_callbacks_t::THREAD_BEGIN
                | ompt_callbacks_t::THREAD_END
                | ompt_callbacks_t::TASK_DEPENDENCE
        );
        let current = self.current(event.thread);
        let task = current.and_then(|task| self.history.tasks.get_mut(&task));
        if let (false, Some(task)) = (is_own, task) {
            task.events.push(self.at);
        }
    }
}

/// A task that a thread executes, for people.
pub(crate) fn shown(task: Option<Object>) -> String {
    task.map_or_else(|| "no task".to_owned(), |task| task.to_string())
}
