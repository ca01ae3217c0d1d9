//! An event as a tool of OpenMP 5 and 6 sees it.

use std::fmt;

use oxomp_sys::ompt::{
    EventRow, ompt_callbacks_t, ompt_cancel_flag_t, ompt_dependence_type_t, ompt_frame_t,
    ompt_mutex_t, ompt_parallel_flag_t, ompt_scope_endpoint_t, ompt_state_t, ompt_sync_region_t,
    ompt_task_flag_t, ompt_task_status_t,
};

/// The object to which a data word belongs. The tool gives each object a number when an event
/// announces it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// The callback got a null pointer in place of a word.
    #[default]
    Null,
    /// The word is zero: no event has announced the object.
    Unannounced,
    /// The word has a value that the tool has given to no object of the kind.
    Foreign(u64),
    /// A parallel region, a league, or the region around an initial task.
    Region(u64),
    /// A task.
    Task(u64),
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Unannounced => f.write_str("zero"),
            Self::Foreign(word) => write!(f, "bad:{word:#x}"),
            Self::Region(number) => write!(f, "p{number}"),
            Self::Task(number) => write!(f, "t{number}"),
        }
    }
}

/// An event with its arguments. A field that the event's callback has no argument for keeps the
/// value of [`Event::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The native thread, by a number that the tool gives it.
    pub thread: usize,
    /// Which event.
    pub code: ompt_callbacks_t,
    /// Which end of its construct.
    pub endpoint: ompt_scope_endpoint_t,
    /// The enumerator that tells the event's forms apart: of `ompt_work_t`, `ompt_sync_region_t`,
    /// `ompt_mutex_t`, `ompt_task_status_t` and others, by the event.
    pub kind: i32,
    /// The region.
    pub parallel: Object,
    /// The task; the encountering task; the prior task of `task_schedule`; the source of
    /// `task_dependence`.
    pub task: Object,
    /// The new task of `task_create`; the next task of `task_schedule`; the sink of
    /// `task_dependence`; the target task.
    pub other: Object,
    /// The actual parallelism; the hint of a mutex; 1 if a new task has dependences.
    pub count: u64,
    /// The number of an implicit task in its team.
    pub index: u64,
    /// A set of flags: of `ompt_parallel_flag_t`, `ompt_task_flag_t` or `ompt_cancel_flag_t`.
    pub flags: u32,
    /// The wait identifier of a mutex.
    pub wait: u64,
    /// The frames of the encountering task.
    pub frame: Option<ompt_frame_t>,
    /// The value that the word of a new object had before the tool wrote to it.
    pub dirty: u64,
    /// False if a thread's word is not that of its `thread_begin`.
    pub has_own_thread_word: bool,
    /// What `ompt_get_state` answers in the callback.
    pub state: ompt_state_t,
    /// What `ompt_get_task_info` answers in the callback, by level.
    pub tasks: Vec<TaskLevel>,
    /// What `ompt_get_parallel_info` answers in the callback, by level: regions and their sizes.
    pub regions: Vec<(Object, u64)>,
    /// The dependences of a task: types and variables.
    pub dependences: Vec<(ompt_dependence_type_t, u64)>,
}

/// A task as `ompt_get_task_info` describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskLevel {
    pub task: Object,
    pub flags: ompt_task_flag_t,
    /// Its region.
    pub parallel: Object,
    /// The number of its thread in the team.
    pub thread_num: i64,
    /// Its frames.
    pub frame: ompt_frame_t,
}

impl Event {
    /// An event without arguments.
    #[must_use]
    pub fn new(thread: usize, code: ompt_callbacks_t) -> Self {
        Self {
            thread,
            code,
            endpoint: ompt_scope_endpoint_t(0),
            kind: 0,
            parallel: Object::Null,
            task: Object::Null,
            other: Object::Null,
            count: 0,
            index: 0,
            flags: 0,
            wait: 0,
            frame: None,
            dirty: 0,
            has_own_thread_word: true,
            state: ompt_state_t::UNDEFINED,
            tasks: Vec::new(),
            regions: Vec::new(),
            dependences: Vec::new(),
        }
    }

    /// The name in C without `ompt_callback_`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        EventRow::of(self.code).map_or("unknown", |row| row.name)
    }

    /// Whether the event is the begin of its construct.
    #[must_use]
    pub fn begins(&self) -> bool {
        self.endpoint == ompt_scope_endpoint_t::BEGIN
    }

    /// Whether the event is the end of its construct.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.endpoint == ompt_scope_endpoint_t::END
    }

    /// The kind of synchronization, of an event with such a kind.
    #[must_use]
    pub fn sync_region(&self) -> Option<ompt_sync_region_t> {
        let has_it = matches!(
            self.code,
            ompt_callbacks_t::SYNC_REGION
                | ompt_callbacks_t::SYNC_REGION_WAIT
                | ompt_callbacks_t::REDUCTION
        );
        has_it.then_some(ompt_sync_region_t(self.kind))
    }

    /// The kind of mutual exclusion of `mutex_acquire`, `mutex_acquired` or `mutex_released`.
    #[must_use]
    pub fn mutex(&self) -> Option<ompt_mutex_t> {
        let has_it = matches!(
            self.code,
            ompt_callbacks_t::MUTEX_ACQUIRE
                | ompt_callbacks_t::MUTEX_ACQUIRED
                | ompt_callbacks_t::MUTEX_RELEASED
        );
        has_it.then_some(ompt_mutex_t(self.kind))
    }

    /// The status of `task_schedule`.
    #[must_use]
    pub fn status(&self) -> Option<ompt_task_status_t> {
        (self.code == ompt_callbacks_t::TASK_SCHEDULE).then_some(ompt_task_status_t(self.kind))
    }

    /// Whether the event of a detached task is fulfilled, by any thread.
    #[must_use]
    pub fn is_fulfilment(&self) -> bool {
        let fulfils = [ompt_task_status_t::EARLY_FULFILL, ompt_task_status_t::LATE_FULFILL];
        self.status().is_some_and(|status| fulfils.contains(&status))
    }

    /// The flags of a task.
    #[must_use]
    pub fn task_flags(&self) -> ompt_task_flag_t {
        ompt_task_flag_t(self.flags)
    }

    /// Whether the flags are those of a league.
    #[must_use]
    pub fn is_of_league(&self) -> bool {
        ompt_parallel_flag_t(self.flags).contains(ompt_parallel_flag_t::LEAGUE)
    }

    /// Whether a task is discarded, which never begins.
    #[must_use]
    pub fn discards(&self) -> bool {
        self.code == ompt_callbacks_t::CANCEL
            && ompt_cancel_flag_t(self.flags).contains(ompt_cancel_flag_t::DISCARDED_TASK)
    }
}
