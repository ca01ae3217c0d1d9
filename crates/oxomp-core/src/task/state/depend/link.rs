//! Counted references to the generations of storage locations, whose memory threads
//! keep for the next.

use core::cell::Cell;
use core::ptr::{self, NonNull};
use std::sync::Arc;

use oxomp_protocol::depend::{Count, Exclusion, Generation};

use super::kind::DependenceKind;
use super::source::Source;
use super::ties::Ties;
use crate::block::Thread;

/// A generation and what belongs to it, on a line that no other shares.
#[repr(align(64))]
pub(crate) struct Node {
    pub(in crate::task) generation: Generation<Ties>,
    pub(in crate::task) exclusion: Exclusion<Ties>,
    /// Whether members take turns there.
    pub(in crate::task) is_exclusive: bool,
    references: Count,
    /// The members, while a tool listens to dependences. Of the generating task's thread alone.
    pub(in crate::task) sources: Cell<Vec<Arc<Source>>>,
    /// The next of the thread's spare ones.
    next: Cell<*mut Node>,
}

const _: () = assert!(size_of::<Node>() == 64);

/// A reference to a generation: of the table, or of a member.
#[derive(Debug)]
pub(in crate::task) struct Link(NonNull<Node>);

/// Spare nodes of a thread.
#[derive(Debug)]
pub(crate) struct SpareNodes {
    first: Cell<*mut Node>,
    count: Cell<u32>,
}

/// What a thread keeps at most: a burst of so many dependent tasks asks the allocator for nothing.
const MOST_SPARES: u32 = 1024;

impl SpareNodes {
    pub(crate) const fn new() -> Self {
        SpareNodes { first: Cell::new(ptr::null_mut()), count: Cell::new(0) }
    }

    /// In the child of a fork(2), of a thread that is gone.
    pub(in crate::task) fn forget(&self) {
        self.first.set(ptr::null_mut());
        self.count.set(0);
    }

    fn take(&self) -> Option<Box<Node>> {
        let node = self.first.get();
        if node.is_null() {
            return None;
        }
        // SAFETY: a box that `keep` took apart; the list is the thread's own.
        let node = unsafe { Box::from_raw(node) };
        self.first.set(node.next.get());
        self.count.set(self.count.get() - 1);
        Some(node)
    }

    fn keep(&self, node: Box<Node>) {
        if self.count.get() < MOST_SPARES {
            node.next.set(self.first.get());
            self.first.set(Box::into_raw(node));
            self.count.set(self.count.get() + 1);
        }
    }
}

impl Link {
    /// A generation of one member, with this kind of dependence. `spares` are the calling thread's.
    pub(in crate::task) fn new(spares: &SpareNodes, kind: DependenceKind) -> Self {
        let mut node = spares.take().unwrap_or_else(|| {
            Box::new(Node {
                generation: Generation::new(0, false),
                exclusion: Exclusion::new(),
                is_exclusive: false,
                references: Count::new(0),
                sources: Cell::default(),
                next: Cell::new(ptr::null_mut()),
            })
        });
        node.generation = Generation::new(1, kind.is_shared());
        node.is_exclusive = kind == DependenceKind::Mutexinoutset;
        node.references = Count::new(1);
        Link(NonNull::from(Box::leak(node)))
    }

    pub(in crate::task) fn node(&self) -> &Node {
        // SAFETY: counted.
        unsafe { self.0.as_ref() }
    }

    pub(in crate::task) fn is_over(&self) -> bool {
        self.node().generation.is_over()
    }

    pub(in crate::task) fn has_no_members(&self) -> bool {
        self.node().generation.has_no_members()
    }
}

impl Clone for Link {
    fn clone(&self) -> Self {
        self.node().references.join();
        Link(self.0)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.node().references.leave() {
            return;
        }
        // SAFETY: made from a box, and nobody refers to it any more.
        let node = unsafe { Box::from_raw(self.0.as_ptr()) };
        drop(node.sources.take());
        if let Some(thread) = Thread::known() {
            thread.spares.nodes.keep(node);
        }
    }
}
