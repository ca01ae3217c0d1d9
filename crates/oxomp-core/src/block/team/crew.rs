//! The members of a team, the number of threads that were hired for them, and the team's barriers.

use oxomp_protocol::barrier::Barrier;

use crate::block::Refusal;
use crate::block::shared::Shared;
use crate::ompt::event::State;
use crate::places::Arrangement;
use crate::word::Word;

/// State of a team that only the holder of its `IdleTeam` accesses; `M` is the type of a member.
#[derive(Debug)]
pub(super) struct Crew<M: 'static> {
    pub(super) members: Members<M>,
    /// The number of members that have a thread, the primary thread included.
    pub(super) hired: u32,
    /// The size for which the team is formed; 0 if its next region must form it anew.
    pub(super) formed: u32,
    /// The shortage of threads when the team got its present size, if there was one.
    pub(super) shortage: Option<Shortage>,
    /// The arrangement by which the OpenMP places of the members were chosen.
    pub(super) arrangement: Arrangement,
    /// One barrier for each size that the team has had.
    pub(super) barriers: Vec<&'static Barrier>,
    /// Barriers of before a fork(2), at which threads that are gone may have arrived. They stay
    /// here since the surviving thread may be leaving one.
    pub(super) given_up: Vec<&'static Barrier>,
    /// The state that the primary thread had before the region.
    pub(super) outer_state: State,
}

/// A request for threads that was granted in part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortage {
    /// The size that was asked for.
    pub(super) wanted: u32,
    pub(super) refusal: Refusal,
}

impl<M> Default for Crew<M> {
    fn default() -> Self {
        Crew {
            members: Members::default(),
            hired: 1,
            formed: 0,
            shortage: None,
            arrangement: Arrangement::NONE,
            barriers: Vec::new(),
            given_up: Vec::new(),
            outer_state: State::WorkSerial,
        }
    }
}

impl<M> Crew<M> {
    /// The barrier for a team of `size` threads, created at the first call.
    pub(super) fn barrier(&mut self, size: u32) -> &'static Barrier {
        let known = self.barriers.iter().find(|barrier| barrier.size() == size as usize);
        known.copied().unwrap_or_else(|| {
            let barrier: &'static Barrier = Box::leak(Box::new(Barrier::new(size as usize)));
            self.barriers.push(barrier);
            barrier
        })
    }
}

/// An element of the array of members; none only beyond the members that there are.
pub(super) type Member<M> = Word<Option<Shared<M>>>;

/// The members by thread number, in an array that other threads read. A full array is replaced by a
/// larger one and never freed.
#[derive(Debug)]
pub(super) struct Members<M: 'static> {
    array: &'static [Member<M>],
    len: usize,
    /// The replaced arrays, which other threads may still read.
    replaced: Vec<&'static [Member<M>]>,
}

impl<M> Default for Members<M> {
    fn default() -> Self {
        Members { array: &[], len: 0, replaced: Vec::new() }
    }
}

impl<M> Members<M> {
    pub(super) fn push(&mut self, member: Shared<M>) {
        if self.len == self.array.len() {
            let room = (self.array.len() * 2).max(1);
            let member = |index| Word::of(self.array.get(index).and_then(Word::get));
            let array: &[_] = (0..room).map(member).collect::<Vec<Member<M>>>().leak();
            self.replaced.push(core::mem::replace(&mut self.array, array));
        }
        self.array[self.len].set(Some(member));
        self.len += 1;
    }

    /// The address of the present array.
    pub(super) fn address(&self) -> *const Member<M> {
        self.array.as_ptr()
    }

    pub(super) fn len(&self) -> u32 {
        self.len as u32
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Shared<M>> {
        self.array[..self.len].iter().filter_map(Word::get)
    }

    /// Exchanges the numbers of two members.
    pub(super) fn swap(&mut self, one: u32, other: u32) {
        let (one, other) = (&self.array[one as usize], &self.array[other as usize]);
        other.set(one.replace(other.get()));
    }
}
