//! Communicators: who belongs to them, and an identity that all their processes agree on without a
//! word.
//!
//! A communicator is told by the ranks of its processes in `MPI_COMM_WORLD`, in their order, and by
//! how many with the same ones had been made before. Making a communicator is a collective
//! operation of its processes at least, so all of them make those with the same processes in the
//! same order.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, Release};

use crate::bytes::Word;
use crate::implementation::Implementation;
use crate::library::{ask, call, is_initialized};
use crate::mix::{Mixed, mix};
use crate::next::Next;
use crate::world::WORLD;

/// A communicator whose processes are known.
#[derive(Debug)]
pub(crate) struct Communicator {
    /// The identity, the same in all its processes.
    pub(crate) id: u64,
    /// The ranks of its processes in `MPI_COMM_WORLD`, by their ranks in it.
    pub(crate) members: Box<[u32]>,
    /// The rank of this process in `MPI_COMM_WORLD`.
    pub(crate) own: u32,
}

impl Communicator {
    /// The rank in `MPI_COMM_WORLD` of the process `rank`; `None` for `MPI_PROC_NULL`.
    pub(crate) fn member(&self, rank: c_int) -> Option<u32> {
        self.members.get(usize::try_from(rank).ok()?).copied()
    }
}

/// The communicators of the process by their handles.
#[derive(Debug, Default)]
pub(crate) struct Communicators {
    /// `None`: one of which nothing is told, as an intercommunicator.
    by_handle: HashMap<Word, Option<Arc<Communicator>>, Mixed>,
    /// How many there were with the same processes.
    made: HashMap<u64, u64, Mixed>,
    /// `MPI_COMM_WORLD`, once it was looked at.
    world: Option<Arc<Communicator>>,
    /// Whether the program has finalized MPI. Its sessions may go on, but there is no
    /// `MPI_COMM_WORLD` any more, and so no communicator of which anything is told.
    is_finalized: bool,
}

impl Communicators {
    /// The communicator with this handle, which the library has accepted.
    pub(crate) fn get(&mut self, argument: Word) -> Option<Arc<Communicator>> {
        let handle = Implementation::own().plain(argument);
        if let Some(known) = self.by_handle.get(&handle) {
            return known.clone();
        }
        self.made(handle)
    }

    /// `MPI_COMM_WORLD`, if there is one: not before MPI was initialized.
    pub(crate) fn world(&mut self) -> Option<Arc<Communicator>> {
        if self.world.is_none() && is_initialized() && !self.is_finalized {
            let handle = Implementation::own().world();
            self.world = members_of(handle, handle).and_then(|found| self.add(handle, found));
            if let Some(world) = &self.world {
                let size = u32::try_from(world.members.len()).unwrap_or(u32::MAX);
                WORLD.rank.store(world.own, Relaxed);
                // Release: whoever sees the size sees the rank.
                WORLD.size.store(size, Release);
            }
        }
        self.world.clone()
    }

    /// The communicator with this handle was made, or is seen for the first time.
    pub(crate) fn made(&mut self, handle: Word) -> Option<Arc<Communicator>> {
        let implementation = Implementation::own();
        if implementation.is_no_communicator(handle) {
            return None;
        }
        let world = self.world();
        if handle == implementation.world() {
            return world;
        }
        let found = world.and_then(|_| members_of(handle, implementation.world()));
        match found {
            Some(found) => self.add(handle, found),
            None => {
                self.by_handle.insert(handle, None);
                None
            }
        }
    }

    /// A communicator with the processes of `like` is being made, and cannot be looked at yet.
    pub(crate) fn made_like(&mut self, handle: Word, like: &Communicator) {
        self.add(handle, like.members.clone());
    }

    /// MPI is finalized.
    pub(crate) fn finalize(&mut self) {
        *self = Self { is_finalized: true, ..Self::default() };
    }

    /// The communicator with this handle was freed: another one may get it.
    pub(crate) fn freed(&mut self, handle: Word) {
        self.by_handle.remove(&handle);
    }

    fn add(&mut self, handle: Word, members: Box<[u32]>) -> Option<Arc<Communicator>> {
        let processes = members
            .iter()
            .fold(mix(0, members.len() as u64), |sum, &member| mix(sum, member.into()));
        let made = self.made.entry(processes).or_default();
        let id = mix(processes, *made);
        *made += 1;
        let own = match &self.world {
            Some(world) => world.own,
            None => rank_in(handle)?,
        };
        let communicator = Arc::new(Communicator { id, members, own });
        self.by_handle.insert(handle, Some(communicator.clone()));
        Some(communicator)
    }
}

fn rank_in(comm: Word) -> Option<u32> {
    static RANK: Next = Next::new(c"PMPI_Comm_rank");
    u32::try_from(ask(&RANK, comm)).ok()
}

/// The ranks in `world` of the processes of `comm`; `None` for an intercommunicator, and if one of
/// them is not in `world`.
fn members_of(comm: Word, world: Word) -> Option<Box<[u32]>> {
    static IS_INTER: Next = Next::new(c"PMPI_Comm_test_inter");
    static TRANSLATE: Next = Next::new(c"PMPI_Group_translate_ranks");
    static SIZE: Next = Next::new(c"PMPI_Comm_size");
    if ask(&IS_INTER, comm) != 0 {
        return None;
    }
    let size = ask(&SIZE, comm);
    let (own, all) = (Group::of(comm)?, Group::of(world)?);
    let ranks: Vec<c_int> = (0..size).collect();
    let mut translated = vec![-1; ranks.len()];
    let arrays = [ranks.as_ptr().addr(), translated.as_mut_ptr().addr()];
    let words = [own.0, ranks.len(), arrays[0], all.0, arrays[1]];
    if size <= 0 || !call(&TRANSLATE, words) {
        return None;
    }
    translated.iter().map(|&rank| u32::try_from(rank).ok()).collect()
}

/// A group, freed when it is dropped.
#[derive(Debug)]
struct Group(Word);

impl Group {
    fn of(comm: Word) -> Option<Self> {
        static GROUP: Next = Next::new(c"PMPI_Comm_group");
        // A handle of 4 bytes is the lower half of the word.
        let mut group: Word = 0;
        call(&GROUP, [comm, (&raw mut group).addr()]).then_some(Self(group))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        static FREE: Next = Next::new(c"PMPI_Group_free");
        call(&FREE, [(&raw mut self.0).addr()]);
    }
}

#[cfg(test)]
mod tests {
    use super::Communicators;

    #[test]
    fn communicators_are_told_by_their_processes_and_by_their_order() {
        let world = |own: u32| {
            let mut all = Communicators::default();
            let members: Box<[u32]> = [0, 1, 2].into();
            let world = super::Communicator { id: 0, members, own };
            all.world = Some(world.into());
            all
        };
        let make = |all: &mut Communicators, handle, members: &[u32]| {
            all.add(handle, members.into()).expect("its rank is known").id
        };
        let (mut zero, mut two) = (world(0), world(2));
        // Rank 2 makes one of its own between those that it makes with rank 0.
        let first = make(&mut zero, 7, &[0, 2]);
        assert_eq!(make(&mut two, 70, &[0, 2]), first);
        let alone = make(&mut two, 71, &[2]);
        let second = make(&mut zero, 8, &[0, 2]);
        assert_eq!(make(&mut two, 72, &[0, 2]), second);
        let turned = make(&mut zero, 9, &[2, 0]);
        let ids = std::collections::BTreeSet::from([first, alone, second, turned]);
        assert_eq!(ids.len(), 4, "each has its own");
        assert_eq!(zero.get(7).expect("known").member(1), Some(2));
        assert_eq!(zero.get(7).expect("known").member(-1), None);
    }
}
