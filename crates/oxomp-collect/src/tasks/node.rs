//! The collector's data of a task, and where its memory comes from.
//!
//! A task's data word points to its node. A thread makes nodes for the tasks that it creates, from
//! a list of its own; the thread that finishes the last use of a node gives it back to the thread
//! that made it, so that a thread that only creates tasks uses the same nodes again.
//!
//! All fields are atomic, and relaxed: the runtime orders what happens to one task, its creation,
//! its stretches on several threads, its end; only sums of several tasks meet in one field, by
//! maximum. `uses` is the exception: see [`Node::end`].

use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::{ptr, slice};

use crate::fold::RELAXED;

/// Uses of a task that has not ended: more than it can have children.
const RUNNING: u32 = 1 << 31;
/// Nodes that are mapped at once.
const BATCH: usize = 512;
/// The most nodes of one thread: 8 MiB. Tasks beyond have no node.
const MOST: usize = 65_536;
/// Dependences of a task that count for its path.
const DEPENDENCES: usize = 4;

/// One task; an implicit task has one as soon as it creates an explicit one.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Node {
    /// The construct's code address.
    pub(crate) code: AtomicU64,
    /// Longest chain of work up to the task's last event: its creator's up to the creation, its
    /// own, and those it waited for.
    pub(crate) path: AtomicU64,
    /// When its present stretch began; 0: it does not run.
    pub(crate) since: AtomicU64,
    /// Time of its stretches.
    pub(crate) ran: AtomicU64,
    /// When it was created; 0 once it has begun.
    pub(crate) created: AtomicU64,
    /// Longest chain up to the end of one of its children.
    pub(crate) children: AtomicU64,
    /// Addresses that it depends on; the lowest bit says that it only reads.
    pub(crate) dependences: [AtomicU64; DEPENDENCES],
    pub(crate) parent: AtomicPtr<Node>,
    /// The list from which it came, and the next node there.
    home: AtomicPtr<Nodes>,
    next: AtomicPtr<Node>,
    /// [`RUNNING`] less the children that are gone; once the task has ended, the children that are
    /// not.
    uses: AtomicU32,
    /// Children that it has created, which only the thread that executes it counts.
    made: AtomicU32,
    pub(crate) depth: AtomicU32,
    pub(crate) explicit: AtomicU32,
    /// Whether the task waits, so that it does not run when the thread returns to it.
    pub(crate) waiting: AtomicU32,
}

/// The nodes of one thread. All zeros are an empty list.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// Free nodes, which only the thread uses.
    free: AtomicPtr<Node>,
    /// Nodes that other threads gave back.
    returned: AtomicPtr<Node>,
    made: AtomicU64,
}

impl Nodes {
    /// A node with one use, whose other fields are zero; `None` if there are too many.
    #[inline]
    pub(crate) fn take(&'static self) -> Option<&'static Node> {
        let mut first = self.free.load(RELAXED);
        if first.is_null() {
            // Acquire: pairs with the Release in `give_back`.
            first = self.returned.swap(ptr::null_mut(), Ordering::Acquire);
            if first.is_null() {
                first = self.make();
            }
        }
        // SAFETY: null or a node of ours, which are never unmapped.
        let node = unsafe { first.as_ref::<'static>() }?;
        self.free.store(node.next.load(RELAXED), RELAXED);
        for field in [&node.code, &node.path, &node.since, &node.ran, &node.children] {
            field.store(0, RELAXED);
        }
        for address in &node.dependences {
            address.store(0, RELAXED);
        }
        node.parent.store(ptr::null_mut(), RELAXED);
        node.uses.store(RUNNING, RELAXED);
        node.made.store(0, RELAXED);
        node.depth.store(0, RELAXED);
        node.waiting.store(0, RELAXED);
        Some(node)
    }

    /// Whether the node comes from this list.
    pub(crate) fn made_here(&self, node: &Node) -> bool {
        ptr::eq(node.home.load(RELAXED), self)
    }

    /// Maps further nodes; returns the first of their list, or null.
    #[cold]
    fn make(&'static self) -> *mut Node {
        if self.made.load(RELAXED) >= MOST as u64 {
            return ptr::null_mut();
        }
        // SAFETY: a new mapping; the kernel chooses the place.
        let batch = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size_of::<[Node; BATCH]>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if batch == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        self.made.store(self.made.load(RELAXED) + BATCH as u64, RELAXED);
        // SAFETY: that many nodes of zeros, which are valid, aligned to a page, never unmapped.
        let batch = unsafe { slice::from_raw_parts(batch.cast::<Node>(), BATCH) };
        let mut next = ptr::null_mut();
        for node in batch.iter().rev() {
            node.home.store(ptr::from_ref(self).cast_mut(), RELAXED);
            node.next.store(next, RELAXED);
            next = ptr::from_ref(node).cast_mut();
        }
        next
    }

    /// A node of this list is free; `own` says that its thread is the calling one.
    fn give_back(&self, node: &'static Node, own: bool) {
        let place = ptr::from_ref(node).cast_mut();
        if own {
            node.next.store(self.free.load(RELAXED), RELAXED);
            self.free.store(place, RELAXED);
            return;
        }
        let mut first = self.returned.load(RELAXED);
        loop {
            node.next.store(first, RELAXED);
            // Release: the thread that takes the node sees the list behind it.
            match self.returned.compare_exchange_weak(first, place, Ordering::Release, RELAXED) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

impl Node {
    /// The node behind a data word that holds one.
    pub(crate) fn of_word(word: u64) -> Option<&'static Self> {
        let place = ptr::with_exposed_provenance::<Self>(word as usize);
        // SAFETY: words above the marks are addresses of nodes, which are never unmapped.
        if word > super::WITHOUT_NODE { unsafe { place.as_ref() } } else { None }
    }

    /// The data word that holds the node.
    pub(crate) fn word(&'static self) -> u64 {
        ptr::from_ref(self).expose_provenance() as u64
    }

    /// The task creates a child, which uses its node, too.
    pub(crate) fn add_child(&self) {
        self.made.store(self.made.load(RELAXED) + 1, RELAXED);
    }

    /// The task has ended; returns whether all its children are gone.
    fn end(&self) -> bool {
        let made = self.made.load(RELAXED);
        // AcqRel: the thread that ends the last use sees what the others did with the node.
        made == 0 || self.uses.fetch_sub(RUNNING - made, Ordering::AcqRel) == RUNNING - made
    }

    /// A child is gone; returns whether it was the last use.
    fn end_child(&self) -> bool {
        // AcqRel: as in `end`.
        self.uses.fetch_sub(1, Ordering::AcqRel) == 1
    }
}

/// The task of `node` has ended, on the thread that owns `nodes`. A node is given back when its
/// task has ended and all its children are gone; then its parent has one child less.
pub(crate) fn release(node: &'static Node, nodes: &'static Nodes) {
    if !node.end() {
        return;
    }
    let mut node = node;
    loop {
        let parent = node.parent.load(RELAXED);
        let home = node.home.load(RELAXED);
        // SAFETY: lists lie in the table of logs, which is never unmapped.
        if let Some(home) = unsafe { home.as_ref::<'static>() } {
            home.give_back(node, ptr::eq(home, nodes));
        }
        // SAFETY: null or a node, which are never unmapped.
        match unsafe { parent.as_ref::<'static>() } {
            Some(parent) if parent.end_child() => node = parent,
            _ => return,
        }
    }
}
