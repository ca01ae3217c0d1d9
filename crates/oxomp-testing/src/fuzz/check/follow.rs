//! Following a log: the tasks of each thread, from event to event.

use std::collections::BTreeMap;

use super::history::{History, Kind, Region, Task, has, value};
use super::walk::Walk;
use super::{frames, info, places, states};
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log};

/// Follows `log` from its first event to its last.
#[must_use]
pub fn follow(log: &Log) -> (History<'_>, Vec<Violation>) {
    let mut walk =
        Walk { history: History::default(), threads: BTreeMap::new(), found: Vec::new(), at: 0 };
    for (at, event) in log.events.iter().enumerate() {
        walk.at = at;
        walk.take(event);
    }
    walk.end();
    (walk.history, walk.found)
}

impl<'l> Walk<'l> {
    fn take(&mut self, event: &'l Event) {
        if matches!(value(event, "status"), "early_fulfill" | "late_fulfill") {
            return self.fulfil(event);
        }
        let is_new = !self.threads.contains_key(&event.thread);
        if is_new != (event.name == "thread_begin") {
            let what = if is_new { "before its thread_begin" } else { "begins twice" };
            self.say("5.2 §4.5.2.1, native-thread-begin", format!("a thread has an event {what}"));
        }
        let thread = self.threads.entry(event.thread).or_default();
        if thread.is_over {
            self.say("5.2 §4.5.2.2, native-thread-end", "an event after the thread's thread_end");
        }
        places::check(self, event);
        let is_begin = event.get("endpoint") == Some("begin");
        match event.name.as_str() {
            "parallel_begin" => self.parallel_begin(event),
            "implicit_task" if is_begin => self.implicit_task(event),
            _ => {}
        }
        states::check(self, event);
        info::check(self, event);
        frames::check(self, event);
        self.keep(event);
        let thread = self.threads.entry(event.thread).or_default();
        match event.name.as_str() {
            "thread_end" => {
                thread.is_over = true;
                if !thread.stack.is_empty() {
                    self.say("5.2 §4.5.2.2, native-thread-end", "a thread ends inside a task");
                }
            }
            "sync_region" if is_begin => thread.open.push(value(event, "kind")),
            "sync_region" => drop(thread.open.pop()),
            "mutex_acquire" => thread.asked = Some(value(event, "kind")),
            "mutex_acquired" | "mutex_released" | "nest_lock" => thread.asked = None,
            "implicit_task" if !is_begin => self.implicit_task_end(event),
            "parallel_end" => self.parallel_end(event),
            "task_create" => self.task_create(event),
            "task_schedule" => self.task_schedule(event),
            "cancel" if has(value(event, "flags"), "discarded_task") => self.discard(event),
            _ => {}
        }
    }

    /// Adds the event to the events of the task in which it happened.
    fn keep(&mut self, event: &Event) {
        let is_own = matches!(
            event.name.as_str(),
            "implicit_task" | "thread_begin" | "thread_end" | "task_dependence"
        );
        let task = self.current(event).and_then(|task| self.history.tasks.get_mut(task));
        if let (false, Some(task)) = (is_own, task) {
            task.events.push(self.at);
        }
    }

    fn parallel_begin(&mut self, event: &'l Event) {
        let under = self.stack(event).to_vec();
        let encountering = value(event, "encountering_task");
        let around = self.history.tasks.get(encountering);
        let around = around.and_then(|task| self.history.regions.get(task.region));
        let is_league = has(value(event, "flags"), "league");
        let level = around.map_or(0, |region| region.level);
        let active_level = around.map_or(0, |region| region.active_level);
        let region = Region {
            encountering: Some(encountering),
            under,
            is_league,
            begun: self.at,
            level: level + usize::from(!is_league),
            active_level,
            ..Region::default()
        };
        if self.history.regions.insert(value(event, "parallel"), region).is_some() {
            self.say("5.2 §19.5.2.3, parallel_begin", "a region begins twice");
        }
    }

    fn parallel_end(&mut self, event: &Event) {
        let at = self.at;
        let said = match self.history.regions.get_mut(value(event, "parallel")) {
            None => "the end of a region that has not begun".to_owned(),
            Some(region) if region.ended.is_some() => "a region ends twice".to_owned(),
            Some(region) => {
                region.ended = Some(at);
                let league = region.is_league;
                let primary = region.implicit.get(&0).and_then(|task| self.history.tasks.get(task));
                let is_over = primary.is_some_and(|task| task.over.is_some());
                match (is_over, league == has(value(event, "flags"), "league")) {
                    (_, false) => "the end has other flags than the begin".to_owned(),
                    (false, _) => "a region ends before its primary thread's task".to_owned(),
                    _ => return,
                }
            }
        };
        self.say("5.2 §19.5.2.4, parallel_end", said);
    }

    fn implicit_task(&mut self, event: &'l Event) {
        const CLAUSE: &str = "5.2 §19.5.2.11, implicit_task";
        let (name, region) = (value(event, "task"), value(event, "parallel"));
        let number = |key: &str| value(event, key).parse::<usize>().unwrap_or(usize::MAX);
        let (index, size) = (number("index"), number("parallelism"));
        let flags = value(event, "flags");
        let is_initial = has(flags, "initial");
        let at = self.at;
        let thread = self.threads.entry(event.thread).or_default();
        let is_outermost = is_initial && !self.history.regions.contains_key(region);
        let is_target = thread.stack.last().is_some_and(|task| {
            self.history.tasks.get(task).is_some_and(|task| has(task.flags, "target"))
        });
        let kind = match (is_outermost, is_initial) {
            (true, _) if is_target => Kind::Target,
            (true, _) => Kind::Root,
            (false, true) => Kind::Initial(index),
            (false, false) => Kind::Implicit(index),
        };
        if kind == Kind::Root {
            self.history.roots.push(name);
            if !thread.stack.is_empty() {
                self.found.push(Violation::new(CLAUSE, "a second initial task of a thread", at));
            }
        }
        let under = thread.stack.clone();
        thread.open_before.push(thread.open.len());
        thread.stack.push(name);
        let task = Task {
            kind,
            region,
            creator: None,
            begun: at,
            flags,
            events: Vec::new(),
            first_run: Some(at),
            over: None,
            is_discarded: false,
            thread: event.thread,
        };
        if self.history.tasks.insert(name, task).is_some() {
            self.say(CLAUSE, "an implicit task begins twice");
        }
        let mut said = Vec::new();
        let entry = self.history.regions.entry(region).or_insert_with(|| Region {
            is_initial: is_outermost,
            encountering: under.last().copied(),
            under,
            ..Region::default()
        });
        let is_first = entry.implicit.is_empty();
        match kind {
            Kind::Root | Kind::Target => {
                if (index, size) != (1, 1) {
                    said.push("an initial task has the number 1 and the parallelism 1".to_owned());
                }
            }
            _ => {
                if index >= size {
                    said.push(format!("the number {index} in a team of {size}"));
                }
                if entry.encountering.is_none() {
                    said.push("an implicit task of a region that has not begun".to_owned());
                }
                if entry.ended.is_some() {
                    said.push("an implicit task begins after its region's end".to_owned());
                }
                if entry.is_league != is_initial {
                    said.push(format!("flags {flags} in a league: {}", entry.is_league));
                }
                if !is_first && entry.size != size {
                    said.push(format!("another task of the region said {}", entry.size));
                }
            }
        }
        entry.size = size;
        if is_first && size > 1 && !is_initial {
            entry.active_level += 1;
        }
        if entry.implicit.insert(index, name).is_some() {
            said.push("two tasks of a region have one number".to_owned());
        }
        said.into_iter().for_each(|said| self.say(CLAUSE, said));
    }

    fn implicit_task_end(&mut self, event: &Event) {
        const CLAUSE: &str = "5.2 §19.5.2.11, implicit_task";
        let name = value(event, "task");
        let thread = self.threads.entry(event.thread).or_default();
        let popped = thread.stack.pop();
        let before = thread.open_before.pop().unwrap_or(0);
        thread.open.truncate(before);
        if popped != Some(name) {
            self.say(CLAUSE, format!("the end of {name}; the thread executes {popped:?}"));
        }
        let at = self.at;
        if let Some(task) = self.history.tasks.get_mut(name) {
            task.over = Some(at);
            let (kind, flags) = (task.kind, task.flags);
            let index = match kind {
                Kind::Initial(index) | Kind::Implicit(index) => index,
                Kind::Root | Kind::Target | Kind::Explicit => 1,
            };
            if value(event, "index") != index.to_string() || value(event, "flags") != flags {
                self.say(CLAUSE, "number or flags differ from those of the begin");
            }
        }
        if value(event, "parallelism") != "0" {
            self.say(CLAUSE, "actual_parallelism is 0 at an end");
        }
        if value(event, "parallel") != "null" {
            self.say(CLAUSE, "parallel_data is NULL at an end");
        }
    }

    fn task_create(&mut self, event: &'l Event) {
        let creator = value(event, "encountering_task");
        let region = self.history.tasks.get(creator).map_or("", |task| task.region);
        let task = Task {
            kind: Kind::Explicit,
            region,
            creator: Some(creator),
            begun: self.at,
            flags: value(event, "flags"),
            events: Vec::new(),
            first_run: None,
            over: None,
            is_discarded: false,
            thread: event.thread,
        };
        if self.history.tasks.insert(value(event, "task"), task).is_some() {
            self.say("5.2 §19.5.2.7, task_create", "a task is created twice");
        }
    }

    fn task_schedule(&mut self, event: &'l Event) {
        const CLAUSE: &str = "5.2 §19.5.2.10, task_schedule";
        let (prior, status) = (value(event, "prior"), value(event, "status"));
        let next = value(event, "next");
        let at = self.at;
        if status == "taskwait_complete" {
            self.complete(prior);
            if next != "null" {
                self.say(CLAUSE, "no task goes on with taskwait_complete");
            }
            return;
        }
        let current = self.current(event);
        if current != Some(prior) {
            self.say(
                CLAUSE,
                format!("prior_task_data is {prior}, the thread executes {current:?}"),
            );
        }
        match status {
            "complete" | "cancel" => self.complete(prior),
            "detach" | "switch" | "yield" => {}
            other => self.say(CLAUSE, format!("no status of this event: {other}")),
        }
        let ends = matches!(status, "complete" | "cancel" | "detach");
        if ends && self.threads.get(&event.thread).is_some_and(|thread| thread.stack.len() < 2) {
            self.say(CLAUSE, "an implicit task is completed");
        }
        let thread = self.threads.entry(event.thread).or_default();
        if ends {
            thread.stack.pop();
        }
        match thread.stack.iter().rposition(|task| *task == next) {
            Some(position) => {
                // An untied task that is left unfinished.
                thread.stack.truncate(position + 1);
            }
            None => thread.stack.push(next),
        }
        let Some(task) = self.history.tasks.get_mut(next) else {
            return self.say(CLAUSE, format!("{next} goes on, which nothing has created"));
        };
        let mut said = None;
        if task.over.is_some() {
            said = Some(format!("{next} goes on, which is complete"));
        } else if task.first_run.is_none() {
            task.first_run = Some(at);
        } else if task.thread != event.thread && !has(task.flags, "untied") {
            said = Some(format!("{next}, which is tied, goes on on another thread"));
        }
        task.thread = event.thread;
        said.into_iter().for_each(|said| self.say(CLAUSE, said));
    }

    fn fulfil(&mut self, event: &'l Event) {
        const CLAUSE: &str = "5.2 §18.11.1, task-fulfill";
        let prior = value(event, "prior");
        if value(event, "next") != "null" {
            self.say(CLAUSE, "no task goes on when an event is fulfilled");
        }
        match value(event, "status") {
            "late_fulfill" => self.complete(prior),
            _ if self.history.tasks.get(prior).is_none_or(|task| task.over.is_some()) => {
                self.say(CLAUSE, "an early fulfilment of a task that is complete");
            }
            _ => {}
        }
    }

    fn complete(&mut self, task: &str) {
        const CLAUSE: &str = "5.2 §19.5.2.10, task_schedule";
        let at = self.at;
        match self.history.tasks.get_mut(task) {
            Some(task) if task.over.is_none() => task.over = Some(at),
            Some(_) => self.say(CLAUSE, format!("{task} is completed twice")),
            None => self.say(CLAUSE, format!("{task} is completed, which nothing has created")),
        }
    }

    fn discard(&mut self, event: &Event) {
        const CLAUSE: &str = "5.2 §11.2, cancel: discarded task";
        let name = value(event, "task");
        match self.history.tasks.get_mut(name) {
            Some(task) if task.first_run.is_none() => task.is_discarded = true,
            _ => self.say(CLAUSE, format!("{name} is discarded, which has run")),
        }
        self.complete(name);
    }

    fn end(&mut self) {
        let mut found = Vec::new();
        for (name, thread) in &self.threads {
            if !thread.is_over {
                found.push(Violation::new(
                    "5.2 §19.5.2.2, thread_end",
                    format!("thread {name} has no end"),
                    None,
                ));
            }
        }
        for (name, region) in &self.history.regions {
            let numbers: Vec<usize> = region.implicit.keys().copied().collect();
            let is_whole = numbers.iter().copied().eq(0..region.size);
            if !region.is_initial && (!is_whole || region.ended.is_none()) {
                let said = format!("{name} of {} has the tasks {numbers:?}", region.size);
                found.push(Violation::new("5.2 §10.1, parallel", said, region.begun));
            }
        }
        for (name, task) in &self.history.tasks {
            if task.over.is_none() {
                let said = format!("{name} is never completed");
                found.push(Violation::new("5.2 §12.9, task-complete", said, task.begun));
            }
        }
        self.found.append(&mut found);
    }
}
