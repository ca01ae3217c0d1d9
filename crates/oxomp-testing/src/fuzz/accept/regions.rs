//! Regions: their threads, and the tasks of these.

use oxomp_event_order::event::Object;

use super::Acceptor;
use super::cursor::{Cursor, value};
use super::tally::Rule;
use crate::compiler::Family;
use crate::fuzz::program::tree::{Block, Construct, Loop, Node};
use crate::fuzz::violation::Violation;
use crate::trace::told;

impl<'a, 'l> Acceptor<'a, 'l> {
    pub(super) fn parallel(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        threads: u32,
        is_if_false: bool,
    ) -> Result<(), Violation> {
        let requested = if is_if_false { format!("1|{threads}") } else { threads.to_string() };
        let around = self.history.regions.get(&cursor.region);
        let active = around.map_or(0, |region| region.active_level);
        let max = self.run.program.max_active_levels as usize;
        let size = if is_if_false || active >= max { 1 } else { u64::from(threads) };
        self.fork(cursor, node, "team", &requested, size)
    }

    pub(super) fn teams(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        teams: u32,
    ) -> Result<(), Violation> {
        self.fork(cursor, node, "league", &teams.to_string(), teams.into())
    }

    fn fork(
        &mut self,
        cursor: &mut Cursor<'l>,
        node: &'a Node,
        flag: &str,
        requested: &str,
        size: u64,
    ) -> Result<(), Violation> {
        let flags = format!("invoker_runtime,{flag}|invoker_program,{flag}");
        let values = [("requested", requested), ("flags", flags.as_str())];
        let at = cursor.at();
        let event = self.expect(cursor, node.id, "parallel_begin", &values)?;
        let name = told::object(&event.keys, &["parallel"]);
        if let Some(region) = self.history.regions.get(&name)
            && region.size != size
        {
            let said = format!("a team of {}, not {size}", region.size);
            self.found.push(Violation::new("5.2 §10.1.1, number of threads", said, at));
        }
        self.regions.push((name, node));
        let values = [("parallel", value(event, "parallel"))];
        self.expect(cursor, node.id, "parallel_end", &values).map(drop)
    }

    /// Follows the implicit tasks of a region.
    pub(super) fn region(&mut self, name: Object, node: &'a Node) {
        let Some(region) = self.history.regions.get(&name) else { return };
        for (number, task) in &region.implicit {
            let Some(record) = self.history.tasks.get(task) else { continue };
            let thread_num = if region.is_league { 0 } else { *number };
            let cursor = Cursor::new(self.log, *task, record, thread_num);
            let result = match &node.construct {
                Construct::Parallel { reduction, body, .. } => {
                    self.member(cursor, node.id, body, *reduction)
                }
                Construct::Teams { body, .. } => self.team(cursor, node.id, body),
                Construct::ParallelLoop { construct, .. } => {
                    self.loop_member(cursor, node.id, construct)
                }
                Construct::ParallelSections { sections, .. } => {
                    self.sections_member(cursor, node.id, sections)
                }
                Construct::CancelledParallel { at, .. } => {
                    self.cancelled_member(cursor, node.id, *at)
                }
                _ => Ok(()),
            };
            self.found.extend(result.err());
        }
    }

    fn member(
        &mut self,
        mut cursor: Cursor<'l>,
        id: u32,
        body: &'a Block,
        reduction: bool,
    ) -> Result<(), Violation> {
        self.probed(&mut cursor, id, body)?;
        if reduction {
            self.reductions(&mut cursor, id)?;
        }
        self.barrier(&mut cursor, id, "barrier_implicit_parallel")?;
        self.nothing_left(&cursor)
    }

    fn loop_member(
        &mut self,
        mut cursor: Cursor<'l>,
        id: u32,
        construct: &'a Loop,
    ) -> Result<(), Violation> {
        self.loop_work(&mut cursor, id, construct)?;
        self.barrier(&mut cursor, id, "barrier_implicit_parallel")?;
        self.nothing_left(&cursor)
    }

    fn sections_member(
        &mut self,
        mut cursor: Cursor<'l>,
        id: u32,
        sections: &'a [Block],
    ) -> Result<(), Violation> {
        self.sections(&mut cursor, id, true, sections)?;
        self.barrier(&mut cursor, id, "barrier_implicit_parallel")?;
        self.nothing_left(&cursor)
    }

    fn cancelled_member(
        &mut self,
        mut cursor: Cursor<'l>,
        id: u32,
        at: u32,
    ) -> Result<(), Violation> {
        self.probe(&mut cursor, id)?;
        let is_activator = cursor.thread_num == u64::from(at);
        let position = cursor.at();
        let is_cancelled = self.cancellation(&mut cursor, id, "parallel")?;
        if is_activator && !is_cancelled {
            let said = "the thread that cancels the region does not say so";
            return Err(Violation::new("5.2 §11.2, cancel", said, position));
        }
        if !is_cancelled {
            self.probe(&mut cursor, id)?;
        }
        self.barrier(&mut cursor, id, "barrier_implicit_parallel")?;
        self.nothing_left(&cursor)
    }

    fn team(&mut self, mut cursor: Cursor<'l>, id: u32, body: &'a Block) -> Result<(), Violation> {
        self.block(&mut cursor, body)?;
        if cursor.is_next("sync_region", &[]) {
            self.barrier(&mut cursor, id, "barrier_teams")?;
        }
        self.nothing_left(&cursor)
    }

    pub(super) fn distribute(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        iterations: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        // GCC computes the shares of the teams inline; clang does not begin a loop without
        // iterations.
        let is_silent = self.run.compiler == Family::Gcc || iterations == 0;
        let rule = Rule { iterations: Some(iterations as usize), ..Rule::default() };
        let tally = self.tally.encounter(&cursor.region.to_string(), id, rule);
        let count = iterations.to_string();
        let values = [("type", "distribute"), ("count", count.as_str())];
        if is_silent && !cursor.is_next("work", &values) {
            return self.iterations(cursor, id, tally, None, body);
        }
        let values = [("type", "distribute"), ("endpoint", "begin")];
        self.expect(cursor, id, "work", &values)?;
        self.iterations(cursor, id, tally, Some("distribute_chunk"), body)?;
        let values = [("type", "distribute"), ("endpoint", "end")];
        self.expect(cursor, id, "work", &values).map(drop)
    }
}
