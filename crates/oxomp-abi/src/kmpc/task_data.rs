//! Tasks, as clang's and flang's code holds them: by their data.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

use oxomp_core::Thread;
use oxomp_core::task::{self, Task};
use oxomp_sys::kmpc::{kmp_routine_entry_t, kmp_task_t};

/// `kmp_task_t *`: a task that the program has allocated and that is not complete (rule A7).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct TaskData(NonNull<kmp_task_t>);

impl TaskData {
    /// Lays out the data of a new task: `bytes` of the compiler's, a multiple of a word, and behind
    /// them `shareds` bytes of shared variables.
    ///
    /// # Safety
    /// The task was allocated with as many bytes; A7: `bytes` are enough for a `kmp_task_t`.
    #[inline(always)]
    pub(super) unsafe fn lay_out(
        task: &'static Task,
        bytes: usize,
        shareds: usize,
        entry: Option<kmp_routine_entry_t>,
    ) -> Self {
        // SAFETY: a payload is not null, and is as large as it was asked for.
        unsafe {
            let data = NonNull::new_unchecked(task.payload()).cast::<kmp_task_t>();
            let shareds = if shareds == 0 {
                ptr::null_mut()
            } else {
                data.byte_add(bytes).as_ptr().cast::<c_void>()
            };
            let fields = data.as_ptr();
            (*fields).shareds = shareds;
            (*fields).routine = entry;
            (*fields).part_id = 0;
            TaskData(data)
        }
    }

    /// The task before its data.
    #[inline(always)]
    pub(super) fn task(self) -> &'static Task {
        // SAFETY: A7: the allocation returned it, and the task is not complete.
        unsafe { Task::of_payload(self.0.as_ptr().cast::<c_void>()) }
    }

    /// The priority clause, which the compiler wrote into the data of a task with the flag for it.
    #[inline(always)]
    pub(super) fn priority(self) -> i32 {
        // SAFETY: A7: the data of a task begin with a `kmp_task_t`, and nobody writes this field
        // now.
        unsafe { (*self.0.as_ptr()).priority }
    }

    /// A new task of `thread` with a copy of these data, where the shared variables lie in the same
    /// place.
    pub(super) fn copy(self, thread: &'static Thread) -> TaskData {
        let copy = task::copy(thread, self.task());
        // SAFETY: A7: both are the data of tasks of one size, and the shared variables lie in them.
        unsafe {
            let data = NonNull::new_unchecked(copy.payload()).cast::<kmp_task_t>();
            let (from, to) = (self.0.as_ptr(), data.as_ptr());
            if !(*from).shareds.is_null() {
                let offset = (*from).shareds.byte_offset_from(from);
                (*to).shareds = to.byte_offset(offset).cast::<c_void>();
            }
            TaskData(data)
        }
    }
}

/// `kmp_uint64 *`: a bound of a taskloop, in the data of the task that is passed with it (rule A7).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Bound(NonNull<u64>);

impl Bound {
    /// The bound of the whole loop.
    pub(super) fn get(self) -> u64 {
        // SAFETY: A7: a word in the data of the pattern task, which holds a value.
        unsafe { self.0.read() }
    }

    /// Stores the bound of a chunk in the data of a copy of `pattern`.
    ///
    /// # Safety
    /// A7: the bound lies in the data of `pattern`, and `copy` is a copy of that.
    pub(super) unsafe fn set_in_copy(self, pattern: TaskData, copy: TaskData, value: u64) {
        // SAFETY: A7, as this function demands: both have the bound at one offset.
        unsafe {
            let offset = self.0.byte_offset_from(pattern.0);
            copy.0.byte_offset(offset).cast::<u64>().write(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, TaskData};
    use crate::kmpc::tasks::allocate;
    use core::ptr::NonNull;
    use oxomp_core::Thread;
    use oxomp_core::task;
    use oxomp_core::task::Properties;
    use oxomp_sys::kmpc::{kmp_task_t, task_flag};

    unsafe extern "C" fn body(_gtid: i32, _task: *mut kmp_task_t) -> i32 {
        0
    }

    /// The data's fields, and the address of a word in them.
    fn parts(data: TaskData, offset: usize) -> (kmp_task_t, NonNull<u64>) {
        // SAFETY: the data of a task, which are longer than that.
        unsafe { (data.0.read(), data.0.byte_add(offset).cast::<u64>()) }
    }

    #[test]
    fn shared_variables_lie_behind_the_data() {
        // SAFETY: enough bytes.
        let data = unsafe { allocate(task_flag::TIED, 61, 16, Some(body), Properties::empty()) };
        let (fields, behind) = parts(data, 64);
        assert_eq!(fields.shareds.addr(), behind.as_ptr().addr());
        assert!(fields.routine.is_some());
        assert_eq!(fields.part_id, 0);
        task::discard(Thread::current(), data.task());

        // SAFETY: enough bytes.
        let data = unsafe { allocate(task_flag::TIED, 40, 0, None, Properties::empty()) };
        let (fields, _) = parts(data, 0);
        assert!(fields.shareds.is_null() && fields.routine.is_none());
        task::discard(Thread::current(), data.task());
    }

    #[test]
    fn a_copy_has_its_own_bounds_and_shared_variables() {
        // SAFETY: enough bytes.
        let data = unsafe { allocate(task_flag::TIED, 48, 8, Some(body), Properties::empty()) };
        let (fields, word) = parts(data, 40);
        // SAFETY: a word of the compiler's data.
        unsafe { word.write(11) };
        let bound = Bound(word);
        let copy = data.copy(Thread::current());
        // SAFETY: the bound lies in the data, of which there is a copy.
        unsafe { bound.set_in_copy(data, copy, 12) };
        let (copied, copied_word) = parts(copy, 40);
        assert_eq!(bound.get(), 11);
        // SAFETY: a word of the compiler's data.
        assert_eq!(unsafe { copied_word.read() }, 12);
        assert_eq!(copied.shareds.addr() - copied_word.as_ptr().addr(), 8);
        assert_ne!(copied.shareds, fields.shareds);
        task::discard(Thread::current(), data.task());
        task::discard(Thread::current(), copy.task());
    }
}
