//! The members of a team, the number of threads that were hired for them, and the team's barriers.

use core::mem;

use oxomp_base::places::Arrangement;
use oxomp_base::word::Word;
use oxomp_protocol::Alone;
use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::chain::Chain;

use crate::block::Refusal;
use crate::block::shared::Shared;
use crate::ompt::event::State;

/// State of a team that only the holder of its `IdleTeam` accesses; `M` is the type of a member.
#[derive(Debug)]
pub(super) struct Membership<M: 'static> {
    pub(super) members: Members<M>,
    /// The number of members that have a thread, the primary thread included.
    pub(super) hired: u32,
    /// The size for which the team is formed; 0 if its next region must form it anew.
    pub(super) formed: u32,
    /// The shortage of threads when the team got its present size, if there was one.
    pub(super) shortage: Option<Shortage>,
    /// The arrangement by which the OpenMP places of the members were chosen.
    pub(super) arrangement: Arrangement,
    /// One barrier for each size that the team has had. A chain, since a fork(2) may come while
    /// another thread adds one.
    barriers: Chain<&'static Barrier>,
    /// Barriers of before a fork(2), at which threads that are gone may have arrived. They stay
    /// here since the surviving thread may be leaving one.
    given_up: Chain<Chain<&'static Barrier>>,
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

impl<M> Default for Membership<M> {
    fn default() -> Self {
        Membership {
            members: Members::default(),
            hired: 1,
            formed: 0,
            shortage: None,
            arrangement: Arrangement::NONE,
            barriers: Chain::new(),
            given_up: Chain::new(),
            outer_state: State::WorkSerial,
        }
    }
}

impl<M> Membership<M> {
    /// The barrier for a team of `size` threads, created at the first call.
    pub(super) fn barrier(&mut self, size: u32) -> &'static Barrier {
        let make = || -> &'static Barrier { Box::leak(Box::new(Barrier::new(size as usize))) };
        self.barriers.find_or_add(|barrier| barrier.size() == size as usize, make)
    }

    /// In the child of a fork(2): the next region gets a barrier at which no thread has arrived.
    pub(super) fn give_up_barriers(&mut self, _: &Alone) {
        self.given_up.add(mem::replace(&mut self.barriers, Chain::new()));
    }
}

/// An element of the array of members; `None` only behind the last member.
pub(super) type Member<M> = Word<Option<Shared<M>>>;

/// The members by thread number, in an array that other threads read. A full array is replaced by a
/// larger one and never freed.
///
/// One word says which array is the present one: if a thread that is gone was changing the members,
/// the child of a fork(2) has those of before or of after the change.
#[derive(Debug)]
pub(super) struct Members<M: 'static> {
    present: Option<&'static Array<M>>,
    len: usize,
}

#[derive(Debug)]
struct Array<M: 'static> {
    members: Box<[Member<M>]>,
    /// The array before, which other threads may still read.
    #[expect(dead_code, reason = "it keeps the array reachable for detectors of leaks")]
    replaced: Option<&'static Array<M>>,
}

impl<M> Default for Members<M> {
    fn default() -> Self {
        Members { present: None, len: 0 }
    }
}

impl<M> Members<M> {
    fn array(&self) -> &'static [Member<M>] {
        self.present.map_or(&[], |array| &array.members)
    }

    pub(super) fn push(&mut self, member: Shared<M>) {
        let old = self.array();
        if self.len >= old.len() {
            let room = (old.len() * 2).max(1);
            let copy = |index| Word::of(old.get(index).and_then(Word::get));
            let members = (0..room).map(copy).collect();
            self.present = Some(Box::leak(Box::new(Array { members, replaced: self.present })));
        }
        self.array()[self.len].set(Some(member));
        self.len += 1;
    }

    /// The address of the present array.
    pub(super) fn address(&self) -> *const Member<M> {
        self.array().as_ptr()
    }

    pub(super) fn len(&self) -> u32 {
        self.len as u32
    }

    /// The members of this moment. The iterator does not borrow the list, of which no array is
    /// ever freed.
    pub(super) fn iter(&self) -> impl Iterator<Item = Shared<M>> + use<M> {
        self.array().iter().take(self.len).filter_map(Word::get)
    }

    /// Exchanges the numbers of two members.
    pub(super) fn swap(&mut self, one: u32, other: u32) {
        let array = self.array();
        let (one, other) = (&array[one as usize], &array[other as usize]);
        other.set(one.replace(other.get()));
    }
}
