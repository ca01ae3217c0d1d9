//! Worksharing: loops, sections, single, and loops whose iterations wait for each other.

use super::Acceptor;
use super::cursor::{Cursor, value};
use super::tally::{Key, Rule};
use crate::compiler::Family;
use crate::fuzz::program::tree::{Block, Loop, Schedule, SingleEnding};
use crate::fuzz::violation::Violation;
use crate::trace::log::find;

impl<'a, 'l> Acceptor<'a, 'l> {
    pub(super) fn worksharing_loop(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        construct: &'a Loop,
    ) -> Result<(), Violation> {
        let is_inlined = self.loop_work(cursor, id, construct)?;
        // Clang's code waits in the reduction, and once more at the end of the loop.
        let own = [("kind", "barrier_implementation"), ("endpoint", "begin")];
        if construct.reduction && cursor.is_next("sync_region", &own) && self.is_here(cursor, id) {
            self.barrier(cursor, id, "barrier_implementation")?;
        }
        // Optimising, clang makes one of two barriers without code between them.
        let is_merged = self.run.compiler == Family::Clang
            && self.run.source.is_none()
            && construct.count() == 0;
        let barrier = [("kind", "barrier_implicit_workshare"), ("endpoint", "begin")];
        if is_merged && !cursor.is_next("sync_region", &barrier) {
            return Ok(());
        }
        self.closes(cursor, id, is_inlined, construct.nowait)
    }

    /// A loop up to its barrier; whether GCC expands it inline.
    pub(super) fn loop_work(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        construct: &'a Loop,
    ) -> Result<bool, Violation> {
        let count = construct.count();
        let tally = self.shared(cursor, id, Some(count as usize), false);
        let is_inlined = !construct.is_ordered && self.is_inlined(construct.schedule);
        let kind = self.loop_kind(cursor, construct.schedule);
        if self.opens(cursor, id, is_inlined, count, kind)? {
            self.iterations(cursor, id, tally, Some("ws_loop_chunk"), &construct.body)?;
            if construct.reduction {
                self.reductions(cursor, id)?;
            }
            self.expect(cursor, id, "work", &[("type", kind), ("endpoint", "end")])?;
        } else {
            self.iterations(cursor, id, tally, None, &construct.body)?;
        }
        if construct.reduction {
            self.reductions(cursor, id)?;
        }
        Ok(is_inlined)
    }

    /// The count of the construct `id` in the task's team.
    fn shared(
        &mut self,
        cursor: &Cursor<'l>,
        id: u32,
        iterations: Option<usize>,
        is_single: bool,
    ) -> Key {
        let team = self.history.regions.get(&cursor.region).map(|region| region.size as usize);
        let rule = Rule { iterations, is_single, encounters: team };
        self.tally.encounter(&cursor.region.to_string(), id, rule)
    }

    /// Whether GCC computes the shares of the threads inline.
    fn is_inlined(&self, schedule: Schedule) -> bool {
        self.run.compiler == Family::Gcc
            && matches!(schedule, Schedule::None | Schedule::Static | Schedule::Auto)
    }

    fn loop_kind(&self, cursor: &Cursor<'l>, schedule: Schedule) -> &'static str {
        let region = self.history.regions.get(&cursor.region);
        match schedule {
            Schedule::None | Schedule::Static => "loop_static",
            Schedule::Dynamic => "loop_dynamic",
            // The schedule in use: one thread has all iterations in one chunk.
            Schedule::Guided if region.is_some_and(|it| it.size == 1) => "loop_guided|loop_static",
            Schedule::Guided => "loop_guided",
            Schedule::Auto => "loop_static|loop_dynamic|loop_guided|loop_other",
            Schedule::Runtime => self.loop_kind(cursor, self.run.program.schedule.0),
        }
    }

    /// The begin of a loop's work, if there is one.
    fn opens(
        &self,
        cursor: &mut Cursor<'l>,
        id: u32,
        is_inlined: bool,
        count: u32,
        kind: &str,
    ) -> Result<bool, Violation> {
        let (text, begin) = (count.to_string(), ("endpoint", "begin"));
        // Clang's code tests for itself whether a loop has iterations.
        let is_optional = self.run.compiler == Family::Clang && count == 0;
        let values = [("type", kind), begin, ("count", text.as_str())];
        let is_next = cursor.is_next("work", &values) && self.is_here(cursor, id);
        if is_inlined || is_optional && !is_next {
            return Ok(false);
        }
        self.expect(cursor, id, "work", &values)?;
        Ok(true)
    }

    fn closes(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        is_inlined: bool,
        nowait: bool,
    ) -> Result<(), Violation> {
        if self.is_left_out(cursor) {
            return Ok(());
        }
        match (nowait, is_inlined) {
            (true, _) => Ok(()),
            (false, true) => self.barrier(cursor, id, self.inlined_kind()),
            (false, false) => self.barrier(cursor, id, "barrier_implicit_workshare"),
        }
    }

    /// Whether the region's end is next: GCC leaves the barrier of a construct out that stands
    /// directly before it.
    pub(super) fn is_left_out(&self, cursor: &Cursor<'l>) -> bool {
        let is_end = cursor.is_next("sync_region", &[("kind", "barrier_implicit_parallel")]);
        self.run.compiler == Family::Gcc && is_end
    }

    /// Iterations of the construct `id`, each inside a chunk of `kind` reported before.
    pub(super) fn iterations(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        tally: Key,
        kind: Option<&str>,
        body: &'a Block,
    ) -> Result<(), Violation> {
        let mut chunks: Vec<(usize, usize)> = Vec::new();
        loop {
            if self.chunk(cursor, &tally, kind, &mut chunks) {
                continue;
            }
            if !self.is_probe(cursor, id) {
                return Ok(());
            }
            let at = cursor.at();
            let iteration = self.probe(cursor, id)?;
            self.tally.iteration(&tally, iteration);
            let is_covered = chunks
                .iter()
                .any(|(start, count)| (*start..start.saturating_add(*count)).contains(&iteration));
            if kind.is_some() && !is_covered {
                let said = format!("iteration {iteration} is in no chunk reported: {chunks:?}");
                return Err(Violation::new("5.2 §19.5.2.6, dispatch", said, at));
            }
            self.block(cursor, body)?;
        }
    }

    /// The report of a chunk, if it is next.
    pub(super) fn chunk(
        &mut self,
        cursor: &mut Cursor<'l>,
        tally: &Key,
        kind: Option<&str>,
        chunks: &mut Vec<(usize, usize)>,
    ) -> bool {
        let Some(kind) = kind else { return false };
        if !cursor.is_next("dispatch", &[("kind", kind)]) {
            return false;
        }
        let instance = cursor.peek().map_or("", |event| value(event, "instance"));
        let chunk = instance
            .split_once('+')
            .and_then(|(start, count)| Some((start.parse().ok()?, count.parse().ok()?)));
        if let Some(chunk) = chunk {
            chunks.push(chunk);
            self.tally.chunk(tally, chunk);
        }
        cursor.advance();
        true
    }

    pub(super) fn sections(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        nowait: bool,
        sections: &'a [Block],
    ) -> Result<(), Violation> {
        let tally = self.shared(cursor, id, Some(sections.len()), false);
        let count = sections.len().to_string();
        let values = [("type", "sections"), ("endpoint", "begin"), ("count", count.as_str())];
        self.expect(cursor, id, "work", &values)?;
        loop {
            let is_told = cursor.is_next("dispatch", &[("kind", "section")]);
            if is_told {
                cursor.advance();
                // Clang's code asks once for all sections of the thread.
                while self.run.compiler == Family::Clang
                    && cursor.is_next("dispatch", &[("kind", "section")])
                {
                    cursor.advance();
                }
            } else if self.run.compiler == Family::Gcc && self.is_probe(cursor, id) {
                let said = "a section that no event announced";
                return Err(Violation::new("5.2 §19.5.2.6, dispatch", said, cursor.at()));
            }
            if !self.is_probe(cursor, id) {
                break;
            }
            let number = self.probe(cursor, id)?;
            self.tally.iteration(&tally, number);
            if let Some(section) = sections.get(number) {
                self.block(cursor, section)?;
            }
        }
        self.expect(cursor, id, "work", &[("type", "sections"), ("endpoint", "end")])?;
        self.closes(cursor, id, false, nowait)
    }

    pub(super) fn single(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        ending: SingleEnding,
        body: &'a Block,
    ) -> Result<(), Violation> {
        let tally = self.shared(cursor, id, None, true);
        let is_executor = cursor.is_next("work", &[("type", "single_executor")]);
        let kind = if is_executor { "single_executor" } else { "single_other" };
        self.expect(cursor, id, "work", &[("type", kind), ("endpoint", "begin"), ("count", "1")])?;
        // GCC's code does not call the runtime at the end of the block.
        let is_copied = ending == SingleEnding::Copyprivate;
        let is_early = self.run.compiler == Family::Gcc && !is_copied || !is_executor;
        let end = [("type", kind), ("endpoint", "end")];
        if is_early {
            self.expect(cursor, id, "work", &end)?;
        }
        if is_executor {
            self.tally.executor(&tally);
            self.probed(cursor, id, body)?;
        }
        if !is_early {
            self.expect(cursor, id, "work", &end)?;
        }
        match ending {
            SingleEnding::Nowait => Ok(()),
            SingleEnding::Barrier if self.is_left_out(cursor) => Ok(()),
            SingleEnding::Barrier => self.barrier(cursor, id, self.inlined_kind()),
            SingleEnding::Copyprivate => {
                // As many barriers as the runtime needs, of a kind that is its own choice; GCC's
                // code has one of its own behind them.
                let kinds = "barrier_implementation|barrier_implicit_workshare";
                while cursor.is_next("sync_region", &[("kind", kinds), ("endpoint", "begin")])
                    && self.is_here(cursor, id)
                {
                    self.barrier(cursor, id, kinds)?;
                }
                let own = [("kind", "barrier_explicit"), ("endpoint", "begin")];
                let is_gcc = self.run.compiler == Family::Gcc;
                if is_gcc && cursor.is_next("sync_region", &own) && self.is_here(cursor, id) {
                    self.barrier(cursor, id, "barrier_explicit")?;
                }
                Ok(())
            }
        }
    }

    /// Whether the next event's code address lies in the construct `id`.
    fn is_here(&self, cursor: &Cursor<'l>, id: u32) -> bool {
        let Some((at, event)) = cursor.at().zip(cursor.peek()) else { return false };
        self.address(cursor.task, event, at, id).is_ok()
    }

    pub(super) fn cancelled_loop(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        schedule: Schedule,
        count: u32,
    ) -> Result<(), Violation> {
        let tally = self.shared(cursor, id, Some(count as usize), false);
        let is_inlined = self.is_inlined(schedule);
        let kind = self.loop_kind(cursor, schedule);
        let is_open = self.opens(cursor, id, is_inlined, count, kind)?;
        let mut chunks = Vec::new();
        let mut is_left = false;
        loop {
            if is_open && self.chunk(cursor, &tally, Some("ws_loop_chunk"), &mut chunks) {
                continue;
            }
            if self.cancellation(cursor, id, "loop")? {
                self.tally.cancelled(&tally);
                is_left = true;
                continue;
            }
            if !self.is_probe(cursor, id) {
                break;
            }
            let at = cursor.at();
            if is_left {
                let said = "an iteration after the thread has seen the cancellation";
                return Err(Violation::new("5.2 §11.2, cancel", said, at));
            }
            let iteration = self.probe(cursor, id)?;
            self.tally.iteration(&tally, iteration);
        }
        if is_open {
            self.expect(cursor, id, "work", &[("type", kind), ("endpoint", "end")])?;
        }
        self.closes(cursor, id, is_inlined, false)?;
        self.cancellation(cursor, id, "loop").map(drop)
    }

    pub(super) fn cancelled_sections(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        sections: u32,
    ) -> Result<(), Violation> {
        let tally = self.shared(cursor, id, Some(sections as usize), false);
        let count = sections.to_string();
        let values = [("type", "sections"), ("endpoint", "begin"), ("count", count.as_str())];
        self.expect(cursor, id, "work", &values)?;
        loop {
            if cursor.is_next("dispatch", &[("kind", "section")]) {
                cursor.advance();
            } else if self.cancellation(cursor, id, "sections")? {
                self.tally.cancelled(&tally);
            } else if self.is_probe(cursor, id) {
                let number = self.probe(cursor, id)?;
                self.tally.iteration(&tally, number);
            } else {
                break;
            }
        }
        self.expect(cursor, id, "work", &[("type", "sections"), ("endpoint", "end")])?;
        self.closes(cursor, id, false, false)
    }

    /// An event that a cancellation of `what` is activated or detected, if it is next.
    pub(super) fn cancellation(
        &self,
        cursor: &mut Cursor<'l>,
        id: u32,
        what: &str,
    ) -> Result<bool, Violation> {
        let flags = format!("{what},activated|{what},detected");
        if !cursor.is_next("cancel", &[("flags", &flags)]) {
            return Ok(false);
        }
        self.expect(cursor, id, "cancel", &[]).map(|_| true)
    }

    pub(super) fn doacross(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        schedule: Schedule,
        count: u32,
    ) -> Result<(), Violation> {
        let tally = self.shared(cursor, id, Some(count as usize), false);
        let kind = self.loop_kind(cursor, schedule);
        let is_open = self.opens(cursor, id, false, count, kind)?;
        let mut chunks = Vec::new();
        loop {
            if is_open && self.chunk(cursor, &tally, Some("ws_loop_chunk"), &mut chunks) {
                continue;
            }
            let sink = self.dependence(cursor, "sink");
            if sink.is_none() && !self.is_probe(cursor, id) {
                break;
            }
            let at = cursor.at();
            let iteration = self.probe(cursor, id)?;
            self.tally.iteration(&tally, iteration);
            let wanted = iteration.checked_sub(1);
            let source = self.dependence(cursor, "source");
            if sink != wanted || source != Some(iteration) {
                let said =
                    format!("iteration {iteration} waits for {sink:?}, and posts {source:?}");
                return Err(Violation::new("5.2 §15.9.7, doacross dependences", said, at));
            }
        }
        if is_open {
            self.expect(cursor, id, "work", &[("type", kind), ("endpoint", "end")])?;
        }
        self.closes(cursor, id, false, false)
    }

    /// The iteration of a doacross dependence, if one of that type is next.
    fn dependence(&self, cursor: &mut Cursor<'l>, kind: &str) -> Option<usize> {
        let event = cursor.peek().filter(|event| event.name == "dependences")?;
        let detail = event.details.first()?;
        if find(&detail.keys, "type") != Some(kind) {
            return None;
        }
        cursor.advance();
        find(&detail.keys, "variable")?.parse().ok()
    }
}
