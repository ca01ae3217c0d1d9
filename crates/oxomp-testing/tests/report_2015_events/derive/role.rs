//! The events of one thread.

use std::collections::BTreeMap;

use oxomp_testing::trace::expand::Line;

use super::event::Pattern;

/// The address of the construct of each region, by the region's name.
pub(crate) type RegionCodes<'a> = BTreeMap<&'a str, &'a str>;

/// What is known of a thread while its events are derived.
#[derive(Debug)]
pub(crate) struct Role<'a> {
    kind: &'a str,
    codes: &'a RegionCodes<'a>,
    /// The region of each implicit task, which OpenMP 5 leaves out at the end.
    regions: BTreeMap<String, String>,
    /// The tasks whose regions the thread is in, with whether each is the primary thread's.
    around: Vec<bool>,
    /// The waits that the thread is in, innermost last: name, region, task, and whether a task
    /// that it executes meanwhile interrupts it.
    waits: Vec<Wait>,
    /// Tasks of taskwait constructs, which the report does not know.
    unknown: Vec<String>,
    /// Tasks of target constructs.
    targets: Vec<String>,
    is_idle: bool,
    output: Vec<String>,
}

#[derive(Debug)]
struct Wait {
    name: &'static str,
    region: String,
    task: String,
    is_interrupted: bool,
}

impl<'a> Role<'a> {
    /// The thread of a role of that kind.
    pub(crate) fn new(kind: &'a str, codes: &'a RegionCodes<'a>) -> Self {
        Self {
            kind,
            codes,
            regions: BTreeMap::new(),
            around: Vec::new(),
            waits: Vec::new(),
            unknown: Vec::new(),
            targets: Vec::new(),
            is_idle: false,
            output: Vec::new(),
        }
    }

    /// The lines of the role's block.
    pub(crate) fn derive(mut self, lines: &[Line]) -> Result<Vec<Line>, String> {
        let mut output = Vec::new();
        let mut is_dropped = false;
        for (index, (number, text)) in lines.iter().enumerate() {
            let is_block = text.ends_with('{') || text.starts_with('}');
            if is_block {
                output.push((*number, text.clone()));
                continue;
            }
            let pattern = Pattern::parse(text);
            let next = lines[index + 1..].iter().find(|(_, text)| !text.starts_with('+'));
            let detail = lines.get(index + 1).map_or("", |(_, text)| text);
            if pattern.name == "+" {
                if !is_dropped {
                    self.detail(text);
                }
            } else if pattern.name == "dependences" && is_doacross(detail) {
                is_dropped = true;
            } else {
                self.event(&pattern, next.map_or("", |(_, text)| text))
                    .map_err(|said| format!("line {number}: {text}: {said}"))?;
                is_dropped = self.output.is_empty();
            }
            output.extend(self.output.drain(..).map(|text| (*number, text)));
        }
        Ok(output)
    }

    fn put(&mut self, text: impl Into<String>) {
        self.output.push(text.into());
    }

    fn event(&mut self, event: &Pattern<'_>, next: &str) -> Result<(), String> {
        let (task, region) = (event.get("task"), event.region());
        match event.name {
            "thread_begin" => {
                self.put(format!("thread_begin type={} id=*", event.get("type")));
                self.rest(event.get("type") == "worker");
            }
            "thread_end" => {
                self.work();
                let kind = if self.kind == "worker" { "worker" } else { "initial" };
                self.put(format!("thread_end type={kind} id=*"));
                if self.kind == "primary" {
                    self.put("runtime_shutdown");
                }
            }
            "implicit_task" => self.implicit_task(event, next),
            "parallel_begin" if event.has("flags", "team") => self.put(format!(
                "parallel_begin parent={} frame=set exit={} reenter=set parallel={region} \
                 requested={} ofn={} invoker={}{}",
                event.get("encountering_task"),
                event.frame("exit_frame"),
                event.get("requested"),
                function(event),
                invoker(event),
                event.labels,
            )),
            "parallel_end" if event.has("flags", "team") => self.put(format!(
                "parallel_end parallel={region} task={} invoker={}{}",
                event.get("encountering_task"),
                invoker(event),
                event.labels
            )),
            "task_create" => self.task_create(event),
            "task_schedule" => return self.task_schedule(event),
            "cancel" if event.has("flags", "discarded_task") => {
                // The task that waits for it tells of the end between two waits.
                let waits = self.waits.last().filter(|wait| !wait.is_interrupted);
                let waiting = waits.map(|wait| wait.task.clone()).unwrap_or_default();
                self.interrupt(&waiting);
                self.put(format!("task_end task={task}"));
                self.resume(&waiting);
            }
            "sync_region" => self.sync_region(event),
            "sync_region_wait" => self.sync_region_wait(event),
            "work" => self.work_event(event),
            "masked" if self.around.last().is_none_or(|is_primary| *is_primary) => {
                self.pair("master", event);
            }
            "lock_init" | "lock_destroy" | "nest_lock" | "mutex_acquire" | "mutex_acquired"
            | "mutex_released" => self.mutex(event),
            "flush" => self.put("flush id=*"),
            "control_tool" => {
                let (command, modifier) = (event.get("command"), event.get("modifier"));
                self.put(format!("control command={command} modifier={modifier}{}", event.labels));
            }
            "dependences" if !self.unknown.iter().any(|it| it == task) => {
                self.put(format!("task_dependences task={task} items={}", event.get("count")));
            }
            "task_dependence" => {
                let (source, sink) = (event.get("source"), event.get("sink"));
                if !self.unknown.iter().any(|it| it == source || it == sink) {
                    self.put(format!(
                        "task_dependence_pair first={source} second={sink}{}",
                        event.labels
                    ));
                }
            }
            // The events of `target data` have no task of their own.
            "target_emi" if event.get("target_task") == "null" => {
                match (event.get("kind"), event.get("endpoint")) {
                    ("enter_data", "begin") => self.put(format!(
                        "target_data_begin task={task} device=* codeptr={}{}",
                        event.get("codeptr"),
                        event.labels
                    )),
                    ("exit_data", "end") => {
                        self.put(format!("target_data_end task={task}{}", event.labels));
                    }
                    _ => {}
                }
            }
            "target_emi" | "target_submit_emi" | "target_data_op_emi" | "target"
            | "target_submit" | "target_data_op" => {}
            "parallel_begin" | "parallel_end" | "dispatch" | "reduction" | "cancel" | "error"
            | "dependences" | "masked" => {}
            name => return Err(format!("no rule for {name}")),
        }
        Ok(())
    }

    /// A worker without a task idles.
    fn rest(&mut self, rests: bool) {
        if rests {
            self.put("idle_begin id=*");
            self.is_idle = true;
        }
    }

    fn work(&mut self) {
        if std::mem::take(&mut self.is_idle) {
            self.put("idle_end id=*");
        }
    }

    fn implicit_task(&mut self, event: &Pattern<'_>, next: &str) {
        let (task, region) = (event.get("task"), event.region());
        let is_initial = event.has("flags", "initial");
        if event.get("endpoint") == "begin" {
            self.work();
            self.around.push(is_initial || event.get("index") == "0");
            // A league does not count as a parallel region.
            let own = if is_initial { "zero" } else { region };
            self.regions.insert(task.to_owned(), own.to_owned());
            match is_initial {
                true => self.put(format!("initial_task_begin task={task}{}", event.labels)),
                false => self.put(format!(
                    "implicit_task_begin parallel={region} task={task}{}",
                    event.labels
                )),
            }
        } else {
            let region = self.regions.get(task).cloned().unwrap_or_else(|| "*".to_owned());
            self.around.pop();
            match is_initial {
                true => self.put(format!("initial_task_end task={task}{}", event.labels)),
                false => self.put(format!(
                    "implicit_task_end parallel={region} task={task}{}",
                    event.labels
                )),
            }
            // A thread goes on with the next team of its league at once.
            let goes_on = is_initial && next.starts_with("implicit_task endpoint=begin");
            self.rest(self.kind == "worker" && self.around.is_empty() && !goes_on);
        }
    }

    fn task_create(&mut self, event: &Pattern<'_>) {
        let task = event.get("task");
        if event.has("flags", "taskwait") {
            self.unknown.push(task.to_owned());
        } else if event.has("flags", "explicit") {
            self.put(format!(
                "task_begin parent={} frame=set exit={} reenter=set task={task} ofn={}{}",
                event.get("encountering_task"),
                event.frame("exit_frame"),
                function(event),
                event.labels
            ));
        } else if event.has("flags", "target") {
            self.targets.push(task.to_owned());
            self.put(format!(
                "target_task_begin parent={} frame=set exit={} reenter=set task={task} device=* \
                 ofn=* type=*{}",
                event.get("encountering_task"),
                event.frame("exit_frame"),
                event.labels
            ));
        }
    }

    fn task_schedule(&mut self, event: &Pattern<'_>) -> Result<(), String> {
        let (prior, next, labels) = (event.get("prior"), event.get("next"), &event.labels);
        match event.get("status") {
            "switch" | "yield" => {
                self.interrupt(prior);
                self.put(format!("task_switch first={prior} second={next}{labels}"));
                self.resume(next);
            }
            "detach" => {
                self.put(format!("task_switch first={prior} second={next}{labels}"));
                self.resume(next);
            }
            "complete" | "cancel" => {
                let is_target = self.targets.iter().any(|it| it == prior);
                let name = if is_target { "target_task_end" } else { "task_end" };
                self.put(format!("{name} task={prior}{labels}"));
                self.put(format!("task_switch first=zero second={next}"));
                self.resume(next);
            }
            "late_fulfill" => self.put(format!("task_end task={prior}{labels}")),
            "early_fulfill" | "taskwait_complete" => {}
            status => return Err(format!("no rule for {status}")),
        }
        Ok(())
    }

    /// The thread leaves a task that waits for another one.
    fn interrupt(&mut self, task: &str) {
        if let Some(wait) = self.waits.last_mut().filter(|wait| wait.task == task) {
            wait.is_interrupted = true;
            let line = format!("{}_end parallel={} task={task}", wait.name, wait.region);
            self.put(line);
        }
    }

    /// The thread comes back to it.
    fn resume(&mut self, task: &str) {
        let waits = |wait: &&mut Wait| wait.task == task && wait.is_interrupted;
        if let Some(wait) = self.waits.last_mut().filter(waits) {
            wait.is_interrupted = false;
            let line = format!("{}_begin parallel={} task={task}", wait.name, wait.region);
            self.put(line);
        }
    }

    /// The region of an event's task: in OpenMP 5 the event at the end of a region lacks it, and in
    /// the report a league does not count as a region.
    fn region_of(&self, event: &Pattern<'_>) -> String {
        let own = self.regions.get(event.get("task"));
        match (event.region(), own) {
            (_, Some(own)) if own == "zero" => own.clone(),
            ("null", own) => own.cloned().unwrap_or_else(|| "*".to_owned()),
            (region, _) => region.to_owned(),
        }
    }

    fn sync_region(&mut self, event: &Pattern<'_>) {
        let Some((name, _)) = waiting(event.get("kind")) else { return };
        let (region, task) = (self.region_of(event), event.get("task"));
        let (endpoint, labels) = (event.get("endpoint"), &event.labels);
        match endpoint {
            "begin" => self.put(format!(
                "{name}_begin parallel={region} task={task} codeptr={}{labels}",
                self.code_of(event)
            )),
            _ => self.put(format!("{name}_end parallel={region} task={task}{labels}")),
        }
    }

    /// The address of a synchronization. OpenMP 5 has no address for a worker's barrier at the end
    /// of a region; the report's tool gets the address of the region's construct.
    fn code_of(&self, event: &Pattern<'a>) -> &'a str {
        match event.get("codeptr") {
            "null" if event.get("kind").starts_with("barrier") => {
                self.codes.get(event.get("parallel")).copied().unwrap_or("*")
            }
            code => code,
        }
    }

    fn sync_region_wait(&mut self, event: &Pattern<'_>) {
        let Some((_, name)) = waiting(event.get("kind")) else { return };
        let (region, task) = (self.region_of(event), event.get("task"));
        let (endpoint, labels) = (event.get("endpoint"), &event.labels);
        self.put(format!("{name}_{endpoint} parallel={region} task={task}{labels}"));
        if endpoint == "begin" {
            self.waits.push(Wait { name, region, task: task.to_owned(), is_interrupted: false });
        } else {
            self.waits.pop();
        }
    }

    /// The event at a construct's begin has the address, the event at its end lacks it.
    fn pair(&mut self, name: &str, event: &Pattern<'_>) {
        let (region, task) = (self.region_of(event), event.get("task"));
        let (endpoint, labels) = (event.get("endpoint"), &event.labels);
        match (endpoint, name) {
            ("begin", "single_others") | ("end", _) => {
                self.put(format!("{name}_{endpoint} parallel={region} task={task}{labels}"));
            }
            _ => self.put(format!(
                "{name}_begin parallel={region} task={task} codeptr={}{labels}",
                event.get("codeptr")
            )),
        }
    }

    fn work_event(&mut self, event: &Pattern<'_>) {
        match event.get("type") {
            "sections" => self.pair("sections", event),
            "single_executor" => self.pair("single_in_block", event),
            "single_other" => self.pair("single_others", event),
            "workshare" => self.pair("workshare", event),
            name if name.starts_with("loop") => self.pair("loop", event),
            // distribute, taskloop, scope
            _ => {}
        }
    }

    fn mutex(&mut self, event: &Pattern<'_>) {
        let id = event.get("wait_id");
        let labels = &event.labels;
        let kind = event.get("kind").trim_start_matches("test_");
        let first = if kind == "nest_lock" { "_first" } else { "" };
        let last = if kind == "nest_lock" { "_last" } else { "" };
        match event.name {
            "lock_init" => {
                let hint = event.get("hint");
                self.put(format!("init_{kind} wait_id={id} hint={hint} type=*{labels}"));
            }
            "lock_destroy" => self.put(format!("destroy_{kind} wait_id={id}{labels}")),
            "nest_lock" if event.get("endpoint") == "begin" => {
                self.put(format!("acquired_nest_lock_next wait_id={id}{labels}"));
            }
            "nest_lock" => self.put(format!("release_nest_lock_prev wait_id={id}{labels}")),
            "mutex_acquired" => self.put(format!("acquired_{kind}{first} wait_id={id}{labels}")),
            "mutex_released" => self.put(format!("release_{kind}{last} wait_id={id}{labels}")),
            // A test never waits; others may have to.
            _ if !event.get("kind").starts_with("test_") => {
                let more = match kind {
                    "critical" => format!(" hint={} type=*", event.get("hint")),
                    "atomic" => " type=*".to_owned(),
                    _ => String::new(),
                };
                self.put("maybe {");
                self.put(format!("wait_{kind} wait_id={id}{more}{labels}"));
                self.put("}");
            }
            _ => {}
        }
    }

    /// The answer of an entry point inside the callback.
    fn detail(&mut self, text: &str) {
        let text = text.trim_start_matches('+').trim_start();
        let answer = Pattern::parse(text);
        match answer.name {
            "dependence" => {
                let kind = match answer.get("type") {
                    "in" => "in",
                    "out" => "out",
                    "*" => "*",
                    _ => "inout",
                };
                self.put(format!("+ item var={} type={kind}", answer.get("variable")));
            }
            "task_info" => {
                let kind = ["explicit", "implicit", "initial", "target"]
                    .into_iter()
                    .find(|flag| answer.has("flags", flag))
                    .map_or("*", |kind| if kind == "initial" { "serial" } else { kind });
                self.put(format!(
                    "+ level number={} there=1 task={} type={kind} exit={} reenter={}",
                    answer.get("level"),
                    answer.get("task"),
                    answer.frame("exit_frame"),
                    answer.frame("enter_frame"),
                ));
            }
            _ => {}
        }
    }
}

/// Whether the dependence is one between iterations of a loop.
fn is_doacross(detail: &str) -> bool {
    ["source", "sink"].contains(&Pattern::parse(detail.trim_start_matches("+ ")).get("type"))
}

/// The address of an outlined function: it has the construct's line, or else the check of functions
/// leaves `outlined`. clang's code calls the function of a region with one thread itself, so the
/// runtime does not know it.
fn function(event: &Pattern<'_>) -> String {
    let known = match event.get("codeptr") {
        mark if mark.contains('@') => format!("{mark}|outlined"),
        _ => "*".to_owned(),
    };
    let unknown = if invoker(event) == "program" { "|null" } else { "" };
    known + unknown
}

/// The invoker: the code that calls the primary thread's part of the region.
fn invoker(event: &Pattern<'_>) -> &'static str {
    if event.has("flags", "invoker_program") { "program" } else { "runtime" }
}

/// The events of a synchronization, and the events of its waits.
fn waiting(kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "taskwait" => Some(("taskwait", "wait_taskwait")),
        "taskgroup" => Some(("taskgroup", "wait_taskgroup")),
        "reduction" => None,
        _ => Some(("barrier", "wait_barrier")),
    }
}
