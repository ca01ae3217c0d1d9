//! Samplers that wait for their threads: the helper makes them for threads that OpenMP does not
//! know, and only a thread itself can take one, since it is found by a variable of the thread. A
//! thread without such variables refuses the offer ([`super::c_thread`]), and the helper takes it
//! back.
//!
//! A thread takes its sampler in the handler of its first signal, or when OpenMP gets to know it.
//! The sampler is the helper's until then, and whoever makes the thread's number 0 has it. The
//! helper offers it first, not to be taken yet, and then asks for the signal, for which it needs
//! the sampler. A signal that comes before the offer is ready says so, and the helper asks again.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use super::sampler::Sampler;

/// The most offers at the same time.
pub(super) const MOST: usize = 256;
/// Beside a thread's number, which is less: the offer is not ready, and a signal came meanwhile.
const UNREADY: u32 = 1 << 31;
const MISSED: u32 = 1 << 30;
/// Beside a thread's number: the thread does not take what is offered.
const REFUSED: u32 = 1 << 29;

struct Offer {
    /// The system's number of the thread; 0: there is no offer.
    tid: AtomicU32,
    sampler: AtomicPtr<Sampler>,
}

static OFFERS: [Offer; MOST] =
    [const { Offer { tid: AtomicU32::new(0), sampler: AtomicPtr::new(ptr::null_mut()) } }; MOST];
/// How many offers there are, at least: threads without one need not look.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// Whether there ever was one in this process.
static EVER: AtomicBool = AtomicBool::new(false);

/// Offers `sampler`, which the caller alone has, to the thread `tid`, to which `arm` sends a
/// signal; false if there are too many offers. What the thread refuses is to be fetched by
/// [`take_refused`]. Only the helper calls it.
pub(super) fn offer(tid: u32, sampler: *mut Sampler, mut arm: impl FnMut()) -> bool {
    let Some(place) = OFFERS.iter().find(|offer| offer.tid.load(Ordering::Relaxed) == 0) else {
        return false;
    };
    EVER.store(true, Ordering::Relaxed);
    // Relaxed: the thread looks at it in the handler of the signal that is asked for below, and
    // what this thread stored before that call of the system is visible there.
    COUNT.fetch_add(1, Ordering::Relaxed);
    place.sampler.store(sampler, Ordering::Relaxed);
    loop {
        // Release, here and below: pairs with the Acquire in `take`, for the sampler, and with that
        // in `miss`, so that a handler which the signal runs finds the offer.
        place.tid.store(tid | UNREADY, Ordering::Release);
        arm();
        let ready =
            place.tid.compare_exchange(tid | UNREADY, tid, Ordering::Release, Ordering::Relaxed);
        match ready {
            Ok(_) => return true,
            Err(state) if state == tid | REFUSED => return true,
            Err(_) => {}
        }
    }
}

/// The sampler that is offered to the thread of that number, which the caller has from now on. The
/// caller is the thread itself, or the helper. Signal-safe.
pub(super) fn take(tid: u32) -> Option<*mut Sampler> {
    take_in(tid)
}

/// The sampler that the thread of that number has refused. Only the helper calls it.
pub(super) fn take_refused(tid: u32) -> Option<*mut Sampler> {
    take_in(tid | REFUSED)
}

/// The sampler of the offer in this state.
fn take_in(state: u32) -> Option<*mut Sampler> {
    let place = OFFERS.iter().find(|offer| offer.tid.load(Ordering::Acquire) == state)?;
    // Before the number goes: the place may be used again at once.
    let sampler = place.sampler.load(Ordering::Relaxed);
    place.tid.compare_exchange(state, 0, Ordering::Acquire, Ordering::Relaxed).ok()?;
    COUNT.fetch_sub(1, Ordering::Relaxed);
    Some(sampler)
}

/// The thread of that number does not take what it is offered, if it is offered something.
/// Signal-safe. An offer that it has missed is followed by another signal.
pub(super) fn refuse(tid: u32) {
    for offer in &OFFERS {
        // Only the one of this thread has that number.
        for state in [tid, tid | UNREADY] {
            let refused = tid | REFUSED;
            // Release: pairs with the Acquire in `take_in`; the thread has not used the sampler.
            let _ =
                offer.tid.compare_exchange(state, refused, Ordering::Release, Ordering::Relaxed);
        }
    }
}

/// The thread of that number has had the signal of an offer that is not ready. Signal-safe.
pub(super) fn miss(tid: u32) {
    for offer in &OFFERS {
        // Only the one of this thread has that number.
        let _ = offer.tid.compare_exchange(
            tid | UNREADY,
            tid | MISSED,
            Ordering::Acquire,
            Ordering::Relaxed,
        );
    }
}

/// Whether there may be an offer. Signal-safe.
pub(super) fn are_there() -> bool {
    COUNT.load(Ordering::Relaxed) != 0
}

/// Whether there was an offer in this process before.
pub(super) fn were_there() -> bool {
    EVER.load(Ordering::Relaxed)
}

/// In a child of fork(2): the threads are the parent's.
pub(super) fn begin_child() {
    for offer in &OFFERS {
        offer.tid.store(0, Ordering::Relaxed);
    }
    COUNT.store(0, Ordering::Relaxed);
    EVER.store(false, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::{are_there, miss, offer, refuse, take, take_refused};

    #[test]
    fn an_offer_is_taken_or_refused_once_and_a_signal_before_it_is_ready_is_repeated() {
        let sampler = ptr::without_provenance_mut(64);
        let mut signals = 0;
        let is_offered = offer(7, sampler, || {
            signals += 1;
            // The first signal comes too early.
            if signals == 1 {
                assert_eq!(take(7), None);
                miss(7);
            }
        });
        assert!(is_offered && are_there());
        assert_eq!(signals, 2);
        assert_eq!(take(8), None);
        assert_eq!([take(7), take(7)], [Some(sampler), None]);
        assert!(!are_there());

        // Refused before it is ready, and afterwards.
        assert!(offer(7, sampler, || refuse(7)));
        assert_eq!([take(7), take_refused(7), take_refused(7)], [None, Some(sampler), None]);
        assert!(offer(7, sampler, || {}));
        refuse(8);
        assert_eq!(take_refused(7), None);
        refuse(7);
        assert_eq!([take(7), take_refused(7)], [None, Some(sampler)]);
        assert!(!are_there());
    }
}
