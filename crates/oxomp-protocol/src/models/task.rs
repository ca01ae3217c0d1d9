//! The protocols of tasks: the counts of children and of taskgroups, memory on its way back, the
//! event of a detachable task.

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use super::{Slots, check};
use crate::shim::yield_now;
use crate::task::{
    Children, Complete, Event, Fulfilment, Lineage, Linked, Returned, Unfinished, retire,
};
use crate::{Owner, Sole, ThisThread};

/// A value that lives for one run of a model and is referred to by `&'static`, as blocks and
/// threads are.
pub(super) struct Kept<T: 'static>(*mut T);

impl<T> Kept<T> {
    pub(super) fn new(value: T) -> Self {
        Kept(Box::into_raw(Box::new(value)))
    }

    /// A value that is made for its own address.
    pub(super) fn with_address(make: impl FnOnce(*const T) -> T) -> Self {
        let place = Box::leak(Box::new_uninit());
        let value = make(place.as_ptr());
        Kept(place.write(value))
    }

    pub(super) fn get(&self) -> &'static T {
        // SAFETY: freed when the threads of the model have ended.
        unsafe { &*self.0 }
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        // SAFETY: made from a box; the threads have ended.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// A thread, which counts identify by its address.
struct Marker(#[allow(dead_code, reason = "so that it has an address")] u8);

// SAFETY: each thread of a model counts with a marker of its own, or with none.
unsafe impl ThisThread for Marker {}

/// A task and its memory. A use reads `memory`, and the freeing thread writes it: loom reports a
/// use that is not ordered before the freeing.
struct Node {
    children: Children,
    parent: Option<&'static Node>,
    memory: loom::cell::UnsafeCell<()>,
    freed: AtomicU32,
}

// SAFETY: as of `Task`.
unsafe impl Sync for Node {}

impl Node {
    /// A task that `parent` has counted if it `is_counted`.
    fn new(parent: Option<&'static Node>, is_counted: bool) -> Kept<Node> {
        if let Some(parent) = parent
            && is_counted
        {
            parent.own_children().add();
        }
        let children = Children::new();
        let memory = loom::cell::UnsafeCell::new(());
        Kept::new(Node { children, parent, memory, freed: AtomicU32::new(0) })
    }
}

impl Node {
    /// The children, for the thread that executes the task.
    fn own_children(&self) -> Owner<&Children> {
        // SAFETY: the first thread of a model executes the tasks that have children, until it hands
        // one to another thread.
        unsafe { Owner::of(&self.children) }
    }
}

/// Retires a task that the calling thread has executed, on top of `prior` if on any.
fn end(
    here: Option<&'static Marker>,
    task: &'static Node,
    prior: Option<&'static Node>,
    is_counted: bool,
) {
    // SAFETY: the thread executes the task on top of one that it executes.
    let own = |task| unsafe { Owner::of(task) };
    // SAFETY: one thread of the model executes each task, and retires it once. `Node::new` says
    // whether the parent has counted the task; if not, this thread executes it on top of the
    // parent.
    let complete = unsafe { Complete::of(task, is_counted, prior.map(own)) };
    retire(here, complete);
}

// SAFETY: each node has its own counts, and is known by its address.
unsafe impl Lineage for &'static Node {
    type Thread = Marker;

    fn children(self) -> &'static Children {
        self.memory.with(|_| ());
        &self.children
    }

    fn parent(self) -> Self {
        self.memory.with(|_| ());
        self.parent.unwrap()
    }

    fn is(self, other: Self) -> bool {
        core::ptr::eq(self, other)
    }

    fn is_kept(self) -> bool {
        self.memory.with(|_| ());
        self.parent.is_none()
    }

    unsafe fn free(self, _here: Option<&'static Marker>) {
        self.memory.with_mut(|_| ());
        self.freed.fetch_add(1, Relaxed);
    }
}

struct Threads([Kept<Marker>; 3]);

impl Threads {
    fn new() -> Self {
        Threads(core::array::from_fn(|number| Kept::new(Marker(number as u8))))
    }

    fn get(&self, number: usize) -> &'static Marker {
        self.0[number].get()
    }
}

/// A child at home and one away, and one that a foreign thread completes: when none is pending
/// the parent sees all that they wrote.
#[test]
fn a_parent_sees_what_its_children_did() {
    check(3, || {
        let (threads, slots) = (Threads::new(), Arc::new(Slots::new(2)));
        let (home, away) = (threads.get(0), threads.get(1));
        let root = Node::new(None, false);
        let root = root.get();
        let children = [(); 3].map(|()| Node::new(Some(root), true));
        let others: Vec<_> = [Some(away), None]
            .into_iter()
            .enumerate()
            .map(|(number, here)| {
                let (child, slots) = (children[1 + number].get(), slots.clone());
                thread::spawn(move || {
                    slots.set(number, 1);
                    end(here, child, None, true);
                })
            })
            .collect();
        end(Some(home), children[0].get(), Some(root), true);
        while root.own_children().pending() != 0 {
            yield_now();
        }
        assert_eq!((slots.get(0), slots.get(1)), (1, 1));
        for other in others {
            other.join().unwrap();
        }
        assert!(children.iter().all(|child| child.get().freed.load(Relaxed) == 1));
    });
}

/// A task, its parent and its grandparent end at once, on three threads: each is freed once, and
/// not used afterwards.
#[test]
fn a_line_of_tasks_is_freed_once() {
    check(3, || {
        let threads = Threads::new();
        let root = Node::new(None, false);
        let parent = Node::new(Some(root.get()), true);
        let child = Node::new(Some(parent.get()), true);
        let grandchild = Node::new(Some(child.get()), true);
        let line = [parent.get(), child.get(), grandchild.get()];
        let others: Vec<_> = [1, 2]
            .into_iter()
            .map(|number| {
                let (here, task) = (threads.get(number), line[number]);
                thread::spawn(move || end(Some(here), task, None, true))
            })
            .collect();
        end(Some(threads.get(0)), line[0], Some(root.get()), true);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(root.get().own_children().pending(), 0);
        assert!(line.iter().all(|task| task.freed.load(Relaxed) == 1));
    });
}

/// An undeferred task leaves a child behind, and its parent ends as well.
#[test]
fn what_an_undeferred_task_leaves_behind_keeps_it() {
    check(4, || {
        let threads = Threads::new();
        let home = threads.get(0);
        let root = Node::new(None, false);
        let parent = Node::new(Some(root.get()), true);
        let undeferred = Node::new(Some(parent.get()), false);
        let child = Node::new(Some(undeferred.get()), true);
        let other = {
            let (here, child) = (threads.get(1), child.get());
            thread::spawn(move || end(Some(here), child, None, true))
        };
        end(Some(home), undeferred.get(), Some(parent.get()), false);
        assert_eq!(parent.get().own_children().pending(), 0);
        end(Some(home), parent.get(), Some(root.get()), true);
        assert_eq!(root.get().own_children().pending(), 0);
        other.join().unwrap();
        for task in [parent, undeferred, child] {
            assert_eq!(task.get().freed.load(Relaxed), 1);
        }
    });
}

/// A task of the group makes another; a foreign thread completes a third. `is_tied` says whether
/// the encountering thread counts at home.
fn a_taskgroup_ends_after_its_tasks(is_tied: bool) {
    struct Group(Unfinished);
    // SAFETY: as of `Taskgroup`.
    unsafe impl Sync for Group {}

    check(3, move || {
        let (threads, slots) = (Threads::new(), Arc::new(Slots::new(3)));
        let group = Kept::new(Group(Unfinished::new()));
        let (home, away) = (threads.get(0), threads.get(1));
        let tasks = &group.get().0;
        // SAFETY: no other thread has the group yet.
        unsafe { Sole::of(tasks) }.begin(is_tied.then_some(home));
        (0..3).for_each(|_| tasks.enter(home));
        let worker = {
            let (group, slots) = (group.get(), slots.clone());
            thread::spawn(move || {
                group.0.enter(away);
                slots.set(0, 1);
                group.0.leave(Some(away));
                slots.set(1, 1);
                group.0.leave(Some(away));
            })
        };
        let foreign = {
            let (group, slots) = (group.get(), slots.clone());
            thread::spawn(move || {
                slots.set(2, 1);
                group.0.leave::<Marker>(None);
            })
        };
        tasks.leave(Some(home));
        // SAFETY: this thread waits for the group, and began it.
        let own = unsafe { Owner::of(tasks) };
        while own.is_pending() {
            yield_now();
        }
        assert_eq!((0..3).map(|slot| slots.get(slot)).sum::<u32>(), 3);
        worker.join().unwrap();
        foreign.join().unwrap();
    });
}

#[test]
fn a_taskgroup_of_a_tied_task() {
    a_taskgroup_ends_after_its_tasks(true);
}

#[test]
fn a_taskgroup_of_an_untied_task() {
    a_taskgroup_ends_after_its_tasks(false);
}

struct Block {
    link: Cell<Option<&'static Block>>,
    number: usize,
}

// SAFETY: as of the core's blocks: the link belongs to the thread that has the block.
unsafe impl Sync for Block {}

impl Linked for Block {
    fn link(&self) -> &Cell<Option<&'static Block>> {
        &self.link
    }
}

/// Two threads give blocks back, one of them two at once, while their owner takes all that have
/// come.
#[test]
fn blocks_come_back_once_each() {
    check(4, || {
        let returned = Arc::new(Returned::<Block>::new());
        let slots = Arc::new(Slots::new(3));
        let blocks: Vec<_> =
            (0..3).map(|number| Kept::new(Block { link: Cell::new(None), number })).collect();
        blocks[0].get().link.set(Some(blocks[1].get()));
        let givers: Vec<_> = [(0, 1), (2, 2)]
            .into_iter()
            .map(|(first, last)| {
                let (returned, slots) = (returned.clone(), slots.clone());
                let ends = (blocks[first].get(), blocks[last].get());
                thread::spawn(move || {
                    (first..=last).for_each(|number| slots.set(number, 1));
                    // SAFETY: this thread has the blocks, and is done with them.
                    unsafe { returned.give_back(ends.0, ends.1) };
                })
            })
            .collect();
        let take = || {
            let mut next = returned.take_all();
            while let Some(block) = next {
                next = block.link.get();
                slots.set(block.number, slots.get(block.number) + 1);
            }
        };
        take();
        for giver in givers {
            giver.join().unwrap();
        }
        take();
        assert_eq!((0..3).map(|number| slots.get(number)).collect::<Vec<_>>(), [2, 2, 2]);
    });
}

/// One side completes the task, once, when the other is done with it.
#[test]
fn a_detachable_task_is_completed_once() {
    struct Detachable {
        event: Event,
        memory: loom::cell::UnsafeCell<u32>,
        completed: AtomicU32,
    }
    // SAFETY: loom checks the cell.
    unsafe impl Sync for Detachable {}
    // SAFETY: as above.
    unsafe impl Send for Detachable {}

    impl Detachable {
        /// An event of the tool names the task.
        fn report(&self) {
            self.memory.with(|_| ());
        }

        /// From now on the block is another task's.
        fn complete(&self) {
            self.memory.with_mut(|_| ());
            self.completed.fetch_add(1, Relaxed);
        }
    }

    loom::model(|| {
        let task = Arc::new(Detachable {
            event: Event::new(),
            memory: loom::cell::UnsafeCell::new(0),
            completed: AtomicU32::new(0),
        });
        let fulfilling = {
            let task = task.clone();
            thread::spawn(move || {
                let fulfilment = task.event.fulfil(task.event.serial());
                task.report();
                if task.event.fulfilment_is_done() {
                    task.complete();
                }
                fulfilment
            })
        };
        let is_fulfilled = task.event.body_is_over();
        task.report();
        if task.event.end_is_done() {
            task.complete();
        }
        let early = fulfilling.join().unwrap() == Fulfilment::Early;
        assert_eq!(is_fulfilled, early);
        assert_eq!(task.completed.load(Relaxed), 1);
    });
}

/// A task is discarded while the program fulfils its event, and its memory becomes another task's:
/// the call does not fulfil the event of the new task, and one side completes the first task.
#[test]
fn a_late_call_leaves_the_next_task_alone() {
    loom::model(|| {
        let event = Arc::new(Event::new());
        event.reset();
        let first = event.serial();
        let program = {
            let event = event.clone();
            thread::spawn(move || match event.fulfil(first) {
                Fulfilment::Again => None,
                _ => Some(event.fulfilment_is_done()),
            })
        };
        let discards = event.fulfil(first) != Fulfilment::Again && !event.fulfilment_is_done();
        event.body_is_over();
        let completes = event.end_is_done();
        assert!(completes || !discards);
        if completes {
            event.reset();
            assert_ne!(event.serial(), first);
            assert!(!event.body_is_over(), "the event of the next task is not fulfilled");
        }
        match program.join().unwrap() {
            None => assert!(completes),
            Some(program_completes) => assert_ne!(program_completes, completes),
        }
    });
}
