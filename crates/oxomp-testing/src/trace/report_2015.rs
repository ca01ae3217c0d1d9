//! The rules that the events of every program must keep by the interface of the 2015 report.
//!
//! A thread's events begin with its begin and end with its end; while a thread is idle or a task
//! waits nothing else happens there; ids are new where objects begin; begin and end are nested in
//! each task; task switches agree with the tasks of a thread's events; a region has as many
//! implicit tasks as threads; a wait for a mutex ends with its acquisition; the shutdown is the
//! last event.

use std::collections::BTreeMap;

use crate::trace::log::{Event, Log, find};

/// The events that every runtime has to deliver.
const MANDATORY: [&str; 10] = [
    "parallel_begin",
    "parallel_end",
    "task_begin",
    "task_end",
    "thread_begin",
    "thread_end",
    "control",
    "runtime_shutdown",
    "target_task_begin",
    "target_task_end",
];

/// Regions that a task enters and leaves, as the middle of their events' names.
const REGIONS: [&str; 9] = [
    "loop",
    "sections",
    "single_in_block",
    "single_others",
    "workshare",
    "master",
    "barrier",
    "taskwait",
    "taskgroup",
];

/// Checks a log against the rules, and the runtime's answers before it.
///
/// # Errors
///
/// The first event that breaks a rule, and which one; or the answer that is wrong.
pub fn check(log: &Log) -> Result<(), String> {
    if let Some(name) = log.missing_entry_points.first() {
        return Err(format!("the entry point {name} is missing"));
    }
    if let Some(name) =
        MANDATORY.iter().find(|name| find(&log.callbacks, name).is_some_and(|a| a != "always"))
    {
        return Err(format!("ompt_set_callback({name}) did not answer `always`"));
    }
    let mut state = State::default();
    for event in &log.events {
        state.take(event).map_err(|rule| format!("{rule}:\n  > {event}\n"))?;
    }
    state.end()
}

#[derive(Default)]
struct State {
    threads: BTreeMap<usize, Thread>,
    regions: BTreeMap<String, Region>,
    tasks: BTreeMap<String, Task>,
    is_shut_down: bool,
}

#[derive(Default)]
struct Thread {
    kind: String,
    has_ended: bool,
    /// The event that must come next: the end of idleness or of a wait, with its arguments.
    closing: Option<Closing>,
    /// The implicit and initial tasks that the thread is in, each with its region and the task that
    /// is executed there.
    inside: Vec<Inside>,
    /// The wait for a mutex that the thread is in: the mutex, and the event that ends the wait.
    waits_for: Option<(String, Vec<String>)>,
    /// How often a task that the thread executes owns each nestable lock, or, of a lock of OpenMP
    /// 2.5, the thread itself.
    nest_locks: BTreeMap<String, usize>,
}

struct Closing {
    event: String,
    arguments: Vec<(String, String)>,
}

struct Inside {
    implicit: String,
    region: Option<String>,
    current: String,
}

#[derive(Default)]
struct Region {
    has_ended: bool,
    begin: Vec<(String, String)>,
    implicit_tasks: usize,
    size: Option<usize>,
}

#[derive(Default)]
struct Task {
    has_ended: bool,
    open: Vec<String>,
}

fn value(event: &Event, key: &str) -> String {
    event.get(key).unwrap_or_default().to_owned()
}

impl State {
    fn take(&mut self, event: &Event) -> Result<(), String> {
        if self.is_shut_down {
            return Err("an event after the shutdown".to_owned());
        }
        if let Some((key, value)) = event.keys.iter().find(|(key, value)| is_broken(key, value)) {
            return Err(format!("{key} is {value}"));
        }
        if event.name == "runtime_shutdown" {
            self.is_shut_down = true;
            return Ok(());
        }
        self.thread(event)?;
        match event.name.as_str() {
            "parallel_begin" => self.parallel_begin(event),
            "parallel_end" => self.parallel_end(event),
            "implicit_task_begin" | "initial_task_begin" => self.task_of_thread(event),
            "implicit_task_end" | "initial_task_end" => self.task_of_thread_over(event),
            "task_begin" | "target_task_begin" => {
                self.executes(event, "parent")?;
                self.new_task(event)
            }
            "task_end" | "target_task_end" => self.task_over(event),
            "task_switch" => self.task_switch(event),
            name if name.contains("nest_lock") && !name.starts_with("wait") => {
                self.wait_over(event)?;
                self.nest_lock(event)
            }
            name if name.starts_with("acquired") => self.wait_over(event),
            "wait_lock" | "wait_nest_lock" | "wait_critical" | "wait_atomic" | "wait_ordered" => {
                self.wait_for_mutex(event)
            }
            _ => self.region_of_task(event),
        }
    }

    /// What holds for every thread: begin, end, and nothing while it is idle or waits.
    fn thread(&mut self, event: &Event) -> Result<(), String> {
        let is_new = !self.threads.contains_key(&event.thread);
        // A thread that OpenMP does not know may fulfil an event.
        if is_new && event.name == "task_end" {
            return Ok(());
        }
        if is_new != (event.name == "thread_begin") {
            return Err("the thread's first event, and only that, is not thread_begin".to_owned());
        }
        let thread = self.threads.entry(event.thread).or_default();
        if thread.has_ended {
            return Err("an event after the thread's end".to_owned());
        }
        if let Some(closing) = thread.closing.take() {
            let same = closing.arguments.iter().all(|(key, value)| event.get(key) == Some(value));
            return match closing.event == event.name && same {
                true => Ok(()),
                false => Err(format!("not {}, or with other arguments", closing.event)),
            };
        }
        match event.name.as_str() {
            "thread_begin" => thread.kind = value(event, "type"),
            "thread_end" => {
                thread.has_ended = true;
                if thread.kind != value(event, "type") || !thread.inside.is_empty() {
                    return Err("the end of another type of thread, or inside a task".to_owned());
                }
            }
            "idle_begin" if !thread.inside.is_empty() => {
                return Err("a thread is idle inside a task".to_owned());
            }
            "idle_begin" => thread.closing = Some(closing("idle_end", event)),
            name @ ("wait_barrier_begin" | "wait_taskwait_begin" | "wait_taskgroup_begin") => {
                thread.closing = Some(closing(&name.replace("_begin", "_end"), event));
            }
            "idle_end" | "wait_barrier_end" | "wait_taskwait_end" | "wait_taskgroup_end" => {
                return Err("an end without a begin".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn parallel_begin(&mut self, event: &Event) -> Result<(), String> {
        self.executes(event, "parent")?;
        let begin = event.keys.clone();
        let region = Region { begin, ..Region::default() };
        match self.regions.insert(value(event, "parallel"), region) {
            Some(_) => Err("a region begins twice".to_owned()),
            None => Ok(()),
        }
    }

    fn parallel_end(&mut self, event: &Event) -> Result<(), String> {
        self.executes(event, "task")?;
        let region = self.regions.get_mut(&value(event, "parallel"));
        let region = region.ok_or("the end of a region that has not begun")?;
        let begin = |key| find(&region.begin, key);
        if (begin("parent"), begin("invoker")) != (event.get("task"), event.get("invoker")) {
            return Err("the region's begin had another task, or another invoker".to_owned());
        }
        match std::mem::replace(&mut region.has_ended, true) {
            true => Err("a region ends twice".to_owned()),
            false => Ok(()),
        }
    }

    fn new_task(&mut self, event: &Event) -> Result<(), String> {
        match self.tasks.insert(value(event, "task"), Task::default()) {
            Some(_) => Err("a task begins twice".to_owned()),
            None => Ok(()),
        }
    }

    fn task_of_thread(&mut self, event: &Event) -> Result<(), String> {
        self.new_task(event)?;
        let (task, region) = (value(event, "task"), event.get("parallel").map(str::to_owned));
        if let Some(name) = &region {
            let region = self.regions.get_mut(name).filter(|region| !region.has_ended);
            let region = region.ok_or("an implicit task of no region, or of one that is over")?;
            region.implicit_tasks += 1;
            let info = event.details.iter().find(|detail| detail.name == "parallel_info");
            let size = info.and_then(|detail| find(&detail.keys, "size")?.parse().ok());
            let size: usize = size.ok_or("the team has no size")?;
            if *region.size.get_or_insert(size) != size {
                return Err("another thread of the team had another size".to_owned());
            }
        }
        let thread = self.threads.entry(event.thread).or_default();
        thread.inside.push(Inside { implicit: task.clone(), region, current: task });
        Ok(())
    }

    fn task_of_thread_over(&mut self, event: &Event) -> Result<(), String> {
        let thread = self.threads.entry(event.thread).or_default();
        let inside = thread.inside.pop().ok_or("the thread is in no task")?;
        let task = value(event, "task");
        if (&inside.implicit, &inside.current) != (&task, &task) {
            return Err(format!("the thread executes {}", inside.current));
        }
        if inside.region.as_deref() != event.get("parallel") {
            return Err("the task began in another region".to_owned());
        }
        self.task_over(event)
    }

    fn task_over(&mut self, event: &Event) -> Result<(), String> {
        let task = self.tasks.get_mut(&value(event, "task")).ok_or("the end of no task")?;
        if let Some(open) = task.open.last() {
            return Err(format!("the task ends inside a {open} region"));
        }
        match std::mem::replace(&mut task.has_ended, true) {
            true => Err("a task ends twice".to_owned()),
            false => Ok(()),
        }
    }

    fn task_switch(&mut self, event: &Event) -> Result<(), String> {
        let (first, second) = (value(event, "first"), value(event, "second"));
        let thread = self.threads.entry(event.thread).or_default();
        let inside = thread.inside.last_mut().ok_or("the thread is in no region")?;
        let before = std::mem::replace(&mut inside.current, second.clone());
        let has_ended = |name: &str| self.tasks.get(name).is_none_or(|task| task.has_ended);
        let expected = if has_ended(&before) { "zero" } else { &before };
        if first != expected || first == second {
            return Err(format!("the thread leaves {expected}"));
        }
        match has_ended(&second) {
            true => Err("a task goes on that has not begun, or is over".to_owned()),
            false => Ok(()),
        }
    }

    fn wait_for_mutex(&mut self, event: &Event) -> Result<(), String> {
        self.wait_over(event)?;
        let acquired = match event.name.as_str() {
            "wait_nest_lock" => vec!["acquired_nest_lock_first".to_owned()],
            name => vec![name.replace("wait", "acquired")],
        };
        let thread = self.threads.entry(event.thread).or_default();
        thread.waits_for = Some((value(event, "wait_id"), acquired));
        Ok(())
    }

    /// The acquisition that a wait ends with, if the thread waits.
    fn wait_over(&mut self, event: &Event) -> Result<(), String> {
        let thread = self.threads.entry(event.thread).or_default();
        let Some((mutex, acquired)) = thread.waits_for.take() else { return Ok(()) };
        match mutex == value(event, "wait_id") && acquired.contains(&event.name) {
            true => Ok(()),
            false => Err(format!("the thread waits for {mutex}")),
        }
    }

    fn nest_lock(&mut self, event: &Event) -> Result<(), String> {
        let thread = self.threads.entry(event.thread).or_default();
        let owned = thread.nest_locks.entry(value(event, "wait_id")).or_default();
        let (before, after) = match event.name.as_str() {
            "acquired_nest_lock_first" => (*owned == 0, 1),
            "acquired_nest_lock_next" => (*owned > 0, *owned + 1),
            "release_nest_lock_prev" => (*owned > 1, owned.saturating_sub(1)),
            "release_nest_lock_last" => (*owned == 1, 0),
            _ => return Ok(()),
        };
        let was = std::mem::replace(owned, after);
        match before {
            true => Ok(()),
            false => Err(format!("the lock is owned {was} times")),
        }
    }

    /// Begin and end of a region of a task, and the region around it.
    fn region_of_task(&mut self, event: &Event) -> Result<(), String> {
        if let Some(thread) = self.threads.get(&event.thread)
            && let Some((mutex, _)) = &thread.waits_for
        {
            return Err(format!("the thread waits for {mutex}"));
        }
        let (Some(task), Some(parallel)) = (event.get("task"), event.get("parallel")) else {
            return Ok(());
        };
        self.executes(event, "task")?;
        let inside = self.threads.get(&event.thread).and_then(|thread| thread.inside.last());
        if let Some(region) = inside.and_then(|inside| inside.region.as_deref())
            && region != parallel
        {
            return Err(format!("the thread is in {region}"));
        }
        let open = &mut self.tasks.entry(task.to_owned()).or_default().open;
        let kind = |end: &str| {
            event.name.strip_suffix(end).filter(|kind| REGIONS.contains(kind)).map(str::to_owned)
        };
        if let Some(kind) = kind("_begin") {
            open.push(kind);
        } else if let Some(kind) = kind("_end")
            && open.pop().as_ref() != Some(&kind)
        {
            return Err("the end of a region that the task is not in, or not innermost".to_owned());
        }
        Ok(())
    }

    /// The task that the thread executes.
    fn current(&self, thread: usize) -> Option<&str> {
        let inside = self.threads.get(&thread).and_then(|thread| thread.inside.last());
        inside.map(|inside| inside.current.as_str())
    }

    /// Whether the thread executes the task in the event.
    fn executes(&self, event: &Event, key: &str) -> Result<(), String> {
        match self.current(event.thread) {
            Some(current) if event.get(key) == Some(current) => Ok(()),
            Some(current) => Err(format!("the thread executes {current}")),
            None => Err("the thread executes no task".to_owned()),
        }
    }

    fn end(&self) -> Result<(), String> {
        if !self.is_shut_down {
            return Err("no runtime_shutdown".to_owned());
        }
        for (name, region) in &self.regions {
            if !region.has_ended {
                return Err(format!("the region {name} has no end"));
            }
            let (tasks, size) = (region.implicit_tasks, region.size);
            if size != Some(tasks) {
                return Err(format!("the region {name} has {tasks} implicit tasks of {size:?}"));
            }
            let requested = find(&region.begin, "requested").and_then(|text| text.parse().ok());
            if requested.is_some_and(|requested: usize| requested > 0 && requested < tasks) {
                return Err(format!("the region {name} has more threads than were requested"));
            }
        }
        if let Some((name, _)) = self.tasks.iter().find(|(_, task)| !task.has_ended) {
            return Err(format!("the task {name} has no end"));
        }
        match self.threads.iter().find(|(_, thread)| !thread.has_ended) {
            Some((thread, _)) => Err(format!("thread {thread} has no end")),
            None => Ok(()),
        }
    }
}

fn closing(end: &str, event: &Event) -> Closing {
    let is_argument = |(key, _): &&(String, String)| !["state", "wait", "time"].contains(&&**key);
    let arguments = event.keys.iter().filter(is_argument).cloned().collect();
    Closing { event: end.to_owned(), arguments }
}

/// Whether the value of an argument breaks the rules. Two ids may be 0: the region's outside of
/// regions, and in a switch the id of a task that is over.
fn is_broken(key: &str, value: &str) -> bool {
    match key {
        "thread_id" => value != "own",
        "parallel" | "first" => false,
        _ => value == "zero",
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::trace::log::parse;

    const PROGRAM: &str = "\
0 thread_begin type=initial thread_id=own
0 initial_task_begin task=t1
0 parallel_begin parallel=p1 parent=t1 requested=2 invoker=runtime
1 thread_begin type=worker thread_id=own
1 idle_begin thread_id=own
1 idle_end thread_id=own
0 implicit_task_begin parallel=p1 task=t2
+ parallel_info level=0 parallel=p1 size=2
1 implicit_task_begin parallel=p1 task=t3
+ parallel_info level=0 parallel=p1 size=2
0 wait_critical wait_id=w1
0 acquired_critical wait_id=w1
0 release_critical wait_id=w1
0 acquired_nest_lock_first wait_id=w2
0 acquired_nest_lock_next wait_id=w2
0 release_nest_lock_prev wait_id=w2
0 release_nest_lock_last wait_id=w2
0 task_begin task=t4 parent=t2
0 task_switch first=t2 second=t4
0 task_end task=t4
0 task_switch first=zero second=t2
0 barrier_begin parallel=p1 task=t2 codeptr=null
0 wait_barrier_begin parallel=p1 task=t2
0 wait_barrier_end parallel=p1 task=t2
0 barrier_end parallel=p1 task=t2
0 implicit_task_end parallel=p1 task=t2
1 implicit_task_end parallel=p1 task=t3
1 idle_begin thread_id=own
0 parallel_end parallel=p1 task=t1 invoker=runtime
1 idle_end thread_id=own
1 thread_end type=worker thread_id=own
0 initial_task_end task=t1
0 thread_end type=initial thread_id=own
0 runtime_shutdown";

    fn checked(events: &str) -> Result<(), String> {
        let mut text = String::from("# set_callback parallel_begin always\n");
        let mut count = 0;
        for line in events.lines() {
            match line.starts_with('+') {
                true => text += &format!("{line}\n"),
                false => {
                    text += &format!("{count} thread={line}\n");
                    count += 1;
                }
            }
        }
        text += &format!("# end events={count} dropped=0\n");
        check(&parse(&text).expect("a right log"))
    }

    #[test]
    fn a_right_log_passes() {
        assert_eq!(checked(PROGRAM), Ok(()));
    }

    #[test]
    fn each_rule_has_an_effect() {
        for (from, to, wanted) in [
            ("0 thread_begin type=initial thread_id=own\n", "", "first event"),
            ("idle_begin thread_id=own", "idle_begin thread_id=wrong", "thread_id is wrong"),
            ("1 idle_end thread_id=own\n0 impl", "1 flush thread_id=own\n0 impl", "not idle_end"),
            ("1 idle_begin thread_id=own\n1 idle_end thread_id=own\n0 i", "0 i", ""),
            ("1 idle_begin thread_id=own\n0 par", "0 par", "an end without a begin"),
            ("parent=t1", "parent=t9", "executes t1"),
            ("task=t1 invoker=runtime", "task=t1 invoker=program", "another invoker"),
            ("parallel=p1 task=t3\n+", "parallel=p9 task=t3\n+", "no region"),
            (
                "1 implicit_task_begin parallel=p1 task=t3",
                "1 implicit_task_begin parallel=p1 task=t2",
                "a task begins twice",
            ),
            (
                "task=t3\n+ parallel_info level=0 parallel=p1 size=2",
                "task=t3\n+ parallel_info level=0 parallel=p1 size=3",
                "another size",
            ),
            ("requested=2", "requested=1", "more threads"),
            ("0 acquired_critical wait_id=w1", "0 acquired_critical wait_id=w3", "waits for w1"),
            ("0 acquired_critical wait_id=w1\n", "", "waits for w1"),
            ("acquired_nest_lock_next", "acquired_nest_lock_first", "1 times"),
            ("release_nest_lock_prev", "release_nest_lock_last", "2 times"),
            ("task_switch first=t2", "task_switch first=zero", "leaves t2"),
            ("task_switch first=zero", "task_switch first=t4", "leaves zero"),
            ("0 task_end task=t4\n", "", "leaves t4"),
            ("second=t4", "second=t8", "has not begun"),
            ("0 barrier_end parallel=p1", "0 barrier_end parallel=p7", "is in p1"),
            ("0 barrier_end parallel=p1 task=t2\n", "", "inside a barrier region"),
            (
                "wait_barrier_end parallel=p1 task=t2",
                "wait_barrier_end parallel=p2 task=t2",
                "other arguments",
            ),
            (
                "1 implicit_task_end parallel=p1",
                "1 implicit_task_end parallel=p2",
                "in another region",
            ),
            ("type=worker thread_id=own\n0", "type=other thread_id=own\n0", "another type"),
            ("1 thread_end type=worker thread_id=own\n", "", "has no end"),
            ("0 initial_task_end task=t1\n", "", "inside a task"),
            ("\n0 runtime_shutdown", "", "no runtime_shutdown"),
            (
                "0 runtime_shutdown",
                "0 runtime_shutdown\n0 flush thread_id=own",
                "after the shutdown",
            ),
        ] {
            assert!(PROGRAM.contains(from), "{from}");
            let result = checked(&PROGRAM.replacen(from, to, 1));
            match wanted {
                "" => assert_eq!(result, Ok(()), "{from}"),
                wanted => {
                    let error = result.expect_err(wanted);
                    assert!(error.contains(wanted), "{from}: {error}");
                }
            }
        }
    }
}
