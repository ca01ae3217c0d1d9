//! Whether other threads may execute the code of a thread at the same time, as far as the runtime
//! reports it. Where one thread after the other executes the code, no two threads use its memory at
//! the same time.

mod state;

use std::ptr;
use std::sync::atomic::Ordering;

use crate::context::{RegionFrame, Work};
use crate::log::Log;
use crate::tasks::Node;

pub(crate) use state::Outside;

/// A thread's place in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beside {
    /// The number of the innermost region, and its code address, which is 0 if the region is only
    /// counted.
    pub(crate) region: u64,
    pub(crate) code: u64,
    /// How many of the region's barriers are behind the thread; 0 if the region is only counted.
    pub(crate) phase: u32,
    /// Whether one thread after the other executes the code: one that holds a mutex, executes a
    /// single region, or a task that others wait for or that waits for others. The log does not
    /// know of mutexes that the runtime acquires without an event, nor of single regions inside a
    /// region that is only counted.
    pub(crate) alone: bool,
}

impl Log {
    /// What the thread is in now.
    #[inline]
    pub(crate) fn outside(&self) -> Outside {
        let context = &self.context;
        Outside {
            waits: context.waits.depth() as u16,
            works: context.works.depth() as u16,
            held: context.held.depth() as u16,
            counted_holds: context.counted_holds.depth() as u16,
            task: self.running,
        }
    }

    /// The thread's place in a region; `None` outside every region. Signal-safe, as long as no
    /// callback of the thread uses the log.
    pub(crate) fn beside_others(&self) -> Option<Beside> {
        let context = &self.context;
        if let Some(team) = context.member_of {
            let outside = context.counted.map_or(Outside::NONE, |counted| counted.outside);
            let region = team.id.load(Ordering::Relaxed);
            let alone = self.is_alone(&outside, None);
            return Some(Beside { region, code: 0, phase: 0, alone });
        }
        let frame = context.regions.iter().next_back()?;
        let RegionFrame { region, outside, node, .. } = frame;
        let alone = self.is_alone(outside, *node);
        Some(Beside { region: region.id, code: region.code, phase: frame.present_phase(), alone })
    }

    /// In place of a stretch's number: the thread is outside every region, and has begun none.
    pub(crate) const BEFORE_REGIONS: u64 = !0;

    /// The code address of the innermost region in which the thread is, 0 outside every region, and
    /// a number that differs between executions of a region, between the stretches from one barrier
    /// to the next in it, and between the times outside regions. A worker outside regions has no
    /// number. Signal-safe, as long as no callback of the thread uses the log.
    pub(crate) fn stretch(&self) -> (u64, Option<u64>) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let context = &self.context;
        let counted = context.member_of.or(context.counted.map(|counted| counted.team));
        if let Some(team) = counted {
            let (id, code) = team.counted_region();
            return (code, Some(id));
        }
        match context.regions.iter().next_back() {
            Some(frame) => {
                let phase = u64::from(frame.present_phase()).wrapping_mul(ODD);
                (frame.region.code, Some(frame.region.id.wrapping_add(phase)))
            }
            None => (0, context.initial.then(|| Self::BEFORE_REGIONS - self.regions_begun())),
        }
    }

    /// Whether something keeps the other threads of the region from executing the same code at the
    /// same time. `outside` is what the thread was in when the region began; `implicit` is the node
    /// of its implicit task there, `None` until this task has created a task.
    fn is_alone(&self, outside: &Outside, implicit: Option<&'static Node>) -> bool {
        let context = &self.context;
        let holds = context.held.depth() > usize::from(outside.held)
            || context.counted_holds.depth() > usize::from(outside.counted_holds);
        let is_of_region = |task: &&Node| !outside.task.is_some_and(|own| ptr::eq(own, *task));
        let task = self.running.filter(is_of_region);
        // A task that is only counted has no node.
        let is_in_task = task.map_or(implicit.is_some(), Node::is_explicit);
        let mut works = context.works.iter().skip(outside.works.into());
        // Other threads may execute other tasks that the single region has created.
        let is_single = !is_in_task && works.any(|work| work.kind == Work::SINGLE_EXECUTOR);
        holds || is_single || task.is_some_and(Node::is_ordered_by_data)
    }
}
