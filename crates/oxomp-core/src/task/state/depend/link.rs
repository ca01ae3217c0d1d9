//! Counted references to the generations of storage locations. The memory of generations that are
//! over returns to the thread that made it, for its next ones.

use core::cell::Cell;
use core::fmt;
use core::mem::offset_of;
use core::ptr::NonNull;
use std::sync::Arc;

use oxomp_base::inside::inside;
use oxomp_ompd_layout::{Field, Kind, Nullable, Object, Readable, Record};
use oxomp_protocol::Alone;
use oxomp_protocol::depend::{Count, Exclusion, Generation};
use oxomp_protocol::task::{Linked, Returned};

use super::kind::DependenceKind;
use super::source::Source;
use super::ties::Ties;
use crate::block::{Shared, Thread, shared_fields};
use crate::task::state::returns::{Homing, List, Outgoing, give_back};

/// A generation with its state, alone on its cache line.
#[repr(align(64))]
pub(crate) struct Node {
    pub(in crate::task) generation: Generation<Ties>,
    pub(in crate::task) exclusion: Exclusion<Ties>,
    /// Whether the generation's members take turns (mutexinoutset).
    pub(in crate::task) is_exclusive: Cell<bool>,
    references: Count,
    /// The members, recorded while a tool listens to dependences. Accessed by the generating task's
    /// thread only.
    pub(in crate::task) sources: Cell<Option<Box<Sources>>>,
    /// The free nodes that this one returns to.
    owner: Shared<SpareNodes>,
    /// The next in a list of free nodes.
    next: Cell<Option<&'static Node>>,
}

/// The members of a generation, for events.
#[derive(Debug, Default)]
pub(in crate::task) struct Sources(pub(in crate::task) Vec<Arc<Source>>);

const _: () = assert!(size_of::<Node>() == 64);

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("generation", &self.generation).finish_non_exhaustive()
    }
}

impl Linked for Node {
    #[inline(always)]
    fn link(&self) -> &Cell<Option<&'static Node>> {
        &self.next
    }
}

impl Homing for Node {
    fn home(&self) -> Option<&'static Returned<Node>> {
        Some(self.owner.returned())
    }
}

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

/// The free nodes of a thread. A node is never freed, and returns to the thread that made it,
/// whichever thread drops the last reference. A thread makes a node only when all nodes that it has
/// made are in use or on their way back. So it makes at most as many as were in use at once, and up
/// to a batch for each other thread (`Outgoing`).
///
/// Invariants:
/// 1. Only the owning thread accesses the fields other than `returned`: the type is not `Sync`.
/// 2. `returned` is a stack to which other threads push, and which the owning thread takes as a
///    whole.
#[derive(Debug)]
pub(crate) struct SpareNodes {
    free: List<Node>,
    /// Nodes of one other thread that are to be returned to it.
    outgoing: Outgoing<Node>,
    returned: Returned<Node>,
}

shared_fields! {
    SpareNodes {
        /// Nodes that other threads have returned.
        returned: returned: Returned<Node>,
    }
}

impl SpareNodes {
    pub(crate) const fn new() -> Self {
        SpareNodes { free: List::new(), outgoing: Outgoing::new(), returned: Returned::new() }
    }

    /// In the child of a fork(2), for a thread that is gone: drops the lists.
    pub(in crate::task) fn forget(&self, alone: &Alone) {
        self.free.forget(alone);
        self.outgoing.forget(alone);
        let _ = self.returned.take_all();
    }

    /// A node that no other thread knows. Called by the owning thread.
    fn take(&'static self) -> &'static Node {
        self.free.pop().unwrap_or_else(|| self.refill())
    }

    #[cold]
    fn refill(&'static self) -> &'static Node {
        let mut returned = self.returned.take_all();
        while let Some(node) = returned {
            returned = node.next.get();
            self.free.push(node);
        }
        self.free.pop().unwrap_or_else(|| {
            Box::leak(Box::new(Node {
                generation: Generation::new(0, false),
                exclusion: Exclusion::new(),
                is_exclusive: Cell::new(false),
                references: Count::new(0),
                sources: Cell::new(None),
                owner: Shared::of(self),
                next: Cell::new(None),
            }))
        })
    }

    /// Frees a node that no other thread uses any more. `here` are the free nodes of the calling
    /// thread, if it has any.
    fn free(node: &'static Node, here: Option<&SpareNodes>) {
        match here {
            Some(here) if node.owner.is(here) => here.free.push(node),
            Some(here) => here.outgoing.send(node),
            None => give_back(node, node),
        }
    }
}

impl Link {
    /// Creates a generation of one member, with this kind of dependence, in one of the calling
    /// thread's `spares`.
    pub(in crate::task) fn new(spares: &'static SpareNodes, kind: DependenceKind) -> Self {
        let node = spares.take();
        node.generation.restart(1, kind.is_shared());
        node.is_exclusive.set(kind == DependenceKind::Mutexinoutset);
        node.references.restart(1);
        Link(NonNull::from(node))
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
        // SAFETY: nodes are never freed. This was the last reference, so no other thread uses the
        // node.
        let node = unsafe { self.0.as_ref() };
        drop(node.sources.take());
        SpareNodes::free(node, Thread::known().map(|thread| &thread.spares.nodes));
    }
}
