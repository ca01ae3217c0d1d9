//! The teams of regions that were under way when the recording began: those of an attached
//! collector.
//!
//! The team of a region belongs to the log of its primary thread, which names it in the region's
//! data word. Of a region that was under way any thread may tell first, perhaps long before the
//! primary thread has an event. So the recording itself has the teams of such regions, in a table
//! in which the threads of a region find their team by the address of the region's data word. The
//! table only grows: another region at the same address is not one that was under way.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use crate::team::Team;
use crate::zeros;

/// The most regions: programs with more inner regions at once than this are rare. Of further ones
/// nothing is recorded.
const MOST: usize = 256;

/// The table, which is never unmapped: late members of a region may read its team.
#[derive(Debug)]
pub(crate) struct RegionsUnderWay(NonNull<[Place; MOST]>);

// SAFETY: the table stays as long as the process, and a place may be used by any thread.
unsafe impl Send for RegionsUnderWay {}
// SAFETY: as above: words that are atomic, and teams.
unsafe impl Sync for RegionsUnderWay {}

/// All zeros are a free place.
#[derive(Debug)]
struct Place {
    /// The address of the region's data word; 0: the place is free.
    region: AtomicU64,
    /// The team is open.
    is_open: AtomicBool,
    team: Team,
}

impl RegionsUnderWay {
    /// A table without regions.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(zeros::map(size_of::<[Place; MOST]>())?.cast()))
    }

    /// The team of the region whose data word has the address `region`. The first thread that asks
    /// opens the team, by `open`; others wait for that. `None` if the table is full.
    pub(crate) fn team<E>(
        &self,
        region: u64,
        open: impl FnOnce(&'static Team) -> Result<(), E>,
    ) -> Result<Option<&'static Team>, E> {
        // SAFETY: the mapping is never removed, and zeros are valid places.
        let places: &'static [Place; MOST] = unsafe { self.0.as_ref() };
        for place in places {
            match place.region.compare_exchange(0, region, AcqRel, Acquire) {
                Ok(_) => {
                    let opened = open(&place.team);
                    // Release: pairs with the Acquire below. Also without room in the file, so that
                    // nobody waits.
                    place.is_open.store(true, Release);
                    return opened.map(|()| Some(&place.team));
                }
                Err(known) if known == region => {
                    while !place.is_open.load(Acquire) {
                        thread::yield_now();
                    }
                    return Ok(Some(&place.team));
                }
                Err(_) => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::ptr;
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    use super::{MOST, RegionsUnderWay};

    #[test]
    fn the_threads_of_a_region_find_one_team_which_one_of_them_opens() {
        let table = RegionsUnderWay::new().unwrap();
        let opened = AtomicU32::new(0);
        let ask = |region| {
            let open = |_| {
                opened.fetch_add(1, Relaxed);
                thread::yield_now();
                Ok::<(), Infallible>(())
            };
            table.team(region, open).unwrap().map(|team| ptr::from_ref(team).addr())
        };
        for region in [0x1000, 0x2000, 0x3000] {
            let [one, other] = thread::scope(|scope| {
                let threads = [0; 2].map(|_| scope.spawn(|| ask(region)));
                threads.map(|thread| thread.join().unwrap())
            });
            assert!(one.is_some() && one == other, "{region:#x}");
        }
        assert_ne!(ask(0x1000), ask(0x2000));
        assert_eq!(opened.load(Relaxed), 3);
        let further = (0..MOST as u64).map(|number| 0x10_0000 + number);
        assert_eq!(further.filter(|&region| ask(region).is_some()).count(), MOST - 3);
    }
}
