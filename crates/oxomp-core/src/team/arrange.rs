//! Where the threads of a team run (OpenMP 5.2 §10.1.3).

use super::Team;
use crate::icv::ProcBind;
use crate::places::Arrangement;
use crate::settings;

impl Team {
    /// Chooses the places of the members for a region of this policy. Called by the primary thread
    /// when the team is prepared; threads bind themselves when they start their tasks.
    #[inline(always)]
    pub(crate) fn arrange(&self, policy: ProcBind) {
        let Some(outer) = self.parent else { return };
        let (place, partition) = (outer.place(), outer.partition());
        let wanted = Arrangement { policy, size: self.size(), place, partition };
        if self.arrangement.get() != wanted {
            self.rearrange(wanted);
        }
    }

    #[cold]
    fn rearrange(&self, wanted: Arrangement) {
        for thread_num in 0..wanted.size {
            let (place, partition) = wanted.assign(thread_num);
            self.place(thread_num).assign(place, partition);
        }
        // Members that share a processor must not spin for each other.
        let settings = settings::get();
        let processors = match wanted.policy {
            ProcBind::Primary => {
                settings.places.get(wanted.place.to_omp()).map_or(0, |place| place.len() as u32)
            }
            _ => settings.places.processors(wanted.partition),
        };
        let crowded = wanted.size > processors;
        let concurrency = if crowded { u32::MAX } else { self.concurrency.get() };
        self.patience.set(settings.patience(concurrency));
        self.arrangement.set(wanted);
    }
}
