//! Walks through memory of which some may be half written: they end where it makes no sense.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_ompd_layout::Field;

use crate::address_space::AddressSpace;
use crate::{LONGEST_WALK, thread};

/// The most objects of a list.
const LONGEST_LIST: usize = 1 << 20;

/// The objects from `first` on, each of which leads to the next by `next`, up to the end of the
/// list or to the first one that cannot be read or was there before.
pub(super) fn list(space: &AddressSpace, first: Option<u64>, next: Field) -> Vec<u64> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut at = first;
    while let Some(address) = at.filter(|address| *address > END) {
        if !seen.insert(address) || found.len() >= LONGEST_LIST {
            break;
        }
        found.push(address);
        at = space.follow(address, next).unwrap_or(None);
    }
    found
}

/// The word that ends some lists, instead of null.
pub(super) const END: u64 = 1;

/// The task regions on the stacks of all threads.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// The thread of each task, and whether it executes the task at this moment.
    pub(super) tasks: BTreeMap<u64, (u64, bool)>,
}

impl Stacks {
    pub(super) fn read(space: &AddressSpace) -> Self {
        let mut stacks = Stacks::default();
        for thread in thread::blocks(space).unwrap_or_default() {
            if space.flag(thread, Field::ThreadLwp).unwrap_or(false) {
                stacks.add(space, thread);
            }
        }
        stacks
    }

    fn add(&mut self, space: &AddressSpace, thread: u64) {
        let mut task = space.follow(thread, Field::ThreadTask).unwrap_or(None);
        let mut is_current = true;
        for _ in 0..LONGEST_WALK {
            let Some(at) = task else { return };
            self.tasks.entry(at).or_insert((thread, is_current));
            is_current = false;
            task = below(space, at);
        }
    }
}

/// The task that its thread has left for the task at `at`. For the implicit task of thread 0 of a
/// team, this is the task that encountered the region.
fn below(space: &AddressSpace, at: u64) -> Option<u64> {
    if !space.flag(at, Field::ExplicitTaskIsImplicit).ok()? {
        return space.follow(at, Field::ExplicitTaskScheduling).ok()?;
    }
    if space.number(at, Field::ImplicitTaskThreadNum).ok()? != 0 {
        return None;
    }
    let region = space.object(at, Field::ImplicitTaskParallel).ok()?;
    match space.follow(region, Field::ParallelEncounteringTask).ok()? {
        Some(encountering) => Some(encountering),
        None => space.follow(region, Field::ParallelEncountering).ok()?,
    }
}
