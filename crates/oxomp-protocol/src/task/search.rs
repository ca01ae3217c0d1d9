//! The places in which a thread of a group looks for a task to execute, and their order. README.md
//! beside this file, Which task a thread takes next.

/// Takes a task out of the queue of the group by `take_queued`, unless the queue `looks_empty`; or
/// else, by `in_deques`, out of the deques. The caller calls [`find_in_deques`] there, perhaps out
/// of line, if the group has more than one thread.
#[inline(always)]
pub fn find_task<T>(
    looks_empty: bool,
    take_queued: impl FnOnce() -> Option<T>,
    in_deques: impl FnOnce() -> Option<T>,
) -> Option<T> {
    if !looks_empty && let Some(task) = take_queued() { Some(task) } else { in_deques() }
}

/// A thread that looks for a task in the deques of its group. A task that does not *suit* the
/// thread stays where it is.
pub trait Search: Copy {
    /// A task that the thread has taken.
    type Task;

    /// The number of threads of the group.
    fn size(self) -> u32;

    /// The number of the thread.
    fn number(self) -> u32;

    /// Takes the youngest task of the thread's own deque, if it suits.
    fn pop(self) -> Option<Self::Task>;

    /// Steals the oldest task of the deque of thread `victim`, if it suits.
    fn steal(self, victim: u32) -> Option<Self::Task>;

    /// The victim of the last successful steal, or any thread's number.
    fn victim(self) -> u32;

    /// Notes the victim of a successful steal.
    fn set_victim(self, victim: u32);
}

/// Takes a task out of the thread's own deque, or steals one: first from the victim of the last
/// successful steal, then from the other threads in turn.
#[inline(always)]
pub fn find_in_deques<S: Search>(search: S) -> Option<S::Task> {
    if let Some(task) = search.pop() {
        return Some(task);
    }
    let (size, me, first) = (search.size(), search.number(), search.victim());
    for step in 0..size {
        let victim = (first + step) % size;
        if victim != me
            && let Some(task) = search.steal(victim)
        {
            search.set_victim(victim);
            return Some(task);
        }
    }
    None
}
