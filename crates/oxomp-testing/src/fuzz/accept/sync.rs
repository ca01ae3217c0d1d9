//! Synchronization: barriers, mutexes, masked, and what a reduction may need.

use super::Acceptor;
use super::cursor::{Cursor, value};
use crate::compiler::Family;
use crate::fuzz::program::tree::Block;
use crate::fuzz::violation::Violation;

const BEGIN: (&str, &str) = ("endpoint", "begin");
const END: (&str, &str) = ("endpoint", "end");

impl<'a, 'l> Acceptor<'a, 'l> {
    /// A barrier of one of `kinds`.
    pub(super) fn barrier(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        kinds: &str,
    ) -> Result<(), Violation> {
        let event = self.expect(cursor, id, "sync_region", &[("kind", kinds), BEGIN])?;
        let kind = value(event, "kind");
        self.wait(cursor, id, kind)
    }

    /// From the begin of the wait to the end of the region.
    fn wait(&self, cursor: &mut Cursor<'l>, id: u32, kind: &str) -> Result<(), Violation> {
        self.expect(cursor, id, "sync_region_wait", &[("kind", kind), BEGIN])?;
        loop {
            cursor.switches();
            let is_cancelled = ["loop", "sections", "parallel", "taskgroup"];
            let mut found = false;
            for what in is_cancelled {
                found |= self.cancellation(cursor, id, what)?;
            }
            if !found {
                break;
            }
        }
        self.expect(cursor, id, "sync_region_wait", &[("kind", kind), END])?;
        self.expect(cursor, id, "sync_region", &[("kind", kind), END]).map(drop)
    }

    pub(super) fn taskwait(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<(), Violation> {
        self.expect(cursor, id, "sync_region", &[("kind", "taskwait"), BEGIN])?;
        self.wait(cursor, id, "taskwait")
    }

    pub(super) fn taskgroup(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        self.group_begin(cursor, id)?;
        self.probed(cursor, id, body)?;
        self.group_end(cursor, id)
    }

    pub(super) fn group_begin(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<(), Violation> {
        self.expect(cursor, id, "sync_region", &[("kind", "taskgroup"), BEGIN]).map(drop)
    }

    pub(super) fn group_end(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<(), Violation> {
        self.wait(cursor, id, "taskgroup")
    }

    pub(super) fn masked(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        filter: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        if cursor.thread_num != u64::from(filter) {
            return Ok(());
        }
        // GCC compares the numbers inline.
        let is_told = self.run.compiler == Family::Clang;
        if is_told {
            self.expect(cursor, id, "masked", &[BEGIN])?;
        }
        self.probed(cursor, id, body)?;
        if is_told {
            self.expect(cursor, id, "masked", &[END])?;
        }
        Ok(())
    }

    pub(super) fn critical(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        hint: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        // GCC passes no hint.
        let hint = match self.run.compiler {
            Family::Gcc => format!("0|{hint}"),
            Family::Clang => hint.to_string(),
        };
        let values = [("kind", "critical"), ("hint", hint.as_str())];
        self.expect(cursor, id, "mutex_acquire", &values)?;
        self.held(cursor, id, "critical", body)
    }

    pub(super) fn ordered(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        self.expect(cursor, id, "mutex_acquire", &[("kind", "ordered")])?;
        self.held(cursor, id, "ordered", body)
    }

    /// A mutex of `kind` acquired, the block, and the release.
    fn held(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        kind: &str,
        body: &'a Block,
    ) -> Result<(), Violation> {
        self.expect(cursor, id, "mutex_acquired", &[("kind", kind)])?;
        self.probed(cursor, id, body)?;
        let kinds = format!("{kind}|{}", kind.trim_start_matches("test_"));
        self.expect(cursor, id, "mutex_released", &[("kind", &kinds)]).map(drop)
    }

    pub(super) fn lock(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        is_test: bool,
        body: &'a Block,
    ) -> Result<(), Violation> {
        let kind = if is_test { "test_lock" } else { "lock" };
        self.expect(cursor, id, "mutex_acquire", &[("kind", kind)])?;
        if is_test && !cursor.is_next("mutex_acquired", &[("kind", kind)]) {
            return Ok(());
        }
        self.held(cursor, id, kind, body)
    }

    pub(super) fn nest_lock(
        &mut self,
        cursor: &mut Cursor<'l>,
        id: u32,
        is_test: bool,
        depth: u32,
        body: &'a Block,
    ) -> Result<(), Violation> {
        let kind = if is_test { "test_nest_lock" } else { "nest_lock" };
        self.expect(cursor, id, "mutex_acquire", &[("kind", kind)])?;
        if is_test && !cursor.is_next("mutex_acquired", &[("kind", kind)]) {
            return Ok(());
        }
        self.expect(cursor, id, "mutex_acquired", &[("kind", kind)])?;
        for _ in 1..depth {
            self.expect(cursor, id, "mutex_acquire", &[("kind", kind)])?;
            self.expect(cursor, id, "nest_lock", &[BEGIN])?;
        }
        self.probed(cursor, id, body)?;
        for _ in 1..depth {
            self.expect(cursor, id, "nest_lock", &[END])?;
        }
        let kinds = format!("{kind}|nest_lock");
        self.expect(cursor, id, "mutex_released", &[("kind", &kinds)]).map(drop)
    }

    /// An atomic, which is an instruction or a mutex.
    pub(super) fn maybe_atomic(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<(), Violation> {
        let kind = ("kind", "atomic");
        if cursor.is_next("mutex_acquire", &[kind]) {
            self.expect(cursor, id, "mutex_acquire", &[kind])?;
            self.expect(cursor, id, "mutex_acquired", &[kind])?;
            self.expect(cursor, id, "mutex_released", &[kind])?;
        }
        Ok(())
    }

    /// The combining of partial results, which the compiler or the runtime does.
    pub(super) fn reductions(&self, cursor: &mut Cursor<'l>, id: u32) -> Result<(), Violation> {
        if cursor.is_next("reduction", &[BEGIN]) {
            self.expect(cursor, id, "reduction", &[("kind", "reduction"), BEGIN])?;
            self.expect(cursor, id, "reduction", &[("kind", "reduction"), END])?;
        }
        self.maybe_atomic(cursor, id)
    }
}
