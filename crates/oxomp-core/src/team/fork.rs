//! What a team forgets in the child of a fork(2). The rules are in `crate::fork`.

use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use super::Team;
use crate::implicit_task::ImplicitTask;
use crate::task::Stack;

impl Team {
    /// In the child of a fork(2), where the thread that executes `innermost`, and has `stack`, is
    /// the only one: the team and those below have one thread each, no explicit tasks that nobody
    /// executes, and barriers, loops and singles that nobody has left half-way.
    pub(crate) fn forget_workers(&self, innermost: &'static ImplicitTask, stack: &Stack) {
        // SAFETY: the calling thread is the only one in the process.
        let (places, barriers) = unsafe { (&mut *self.places.get(), &mut *self.barriers.get()) };
        // A region that the child goes on in is led by who is left of its team: compiled code
        // divides loops by number and size.
        let left = innermost.within(self);
        for barrier in barriers.drain(..) {
            // Others may have been inside, so that it is of no use. The thread that is left may be
            // in the region's: in a task that it runs there, or in a signal handler. It is let out.
            if left.is_some() && ptr::eq(&*barrier, self.barrier.get()) {
                barrier.release();
                Box::leak(barrier);
            }
        }
        // A team of one whose thread goes on has lost nobody.
        if self.size() != 1 || !left.is_some_and(|left| stack.has(left)) {
            self.lose_tasks(places, stack);
        }
        if left.is_none() {
            self.taskgroup.set(None);
        }
        if let Some(left) = left {
            let number = left.thread_num();
            places.swap(0, number as usize);
            places[number as usize].renumber(number);
            left.renumber(0);
        }
        for place in places.iter().filter(|place| !left.is_some_and(|left| ptr::eq(left, **place)))
        {
            place.worksharing.abandon();
            place.reduction.abandon();
        }
        let primary = places[0];
        let loops = &primary.worksharing;
        self.loops.forget(loops.count.get(), loops.in_flight());
        // A thread that is gone may have been ahead.
        primary.singles.catch_up(self.single.0.load(Relaxed));
        self.hired.set(1);
        // The region at hand, if there is one, goes on with its primary thread alone.
        self.use_barrier_for(1);
        self.size.set(1);
        self.active_level.set(self.parent.map_or(0, |task| task.team().active_level()));
        for place in places.iter() {
            if place.thread_num() != 0 {
                place.thread.set(None);
            }
            if let Some(child) = place.child_if_any() {
                child.forget_workers(innermost, stack);
            }
        }
    }

    /// In the child of a fork(2), of the team of an initial task whose thread is gone:
    /// its tasks are lost.
    pub(crate) fn lose_root(&self) {
        // SAFETY: the calling thread is the only one in the process.
        let places = unsafe { &*self.places.get() };
        self.lose_tasks(places, &Stack::EMPTY);
    }
}
