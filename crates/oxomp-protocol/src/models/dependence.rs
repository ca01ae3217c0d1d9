//! Dependences: generations tell the tasks that wait, and exclusive tasks take turns.

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use super::task::Kept;
use super::{Slots, check, on_threads};
use crate::depend::{
    Count, Exclusion, Generation, TakesTurns, Wait, WaitCount, Waits, pass_turn, take_turns,
};
use crate::shim::yield_now;
use crate::task::{Linked, Returned};

/// A task that waits for one generation.
struct Waiter {
    waiting: WaitCount,
    /// How often it has been told.
    told: AtomicU32,
}

/// A waiter and its wait, whose memory is overwritten as soon as it has been told.
struct Waiting {
    waiter: *mut Waiter,
    wait: *mut Wait<Waiter>,
}

impl Waiting {
    fn begin() -> Self {
        let (waiting, told) = (WaitCount::new(), AtomicU32::new(0));
        waiting.begin(1);
        let waiter = Box::into_raw(Box::new(Waiter { waiting, told }));
        Waiting { waiter, wait: Box::into_raw(Box::new(Wait::new(waiter.cast_const()))) }
    }

    /// Returns when `generation` is over, if there is still something to wait for.
    fn join(self, is_known: bool) {
        // SAFETY: both come from boxes, and no other thread refers to them at the end. The bytes
        // that are left in the wait are not a valid link.
        unsafe {
            let Waiter { waiting, told } = &*self.waiter;
            if !waiting.forgo(1, u32::from(is_known)) {
                while !waiting.is_over() {
                    yield_now();
                }
            }
            assert_eq!(told.load(Relaxed), u32::from(is_known));
            self.wait.cast::<u8>().write_bytes(0xff, size_of::<Wait<Waiter>>());
            drop(Box::from_raw(self.wait));
            drop(Box::from_raw(self.waiter));
        }
    }
}

fn tell(waits: Waits<Waiter>) {
    for waiter in waits {
        // SAFETY: it has not been told.
        let Waiter { waiting, told } = unsafe { &*waiter };
        assert_eq!(told.fetch_add(1, Relaxed), 0);
        // The waiting thread looks by itself whether that was the last.
        let _ = waiting.tell();
    }
}

/// Two members leave an open generation, and it is closed, while two come to wait: one before it is
/// closed, one after.
#[test]
fn who_waits_for_a_generation_is_told_once() {
    check(3, || {
        let shared = Arc::new((Generation::<Waiter>::new(1, true), Slots::new(2)));
        let (generation, slots) = &*shared;
        generation.join();
        let members: Vec<_> = (0..2)
            .map(|member| {
                let shared = shared.clone();
                thread::spawn(move || {
                    shared.1.set(member, 1);
                    tell(shared.0.leave());
                })
            })
            .collect();
        let waits = [(); 2].map(|()| Waiting::begin());
        let known: Vec<_> = waits
            .iter()
            .enumerate()
            .map(|(number, waiting)| {
                // SAFETY: the wait is there until `join`, and in no other list.
                let is_known = unsafe { generation.wait(&*waiting.wait) };
                if number == 0 {
                    // An open generation cannot be over.
                    assert!(is_known);
                    tell(generation.leave());
                }
                is_known
            })
            .collect();
        for (waiting, is_known) in waits.into_iter().zip(known) {
            waiting.join(is_known);
            assert!(generation.is_over());
            assert_eq!((slots.get(0), slots.get(1)), (1, 1));
        }
        for member in members {
            member.join().unwrap();
        }
    });
}

/// A generation with the references to it, and its link on the way back.
struct Counted {
    generation: Generation<Waiter>,
    references: Count,
    link: Cell<Option<&'static Counted>>,
}

// SAFETY: as of the core's nodes: the link belongs to the thread that dropped the last reference.
unsafe impl Sync for Counted {}

impl Linked for Counted {
    fn link(&self) -> &Cell<Option<&'static Counted>> {
        &self.link
    }
}

/// A member on another thread and the generating thread drop their references. Where the memory
/// comes back to the generating thread, the thread sees what the member did, and another generation
/// begins there.
#[test]
fn the_memory_of_a_generation_is_used_again() {
    loom::model(|| {
        let kept = Kept::new(Counted {
            generation: Generation::new(1, false),
            references: Count::new(2),
            link: Cell::new(None),
        });
        let counted = kept.get();
        let shared = Arc::new((Returned::<Counted>::new(), Slots::new(1)));
        let (returned, slots) = &*shared;
        let member = {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.1.set(0, 1);
                tell(counted.generation.leave());
                if counted.references.leave() {
                    // SAFETY: the last reference was this thread's.
                    unsafe { shared.0.give_back(counted, counted) };
                }
            })
        };
        if counted.references.leave() || returned.take_all().is_some() {
            slots.set(0, slots.get(0) + 1);
            assert!(counted.generation.is_over());
            counted.generation.restart(1, true);
            counted.references.restart(1);
            assert!(!counted.generation.is_over() && !counted.generation.has_no_members());
            tell(counted.generation.leave());
            assert!(counted.generation.has_no_members());
            tell(counted.generation.leave());
            assert!(counted.generation.is_over() && counted.references.leave());
        }
        member.join().unwrap();
    });
}

/// Only the generating thread lets members join, so an open generation without any is clean.
#[test]
fn an_open_generation_without_members_shows_what_they_did() {
    loom::model(|| {
        let shared = Arc::new((Generation::<Waiter>::new(1, true), Slots::new(1)));
        let member = {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.1.set(0, 1);
                tell(shared.0.leave());
            })
        };
        if shared.0.has_no_members() {
            assert_eq!(shared.1.get(0), 1);
        }
        member.join().unwrap();
    });
}

/// Each of the two generations has one member, which leaves while the generating thread comes to
/// wait for both.
#[test]
fn a_task_that_waits_for_two_generations_is_ready_once() {
    struct Tied {
        generations: [Generation<WaitCount>; 2],
        slots: Slots,
        ready: AtomicU32,
    }

    impl Tied {
        fn make_ready(&self) {
            assert_eq!((self.slots.get(0), self.slots.get(1)), (1, 1));
            self.ready.fetch_add(1, Relaxed);
        }
    }

    check(3, || {
        let generations = [(); 2].map(|()| Generation::new(1, false));
        let ready = AtomicU32::new(0);
        let tied = Arc::new(Tied { generations, slots: Slots::new(2), ready });
        let members: Vec<_> = (0..2)
            .map(|member| {
                let tied = tied.clone();
                thread::spawn(move || {
                    tied.slots.set(member, 1);
                    for waiting in tied.generations[member].leave() {
                        // SAFETY: it has not been told.
                        if unsafe { &*waiting }.tell() {
                            tied.make_ready();
                        }
                    }
                })
            })
            .collect();
        let waiting = WaitCount::new();
        waiting.begin(2);
        let waits = [(); 2].map(|()| Wait::new(&raw const waiting));
        // SAFETY: the waits are in no other list, and stay until the members have ended.
        let waits_for = |one: usize| unsafe { tied.generations[one].wait(&waits[one]) };
        let placed = (0..2).filter(|one| waits_for(*one)).count();
        if waiting.forgo(2, placed as u32) {
            tied.make_ready();
        }
        for member in members {
            member.join().unwrap();
        }
        assert_eq!(tied.ready.load(Relaxed), 1);
    });
}

/// References to a generation: the thread that gives back the last one frees the generation, after
/// all have used it.
#[test]
fn who_leaves_last_comes_after_all() {
    struct Counted {
        count: Count,
        memory: loom::cell::UnsafeCell<()>,
        freed: AtomicU32,
    }
    // SAFETY: loom checks the cell.
    unsafe impl Sync for Counted {}
    // SAFETY: as above.
    unsafe impl Send for Counted {}

    impl Counted {
        fn leave(&self) {
            self.memory.with(|_| ());
            if self.count.leave() {
                self.memory.with_mut(|_| ());
                self.freed.fetch_add(1, Relaxed);
            }
        }
    }

    check(4, || {
        let memory = loom::cell::UnsafeCell::new(());
        let count = Count::new(3);
        let counted = Arc::new(Counted { count, memory, freed: AtomicU32::new(0) });
        let other = {
            let counted = counted.clone();
            thread::spawn(move || counted.leave())
        };
        let copying = {
            let counted = counted.clone();
            thread::spawn(move || {
                counted.count.join();
                counted.leave();
                counted.leave();
            })
        };
        counted.leave();
        other.join().unwrap();
        copying.join().unwrap();
        assert_eq!(counted.freed.load(Relaxed), 1);
    });
}

/// Tasks that take both exclusions in order.
struct Exclusive {
    exclusions: [Exclusion<Turning>; 2],
    slots: Slots,
    ran: AtomicU32,
}

/// A task that takes turns. Each thread begins one.
struct Turning {
    exclusive: &'static Exclusive,
    turns: [Wait<Turning>; 2],
}

// SAFETY: a turn is accessed by the thread that owns the task or, in a list, by the one that
// releases the exclusion.
unsafe impl Sync for Turning {}

// SAFETY: the turns are those of the two exclusions, in their order.
unsafe impl TakesTurns for Turning {
    fn turns_from(&self, first: usize) -> impl Iterator<Item = (&Exclusion<Self>, &Wait<Self>)> {
        self.exclusive.exclusions.iter().zip(&self.turns).skip(first)
    }

    fn number_of(&self, turn: *const Wait<Self>) -> usize {
        usize::from(core::ptr::eq(turn, &self.turns[1]))
    }
}

impl Turning {
    fn new(exclusive: &'static Exclusive) -> Kept<Self> {
        Kept::with_address(|task| Turning { exclusive, turns: [(); 2].map(|()| Wait::new(task)) })
    }

    /// The task waits for nothing but its turns.
    fn begin(&self) {
        // SAFETY: the turns stay until the threads have ended; a task takes each once.
        if unsafe { take_turns(self) } {
            self.run();
        }
    }

    fn run(&self) {
        let Exclusive { exclusions, slots, ran } = self.exclusive;
        for index in 0..2 {
            slots.set(index, slots.get(index) + 1);
        }
        ran.fetch_add(1, Relaxed);
        for exclusion in exclusions {
            // SAFETY: the task has taken all turns, and releases each once.
            if let Some(next) = unsafe { pass_turn(exclusion) } {
                // SAFETY: a task that has all its turns, which is there until the threads end.
                unsafe { &*next }.run();
            }
        }
    }
}

fn exclusive_tasks_take_turns(tasks: usize, preemptions: usize) {
    check(preemptions, move || {
        let exclusive = Kept::new(Exclusive {
            exclusions: [Exclusion::new(), Exclusion::new()],
            slots: Slots::new(2),
            ran: AtomicU32::new(0),
        });
        let all: Vec<_> = (0..tasks).map(|_| Turning::new(exclusive.get())).collect();
        let turning: Vec<_> = all.iter().map(Kept::get).collect();
        on_threads(tasks, move |task| turning[task].begin());
        let Exclusive { slots, ran, .. } = exclusive.get();
        assert_eq!(ran.load(Relaxed), tasks as u32);
        assert_eq!((slots.get(0), slots.get(1)), (tasks as u32, tasks as u32));
    });
}

#[test]
fn two_exclusive_tasks_take_turns() {
    exclusive_tasks_take_turns(2, 4);
}

#[test]
fn three_exclusive_tasks_take_turns() {
    exclusive_tasks_take_turns(3, 2);
}
