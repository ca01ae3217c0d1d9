//! Acquisitions of mutexes without an event, since the collector only wants their number.
//!
//! Even an acquisition that is only counted takes three callbacks, and they take several times as
//! long as acquiring an uncontended mutex. oxomp's runtime counts such acquisitions itself, in a
//! table that the collector lends each thread ([`oxomp_sys::unreported`]); with other runtimes
//! there are callbacks only. If a thread has asked often for a mutex at the same place of the same
//! region, and most often found it free, this place has turns of its own: a burst that is timed,
//! then a random number that the runtime counts. What the thread knows when it asks still decides
//! only the sequence of turns: an acquisition whose first attempt fails is reported, and belongs to
//! the sequence of mutexes that seem held.
//!
//! What the runtime has counted is added to the sums when an acquisition of the thread is timed,
//! and when it enters or leaves a region.

use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicUsize};

use ompt::{Initialization, MutexKind};
use oxomp_sys::unreported::{
    OXOMP_UNREPORTED_PLACES, oxomp_lend_unreported_t, oxomp_mutex_owner_t, oxomp_unreported_place,
    oxomp_unreported_place_t, oxomp_unreported_t,
};

use crate::clock;
use crate::mode::MODE;
use crate::turns::{Turns, UNREPORTED};

/// The number of acquisitions in one stay in a region that come before the turns of the place.
const FIRST: u32 = 64;
/// A place goes to another mutex once the thread has asked for that one so much more often.
const MOST_CREDIT: u32 = 64;

/// The address of the runtime's function that takes a table; 0: the runtime has no such function.
static LEND: AtomicUsize = AtomicUsize::new(0);

/// Notes whether the runtime takes such tables. Called before the recording begins.
pub(crate) fn prepare(initialization: &Initialization) {
    // SAFETY: the type is that of the function of this name.
    let lend =
        unsafe { initialization.extension::<oxomp_lend_unreported_t>(c"oxomp_lend_unreported") };
    LEND.store(lend.map_or(0, |lend| lend as usize), Relaxed);
}

/// Lends the calling thread a table, or takes its table away; whether the runtime has agreed.
fn lend(table: *mut oxomp_unreported_t) -> bool {
    let address = LEND.load(Relaxed);
    if address == 0 {
        return false;
    }
    let function = ptr::with_exposed_provenance::<()>(address);
    // SAFETY: the runtime's function, as `prepare` found it. The table lies in one of the logs,
    // which are never unmapped, and belongs to the thread.
    unsafe {
        let lend = std::mem::transmute::<*const (), oxomp_lend_unreported_t>(function);
        lend(table) != 0
    }
}

/// What a thread asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) id: u64,
    pub(crate) code: u64,
    pub(crate) kind: u8,
    /// The code address of the region in which the thread asks.
    pub(crate) region: u64,
    pub(crate) owner: *mut oxomp_mutex_owner_t,
}

impl Request {
    /// Whether the runtime may count acquisitions of this kind.
    #[inline]
    pub(crate) fn suits(kind: MutexKind) -> bool {
        matches!(kind, MutexKind::Critical | MutexKind::Lock)
    }
}

/// How an acquisition that the runtime has reported is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// As any other acquisition of the thread.
    Any,
    /// As an acquisition of a mutex that another thread holds: the first attempt has failed, or
    /// another thread waits for the mutex.
    Held,
    /// Timed, and stands for this number of acquisitions.
    Timed(u64),
}

/// What the runtime has counted at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) code: u64,
    pub(crate) region: u64,
    pub(crate) kind: u8,
    pub(crate) id: u64,
    pub(crate) acquisitions: u64,
}

/// The mutexes that one thread may acquire without events.
#[derive(Debug)]
pub(crate) struct Unreported {
    table: &'static oxomp_unreported_t,
    lent: Lent,
    places: [Place; OXOMP_UNREPORTED_PLACES],
    /// Whether the runtime counts at any place, or what it has counted is not in the sums.
    is_used: bool,
    /// How many of the table's releases are in the sums.
    released: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lent {
    NotYet,
    Yes,
    Refused,
}

/// A place of the table, as the collector knows it.
#[derive(Debug, Clone, Copy)]
struct Place {
    region: u64,
    kind: u8,
    /// How many acquisitions the runtime was to count and has not told yet.
    given: u64,
    /// The acquisitions that the runtime has counted and that are not in the sums yet.
    counted: u64,
    /// How many were reported in this stay in the region.
    reported: u32,
    /// How many more times the thread asked for the mutex of the place than for other mutexes that
    /// belong there.
    credit: u32,
    turns: Turns,
}

impl Place {
    const NEW: Self = Self {
        region: 0,
        kind: 0,
        given: 0,
        counted: 0,
        reported: 0,
        credit: 0,
        turns: Turns::NEW,
    };

    /// Notes what the runtime has counted so far.
    #[inline]
    fn collect(&mut self, shown: &oxomp_unreported_place_t) {
        let left = shown.left.load(Relaxed);
        self.counted += self.given.saturating_sub(left);
        self.given = left;
    }
}

impl Unreported {
    pub(crate) const fn new(table: &'static oxomp_unreported_t) -> Self {
        Self {
            table,
            lent: Lent::NotYet,
            places: [Place::NEW; OXOMP_UNREPORTED_PLACES],
            is_used: false,
            released: 0,
        }
    }

    /// How to handle the acquisition that the thread asks for, of a mutex that seems free.
    #[inline]
    pub(crate) fn turn(&mut self, asked: Request) -> Turn {
        let at = oxomp_unreported_place(asked.id, asked.code);
        let (shown, place) = (&self.table.places[at], &mut self.places[at]);
        let names = (shown.wait_id.load(Relaxed), shown.codeptr_ra.load(Relaxed));
        if names != (asked.id, asked.code) {
            self.meet_another(at, asked);
            return Turn::Any;
        }
        place.collect(shown);
        if place.given > 0 {
            return Turn::Held;
        }
        if place.region != asked.region {
            if place.counted == 0 {
                (place.region, place.reported) = (asked.region, 0);
            }
            return Turn::Any;
        }
        place.credit = MOST_CREDIT.min(place.credit + 1);
        place.reported = FIRST.min(place.reported + 1);
        if place.reported < FIRST {
            return Turn::Any;
        }
        self.own_turn(at, asked)
    }

    /// The turn of an acquisition at a place that has turns of its own.
    #[inline(never)]
    fn own_turn(&mut self, at: usize, asked: Request) -> Turn {
        if self.lent == Lent::NotYet {
            self.ask_runtime();
        }
        if self.lent == Lent::Refused {
            return Turn::Any;
        }
        // The rest of the distance to the next burst, left over from the last stay in the region.
        if self.give(at, asked) {
            return Turn::Any;
        }
        let turns = &mut self.places[at].turns;
        if !turns.is_timed(&UNREPORTED, clock::now) {
            return Turn::Any;
        }
        let weight = turns.weight();
        self.give(at, asked);
        Turn::Timed(weight)
    }

    /// Lets the runtime count up to the next burst at a place; false if the burst is not over.
    #[inline]
    fn give(&mut self, at: usize, asked: Request) -> bool {
        let (shown, place) = (&self.table.places[at], &mut self.places[at]);
        let more = place.turns.take_counted();
        if more > 0 {
            shown.owner.store(asked.owner, Relaxed);
            shown.left.store(more.into(), Relaxed);
            place.given = more.into();
            self.is_used = true;
        }
        more > 0
    }

    #[cold]
    fn ask_runtime(&mut self) {
        let is_on: *const AtomicU32 = MODE.shown();
        self.table.is_open.store(is_on.cast_mut(), Relaxed);
        let table = ptr::from_ref(self.table).cast_mut();
        self.lent = if lend(table) { Lent::Yes } else { Lent::Refused };
    }

    /// The thread asks for a mutex other than the place's; it may get the place.
    #[cold]
    fn meet_another(&mut self, at: usize, asked: Request) {
        let (shown, place) = (&self.table.places[at], &mut self.places[at]);
        if place.credit > 0 {
            place.credit -= 1;
            return;
        }
        place.collect(shown);
        shown.left.store(0, Relaxed);
        place.given = 0;
        if place.counted == 0 {
            shown.wait_id.store(asked.id, Relaxed);
            shown.codeptr_ra.store(asked.code, Relaxed);
            *place = Place { region: asked.region, kind: asked.kind, credit: 1, ..Place::NEW };
        }
    }

    /// The thread has acquired the mutex with an event. If the thread seems to hold it from an
    /// unreported acquisition, another thread has released it.
    #[inline]
    pub(crate) fn forget(&mut self, id: u64) {
        if self.table.depth.load(Relaxed) > 0 {
            self.forget_hold(id);
        }
    }

    #[cold]
    fn forget_hold(&mut self, id: u64) {
        let table = self.table;
        let depth = table.held.len().min(table.depth.load(Relaxed) as usize);
        let held = &table.held[..depth];
        let Some(at) = held.iter().position(|held| held.wait_id.load(Relaxed) == id) else {
            return;
        };
        for pair in held[at..].windows(2) {
            pair[0].wait_id.store(pair[1].wait_id.load(Relaxed), Relaxed);
            pair[0].acquisition.store(pair[1].acquisition.load(Relaxed), Relaxed);
            pair[0].owner.store(pair[1].owner.load(Relaxed), Relaxed);
        }
        table.depth.store(depth as u64 - 1, Relaxed);
    }

    /// Whether the thread releases a mutex that it has acquired without an event, and reports that
    /// since another thread waits.
    #[inline]
    pub(crate) fn is_wanted(&self, id: u64) -> bool {
        self.table.wanted.load(Relaxed) == id && id != 0
    }

    /// Whether the runtime counts acquisitions of the thread, or there are some that are not in the
    /// sums.
    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }

    /// The thread goes to another region: all acquisitions are reported again, until the turns go
    /// on there. No sequence begins anew: half of the untimed ones after a burst are in the burst's
    /// weight.
    #[cold]
    pub(crate) fn stop(&mut self) {
        for (shown, place) in self.table.places.iter().zip(&mut self.places) {
            place.collect(shown);
            shown.left.store(0, Relaxed);
            place.turns.put_back(std::mem::take(&mut place.given));
            place.reported = 0;
        }
    }

    /// The acquisitions that the runtime has counted at the places since the last call, and the
    /// number of its releases.
    pub(crate) fn take_counted(&mut self) -> (impl Iterator<Item = Counted> + use<>, u64) {
        let mut all = [const { None }; OXOMP_UNREPORTED_PLACES];
        let places = self.table.places.iter().zip(&mut self.places);
        self.is_used = false;
        for ((shown, place), all) in places.zip(&mut all) {
            place.collect(shown);
            self.is_used |= place.given > 0;
            let Place { region, kind, .. } = *place;
            let (id, code) = (shown.wait_id.load(Relaxed), shown.codeptr_ra.load(Relaxed));
            let acquisitions = std::mem::take(&mut place.counted);
            *all = (acquisitions > 0).then_some(Counted { code, region, kind, id, acquisitions });
        }
        let released = self.table.released.load(Relaxed);
        let more = released - std::mem::replace(&mut self.released, released);
        (all.into_iter().flatten(), more)
    }

    /// The thread ends, and another one may get the table.
    pub(crate) fn close(&mut self) {
        if self.lent == Lent::Yes {
            lend(ptr::null_mut());
        }
        self.stop();
        self.table.depth.store(0, Relaxed);
        self.table.wanted.store(0, Relaxed);
        self.lent = Lent::NotYet;
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_int;
    use std::sync::atomic::AtomicU64;

    use oxomp_sys::unreported::{
        oxomp_lend_unreported_t, oxomp_unreported_place, oxomp_unreported_t,
    };

    use super::{FIRST, LEND, Lent, MOST_CREDIT, Relaxed, Request, Turn, Unreported, ptr};
    use crate::turns;

    unsafe extern "C" fn agree(_: *mut oxomp_unreported_t) -> c_int {
        1
    }

    unsafe extern "C" fn refuse(_: *mut oxomp_unreported_t) -> c_int {
        0
    }

    /// The mutexes of a thread.
    fn mutexes() -> Unreported {
        Unreported::new(Box::leak(Box::default()))
    }

    /// As [`mutexes`], for a runtime that has this function.
    fn mutexes_with(lend: Option<oxomp_lend_unreported_t>) -> Unreported {
        turns::prepare(1_000_000_000);
        LEND.store(lend.map_or(0, |lend| lend as usize), Relaxed);
        mutexes()
    }

    fn request(id: u64, region: u64) -> Request {
        Request { id, code: 0x100, kind: 2, region, owner: ptr::null_mut() }
    }

    /// What the runtime still counts at the place of a mutex.
    fn left(own: &Unreported, id: u64) -> &AtomicU64 {
        &own.table.places[oxomp_unreported_place(id, 0x100)].left
    }

    /// Asks until the runtime counts; returns how many requests were timed, and their weights.
    fn ask_until_counted(own: &mut Unreported, id: u64, region: u64) -> (u64, u64) {
        let (mut timed, mut weights) = (0, 0);
        for _ in 0..10 * FIRST {
            if let Turn::Timed(weight) = own.turn(request(id, region)) {
                (timed, weights) = (timed + 1, weights + weight);
            }
            if left(own, id).load(Relaxed) > 0 {
                return (timed, weights);
            }
        }
        panic!("the runtime never counts");
    }

    #[test]
    fn weights_stand_for_all_in_stays_of_any_length() {
        turns::prepare(1_000_000_000);
        for length in [72_u32, 100, 150, 200, 300, 500, 5000] {
            let mut own = Unreported { lent: Lent::Yes, ..mutexes() };
            let (mut weights, mut all) = (0, 0_u64);
            for stay in 0..4000 {
                for _ in 0..length {
                    let place = &own.table.places[oxomp_unreported_place(8, 0x100)];
                    let left = place.left.load(Relaxed);
                    if left > 0 {
                        place.left.store(left - 1, Relaxed);
                        all += 1;
                    } else if let Turn::Timed(weight) = own.turn(request(8, 1 + stay)) {
                        weights += weight;
                        all += 1;
                    }
                }
                own.stop();
                own.take_counted().0.for_each(drop);
            }
            let ratio = weights as f64 / all as f64;
            assert!((ratio - 1.0).abs() < 0.1, "{weights} for {all} in stays of {length}");
        }
    }

    // One test, since the function is the process's.
    #[test]
    fn the_runtime_counts_between_bursts() {
        for lend in [None, Some(refuse as oxomp_lend_unreported_t)] {
            let mut own = mutexes_with(lend);
            for _ in 0..3 * FIRST {
                assert_eq!(own.turn(request(8, 1)), Turn::Any);
            }
            assert!(!own.is_used());
        }
        let mut own = mutexes_with(Some(agree));
        let (timed, weights) = ask_until_counted(&mut own, 8, 1);
        assert!(timed >= 4 && own.is_used());
        let given = left(&own, 8).load(Relaxed);
        // A burst stands for itself and for half of what follows it.
        assert!(weights >= timed + given / 2, "{weights} for {timed}, then {given}");
        assert_eq!(own.turn(request(8, 1)), Turn::Held, "the first attempt has failed");
        left(&own, 8).store(given - 1, Relaxed);
        own.table.released.store(1, Relaxed);
        let (counted, released) = own.take_counted();
        let counted: Vec<_> = counted.map(|it| (it.id, it.region, it.acquisitions)).collect();
        assert_eq!((counted, released), (vec![(8, 1, 1)], 1));
        assert!(own.is_used(), "the runtime goes on");
        left(&own, 8).store(0, Relaxed);
        assert!(matches!(own.turn(request(8, 1)), Turn::Timed(_)), "the next burst");
        own.stop();
        let (mut counted, released) = own.take_counted();
        assert_eq!(counted.next().map(|it| it.acquisitions), Some(given - 1));
        assert!(counted.next().is_none() && released == 0 && !own.is_used());
        // In another region the place begins anew.
        for _ in 0..FIRST {
            assert_eq!(own.turn(request(8, 2)), Turn::Any);
        }
        ask_until_counted(&mut own, 8, 2);
        own.stop();
        // Another mutex of the same place, which is asked for more often from now on.
        let place = oxomp_unreported_place(8, 0x100);
        let mut others = (16..).step_by(8);
        let other = others.find(|&id| oxomp_unreported_place(id, 0x100) == place);
        let other = other.expect("a place has many mutexes");
        for _ in 0..MOST_CREDIT {
            assert_eq!(own.turn(request(other, 2)), Turn::Any);
        }
        assert!(own.take_counted().0.next().is_none());
        ask_until_counted(&mut own, other, 2);
        own.close();
        assert_eq!(left(&own, other).load(Relaxed), 0);
    }

    #[test]
    fn a_mutex_that_another_thread_has_released_is_forgotten() {
        let mut own = mutexes();
        for (held, id) in own.table.held.iter().zip([8, 16, 24]) {
            held.wait_id.store(id, Relaxed);
        }
        own.table.depth.store(3, Relaxed);
        own.forget(99);
        assert_eq!(own.table.depth.load(Relaxed), 3);
        own.forget(8);
        let held = own.table.held[..2].iter().map(|held| held.wait_id.load(Relaxed));
        assert_eq!((own.table.depth.load(Relaxed), held.collect()), (2, vec![16, 24]));
        own.table.wanted.store(16, Relaxed);
        assert!(own.is_wanted(16) && !own.is_wanted(24));
    }
}
