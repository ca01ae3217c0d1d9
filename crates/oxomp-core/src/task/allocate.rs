//! The creation of a task (OpenMP 5.2 §12.5): its block, and what it inherits from its generating
//! task.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use oxomp_base::settings;
use oxomp_base::word::{Atom, Word};

use super::{ALIGNMENT, Properties, Task};
use crate::block::Thread;
use crate::ompt::event::{emit, is_active};
use crate::race_detector;

/// The clauses of a construct that generates tasks.
#[derive(Clone, Copy, Debug)]
pub struct Clauses {
    /// The properties that the clauses give the tasks, except for their priority.
    pub properties: Properties,
    /// The priority clause; 0 for none.
    pub priority: i32,
}

impl Clauses {
    /// The priority of the task, at most *max-task-priority-var*.
    #[inline(always)]
    pub(super) fn effective_priority(self) -> u32 {
        if self.priority == 0 { 0 } else { effective(self.priority) }
    }
}

/// The priority that a task gets by a priority clause with that value.
fn effective(priority: i32) -> u32 {
    priority.max(0).cast_unsigned().min(settings::get().globals.max_task_priority_var)
}

/// Allocates a child of the current task, with room for `payload` bytes of data.
#[inline(always)]
pub fn allocate(
    thread: &'static Thread,
    payload: usize,
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    allocate_for(is_active(), thread, payload, body, clauses)
}

/// Allocates a child of the current task, with room for data of that size and alignment.
#[inline(always)]
pub fn allocate_aligned(
    thread: &'static Thread,
    (bytes, alignment): (usize, usize),
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    let (room, aligned) = room((bytes, alignment));
    let properties = clauses.properties | aligned;
    allocate(thread, room, body, Clauses { properties, ..clauses })
}

/// The payload, and the property, of a task with data of that size and alignment. Data with a
/// larger alignment than blocks have get a larger block, and an aligned place in it.
#[inline(always)]
fn room((bytes, alignment): (usize, usize)) -> (usize, Properties) {
    let alignment = alignment.max(1);
    let room = if alignment > ALIGNMENT { bytes + alignment } else { bytes };
    (room, Properties::aligned(alignment))
}

/// As `allocate`. The task gets a record for a listener if there `is_listening` one.
#[inline(always)]
pub(super) fn allocate_for(
    is_listening: bool,
    thread: &'static Thread,
    payload: usize,
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    let task = thread.spares.blocks.take(payload);
    task.become_child_of(thread.task(), clauses.properties, body, Fill::Sparing);
    Fill::Sparing.cell(&task.payload_bytes, payload as u32);
    Fill::Sparing.cell(&task.priority, clauses.effective_priority());
    if clauses.properties.intersects(Properties::DETACHABLE) {
        if task.event.is_used_up() {
            return allocate_elsewhere(thread, task, payload, body, clauses);
        }
        task.begin_event();
    }
    if is_listening {
        begin_record(task);
    }
    task
}

/// Allocates a child of `parent`, the current task, that only the calling thread executes and
/// nobody listens to, with room for data of that size and alignment. The execution reads only the
/// fields that are set here.
#[inline(always)]
pub(super) fn allocate_local(
    thread: &'static Thread,
    parent: &'static Task,
    data: (usize, usize),
    body: *const c_void,
    properties: Properties,
) -> &'static Task {
    let (room, aligned) = room(data);
    let task = thread.spares.blocks.take(room);
    task.become_child_of(parent, properties | aligned, body, Fill::Plain);
    task.payload_bytes.set(room as u32);
    task
}

/// As `allocate`, but in another block than that of `task`, which can have no further event.
#[cold]
#[inline(never)]
fn allocate_elsewhere(
    thread: &'static Thread,
    task: &Task,
    payload: usize,
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    task.give_up_block();
    allocate(thread, payload, body, clauses)
}

#[cold]
fn begin_record(task: &Task) {
    emit::begin_explicit_record(&task.ompt);
    task.note_kept_by_parent(ptr::null_mut(), 0);
    race_detector::take(task.payload());
}

/// How those fields of a block are set that usually have the value already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    /// If the value differs. A store would move the cache line from the thread that executed the
    /// block's last task to this one, and that thread would have to fetch it again.
    Sparing,
    /// Always: a store is quicker than a test. For a task that stays on this thread: its block
    /// comes back to the head of the list, so a line that is in another thread's cache is fetched
    /// once, not for each task.
    Plain,
}

impl Fill {
    #[inline(always)]
    fn cell<T: Copy + PartialEq>(self, cell: &Cell<T>, value: T) {
        if self == Fill::Plain || cell.get() != value {
            cell.set(value);
        }
    }

    #[inline(always)]
    fn word<T: Atom + PartialEq>(self, word: &Word<T>, value: T) {
        match self {
            Fill::Sparing => word.keep(value),
            Fill::Plain => word.set(value),
        }
    }
}

/// Allocates a child of the current task with the properties, the body and a copy of the data of
/// `pattern`, a task that has been allocated but not generated.
pub fn copy(thread: &'static Thread, pattern: &Task) -> &'static Task {
    let bytes = pattern.payload_len();
    let clauses = Clauses { properties: pattern.properties.get(), priority: 0 };
    let task = allocate(thread, bytes, pattern.body.get(), clauses);
    task.priority.set(pattern.priority.get());
    // SAFETY: both payloads have `bytes` bytes, and they lie in different blocks.
    unsafe {
        ptr::copy_nonoverlapping(pattern.payload().cast::<u8>(), task.payload().cast(), bytes);
    }
    task
}

impl Task {
    /// Sets the priority of the priority clause, at most *max-task-priority-var*.
    pub fn set_priority(&self, priority: i32) {
        self.priority.set(effective(priority));
    }

    /// Sets the fields that every generated task has.
    #[inline(always)]
    fn become_child_of(
        &self,
        parent: &'static Task,
        properties: Properties,
        body: *const c_void,
        fill: Fill,
    ) {
        let inherited = match parent.has(Properties::FINAL) {
            true => Properties::FINAL | Properties::UNDEFERRED,
            false => Properties::empty(),
        };
        // Release: pairs with the Acquire in `descends_from`.
        self.parent.store(ptr::from_ref(parent).cast_mut(), Release);
        self.depth.store(parent.depth.load(Relaxed) + 1, Relaxed);
        self.properties.set(properties | inherited);
        self.own_children().reset();
        self.taskgroup.set(parent.taskgroup.get());
        fill.word(&self.team, parent.team.get());
        fill.cell(&self.body, body);
        self.inherit_icvs_of(parent, fill);
        fill.word(&self.ompt.parallel, parent.ompt.parallel.get());
    }

    /// Takes over the internal control variables of the generating task.
    #[inline(always)]
    fn inherit_icvs_of(&self, parent: &Task, fill: Fill) {
        if parent.has_own_icvs() {
            self.copy_icvs_of(parent);
        } else {
            fill.cell(&self.icvs, parent.icvs.get());
        }
    }

    /// Copies the internal control variables of the generating task, which has its own: they may
    /// change, and the generating task may end before this one.
    #[cold]
    #[inline(never)]
    fn copy_icvs_of(&self, parent: &Task) {
        self.set_own_icvs(parent.icvs());
    }
}
