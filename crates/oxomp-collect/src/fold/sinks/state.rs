//! The sinks that a thread has met.

use ompt::Dependence;
use oxomp_trace::fold::sinks::LOOPS;

/// The most sinks of an iteration whose distances are told apart.
const MOST_SINKS: usize = 8;

/// The sinks that the thread has met in the iteration that it executes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sinks {
    /// The loops of the nest, and the iterations that were waited for.
    pub(super) loops: usize,
    pub(super) met: usize,
    pub(super) vectors: [[u64; LOOPS]; MOST_SINKS],
    /// Sinks of the iteration beyond `MOST_SINKS`.
    pub(super) beyond: u64,
    /// The distances that have sums.
    pub(super) distances: u32,
}

impl Sinks {
    pub(crate) const NONE: Self =
        Self { loops: 0, met: 0, vectors: [[0; LOOPS]; MOST_SINKS], beyond: 0, distances: 0 };

    /// The thread has met a sink of this iteration.
    #[inline]
    pub(crate) fn meet(&mut self, vector: &[Dependence]) {
        let place = self.vectors.get_mut(self.met).filter(|_| vector.len() <= LOOPS);
        let Some(place) = place else {
            self.beyond += 1;
            return;
        };
        for (element, dependence) in place.iter_mut().zip(vector) {
            *element = dependence.variable();
        }
        self.loops = vector.len();
        self.met += 1;
    }

    /// Forgets the sinks met: their iteration has no source.
    #[inline]
    pub(crate) fn forget(&mut self) {
        (self.met, self.beyond) = (0, 0);
    }
}
