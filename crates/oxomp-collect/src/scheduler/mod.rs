//! User code that does not compute: the time in which a thread is ready but the system's scheduler
//! gives its processor to another one, and the time in which it blocks, in a system call or at a
//! page that is not there.
//!
//! A thread looks at its own processor time where user code begins and where it ends, if that was
//! long enough. The clock shows more than that: of the difference, the system tells how much was a
//! wait for a processor (`usage`), and in the rest the thread was blocked.

mod state;

use oxomp_trace::FoldKind;
use oxomp_trace::fold::scheduler;

use crate::log::Log;
use crate::store::Store;
use crate::team::Team;
use crate::{clock, sample};
use state::{FIRST, Gap, WATCHED};

pub(crate) use state::{Looked, is_long, not_computed, prepare};

impl Log {
    /// The thread begins or resumes user code.
    #[inline]
    pub(crate) fn begin_user_code(&mut self, now: u64) {
        self.show_region();
        self.visible.show_since(now);
        self.context.tested.interrupt();
        let looked = &mut self.looked;
        looked.since = now;
        looked.waits = 0;
        if looked.begun < FIRST {
            if looked.begun == 0 {
                self.visible.begin_thread();
            }
            looked.begun += 1;
            sample::look_at_stack();
        }
        if looked.is_due(now) {
            self.look(now);
        }
    }

    /// Looks at `now`, and shows the look to the helper; returns how long the thread has not
    /// computed since the last look.
    #[cold]
    fn look(&mut self, now: u64) -> Gap {
        sample::look_at_stack();
        let gap = self.looked.look(now);
        self.visible.show_look(self.looked.last());
        gap
    }

    /// The thread ends or leaves user code: adds up how long it did not compute in it. Returns the
    /// ticks that the scheduler took since user code began.
    #[inline]
    pub(crate) fn end_user_code(&mut self, store: &Store, now: u64) -> u64 {
        let since = self.looked.since;
        let length = now.saturating_sub(since);
        self.visible.show_left(now);
        let taken = match since != 0 && self.looked.is_worth_a_look(length) {
            true => self.end_long_stretch(store, now, since),
            false => 0,
        };
        self.looked.since = 0;
        taken
    }

    #[cold]
    fn end_long_stretch(&mut self, store: &Store, now: u64, since: u64) -> u64 {
        let length = now.saturating_sub(since);
        // Between its last look and the begin of the stretch the thread may have waited in the
        // runtime; so the rest is a lower bound.
        let before = since.saturating_sub(self.looked.tick);
        let gap = self.look(now);
        let waits = self.looked.waits;
        let taken = gap.taken_in_code(length, before, waits);
        let known = before.saturating_add(waits);
        let blocked = gap.blocked.saturating_sub(known).min(length - taken);
        let watched = if gap.blocked > 0 { WATCHED } else { self.looked.watched.saturating_sub(1) };
        self.looked.watched = watched;
        if taken > 0 || blocked > 0 {
            if let Some(frame) = self.context.regions.top() {
                frame.uncomputed += taken + blocked;
            }
            let region = self.region_code();
            let after = if region == 0 { self.looked.after } else { 0 };
            if let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [region, after]) {
                values[scheduler::TAKEN] += taken;
                values[scheduler::STRETCHES] += u64::from(taken > 0);
                values[scheduler::BLOCKED] += blocked;
                values[scheduler::GUESSED] += u64::from(gap.guessed);
            }
        }
        gap.taken.min(length)
    }

    /// The thread has ended the region at `code`, which it began.
    #[inline]
    pub(crate) fn leave_region(&mut self, code: u64) {
        self.show_region();
        if self.region_code() == 0 {
            self.looked.after = code;
        }
    }

    /// The code address of the region that the thread, which began it, is about to end.
    #[inline]
    pub(crate) fn ending_region(&mut self) -> u64 {
        match &self.context.counted {
            Some(counted) => counted.code,
            None => self.region_code(),
        }
    }

    /// Shows the helper in which region the thread is.
    #[inline]
    pub(crate) fn show_region(&mut self) {
        let (code, team) = self.place();
        self.visible.show_region(code, team);
    }

    /// The code address of the region that the thread is in, 0 outside every region, and the team
    /// in which it is a worker there.
    #[inline]
    fn place(&mut self) -> (u64, Option<&'static Team>) {
        self.context.regions.top().map_or((0, None), |frame| {
            (frame.region.code, Some(frame.team).filter(|_| !frame.primary))
        })
    }

    /// A region at `region` ends in which the scheduler caused `waits` ticks of waits. Below 0, it
    /// hid waits: a thread with little work that the scheduler delays waits less for the others.
    #[inline]
    pub(crate) fn delay_by_scheduler(&mut self, store: &Store, region: u64, waits: i64) {
        if waits != 0
            && let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [region, 0])
        {
            let place = if waits > 0 { scheduler::WAITS } else { scheduler::HIDDEN_WAITS };
            values[place] += waits.unsigned_abs();
        }
    }

    /// The thread, the first one of the process, begins: the scheduler has taken `waited_ns` of its
    /// time since the process began.
    pub(crate) fn begin_late(&mut self, store: &Store, waited_ns: u64) {
        let taken = clock::ticks_of(waited_ns);
        if is_long(taken)
            && let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [0, 0])
        {
            values[scheduler::TAKEN] += taken;
            values[scheduler::STRETCHES] += 1;
        }
    }
}
