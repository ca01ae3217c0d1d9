//! The rules that the events of every program must keep.
//!
//! Begin and end are nested in each task, objects are announced once and before their use, a region
//! has as many threads as it reports, and a league as many initial tasks, with the numbers below
//! that, each thread's task switches agree with the tasks of its events, every explicit task is
//! completed once, and a task's enter frame is below its exit frame.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::frames;
use crate::trace::log::{Event, Log, find};

/// Checks a log against the rules.
///
/// # Errors
///
/// The first event that breaks one, and which one.
pub fn check(log: &Log) -> Result<(), String> {
    let mut state = State::default();
    for event in &log.events {
        state.take(event).map_err(|rule| format!("{rule}:\n  > {event}\n"))?;
    }
    state.end()
}

#[derive(Default)]
struct State {
    /// Begun and not ended constructs of each task, innermost last.
    open: BTreeMap<String, Vec<Open>>,
    /// For each thread the tasks around the regions that it is in, and, last, the task that it
    /// executes.
    current: BTreeMap<usize, Vec<String>>,
    ended_threads: BTreeSet<usize>,
    regions: BTreeMap<String, Region>,
    tasks: BTreeSet<String>,
    /// Implicit tasks that have not ended.
    implicit: BTreeSet<String>,
    /// Explicit tasks that are not complete.
    unfinished: BTreeMap<String, Progress>,
    /// The mutexes that each thread waits for or owns.
    asked: BTreeMap<usize, Vec<String>>,
    held: BTreeMap<(usize, String), usize>,
}

struct Open {
    construct: String,
    kind: String,
}

/// How far an explicit task is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The task may run, on any thread.
    Runs,
    /// The task's body is over, but its event is not fulfilled.
    Detached,
}

#[derive(Default)]
struct Region {
    ended: bool,
    is_league: bool,
    /// The team's size, once a thread has reported it.
    parallelism: Option<String>,
    indices: BTreeSet<String>,
    implicit_tasks: usize,
}

impl State {
    fn take(&mut self, event: &Event) -> Result<(), String> {
        if let Some((key, value)) = event.keys.iter().find(|(key, value)| is_broken(key, value)) {
            return Err(format!("{key} is {value}"));
        }
        for detail in &event.details {
            if let Some((key, value)) =
                detail.keys.iter().find(|(key, value)| is_broken(key, value))
            {
                return Err(format!("{} answers {key} {value}", detail.name));
            }
        }
        let answers = event.details.iter().map(|detail| &detail.keys);
        for keys in answers.chain([&event.keys]) {
            if let Some(enter) = frames::misplaced(keys) {
                return Err(format!("enter_frame {enter} is not below the runtime's exit_frame"));
            }
        }
        let thread = event.thread;
        match event.name.as_str() {
            "thread_begin" => {
                if self.current.insert(thread, Vec::new()).is_some() {
                    return Err("a thread begins twice".to_owned());
                }
                return Ok(());
            }
            // A thread that OpenMP does not know may fulfil an event.
            "task_schedule" if is_fulfilment(event) => return self.fulfilment(event),
            _ if !self.current.contains_key(&thread) => {
                return Err("a thread's first event is not thread_begin".to_owned());
            }
            _ if self.ended_threads.contains(&thread) => {
                return Err("an event after the thread's end".to_owned());
            }
            "thread_end" => {
                self.ended_threads.insert(thread);
                if self.current.get(&thread).is_some_and(|tasks| !tasks.is_empty()) {
                    return Err("a thread ends inside a task".to_owned());
                }
            }
            "parallel_begin" => self.parallel_begin(event)?,
            "parallel_end" => self.parallel_end(event)?,
            "implicit_task" if event.get("endpoint") == Some("begin") => {
                self.implicit_task(event)?
            }
            "task_create" => self.task_create(event)?,
            "task_schedule" => self.task_schedule(event)?,
            "cancel" if is_discard(event) => {
                self.complete(event.get("task").unwrap_or_default())?
            }
            "mutex_acquire" | "mutex_acquired" | "mutex_released" => self.mutex(event)?,
            _ => {}
        }
        self.nesting(event)
    }

    fn parallel_begin(&mut self, event: &Event) -> Result<(), String> {
        let region = event.get("parallel").unwrap_or_default().to_owned();
        let is_league = event.get("flags").is_some_and(|flags| has(flags, "league"));
        if self.regions.insert(region, Region { is_league, ..Region::default() }).is_some() {
            return Err("a region begins twice".to_owned());
        }
        Ok(())
    }

    fn parallel_end(&mut self, event: &Event) -> Result<(), String> {
        match self.regions.get_mut(event.get("parallel").unwrap_or_default()) {
            Some(region) if !region.ended => region.ended = true,
            _ => return Err("the end of a region that has not begun".to_owned()),
        }
        Ok(())
    }

    fn implicit_task(&mut self, event: &Event) -> Result<(), String> {
        let value = |key: &str| event.get(key).unwrap_or_default().to_owned();
        if !self.tasks.insert(value("task")) {
            return Err("an implicit task begins twice".to_owned());
        }
        let is_initial = has(&value("flags"), "initial");
        let Some(region) = self.regions.get_mut(&value("parallel")) else {
            // The region around the initial task of a root is announced by this event only.
            return if is_initial {
                Ok(())
            } else {
                Err("an implicit task of a region that has not begun".to_owned())
            };
        };
        if region.is_league != is_initial {
            return Err("leagues have initial tasks, and parallel regions others".to_owned());
        }
        if region.ended {
            return Err("an implicit task begins after its region's end".to_owned());
        }
        let parallelism = region.parallelism.get_or_insert_with(|| value("parallelism"));
        if *parallelism != value("parallelism") {
            return Err(format!("another task of the team said {parallelism} threads"));
        }
        if !region.indices.insert(value("index")) {
            return Err("two threads of a team have one number".to_owned());
        }
        region.implicit_tasks += 1;
        let (index, size) = (value("index").parse::<usize>(), parallelism.parse::<usize>());
        match (index, size) {
            (Ok(index), Ok(size)) if index < size => Ok(()),
            _ => Err("a thread's number lies outside its team".to_owned()),
        }
    }

    fn task_create(&mut self, event: &Event) -> Result<(), String> {
        let value = |key: &str| event.get(key).unwrap_or_default().to_owned();
        self.is_executed(event.thread, &value("encountering_task"))?;
        if !self.tasks.insert(value("task")) {
            return Err("a task is created twice".to_owned());
        }
        self.unfinished.insert(value("task"), Progress::Runs);
        Ok(())
    }

    fn task_schedule(&mut self, event: &Event) -> Result<(), String> {
        let value = |key: &str| event.get(key).unwrap_or_default().to_owned();
        let (prior, next) = (value("prior"), value("next"));
        let over = match event.get("status") {
            // No thread executes the task of a taskwait.
            Some("taskwait_complete") => return self.complete(&prior),
            Some("complete" | "cancel") => true,
            Some("detach") => {
                self.unfinished.insert(prior.clone(), Progress::Detached);
                false
            }
            _ => false,
        };
        self.is_executed(event.thread, &prior)?;
        if over {
            self.complete(&prior)?;
        }
        match self.unfinished.get(&next) {
            Some(Progress::Runs) => {}
            Some(Progress::Detached) => {
                return Err("a task goes on whose body is over".to_owned());
            }
            None if self.implicit.contains(&next) => {}
            None => return Err("a task goes on that has not begun, or is complete".to_owned()),
        }
        if let Some(last) = self.current.entry(event.thread).or_default().last_mut() {
            *last = next;
        }
        Ok(())
    }

    fn fulfilment(&mut self, event: &Event) -> Result<(), String> {
        let prior = event.get("prior").unwrap_or_default();
        match (event.get("status"), self.unfinished.get(prior)) {
            (Some("early_fulfill"), Some(Progress::Runs)) => Ok(()),
            (Some("late_fulfill"), Some(Progress::Detached)) => self.complete(prior),
            _ => Err("an event is fulfilled of a task that is not so far, or too far".to_owned()),
        }
    }

    fn complete(&mut self, task: &str) -> Result<(), String> {
        if self.open.get(task).is_some_and(|open| !open.is_empty()) {
            return Err("a task ends inside a construct".to_owned());
        }
        match self.unfinished.remove(task) {
            Some(_) => Ok(()),
            None => Err("a task is completed that is none, or for the second time".to_owned()),
        }
    }

    fn is_executed(&self, thread: usize, task: &str) -> Result<(), String> {
        match self.current.get(&thread).and_then(|tasks| tasks.last()) {
            Some(current) if current == task => Ok(()),
            Some(current) => Err(format!("the thread executes {current}")),
            None => Err("the thread executes no task".to_owned()),
        }
    }

    fn mutex(&mut self, event: &Event) -> Result<(), String> {
        let wait_id = event.get("wait_id").unwrap_or_default().to_owned();
        let asked = self.asked.entry(event.thread).or_default();
        let held = self.held.entry((event.thread, wait_id.clone())).or_default();
        let is_test = event.get("kind").is_some_and(|kind| kind.starts_with("test_"));
        match event.name.as_str() {
            "mutex_acquire" => {
                // omp_test_lock may fail, which no event reports.
                if !is_test {
                    asked.push(wait_id);
                }
            }
            "mutex_acquired" => {
                if !is_test && asked.pop().as_ref() != Some(&wait_id) {
                    return Err("a mutex acquired that was not asked for".to_owned());
                }
                *held += 1;
            }
            _ => *held = held.saturating_sub(1),
        }
        Ok(())
    }

    fn nesting(&mut self, event: &Event) -> Result<(), String> {
        let construct = match event.name.as_str() {
            name @ ("implicit_task" | "work" | "masked" | "sync_region" | "sync_region_wait"
            | "reduction") => name,
            _ => return Ok(()),
        };
        let value = |key: &str| event.get(key).unwrap_or_default().to_owned();
        let kind = value("type") + &value("kind");
        let task = value("task");
        let is_begin = event.get("endpoint") == Some("begin");
        if construct == "implicit_task" {
            let current = self.current.entry(event.thread).or_default();
            if is_begin {
                current.push(task.clone());
                self.implicit.insert(task.clone());
            } else if current.pop().as_ref() != Some(&task) {
                return Err("the end of another task than that which is executed".to_owned());
            } else {
                self.implicit.remove(&task);
            }
        } else {
            self.is_executed(event.thread, &task)?;
        }
        let open = self.open.entry(task).or_default();
        match event.get("endpoint") {
            Some("begin") => {
                open.push(Open { construct: construct.to_owned(), kind });
                Ok(())
            }
            Some("end") => {
                let Some(last) = open.pop() else {
                    return Err("an end without a begin".to_owned());
                };
                if (last.construct.as_str(), &last.kind) != (construct, &kind) {
                    return Err(format!("{} {} is still open", last.construct, last.kind));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end(&self) -> Result<(), String> {
        for (name, region) in &self.regions {
            if !region.ended {
                return Err(format!("the region {name} has no end"));
            }
            let size = region.parallelism.as_ref().and_then(|size| size.parse().ok());
            if size != Some(region.implicit_tasks) {
                let tasks = region.implicit_tasks;
                return Err(format!("the region {name} has {tasks} implicit tasks of {size:?}"));
            }
        }
        if let Some(task) = self.unfinished.keys().next() {
            return Err(format!("the task {task} was not completed"));
        }
        match self.current.iter().find(|(thread, _)| !self.ended_threads.contains(thread)) {
            Some((thread, _)) => Err(format!("thread {thread} has no end")),
            None => Ok(()),
        }
    }
}

/// Whether a list of flags has `flag`.
fn has(flags: &str, flag: &str) -> bool {
    flags.split(',').any(|one| one == flag)
}

fn is_fulfilment(event: &Event) -> bool {
    matches!(event.get("status"), Some("early_fulfill" | "late_fulfill"))
}

fn is_broken(key: &str, value: &str) -> bool {
    value.starts_with("bad:")
        || value == "zero"
        || key == "dirty"
        || (key == "thread_data" && value != "ok")
}

/// Whether the event says that a task is discarded, which so is complete without having begun.
fn is_discard(event: &Event) -> bool {
    event.get("flags").is_some_and(|flags| flags.split(',').any(|flag| flag == "discarded_task"))
}

/// Whether the runtime has every entry point and answers registrations as the specification says.
///
/// # Errors
///
/// Names the missing entry points and the wrong answers.
pub fn check_registration(log: &Log) -> Result<(), String> {
    if let Some(name) = log.missing_entry_points.first() {
        return Err(format!("the entry point {name} is missing"));
    }
    const ALWAYS: [&str; 5] =
        ["thread_begin", "thread_end", "parallel_begin", "parallel_end", "implicit_task"];
    match ALWAYS.iter().find(|name| find(&log.callbacks, name) != Some("always")) {
        Some(name) => Err(format!("ompt_set_callback({name}) did not answer `always`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::trace::log::parse;

    const TEAM: [&str; 12] = [
        "0 thread_begin type=initial",
        "0 implicit_task endpoint=begin parallel=p1 task=t1 parallelism=1 index=1 flags=initial",
        "0 parallel_begin parallel=p2",
        "0 implicit_task endpoint=begin parallel=p2 task=t2 parallelism=1 index=0 flags=implicit",
        "0 work type=loop_static endpoint=begin task=t2",
        "0 work type=loop_static endpoint=end task=t2",
        "0 mutex_acquire kind=critical wait_id=w1",
        "0 mutex_acquired kind=critical wait_id=w1",
        "0 implicit_task endpoint=end parallel=null task=t2 parallelism=0 index=0 flags=implicit",
        "0 parallel_end parallel=p2",
        "0 implicit_task endpoint=end parallel=null task=t1 parallelism=0 index=1 flags=initial",
        "0 thread_end thread_data=ok",
    ];

    /// Within the initial task: one task that is run, and one that is detached and fulfilled.
    const TASKS: [&str; 10] = [
        "0 thread_begin type=initial",
        "0 implicit_task endpoint=begin parallel=p1 task=t1 parallelism=1 index=1 flags=initial",
        "0 task_create task=t2 encountering_task=t1",
        "0 task_create task=t3 encountering_task=t1",
        "0 task_schedule prior=t1 status=switch next=t2",
        "0 task_schedule prior=t2 status=complete next=t3",
        "0 task_schedule prior=t3 status=detach next=t1",
        "5 task_schedule prior=t3 status=late_fulfill next=null",
        "0 implicit_task endpoint=end parallel=null task=t1 parallelism=0 index=1 flags=initial",
        "0 thread_end thread_data=ok",
    ];

    #[test]
    fn threads_go_from_task_to_task() {
        assert_eq!(checked(&TASKS.map(str::to_owned)), Ok(()));
        for (line, from, to, wanted) in [
            (2, "task_create task=t2", "flush", "has not begun"),
            (2, "encountering_task=t1", "encountering_task=t9", "executes t1"),
            (3, "task=t3", "task=t2", "created twice"),
            (4, "prior=t1", "prior=t3", "executes t1"),
            (5, "complete", "switch", "t2 was not completed"),
            (6, "detach", "complete", "not so far, or too far"),
            (6, "next=t1", "next=t2", "has not begun, or is complete"),
            (7, "late", "early", "not so far, or too far"),
            (7, "task_schedule", "thread_begin", "t3 was not completed"),
            (7, "prior=t3", "prior=t2", "not so far, or too far"),
        ] {
            let mut events = TASKS.map(str::to_owned);
            events[line] = events[line].replace(from, to);
            let error = checked(&events).expect_err(wanted);
            assert!(error.contains(wanted), "{wanted}: {error}");
        }
    }

    fn checked(events: &[String]) -> Result<(), String> {
        let mut text: String = (0..)
            .zip(events)
            .map(|(seq, event): (usize, _)| format!("{seq} thread={event}\n"))
            .collect();
        text += &format!("# end events={} dropped=0\n", events.len());
        check(&parse(&text).expect("a right log"))
    }

    #[test]
    fn a_right_log_passes() {
        assert_eq!(checked(&TEAM.map(str::to_owned)), Ok(()));
    }

    #[test]
    fn a_discarded_task_is_complete() {
        let discarded = "0 cancel task=t2 flags=taskgroup,discarded_task".to_owned();
        let mut events = TASKS.map(str::to_owned).to_vec();
        events[4] = discarded.clone();
        events[5] = "0 task_schedule prior=t1 status=switch next=t3".to_owned();
        assert_eq!(checked(&events), Ok(()));
        events.insert(4, discarded);
        let error = checked(&events).expect_err("it is discarded twice");
        assert!(error.contains("for the second time"), "{error}");
    }

    #[test]
    fn a_league_has_initial_tasks() {
        let mut league = TEAM.map(str::to_owned);
        league[2] += " flags=invoker_runtime,league";
        league[3] = league[3].replace("flags=implicit", "flags=initial");
        league[8] = league[8].replace("flags=implicit", "flags=initial");
        assert_eq!(checked(&league), Ok(()));
        for (line, from, to) in [(2, "league", "team"), (3, "flags=initial", "flags=implicit")] {
            let mut events = league.clone();
            events[line] = events[line].replace(from, to);
            assert!(checked(&events).expect_err("wrong").contains("leagues have initial tasks"));
        }
        league[3] = league[3].replace("parallelism=1", "parallelism=2");
        assert!(checked(&league).expect_err("too few").contains("implicit tasks of"));
    }

    #[test]
    fn each_rule_has_an_effect() {
        for (line, from, to, wanted) in [
            (0, "thread_begin type=initial", "flush", "not thread_begin"),
            (3, "parallelism=1", "parallelism=2", "implicit tasks of"),
            (3, "index=0", "index=1", "outside its team"),
            (3, "parallel=p2", "parallel=p7", "not begun"),
            (3, "task=t2", "task=t1", "begins twice"),
            (4, "task=t2", "task=bad:0x1", "task is bad"),
            (5, "loop_static", "loop_dynamic", "still open"),
            (5, "task=t2", "task=t1", "executes t2"),
            (7, "w1", "w2", "not asked for"),
            (9, "p2", "p1", "not begun"),
            (9, "parallel_end", "flush", "has no end"),
            (10, "implicit_task", "flush", "inside a task"),
            (11, "thread_end thread_data=ok", "flush", "has no end"),
            (11, "ok", "wrong", "thread_data is wrong"),
        ] {
            let mut events = TEAM.map(str::to_owned);
            events[line] = events[line].replace(from, to);
            let error = checked(&events).expect_err(wanted);
            assert!(error.contains(wanted), "{wanted}: {error}");
        }
    }
}
