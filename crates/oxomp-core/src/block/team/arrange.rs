//! The places of a team's threads (OpenMP 5.2 §10.1.3).

use oxomp_base::icv::ProcBind;
use oxomp_base::places::Arrangement;
use oxomp_base::settings;

use super::IdleTeam;
use crate::block::ImplicitTask;

impl IdleTeam {
    /// Chooses the OpenMP places of the members for a region with this policy, which is encountered
    /// in the implicit task `outer`. The threads bind themselves when they start their implicit
    /// tasks.
    #[inline(always)]
    pub(crate) fn arrange(&mut self, policy: ProcBind, outer: &ImplicitTask) {
        let is_spread = policy == ProcBind::True && settings::get().globals.true_is_spread;
        let policy = if is_spread { ProcBind::Spread } else { policy };
        let (place, partition) = (outer.place(), outer.partition());
        let wanted = Arrangement { policy, size: self.team().size(), place, partition };
        if self.membership().arrangement != wanted {
            self.rearrange(wanted);
        }
    }

    #[cold]
    fn rearrange(&mut self, wanted: Arrangement) {
        for member in self.members().take(wanted.size as usize) {
            let (place, partition) = wanted.assign(member.thread_num());
            member.assign(place, partition);
        }
        // Threads that share a processor must not spin for each other.
        let settings = settings::get();
        let processors = match wanted.policy {
            ProcBind::Primary => {
                settings.places.get(wanted.place.to_omp()).map_or(0, |place| place.len() as u32)
            }
            _ => settings.places.processors(wanted.partition),
        };
        let crowded = wanted.size > processors;
        let concurrency = if crowded { u32::MAX } else { self.team().concurrency() };
        self.team().region.set_patience(settings.patience(concurrency));
        self.membership().arrangement = wanted;
    }
}
