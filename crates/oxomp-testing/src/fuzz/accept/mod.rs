//! Whether the events of each task are what its part of the program's tree demands.

pub mod cursor;
pub mod loops;
pub mod regions;
pub mod sync;
pub mod tally;
pub mod tasking;

use oxomp_event_order::event::Object;
use oxomp_event_order::history::{History, Kind};

use crate::compiler::Family;
use crate::fuzz::check::Seen;
use crate::fuzz::program::text::{Lines, PROBE};
use crate::fuzz::program::tree::{Block, Construct, Node, Program};
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log};
use crate::trace::source::SourceLines;
use cursor::{Cursor, fits, value};
use tally::Tally;

/// A program and what is known of its run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The tree.
    pub program: &'a Program,
    /// The compiler, which leaves out some calls.
    pub compiler: Family,
    /// The lines of the constructs.
    pub lines: &'a Lines,
    /// The debugging information; `None` where optimised code has no exact lines.
    pub source: Option<&'a SourceLines>,
    /// The program's name in code addresses.
    pub module: &'a str,
    /// Whether calls at the end of functions are jumps, which leave no address of the program.
    pub has_jumps: bool,
}

/// The differences between log and tree.
#[must_use]
pub fn check(run: Run<'_>, log: &Log, history: &History) -> Vec<Violation> {
    let mut acceptor = Acceptor {
        run,
        log,
        history,
        regions: Vec::new(),
        tasks: Vec::new(),
        tally: Tally::default(),
        found: Vec::new(),
    };
    acceptor.roots();
    acceptor.rest();
    // Where a task was not followed to its end, the counts are not whole.
    if acceptor.found.is_empty() {
        acceptor.found = acceptor.tally.check();
    }
    acceptor.found
}

/// Follows the tree along the events.
struct Acceptor<'a, 'l> {
    run: Run<'a>,
    log: &'l Log,
    history: &'a History,
    /// Regions whose implicit tasks are to be followed, with their constructs.
    regions: Vec<(Object, &'a Node)>,
    /// Tasks to be followed, with their constructs.
    tasks: Vec<(Object, &'a Node)>,
    tally: Tally,
    found: Vec<Violation>,
}

impl<'a, 'l> Acceptor<'a, 'l> {
    /// Follows the initial tasks of native threads; the first executes `main`.
    fn roots(&mut self) {
        let mut natives: Vec<&'a Block> = self.run.program.natives.iter().collect();
        for (number, root) in self.history.roots.iter().enumerate() {
            let Some(task) = self.history.tasks.get(root) else { continue };
            let cursor = || Cursor::new(self.log, *root, task, 0);
            if number == 0 {
                let result = self.initial(cursor(), &self.run.program.body);
                self.found.extend(result.err());
                continue;
            }
            let mut error = None;
            let mut which = None;
            for (position, block) in natives.iter().enumerate() {
                let kept = (self.regions.clone(), self.tasks.clone(), self.tally.clone());
                match self.initial(cursor(), block) {
                    Ok(()) => {
                        which = Some(position);
                        break;
                    }
                    Err(violation) => {
                        (self.regions, self.tasks, self.tally) = kept;
                        // The block that fits longest is the one that the thread executes.
                        let is_further = |last: &Violation| last.at < violation.at;
                        if error.as_ref().is_none_or(is_further) {
                            error = Some(violation);
                        }
                    }
                }
            }
            match which {
                Some(position) => drop(natives.remove(position)),
                None => self.found.extend(error),
            }
        }
    }

    fn initial(&mut self, mut cursor: Cursor<'l>, block: &'a Block) -> Result<(), Violation> {
        self.block(&mut cursor, block)?;
        self.nothing_left(&cursor)
    }

    /// Follows regions and tasks until no new ones appear.
    fn rest(&mut self) {
        loop {
            if let Some((region, node)) = self.regions.pop() {
                self.region(region, node);
            } else if let Some((task, node)) = self.tasks.pop() {
                let result = self.explicit(task, node);
                self.found.extend(result.err());
            } else {
                break;
            }
        }
    }

    fn block(&mut self, cursor: &mut Cursor<'l>, block: &'a Block) -> Result<(), Violation> {
        block.iter().try_for_each(|node| self.node(cursor, node))
    }

    fn node(&mut self, cursor: &mut Cursor<'l>, node: &'a Node) -> Result<(), Violation> {
        let id = node.id;
        match &node.construct {
            Construct::Probe => self.probe(cursor, id).map(drop),
            Construct::Parallel { threads, is_if_false, .. } => {
                self.parallel(cursor, node, *threads, *is_if_false)
            }
            Construct::Teams { teams, .. } => self.teams(cursor, node, *teams),
            Construct::Distribute { iterations, body, .. } => {
                self.distribute(cursor, id, *iterations, body)
            }
            Construct::Loop(construct) => self.worksharing_loop(cursor, id, construct),
            Construct::Sections { nowait, sections } => {
                self.sections(cursor, id, *nowait, sections)
            }
            Construct::Single { ending, body } => self.single(cursor, id, *ending, body),
            Construct::Masked { filter, body } => self.masked(cursor, id, *filter, body),
            Construct::Scope { nowait, body } => {
                self.probed(cursor, id, body)?;
                if *nowait || self.is_left_out(cursor) {
                    return Ok(());
                }
                self.barrier(cursor, id, self.inlined_kind())
            }
            Construct::Critical { hint, body, .. } => self.critical(cursor, id, *hint, body),
            Construct::Lock { is_test, body, .. } => self.lock(cursor, id, *is_test, body),
            Construct::NestLock { is_test, depth, body, .. } => {
                self.nest_lock(cursor, id, *is_test, *depth, body)
            }
            Construct::Ordered { body } => self.ordered(cursor, id, body),
            Construct::Atomic => self.maybe_atomic(cursor, id),
            Construct::Flush => match self.run.compiler {
                // GCC's code executes an instruction and does not call the runtime.
                Family::Gcc => Ok(()),
                Family::Clang => self.expect(cursor, id, "flush", &[]).map(drop),
            },
            Construct::Barrier => self.barrier(cursor, id, "barrier_explicit"),
            Construct::Taskwait => self.taskwait(cursor, id),
            Construct::Taskyield => {
                cursor.switches();
                Ok(())
            }
            Construct::Error => {
                let length = format!("n{id}").len().to_string();
                let values = [("severity", "warning"), ("length", &length)];
                self.expect(cursor, id, "error", &values).map(drop)
            }
            Construct::Taskgroup { body } => self.taskgroup(cursor, id, body),
            Construct::Task(construct) => self.task(cursor, node, construct),
            Construct::Taskloop(construct) => self.taskloop(cursor, node, construct),
            Construct::CancelledLoop { schedule, iterations, .. } => {
                self.cancelled_loop(cursor, id, *schedule, *iterations)
            }
            Construct::CancelledGroup { tasks, .. } => self.cancelled_group(cursor, node, *tasks),
            Construct::ParallelLoop { threads, .. }
            | Construct::ParallelSections { threads, .. }
            | Construct::CancelledParallel { threads, .. } => {
                self.parallel(cursor, node, *threads, false)
            }
            Construct::CancelledSections { sections, .. } => {
                self.cancelled_sections(cursor, id, *sections)
            }
            Construct::TaskwaitDepend { depend } => self.taskwait_depend(cursor, id, *depend),
            Construct::TargetData(kind) => self.target_data(cursor, id, *kind),
            Construct::Doacross { schedule, iterations } => {
                self.doacross(cursor, id, *schedule, *iterations)
            }
            Construct::Target { body } => self.target(cursor, id, body),
        }
    }

    /// A block that begins with the probe of its construct.
    fn probed(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        block: &'a Block,
    ) -> Result<(), Violation> {
        self.probe(cursor, id)?;
        self.block(cursor, block)
    }

    /// The probe of the construct `id`: its iteration.
    fn probe(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<usize, Violation> {
        let (command, number) = (PROBE.to_string(), id.to_string());
        let values = [("command", command.as_str()), ("modifier", number.as_str())];
        let event = self.expect(cursor, id, "control_tool", &values)?;
        Ok(Seen::of(event).map_or(0, |seen| seen.iteration))
    }

    /// Whether the next event is the probe of the construct `id`.
    fn is_probe(&self, cursor: &Cursor<'l>, id: u32) -> bool {
        cursor.is_next("control_tool", &[("modifier", &id.to_string())])
    }

    /// The next event, which must have this name and these values, and a code address in a line of
    /// the construct `id`.
    fn expect(
        &self,
        cursor: &mut Cursor<'l>,
        id: u32,
        name: &str,
        values: &[(&str, &str)],
    ) -> Result<&'l Event, Violation> {
        let wanted = || {
            let values: String =
                values.iter().map(|(key, text)| format!(" {key}={text}")).collect();
            let (first, last) = self.run.lines.of(id);
            format!("{name}{values} of the construct in lines {first} to {last}")
        };
        let Some((at, event)) = cursor.at().zip(cursor.peek()) else {
            let said = format!("{} has no more events, and lacks {}", cursor.task, wanted());
            return Err(Violation::new("order of events", said, cursor.begun));
        };
        let wrong = values.iter().find(|(key, wanted)| !fits(value(event, key), wanted));
        if event.name != name || wrong.is_some() {
            let said = format!("{} should have {}", cursor.task, wanted());
            return Err(Violation::new("order of events", said, at));
        }
        self.address(cursor.task, event, at, id)?;
        cursor.advance();
        Ok(event)
    }

    /// Whether the code address of an event of `task` lies in the construct `id`.
    fn address(&self, task: Object, event: &Event, at: usize, id: u32) -> Result<(), Violation> {
        const CLAUSE: &str = "5.2 §19.5, codeptr_ra";
        let Some(address) = event.get("codeptr") else { return Ok(()) };
        if address == "null" && self.run.has_jumps && self.is_unknown(task, event) {
            return Ok(());
        }
        let closes = matches!(value(event, "kind"), "barrier_implicit_parallel" | "barrier_teams");
        if address == "null" && closes {
            return Ok(());
        }
        let is_ours = address.split_once('+').is_some_and(|(module, _)| module == self.run.module);
        if !is_ours {
            return Err(Violation::new(CLAUSE, format!("{address} is not in the program"), at));
        }
        // GCC gives the call at the end of sections the line of another construct.
        if self.run.compiler == Family::Gcc && value(event, "type") == "sections" {
            return Ok(());
        }
        let Some(line) = self.run.source.and_then(|source| source.line(address)) else {
            return Ok(());
        };
        if self.run.lines.holds(id, line) {
            return Ok(());
        }
        let (first, last) = self.run.lines.of(id);
        let said = format!("line {line}; the construct has the lines {first} to {last}");
        Err(Violation::new(CLAUSE, said, at))
    }

    /// Whether the place of the program's call cannot be known, if the call was a jump: the runtime
    /// then takes the address of the construct around it, which an explicit task and a routine do
    /// not have.
    fn is_unknown(&self, task: Object, event: &Event) -> bool {
        let Some(task) = self.history.tasks.get(&task) else { return false };
        let begin = self.history.regions.get(&task.region).map(|region| region.begun);
        let begin = begin.and_then(|begun| self.log.events.get(begun));
        let is_around = begin.is_some_and(|begin| begin.get("codeptr") == Some("null"));
        task.kind == Kind::Explicit || event.name == "control_tool" || is_around
    }

    fn nothing_left(&self, cursor: &Cursor<'l>) -> Result<(), Violation> {
        match cursor.at() {
            None => Ok(()),
            Some(at) => {
                let said = format!("{} has an event that no construct explains", cursor.task);
                Err(Violation::new("order of events", said, at))
            }
        }
    }

    /// The kind of barrier at the end of a construct that the compiler expands inline: GCC calls
    /// the same function as for the directive.
    fn inlined_kind(&self) -> &'static str {
        match self.run.compiler {
            Family::Gcc => "barrier_explicit|barrier_implicit_workshare",
            Family::Clang => "barrier_implicit_workshare",
        }
    }
}
