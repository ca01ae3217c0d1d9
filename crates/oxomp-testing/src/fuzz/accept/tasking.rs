//! Explicit tasks: their creation, their code, their end.

use oxomp_event_order::event::Object;
use oxomp_event_order::history::{Kind, Task as TaskRecord};
use oxomp_sys::ompt::ompt_task_flag_t;

use super::Acceptor;
use super::cursor::{Cursor, has, value};
use super::tally::Rule;
use crate::compiler::Family;
use crate::fuzz::program::tree::{
    Block, Construct, Depend, Fulfiller, Grain, Node, TargetData, Task, Taskloop,
};
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, find};
use crate::trace::told;

const BEGIN: (&str, &str) = ("endpoint", "begin");
const END: (&str, &str) = ("endpoint", "end");

impl<'a, 'l> Acceptor<'a, 'l> {
    pub(super) fn task(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        construct: &'a Task,
    ) -> Result<(), Violation> {
        let is_included = construct.is_if_false || cursor.is_final;
        let mut wanted = vec!["explicit"];
        wanted.extend(is_included.then_some("undeferred"));
        wanted.extend(construct.is_untied.then_some("untied"));
        wanted.extend((construct.is_final || cursor.is_final).then_some("final"));
        // Clang does not tell the runtime.
        let is_mergeable = construct.is_mergeable && self.run.compiler == Family::Gcc;
        wanted.extend(is_mergeable.then_some("mergeable"));
        let mut depend = construct.depend.as_slice();
        // Clang's code waits for the dependences of an undeferred task, and then begins a task
        // without any.
        let waits_before = self.run.compiler == Family::Clang && construct.is_if_false;
        while cursor.is_next("task_create", &[])
            && cursor.peek().is_some_and(|event| has(value(event, "flags"), "taskwait"))
        {
            self.expect(cursor, node.id, "task_create", &[])?;
            self.dependences(cursor, node.id, depend)?;
            cursor.switches();
            depend = if waits_before { &[] } else { depend };
        }
        let task = self.create(cursor, node, &wanted, !depend.is_empty())?;
        if !depend.is_empty() {
            let event = self.dependences(cursor, node.id, depend)?;
            let named = told::object(&event.keys, &["task"]);
            if named != task {
                let said = format!("dependences of {named}, not {task}");
                return Err(Violation::new("5.2 §19.5.2.8, dependences", said, cursor.at()));
            }
        }
        self.runs(cursor, task, is_included)
    }

    /// The creation of a task with the flags `wanted`.
    fn create(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        wanted: &[&str],
        has_dependences: bool,
    ) -> Result<Object, Violation> {
        let at = cursor.at();
        let depends = if has_dependences { "1" } else { "0" };
        let values = [("has_dependences", depends)];
        let event = self.expect(cursor, node.id, "task_create", &values)?;
        let flags = value(event, "flags");
        let lacking = wanted.iter().find(|flag| !has(flags, flag));
        // In a team of one every task may be undeferred.
        let other = flags.split(',').find(|flag| !wanted.contains(flag) && *flag != "undeferred");
        let is_alone = self
            .history
            .regions
            .get(&cursor.region)
            .is_none_or(|region| region.is_league || region.size <= 1);
        let is_hasty = has(flags, "undeferred") && !wanted.contains(&"undeferred") && !is_alone;
        if lacking.is_some() || other.is_some() || is_hasty {
            let said = format!("the flags {flags} of a task that is {}", wanted.join(","));
            return Err(Violation::new("5.2 §19.4.4.19, ompt_task_flag_t", said, at));
        }
        let task = told::object(&event.keys, &["task"]);
        self.tasks.push((task, node));
        Ok(task)
    }

    fn dependences(
        &self,
        cursor: &mut Cursor<'l>,
        id: u32,
        depend: &[(Depend, u32)],
    ) -> Result<&'l Event, Violation> {
        let count = depend.len().to_string();
        let at = cursor.at();
        let event = self.expect(cursor, id, "dependences", &[("count", &count)])?;
        let mut shown: Vec<&str> =
            event.details.iter().filter_map(|detail| find(&detail.keys, "type")).collect();
        let mut wanted: Vec<&str> =
            depend.iter().map(|(kind, _)| kind.for_compiler(self.run.compiler).name()).collect();
        // The compilers have one word for `out` and `inout`.
        for kind in shown.iter_mut().chain(&mut wanted).filter(|kind| **kind == "out") {
            *kind = "inout";
        }
        shown.sort_unstable();
        wanted.sort_unstable();
        if shown != wanted {
            let said = format!("the types {shown:?}, not {wanted:?}");
            return Err(Violation::new("5.2 §19.5.2.8, dependences", said, at));
        }
        Ok(event)
    }

    /// Passes what happens directly after the creation of `task`.
    fn runs(
        &self,
        cursor: &mut Cursor<'l>,
        task: Object,
        is_undeferred: bool,
    ) -> Result<(), Violation> {
        cursor.switches();
        let over = self.history.tasks.get(&task).and_then(|task| task.over);
        if is_undeferred && over > cursor.at() && cursor.at().is_some() {
            let said = format!("{} goes on before {task}, undeferred, is complete", cursor.task);
            return Err(Violation::new("5.2 §12.5, undeferred task", said, cursor.at()));
        }
        Ok(())
    }

    /// Follows an explicit task.
    pub(super) fn explicit(&mut self, name: Object, node: &'a Node) -> Result<(), Violation> {
        let Some(task) = self.history.tasks.get(&name) else { return Ok(()) };
        let is_group = matches!(node.construct, Construct::CancelledGroup { .. });
        if task.is_discarded {
            if is_group && task.events.is_empty() {
                return Ok(());
            }
            let said = format!("{name} is discarded, and nothing cancels it");
            return Err(Violation::new("5.2 §11.2, cancel", said, task.begun));
        }
        let executing = self.history.regions.get(&task.region);
        // Which thread of the team executes it, the probes say.
        let thread_num = executing.map_or(0, |_| u64::MAX);
        let mut cursor = Cursor::new(self.log, name, task, thread_num);
        let id = node.id;
        match &node.construct {
            Construct::Task(construct) => {
                self.probed(&mut cursor, id, &construct.body)?;
                let status = match construct.detach {
                    Some(Fulfiller::Generator) => "complete|detach",
                    _ => "complete",
                };
                self.over(&mut cursor, id, status)
            }
            Construct::Taskloop(construct) => self.taskloop_task(&mut cursor, id, construct),
            Construct::CancelledGroup { .. } => {
                let number = self.probe(&mut cursor, id)?;
                self.tally.iteration(&(group_of(task.creator), id), number);
                let mut is_cancelled = false;
                while self.cancellation(&mut cursor, id, "taskgroup")? {
                    is_cancelled = true;
                }
                let status = if is_cancelled { "cancel" } else { "complete" };
                self.over(&mut cursor, id, status)
            }
            _ => Ok(()),
        }
    }

    fn over(&self, cursor: &mut Cursor<'l>, id: u32, status: &str) -> Result<(), Violation> {
        self.expect(cursor, id, "task_schedule", &[("status", status)])?;
        self.nothing_left(cursor)
    }

    pub(super) fn taskloop(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        construct: &'a Taskloop,
    ) -> Result<(), Violation> {
        let id = node.id;
        if !construct.nogroup {
            self.group_begin(cursor, id)?;
        }
        let is_included = construct.is_if_false || cursor.is_final;
        let mut wanted = vec!["explicit"];
        wanted.extend(is_included.then_some("undeferred"));
        wanted.extend(cursor.is_final.then_some("final"));
        let count = construct.iterations.to_string();
        let kind = ("type", "taskloop");
        self.expect(cursor, id, "work", &[kind, BEGIN, ("count", &count)])?;
        let at = cursor.at();
        let mut tasks = 0;
        while cursor.is_next("task_create", &[]) {
            let task = self.create(cursor, node, &wanted, false)?;
            self.runs(cursor, task, is_included)?;
            tasks += 1;
        }
        if !construct.grain.allows(construct.iterations, tasks) {
            let said = format!("{tasks} tasks of {count} iterations, {:?}", construct.grain);
            return Err(Violation::new("5.2 §12.6, taskloop", said, at));
        }
        self.expect(cursor, id, "work", &[kind, END])?;
        if construct.nogroup { Ok(()) } else { self.group_end(cursor, id) }
    }

    fn taskloop_task(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        construct: &'a Taskloop,
    ) -> Result<(), Violation> {
        let creator = self.history.tasks.get(&cursor.task).and_then(|task| task.creator);
        let Some(creator) = creator else { return Ok(()) };
        // Where the creating task executes the construct several times, so is each iteration.
        let tally = self.tally.encounter(&format!("task {}", cursor.task), id, Rule::default());
        let (mut chunks, at) = (Vec::new(), cursor.at());
        let kind = Some("taskloop_chunk");
        if !self.chunk(cursor, &tally, kind, &mut chunks) {
            let said = "a task of a taskloop without its chunk";
            return Err(Violation::new("5.2 §19.5.2.6, dispatch", said, at));
        }
        let (start, count) = chunks[0];
        for wanted in start..start.saturating_add(count) {
            let iteration = self.probe(cursor, id)?;
            if iteration != wanted {
                let said = format!("iteration {iteration} of {creator}, the chunk says {wanted}");
                return Err(Violation::new("5.2 §19.5.2.6, dispatch", said, at));
            }
            self.block(cursor, &construct.body)?;
        }
        self.over(cursor, id, "complete")
    }

    pub(super) fn cancelled_group(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        tasks: u32,
    ) -> Result<(), Violation> {
        let id = node.id;
        self.group_begin(cursor, id)?;
        let mut wanted = vec!["explicit"];
        wanted.extend(cursor.is_final.then_some("undeferred"));
        wanted.extend(cursor.is_final.then_some("final"));
        for _ in 0..tasks {
            let task = self.create(cursor, node, &wanted, false)?;
            self.runs(cursor, task, cursor.is_final)?;
        }
        self.group_end(cursor, id)
    }

    pub(super) fn taskwait_depend(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        depend: (Depend, u32),
    ) -> Result<(), Violation> {
        let at = cursor.at();
        let event = self.expect(cursor, id, "task_create", &[("has_dependences", "1")])?;
        let flags = value(event, "flags");
        if !has(flags, "taskwait") || !has(flags, "undeferred") || has(flags, "explicit") {
            let said = format!("the flags {flags} of the task of a taskwait");
            return Err(Violation::new("5.2 §19.4.4.19, ompt_task_flag_t", said, at));
        }
        self.dependences(cursor, id, &[depend])?;
        self.runs(cursor, told::object(&event.keys, &["task"]), true)
    }

    pub(super) fn target_data(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        kind: TargetData,
    ) -> Result<(), Violation> {
        // Clang's code for the host does not call the runtime.
        if self.run.compiler == Family::Clang {
            return Ok(());
        }
        let kind = match kind {
            TargetData::Enter => "enter_data",
            TargetData::Exit => "exit_data",
            TargetData::Update => "update",
        };
        let kind = ("kind", kind);
        let (_, mut target) = self.target_task(cursor, id, kind)?;
        while target.is_next("target_data_op_emi", &[]) {
            target.advance();
        }
        self.expect(&mut target, id, "target_emi", &[kind, END])?;
        self.over(&mut target, id, "complete")
    }

    /// The creation of a target task, which runs at once, and the begin of its construct of this
    /// kind. Returns what is known of the task, and the place behind that event.
    fn target_task(
        &self,
        cursor: &mut Cursor<'l>,
        id: u32,
        kind: (&str, &str),
    ) -> Result<(&'a TaskRecord, Cursor<'l>), Violation> {
        let at = cursor.at();
        let event = self.expect(cursor, id, "task_create", &[("has_dependences", "0")])?;
        let task = told::object(&event.keys, &["task"]);
        self.runs(cursor, task, true)?;
        let record = self.history.tasks.get(&task);
        let Some(record) = record.filter(|record| record.has(ompt_task_flag_t::TARGET)) else {
            let said = format!("the flags {} of a target task", value(event, "flags"));
            return Err(Violation::new("5.2 §13.8, target", said, at));
        };
        let mut target = Cursor::new(self.log, task, record, 0);
        let begin = [kind, BEGIN, ("target_task", &task.to_string())];
        self.expect(&mut target, id, "target_emi", &begin)?;
        Ok((record, target))
    }

    pub(super) fn target(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        // Clang's code for the host does not call the runtime.
        if self.run.compiler == Family::Clang {
            return self.probed(cursor, id, body);
        }
        let kind = ("kind", "target");
        let (record, mut target) = self.target_task(cursor, id, kind)?;
        self.expect(&mut target, id, "target_submit_emi", &[BEGIN])?;
        self.expect(&mut target, id, "target_submit_emi", &[END])?;
        self.expect(&mut target, id, "target_emi", &[kind, END])?;
        self.over(&mut target, id, "complete")?;
        // The code of the region is an initial task, which begins inside the target task.
        let inner = self.history.tasks.iter().find(|(_, inner)| {
            inner.kind == Kind::Target
                && Some(inner.begun) > record.first_run
                && Some(inner.begun) < record.over
                && inner.thread == record.thread
        });
        let Some((name, inner)) = inner else {
            let said = "the target region has no initial task";
            return Err(Violation::new("5.2 §13.8, target", said, record.begun));
        };
        let mut inner = Cursor::new(self.log, *name, inner, 0);
        self.probed(&mut inner, id, body)?;
        self.nothing_left(&inner)
    }
}

/// The scope of the count of a taskgroup's tasks.
fn group_of(creator: Option<Object>) -> String {
    format!("group of {}", creator.unwrap_or_default())
}

impl Grain {
    /// Whether the clause allows `tasks` tasks for `iterations` iterations.
    fn allows(self, iterations: u32, tasks: u32) -> bool {
        match self {
            _ if iterations == 0 => tasks == 0,
            Self::Tasks(most) => tasks == most.min(iterations),
            Self::Size(size) if iterations < size => tasks == 1,
            Self::Size(size) => {
                tasks > 0 && iterations / tasks >= size && iterations.div_ceil(tasks) < 2 * size
            }
            Self::Any => (1..=iterations).contains(&tasks),
        }
    }
}
