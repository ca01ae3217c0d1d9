//! The collector's data of a task, and where its memory comes from.
//!
//! A task's data word points to its node. A thread makes nodes for the tasks that it creates, from
//! a list of its own; the thread that ends a task gives the node back to the thread that made it,
//! so that a thread that only creates tasks uses the same nodes again.
//!
//! All fields are atomic, and relaxed: the runtime orders what happens to one task, its creation,
//! its stretches on several threads, its end; only sums of several tasks meet in one field, by
//! maximum. A task may end before its children, and another task may get its node. So a node counts
//! the lives in which it had children, and a child writes to its parent's node only in the life in
//! which the child was created.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU64};
use std::{ptr, slice};

use crate::team::{Team, is_worth_telling};

/// The data word of an explicit task without a node; those of implicit tasks begin as 0. Words of
/// tasks that are only counted have this bit, too.
pub(crate) const WITHOUT_NODE: u64 = 1;
/// Nodes that are mapped at once.
const BATCH: usize = 512;
/// The most nodes of one thread: 8 MiB. Tasks beyond have no node.
const MOST: usize = 65_536;
/// Dependences for which a node has room.
pub(crate) const DEPENDENCES: usize = 5;
/// Bits of a path; those above are the number of the life.
const PATH_BITS: u32 = 48;
const PATH: u64 = (1 << PATH_BITS) - 1;
/// The number of nodes of one other thread that are given back together.
const RETURNED_TOGETHER: u32 = 32;

/// One task; an implicit task has one as soon as it creates an explicit one.
///
/// The first cache line belongs to the thread that creates the task, and then to the one that
/// executes it; the second one is used for tasks that have children or dependences only.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Node {
    /// The construct's code address.
    pub(crate) code: AtomicU64,
    /// Longest chain of work up to the task's last event: its creator's up to the creation, its
    /// own, and those it waited for.
    pub(crate) path: AtomicU64,
    /// When the task's present stretch began, or, before the first stretch, when the task was
    /// created; 0: the task does not run.
    pub(crate) since: AtomicU64,
    /// Ticks of the task's stretches so far.
    pub(crate) ran: AtomicU64,
    parent: AtomicPtr<Node>,
    /// The list from which it came, and the next node there.
    home: AtomicPtr<Nodes>,
    next: AtomicPtr<Node>,
    pub(crate) depth: AtomicU16,
    /// The life of the parent in which it was created.
    parents_life: AtomicU16,
    /// Number of a [`Kind`].
    kind: AtomicU8,
    /// Whether the task waits, so that it does not run when the thread returns to it.
    pub(crate) waiting: AtomicBool,
    has_dependences: AtomicBool,
    has_children: AtomicBool,
    /// Number of the life, and the longest chain up to the end of one of its children in that life.
    children: AtomicU64,
    /// The task's path when it last waited, or created its first child.
    waited: AtomicU64,
    /// Addresses that it depends on; the lowest bit says that it only reads.
    dependences: [AtomicU64; DEPENDENCES],
    /// A node that holds further ones, or null; known only if it has dependences.
    more: AtomicPtr<Node>,
}

/// What a task is.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
enum Kind {
    Implicit,
    /// An explicit task that has not begun.
    Created,
    /// An explicit task that has begun.
    Begun,
    /// An explicit task whose code is over, and that waits for its detach event. In place of its
    /// dependences the node holds the address of its team, the phase and the pauses.
    Awaiting,
}

const _: () = assert!(std::mem::offset_of!(Node, children) == 64 && size_of::<Node>() == 128);

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
    /// The node of an implicit task; `None` if there are too many.
    #[inline]
    pub(crate) fn take(&'static self) -> Option<&'static Node> {
        let mut first = self.free.load(Relaxed);
        if first.is_null() {
            // Acquire: pairs with the Release in `give_back`.
            first = self.returned.swap(ptr::null_mut(), Ordering::Acquire);
            if first.is_null() {
                first = self.make();
            }
        }
        // SAFETY: null or a node of ours, which are never unmapped.
        let node = unsafe { first.as_ref::<'static>() }?;
        self.free.store(node.next.load(Relaxed), Relaxed);
        for field in [&node.code, &node.path, &node.since, &node.ran] {
            field.store(0, Relaxed);
        }
        node.parent.store(ptr::null_mut(), Relaxed);
        node.depth.store(0, Relaxed);
        node.kind.store(Kind::Implicit as u8, Relaxed);
        for flag in [&node.waiting, &node.has_dependences, &node.has_children] {
            flag.store(false, Relaxed);
        }
        Some(node)
    }

    /// Whether the node comes from this list.
    pub(crate) fn made_here(&self, node: &Node) -> bool {
        ptr::eq(node.home.load(Relaxed), self)
    }

    /// Maps further nodes; returns the first of their list, or null.
    #[cold]
    fn make(&'static self) -> *mut Node {
        if self.made.load(Relaxed) >= MOST as u64 {
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
        self.made.store(self.made.load(Relaxed) + BATCH as u64, Relaxed);
        // SAFETY: that many nodes of zeros, which are valid, aligned to a page, never unmapped.
        let batch = unsafe { slice::from_raw_parts(batch.cast::<Node>(), BATCH) };
        let mut next = ptr::null_mut();
        for node in batch.iter().rev() {
            node.home.store(ptr::from_ref(self).cast_mut(), Relaxed);
            node.next.store(next, Relaxed);
            next = ptr::from_ref(node).cast_mut();
        }
        next
    }

    /// A node of this list is free; this thread owns the list.
    #[inline]
    fn keep(&self, node: &'static Node) {
        node.next.store(self.free.load(Relaxed), Relaxed);
        self.free.store(ptr::from_ref(node).cast_mut(), Relaxed);
    }

    /// The nodes of this list from `first` to `last` are free, on another thread.
    fn give_back(&self, first: &'static Node, last: &'static Node) {
        let mut before = self.returned.load(Relaxed);
        loop {
            last.next.store(before, Relaxed);
            let place = ptr::from_ref(first).cast_mut();
            // Release: the thread that takes the nodes sees the list behind them.
            match self.returned.compare_exchange_weak(before, place, Ordering::Release, Relaxed) {
                Ok(_) => return,
                Err(other) => before = other,
            }
        }
    }
}

/// Free nodes of one other thread, which a thread gives back together: each time costs both of them
/// a cache line.
#[derive(Debug)]
pub(crate) struct Returned {
    home: Option<&'static Nodes>,
    first: Option<&'static Node>,
    last: Option<&'static Node>,
    count: u32,
}

impl Returned {
    pub(crate) const NONE: Self = Self { home: None, first: None, last: None, count: 0 };

    #[inline]
    fn add(&mut self, home: &'static Nodes, node: &'static Node) {
        let same = self.home.is_some_and(|own| ptr::eq(own, home));
        if !same || self.count == RETURNED_TOGETHER {
            self.give_back();
            (self.home, self.last) = (Some(home), Some(node));
        }
        let next = self.first.map_or(ptr::null_mut(), |first| ptr::from_ref(first).cast_mut());
        node.next.store(next, Relaxed);
        self.first = Some(node);
        self.count += 1;
    }

    /// Gives back all.
    pub(crate) fn give_back(&mut self) {
        if let Self { home: Some(home), first: Some(first), last: Some(last), .. } = *self {
            home.give_back(first, last);
        }
        *self = Self::NONE;
    }
}

impl Node {
    /// The node behind a data word that holds one.
    pub(crate) fn of_word(word: u64) -> Option<&'static Self> {
        let place = ptr::with_exposed_provenance::<Self>(word as usize);
        // SAFETY: words without the mark are 0 or addresses of nodes, which are never unmapped.
        if word & WITHOUT_NODE == 0 { unsafe { place.as_ref() } } else { None }
    }

    /// The data word that holds the node.
    pub(crate) fn word(&'static self) -> u64 {
        ptr::from_ref(self).expose_provenance() as u64
    }

    /// The task is an explicit one, created at `now` by the construct at `code`.
    #[inline]
    pub(crate) fn create(&self, code: u64, now: u64) {
        self.kind.store(Kind::Created as u8, Relaxed);
        self.code.store(code, Relaxed);
        self.since.store(now, Relaxed);
    }

    /// Whether the task has dependences.
    pub(crate) fn is_ordered_by_data(&self) -> bool {
        self.has_dependences.load(Relaxed)
    }

    /// Whether the task is an explicit one.
    #[inline]
    pub(crate) fn is_explicit(&self) -> bool {
        self.kind.load(Relaxed) != Kind::Implicit as u8
    }

    /// Whether the task is an explicit one that has not begun.
    #[inline]
    pub(crate) fn has_not_begun(&self) -> bool {
        self.kind.load(Relaxed) == Kind::Created as u8
    }

    /// The task's code is over, and it waits for its detach event, in a phase of `team`. `paused`:
    /// the ticks of all pauses of the recording before the team's region.
    pub(crate) fn await_event(&self, team: &'static Team, phase: u32, paused: u64) {
        self.dependences[0].store(ptr::from_ref(team).expose_provenance() as u64, Relaxed);
        self.dependences[1].store(phase.into(), Relaxed);
        self.dependences[2].store(paused, Relaxed);
        // Release: the thread that fulfils the event sees the three.
        self.kind.store(Kind::Awaiting as u8, Ordering::Release);
    }

    /// Whether the task's code is over, and it waits for its detach event.
    #[inline]
    pub(crate) fn is_awaiting(&self) -> bool {
        self.kind.load(Relaxed) == Kind::Awaiting as u8
    }

    /// The task's detach event is fulfilled: returns the arguments of [`Node::await_event`], if the
    /// task has waited.
    pub(crate) fn take_awaited(&self) -> Option<(&'static Team, u32, u64)> {
        let (awaiting, begun) = (Kind::Awaiting as u8, Kind::Begun as u8);
        // Acquire: pairs with the Release in `await_event`.
        self.kind.compare_exchange(awaiting, begun, Ordering::Acquire, Relaxed).ok()?;
        let place = self.dependences[0].load(Relaxed) as usize;
        // SAFETY: the address of a team, which is never freed.
        let team = unsafe { ptr::with_exposed_provenance::<Team>(place).as_ref() }?;
        let phase = self.dependences[1].load(Relaxed) as u32;
        Some((team, phase, self.dependences[2].load(Relaxed)))
    }

    /// The task begins or goes on at `now`. Returns when it was created, if it is an explicit one
    /// that begins.
    #[inline]
    pub(crate) fn run(&self, now: u64) -> Option<u64> {
        let created = match self.has_not_begun() {
            true => {
                self.kind.store(Kind::Begun as u8, Relaxed);
                Some(self.since.load(Relaxed))
            }
            false => None,
        };
        if created.is_some() || !self.waiting.load(Relaxed) {
            self.since.store(now, Relaxed);
        }
        created
    }

    /// The task's stretch ends at `now`, if it runs: adds its time to its path.
    #[inline]
    pub(crate) fn stop(&self, now: u64) {
        let since = self.since.load(Relaxed);
        // A task that is discarded has not begun.
        if since != 0 && !self.has_not_begun() {
            let ticks = now.saturating_sub(since);
            self.path.store(self.path.load(Relaxed) + ticks, Relaxed);
            self.ran.store(self.ran.load(Relaxed) + ticks, Relaxed);
            self.since.store(0, Relaxed);
        }
    }

    /// The task, whose path is `path` now, creates `child`.
    #[inline]
    pub(crate) fn add_child(&self, child: &Self, path: u64) {
        if !self.has_children.load(Relaxed) {
            self.has_children.store(true, Relaxed);
            self.waited.store(path, Relaxed);
        }
        child.parent.store(ptr::from_ref(self).cast_mut(), Relaxed);
        child.parents_life.store((self.children.load(Relaxed) >> PATH_BITS) as u16, Relaxed);
        child.depth.store(self.depth.load(Relaxed).saturating_add(1), Relaxed);
        child.path.store(path, Relaxed);
    }

    /// The longest chain up to the end of a child of the task.
    #[inline]
    pub(crate) fn longest_child(&self) -> u64 {
        if self.has_children.load(Relaxed) { self.children.load(Relaxed) & PATH } else { 0 }
    }

    /// A child of the task that has no node ends a chain of `path`.
    #[inline]
    pub(crate) fn lengthen(&self, path: u64) {
        if path > self.longest_child() {
            self.has_children.store(true, Relaxed);
            let life = self.children.load(Relaxed) & !PATH;
            self.children.fetch_max(life | path.min(PATH), Relaxed);
        }
    }

    /// The task goes on after a wait, with the path `path`.
    #[inline]
    pub(crate) fn has_waited(&self, path: u64) {
        self.path.store(path, Relaxed);
        if self.has_children.load(Relaxed) {
            self.waited.store(path, Relaxed);
        }
    }

    /// The task has ended a chain of `path`: its parent may wait for it.
    #[inline]
    pub(crate) fn tell_parent(&self, path: u64) {
        // SAFETY: null or a node, which are never unmapped.
        let Some(parent) = (unsafe { self.parent.load(Relaxed).as_ref() }) else { return };
        let path = path.min(PATH);
        let life = self.parents_life.load(Relaxed);
        let mut told = parent.children.load(Relaxed);
        while (told >> PATH_BITS) as u16 == life
            && is_worth_telling(path, told & PATH, parent.waited.load(Relaxed))
        {
            let longer = u64::from(life) << PATH_BITS | path;
            match parent.children.compare_exchange_weak(told, longer, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(other) => told = other,
            }
        }
    }

    /// The task depends on these accesses. `further` gives nodes for the accesses beyond
    /// [`DEPENDENCES`]; returns how many accesses have no node, and so are left out.
    pub(crate) fn set_dependences(
        &'static self,
        accesses: impl Iterator<Item = u64>,
        mut further: impl FnMut() -> Option<&'static Self>,
    ) -> u64 {
        let mut node = self;
        node.more.store(ptr::null_mut(), Relaxed);
        let (mut used, mut left_out) = (0, 0);
        for access in accesses.filter(|&access| access > 1) {
            if used == DEPENDENCES {
                let Some(next) = (if left_out == 0 { further() } else { None }) else {
                    left_out += 1;
                    continue;
                };
                next.more.store(ptr::null_mut(), Relaxed);
                node.more.store(ptr::from_ref(next).cast_mut(), Relaxed);
                (node, used) = (next, 0);
            }
            node.dependences[used].store(access, Relaxed);
            used += 1;
        }
        if let Some(unused) = node.dependences.get(used) {
            unused.store(0, Relaxed);
        }
        self.has_dependences.store(true, Relaxed);
        left_out
    }

    /// Children of the task that have not ended do not write to it any more.
    #[inline]
    fn end_life(&self) {
        if self.has_children.load(Relaxed) {
            let life = (self.children.load(Relaxed) >> PATH_BITS).wrapping_add(1);
            self.children.store(life << PATH_BITS, Relaxed);
        }
    }

    /// Whether the node holds dependences.
    #[inline]
    pub(crate) fn depends(&self) -> bool {
        self.has_dependences.load(Relaxed)
    }

    /// The accesses that it depends on: the address, and whether the task only reads.
    pub(crate) fn dependences(&self) -> impl Iterator<Item = (u64, bool)> {
        let nodes = std::iter::successors(Some(self), |node| node.more());
        let accesses = nodes.flat_map(|node| {
            let accesses = node.dependences.iter().map(|place| place.load(Relaxed));
            accesses.take_while(|&access| access != 0)
        });
        accesses.map(|access| (access & !1, access & 1 != 0))
    }

    /// The node that holds the task's dependences beyond [`DEPENDENCES`]; the task has dependences.
    fn more(&self) -> Option<&'static Self> {
        // SAFETY: null or a node, which are never unmapped.
        unsafe { self.more.load(Relaxed).as_ref() }
    }
}

/// The task of `node` has ended, on a thread that need not own nodes.
#[cold]
pub(crate) fn release_alone(node: &'static Node) {
    node.end_life();
    let mut next = Some(node);
    let mut more = node.depends().then(|| node.more()).flatten();
    while let Some(node) = next {
        next = more;
        more = next.and_then(Node::more);
        // SAFETY: lists lie in the table of logs, which is never unmapped.
        if let Some(home) = unsafe { node.home.load(Relaxed).as_ref::<'static>() } {
            home.give_back(node, node);
        }
    }
}

/// The task of `node` has ended, on the thread that owns `nodes`.
#[inline]
pub(crate) fn release(node: &'static Node, nodes: &'static Nodes, returned: &mut Returned) {
    node.end_life();
    if node.has_dependences.load(Relaxed) {
        let mut more = node.more();
        while let Some(next) = more {
            more = next.more();
            give_home(next, nodes, returned);
        }
    }
    give_home(node, nodes, returned);
}

/// Gives a node back to the list from which it came.
#[inline]
fn give_home(node: &'static Node, nodes: &'static Nodes, returned: &mut Returned) {
    // SAFETY: lists lie in the table of logs, which is never unmapped.
    match unsafe { node.home.load(Relaxed).as_ref::<'static>() } {
        Some(home) if ptr::eq(home, nodes) => home.keep(node),
        Some(home) => returned.add(home, node),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;
    use std::sync::atomic::Ordering::Relaxed;

    use super::{BATCH, DEPENDENCES, Node, Nodes, Returned, release};

    fn node() -> &'static Node {
        // SAFETY: a new mapping of zeros, which are a valid list.
        let nodes = Box::leak(Box::new(unsafe { std::mem::zeroed::<Nodes>() }));
        nodes.take().expect("a node")
    }

    #[test]
    fn further_nodes_hold_more_dependences_and_are_given_back() {
        let task = node();
        let nodes = own(task);
        let accesses: Vec<u64> = (1..=12).map(|number| number * 64 + number % 2).collect();
        task.set_dependences(accesses.iter().copied(), || nodes.take());
        let read: Vec<_> =
            task.dependences().map(|(address, reads)| address + u64::from(reads)).collect();
        assert_eq!(read, accesses);
        let mut returned = Returned::NONE;
        release(task, nodes, &mut returned);
        let free: Vec<_> = (0..BATCH).map(|_| nodes.take().expect("a node").word()).collect();
        assert_eq!(nodes.made.load(Relaxed), BATCH as u64, "none is lost");
        assert_eq!(free.iter().collect::<std::collections::BTreeSet<_>>().len(), BATCH);
        task.set_dependences(accesses.iter().copied(), || None);
        assert_eq!(task.dependences().count(), DEPENDENCES, "without room for more");
    }

    #[test]
    fn a_child_of_an_earlier_life_does_not_write() {
        let (parent, first, second) = (node(), node(), node());
        parent.add_child(first, 10);
        first.tell_parent(50);
        assert_eq!(parent.longest_child(), 50);
        let mut returned = Returned::NONE;
        release(parent, own(parent), &mut returned);
        let again = own(parent).take().expect("the same node");
        assert!(ptr::eq(again, parent));
        again.add_child(second, 10);
        first.tell_parent(5000);
        assert_eq!(again.longest_child(), 0, "of the earlier life");
        second.tell_parent(60);
        assert_eq!(again.longest_child(), 60);
    }

    #[test]
    fn nodes_of_another_thread_come_back() {
        let (here, there) = (own(node()), own(node()));
        let mut returned = Returned::NONE;
        let taken: Vec<_> = (0..BATCH - 1).filter_map(|_| there.take()).collect();
        assert_eq!(taken.len(), BATCH - 1);
        for node in &taken {
            release(node, here, &mut returned);
        }
        returned.give_back();
        let made = there.made.load(Relaxed);
        for _ in &taken {
            assert!(there.take().is_some());
        }
        assert_eq!(there.made.load(Relaxed), made, "no further nodes were made");
    }

    fn own(node: &Node) -> &'static Nodes {
        // SAFETY: the lists of these tests are never freed.
        unsafe { &*node.home.load(Relaxed) }
    }
}
