//! Sinks of doacross loop nests: how far away the iterations are for which others wait.
//!
//! The event of a sink tells the iteration for which the thread has waited, and that of a source
//! the one that the thread is in. So the thread keeps the sinks that it has met until it comes to
//! the source of the same iteration. The sinks of an iteration without a source are forgotten where
//! the thread takes its next chunk; within a chunk no event tells such an iteration from the next
//! one.

mod state;

use ompt::Dependence;
use oxomp_trace::FoldKind;
use oxomp_trace::fold::sinks::{self, LOOPS};

use crate::log::Log;
use crate::store::Store;

pub(crate) use state::Sinks;

/// The most distances of a thread that are told apart: iterations may wait for others that their
/// data name.
const MOST_DISTANCES: u32 = 64;
/// The `sub` of the sums of all other distances.
const OTHERS: u8 = 0;

impl Log {
    /// The thread is at the source of an iteration, whose sinks it has met before.
    pub(crate) fn post(&mut self, store: &Store, vector: &[Dependence]) {
        let Sinks { loops, met, beyond, .. } = self.sinks;
        let is_same_nest = loops == vector.len();
        for number in 0..met {
            let mut steps = [0; LOOPS];
            for ((step, sink), own) in steps.iter_mut().zip(self.sinks.vectors[number]).zip(vector)
            {
                *step = sink.wrapping_sub(own.variable()).cast_signed();
            }
            let steps = steps.get(..loops).filter(|_| is_same_nest);
            self.count_distance(store, steps.and_then(sinks::packed), 1);
        }
        if beyond > 0 {
            self.count_distance(store, None, beyond);
        }
        self.sinks.forget();
    }

    /// Adds sinks at a distance, or (`None`) at distances that are not told apart.
    #[inline]
    fn count_distance(&mut self, store: &Store, packed: Option<u64>, count: u64) {
        let (nest, region) = (self.chunks.code(), self.region_code());
        let kind = FoldKind::Sinks;
        let (mut sub, mut key) = (OTHERS, [nest, 0]);
        if let Some(packed) = packed {
            let own = (self.sinks.loops as u8, [nest, packed]);
            let has_room = self.sinks.distances < MOST_DISTANCES;
            if has_room || self.sums.known(kind, own.0, own.1).is_some() {
                (sub, key) = own;
            }
        }
        let Some(mut entry) = self.entry_beside(store, kind, sub, key) else { return };
        // SAFETY: an entry of this thread's sums, to which there is no other reference until this
        // function returns.
        let entry = unsafe { entry.as_mut() };
        if entry.values[sinks::COUNT] == 0 {
            entry.key[2] = region;
            self.sinks.distances += u32::from(sub != OTHERS);
        } else if entry.key[2] != region {
            entry.key[2] = 0;
        }
        entry.values[sinks::COUNT] += count;
    }
}
