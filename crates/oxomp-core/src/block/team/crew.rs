//! The members of a team, the threads that were hired for them, and where they meet.

use oxomp_protocol::barrier::Barrier;

use crate::block::Refusal;
use crate::block::shared::Shared;
use crate::ompt::event::State;
use crate::places::Arrangement;
use crate::word::Word;

/// Of the holder of the team's `IdleTeam`; the members are `M`.
#[derive(Debug)]
pub(super) struct Crew<M: 'static> {
    pub(super) members: Members<M>,
    /// Members with a thread, the primary one included.
    pub(super) hired: u32,
    /// Threads were refused when the team got its size.
    pub(super) shortage: Option<Shortage>,
    /// What the places of the members were chosen for.
    pub(super) arrangement: Arrangement,
    /// One barrier for each size that the team has had.
    pub(super) barriers: Vec<&'static Barrier>,
    /// State of the primary thread before the region.
    pub(super) outer_state: State,
}

/// What a team was refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortage {
    /// The size that it should have had.
    pub(super) wanted: u32,
    pub(super) refusal: Refusal,
}

impl<M> Default for Crew<M> {
    fn default() -> Self {
        Crew {
            members: Members::default(),
            hired: 1,
            shortage: None,
            arrangement: Arrangement::NONE,
            barriers: Vec::new(),
            outer_state: State::WorkSerial,
        }
    }
}

impl<M> Crew<M> {
    /// The barrier for a team of so many threads.
    pub(super) fn barrier(&mut self, size: u32) -> &'static Barrier {
        let known = self.barriers.iter().find(|barrier| barrier.size() == size as usize);
        known.copied().unwrap_or_else(|| {
            let barrier: &'static Barrier = Box::leak(Box::new(Barrier::new(size as usize)));
            self.barriers.push(barrier);
            barrier
        })
    }
}

/// A member, as the array has it; none of those that there are is missing.
pub(super) type Member<M> = Word<Option<Shared<M>>>;

/// The members by their numbers, in an array that other threads read: when it is full a larger one
/// takes its place, and the old one stays.
#[derive(Debug)]
pub(super) struct Members<M: 'static> {
    array: &'static [Member<M>],
    len: usize,
}

impl<M> Default for Members<M> {
    fn default() -> Self {
        Members { array: &[], len: 0 }
    }
}

impl<M> Members<M> {
    pub(super) fn push(&mut self, member: Shared<M>) {
        if self.len == self.array.len() {
            let room = (self.array.len() * 2).max(1);
            let member = |index| Word::of(self.array.get(index).and_then(Word::get));
            self.array = (0..room).map(member).collect::<Vec<Member<M>>>().leak();
        }
        self.array[self.len].set(Some(member));
        self.len += 1;
    }

    /// Where the array is now.
    pub(super) fn address(&self) -> *const Member<M> {
        self.array.as_ptr()
    }

    pub(super) fn len(&self) -> u32 {
        self.len as u32
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Shared<M>> {
        self.array[..self.len].iter().filter_map(Word::get)
    }

    /// Two members change their numbers.
    pub(super) fn swap(&mut self, one: u32, other: u32) {
        let (one, other) = (&self.array[one as usize], &self.array[other as usize]);
        other.set(one.replace(other.get()));
    }
}
