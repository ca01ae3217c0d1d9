//! Calls that wait for requests or test them: which requests are complete, and what they received.
//!
//! Handles of complete requests are gone when the call returns, so those of which something is
//! known are looked at before.

use std::ffi::c_int;

use oxomp_sys::mpi::oxomp_mpi_event_t;

use crate::bytes::Word;
use crate::implementation::{Implementation, STATUS_WORDS};
use crate::matching::{Matching, received, with};

/// Which requests of its array a call completes. Addresses are arguments of the call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    /// All of them; with a flag, if that is set.
    All { flag: Option<Word> },
    /// The one at the position that it stores; with a flag, if that is set.
    Any { index: Word, flag: Option<Word> },
    /// So many as it stores, at the positions that it stores.
    Some { count: Word, indices: Word, waits: bool },
}

/// A call that completes requests.
#[derive(Debug)]
pub(crate) struct Completion {
    which: Which,
    /// Positions and handles of the requests of which something is known.
    known: Vec<(usize, Word)>,
    statuses: Word,
    /// The statuses of a call of the program that ignores them.
    own_statuses: Vec<u64>,
}

impl Completion {
    /// The call begins; `None` if nothing is known of its requests. Gives it statuses if the
    /// program ignores them, and a message is not known otherwise.
    pub(crate) fn before(
        which: Which,
        count: usize,
        requests: Word,
        statuses: &mut Word,
    ) -> Option<Self> {
        let implementation = Implementation::own();
        let mut is_open = false;
        let known: Vec<(usize, Word)> = with(|matching| {
            if matching.requests.is_empty() || requests == 0 {
                return Vec::new();
            }
            // SAFETY: the standard demands that the array has so many handles.
            let handles =
                (0..count).map(|index| (index, unsafe { implementation.handle(requests, index) }));
            handles
                .filter(|(_, handle)| {
                    let found = matching.requests.look(*handle);
                    is_open |= found == Some(true);
                    found.is_some()
                })
                .collect()
        });
        if known.is_empty() {
            return None;
        }
        let mut own_statuses = Vec::new();
        if is_open && implementation.ignores_status(*statuses) {
            own_statuses = vec![0; STATUS_WORDS * count];
            *statuses = own_statuses.as_mut_ptr().addr();
        }
        Some(Self { which, known, statuses: *statuses, own_statuses })
    }

    /// The call has ended: adds the events of the messages that it has waited for.
    pub(crate) fn after(
        &self,
        matching: &mut Matching,
        succeeded: bool,
        events: &mut Vec<oxomp_mpi_event_t>,
    ) {
        debug_assert!(self.own_statuses.is_empty() || self.statuses != 0);
        let implementation = Implementation::own();
        for &(position, handle) in &self.known {
            if !succeeded {
                matching.requests.freed(handle);
                continue;
            }
            let Some(status) = self.which.status_of(position) else { continue };
            let Some(awaited) = matching.requests.completed(handle) else { continue };
            let statuses = self.statuses;
            let message = matching.received(awaited, || {
                let is_there = !implementation.ignores_status(statuses);
                // SAFETY: the call has succeeded, and has filled in the statuses.
                is_there.then(|| unsafe { implementation.status(statuses, status) })
            });
            if self.which.waits() {
                events.extend(message.and_then(|message| received(message, 0)));
            }
        }
    }
}

impl Which {
    /// Whether the call waits.
    const fn waits(self) -> bool {
        match self {
            Self::All { flag } | Self::Any { flag, .. } => flag.is_none(),
            Self::Some { waits, .. } => waits,
        }
    }

    /// The position of the status of the request at `position`, after the call; `None` if that is
    /// not complete.
    fn status_of(self, position: usize) -> Option<usize> {
        // SAFETY: the call has succeeded, and has stored its answers.
        let number =
            |place: Word, index: usize| unsafe { (place as *const c_int).add(index).read() };
        let is_set = |flag: Option<Word>| flag.is_none_or(|flag| number(flag, 0) != 0);
        let is_at = |at: c_int| usize::try_from(at) == Ok(position);
        match self {
            Self::All { flag } => is_set(flag).then_some(position),
            Self::Any { index, flag } => (is_set(flag) && is_at(number(index, 0))).then_some(0),
            Self::Some { count, indices, .. } => {
                // `MPI_UNDEFINED`, which is negative, if no request was active.
                let count = usize::try_from(number(count, 0)).unwrap_or(0);
                (0..count).find(|&at| is_at(number(indices, at)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Which;

    #[test]
    fn each_call_says_in_its_own_way_what_is_complete() {
        let at = |numbers: &[i32]| numbers.as_ptr().addr();
        let (yes, no, two) = (at(&[1]), at(&[0]), at(&[2]));
        let all = |flag| Which::All { flag }.status_of(2);
        assert_eq!([all(None), all(Some(yes)), all(Some(no))], [Some(2), Some(2), None]);
        let any = |flag, position| Which::Any { index: two, flag }.status_of(position);
        assert_eq!([any(None, 2), any(None, 1), any(Some(no), 2)], [Some(0), None, None]);
        let indices = at(&[5, 2]);
        let some =
            |count, position| Which::Some { count, indices, waits: true }.status_of(position);
        assert_eq!([some(two, 2), some(two, 5), some(two, 3)], [Some(1), Some(0), None]);
        assert_eq!(some(at(&[-32766]), 2), None);
    }
}
