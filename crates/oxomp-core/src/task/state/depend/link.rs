//! Counted references to the generations of storage locations. Threads keep the memory of
//! generations that are over for the next ones.

use core::cell::Cell;
use core::mem::offset_of;
use core::ptr::{self, NonNull};
use std::sync::Arc;

use oxomp_ompd_layout::{Field, Kind, Nullable, Object, Readable, Record};
use oxomp_protocol::Alone;
use oxomp_protocol::depend::{Count, Exclusion, Generation};

use super::kind::DependenceKind;
use super::source::Source;
use super::ties::Ties;
use crate::block::Thread;
use crate::inside::inside;

/// A generation with its state, alone on its cache line.
#[repr(align(64))]
pub(crate) struct Node {
    pub(in crate::task) generation: Generation<Ties>,
    pub(in crate::task) exclusion: Exclusion<Ties>,
    /// Whether the generation's members take turns (mutexinoutset).
    pub(in crate::task) is_exclusive: bool,
    references: Count,
    /// The members, recorded while a tool listens to dependences. Accessed by the generating task's
    /// thread only.
    pub(in crate::task) sources: Cell<Vec<Arc<Source>>>,
    /// The next in the thread's list of spare nodes.
    next: Cell<*mut Node>,
}

const _: () = assert!(size_of::<Node>() == 64);

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = &[
    Record::whole(Object::Generation, size_of::<Node>()),
    inside(
        Field::GenerationWaits,
        offset_of!(Node, generation),
        |node: &Node| &node.generation,
        &Generation::WAITING,
    ),
    inside(
        Field::GenerationTurns,
        offset_of!(Node, exclusion),
        |node: &Node| &node.exclusion,
        &Exclusion::WAITING,
    ),
    Record::of(Field::GenerationIsExclusive, offset_of!(Node, is_exclusive), |node: &Node| {
        &node.is_exclusive
    }),
];

/// A counted reference to a generation, held by the table or by a member.
#[derive(Debug)]
#[repr(transparent)]
pub(in crate::task) struct Link(NonNull<Node>);

impl Readable for Link {
    const KIND: Kind = Kind::Pointer;
}

impl Nullable for Link {}

/// The spare nodes of a thread.
#[derive(Debug)]
pub(crate) struct SpareNodes {
    first: Cell<*mut Node>,
    count: Cell<u32>,
}

/// The most nodes that a thread keeps: a burst of so many dependent tasks needs no allocation.
const MOST_SPARES: u32 = 1024;

impl SpareNodes {
    pub(crate) const fn new() -> Self {
        SpareNodes { first: Cell::new(ptr::null_mut()), count: Cell::new(0) }
    }

    /// In the child of a fork(2), for a thread that is gone: drops the list.
    pub(in crate::task) fn forget(&self, _: &Alone) {
        self.first.set(ptr::null_mut());
        self.count.set(0);
    }

    fn take(&self) -> Option<Box<Node>> {
        let node = self.first.get();
        if node.is_null() {
            return None;
        }
        // SAFETY: `keep` made the pointer from a box, and only this thread accesses the list.
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
    /// Creates a generation of one member, with this kind of dependence, in one of the calling
    /// thread's `spares` if it has one.
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
        // SAFETY: the node is there as long as a counted reference to it.
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
        // SAFETY: `new` made the pointer from a box, and this was the last reference.
        let node = unsafe { Box::from_raw(self.0.as_ptr()) };
        drop(node.sources.take());
        if let Some(thread) = Thread::known() {
            thread.spares.nodes.keep(node);
        }
    }
}
