//! Counted references to the generations of storage locations, whose memory threads keep for the next.

use core::cell::{Cell, RefCell};
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::Arc;

use super::exclusion::Exclusion;
use super::generation::Generation;
use super::ties::Ties;
use super::trace::Source;
use crate::sync::AtomicU32;
use crate::thread::Thread;

/// A generation and what belongs to it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(super) generation: Generation<Ties>,
    pub(super) exclusion: Exclusion<Ties>,
    /// The members, while a tool listens to dependences. Of the generating task's thread alone.
    pub(super) sources: RefCell<Vec<Arc<Source>>>,
    references: AtomicU32,
    /// The next of the thread's spare ones.
    next: Cell<*mut Node>,
}

/// A reference to a generation: of the table, or of a member.
#[derive(Debug)]
pub(super) struct Link(NonNull<Node>);

/// Spare nodes and ties of a thread.
#[derive(Debug)]
pub(crate) struct Spares {
    nodes: Cell<*mut Node>,
    node_count: Cell<u32>,
    ties: Cell<*mut Ties>,
    ties_count: Cell<u32>,
}

/// What a thread keeps at most of either kind: a burst of so many dependent tasks asks the allocator for
/// nothing.
const MOST_SPARES: u32 = 1024;

impl Spares {
    pub(crate) const fn new() -> Self {
        Spares {
            nodes: Cell::new(ptr::null_mut()),
            node_count: Cell::new(0),
            ties: Cell::new(ptr::null_mut()),
            ties_count: Cell::new(0),
        }
    }

    /// Ties of an earlier task, if the thread has some.
    pub(super) fn take_ties(&self) -> Option<Box<Ties>> {
        let ties = self.ties.get();
        if ties.is_null() {
            return None;
        }
        // SAFETY: a box that `keep_ties` took apart; the list is the thread's own.
        let ties = unsafe { Box::from_raw(ties) };
        self.ties.set(ties.next.get());
        self.ties_count.set(self.ties_count.get() - 1);
        Some(ties)
    }

    pub(super) fn keep_ties(&self, ties: Box<Ties>) {
        if self.ties_count.get() < MOST_SPARES {
            ties.next.set(self.ties.get());
            self.ties.set(Box::into_raw(ties));
            self.ties_count.set(self.ties_count.get() + 1);
        }
    }

    fn take_node(&self) -> Option<Box<Node>> {
        let node = self.nodes.get();
        if node.is_null() {
            return None;
        }
        // SAFETY: as in `take_ties`.
        let node = unsafe { Box::from_raw(node) };
        self.nodes.set(node.next.get());
        self.node_count.set(self.node_count.get() - 1);
        Some(node)
    }

    fn keep_node(&self, node: Box<Node>) {
        if self.node_count.get() < MOST_SPARES {
            node.next.set(self.nodes.get());
            self.nodes.set(Box::into_raw(node));
            self.node_count.set(self.node_count.get() + 1);
        }
    }
}

impl Link {
    /// A generation of one member, which others may join if it `is_open`.
    pub(super) fn new(thread: &Thread, is_open: bool) -> Self {
        let mut node = thread.spares.take_node().unwrap_or_else(|| {
            Box::new(Node {
                generation: Generation::new(0, false),
                exclusion: Exclusion::new(),
                sources: RefCell::new(Vec::new()),
                references: AtomicU32::new(0),
                next: Cell::new(ptr::null_mut()),
            })
        });
        node.generation = Generation::new(1, is_open);
        node.references = AtomicU32::new(1);
        Link(NonNull::from(Box::leak(node)))
    }

    pub(super) fn node(&self) -> &Node {
        // SAFETY: counted.
        unsafe { self.0.as_ref() }
    }

    pub(super) fn is_over(&self) -> bool {
        self.node().generation.is_over()
    }

    pub(super) fn has_no_members(&self) -> bool {
        self.node().generation.has_no_members()
    }
}

impl Clone for Link {
    fn clone(&self) -> Self {
        // Relaxed: we have one already.
        self.node().references.fetch_add(1, Relaxed);
        Link(self.0)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // AcqRel: who frees comes after all who used it.
        if self.node().references.fetch_sub(1, AcqRel) != 1 {
            return;
        }
        // SAFETY: made from a box, and nobody refers to it any more.
        let node = unsafe { Box::from_raw(self.0.as_ptr()) };
        node.sources.borrow_mut().clear();
        if let Some(thread) = Thread::known() {
            thread.spares.keep_node(node);
        }
    }
}
