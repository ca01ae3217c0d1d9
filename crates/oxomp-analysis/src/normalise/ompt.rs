//! OMPT's numbers that the normaliser distinguishes.

pub(super) const THREAD_INITIAL: u8 = 1;
pub(super) const THREAD_WORKER: u8 = 2;
pub(super) const SYNC_TASKWAIT: u8 = 5;
pub(super) const SYNC_TASKGROUP: u8 = 6;
pub(super) const SYNC_REDUCTION: u8 = 7;
pub(super) const SYNC_BARRIER_WORKSHARE: u8 = 8;
pub(super) const SYNC_BARRIER_IMPLICIT_PARALLEL: u8 = 9;
pub(super) const SYNC_BARRIER_TEAMS: u8 = 10;
pub(super) const MUTEX_TEST_LOCK: u8 = 2;
pub(super) const MUTEX_TEST_NEST_LOCK: u8 = 4;
pub(super) const TASK_COMPLETE: u8 = 1;
pub(super) const TASK_YIELD: u8 = 2;
pub(super) const TASK_CANCEL: u8 = 3;
pub(super) const TASK_DETACH: u8 = 4;
pub(super) const TASK_SWITCH: u8 = 7;
