//! What oxomp's runtime tells of the regions that were under way when the collector was attached.

use std::ffi::c_int;
use std::slice;

use ompt::{Initialization, SyncRegionKind};
use oxomp_arch::Frame;
use oxomp_sys::ompt::ompt_state_t;
use oxomp_sys::under_way::{oxomp_hear_under_way_t, oxomp_region_under_way_t};

use crate::fold::{DoingUnderWay, UnderWay};
use crate::tasks::WITHOUT_NODE;
use crate::{clock, recording, runtime_code};

/// The most frames of the runtime between an outlined function and the program's call of the
/// construct.
const FRAMES: usize = 8;

/// Asks the runtime for what was under way. Other runtimes have nothing to tell.
pub(super) fn hear(initialization: &Initialization) {
    // SAFETY: the type is that of the function of this name.
    let hear =
        unsafe { initialization.extension::<oxomp_hear_under_way_t>(c"oxomp_hear_under_way") };
    if let Some(hear) = hear {
        // SAFETY: the function stays as long as the process, and may be called on any thread.
        unsafe { hear(Some(tell), WITHOUT_NODE) };
    }
}

/// The calling thread, which has just begun, is in these regions.
unsafe extern "C" fn tell(
    regions: *const oxomp_region_under_way_t,
    count: u32,
    state: ompt_state_t,
    in_task: c_int,
) {
    // SAFETY: the runtime passes as many regions.
    let regions = unsafe { slice::from_raw_parts(regions, count as usize) };
    if !recording::is_wanted() {
        return;
    }
    let Some(recording) = recording::current() else { return };
    let Some(teams) = recording.under_way() else { return };
    let doing = DoingUnderWay { wait: wait_of(state), in_task: in_task != 0 };
    let regions = regions.iter().enumerate().map(|(level, region)| UnderWay {
        region: region.region.addr() as u64,
        code: code_of(region),
        is_in: region.is_in != 0,
        index: region.thread_num,
        size: region.team_size,
        barriers: region.barriers,
        is_inner: level > 0,
        outer_threads: region.outer_threads.into(),
    });
    let times = (recording.began_at(), clock::now());
    recording.with_log(|log, store| log.enter_under_way(store, teams, regions, doing, times));
}

/// The return address of the program's call that has begun a region; 0 if there is none: the
/// program itself calls the region's function, or has begun the region by a jump.
fn code_of(region: &oxomp_region_under_way_t) -> u64 {
    // SAFETY: the frame lasts as long as the region, in which the calling thread or the one that
    // has begun the region inside is, and so do those that lead to the program's call.
    let mut frame = unsafe { Frame::from_pointer(region.exit_frame) };
    for _ in 0..FRAMES {
        let address = frame.return_address().addr() as u64;
        if address == 0 || !runtime_code::contains(address) {
            return address;
        }
        // SAFETY: a function of the runtime has made the call, and those keep frame pointers.
        frame = unsafe { frame.outward() };
        if frame.pointer() == region.outer_exit_frame {
            return 0;
        }
    }
    0
}

/// The wait that is the reason for a thread's state.
fn wait_of(state: ompt_state_t) -> Option<SyncRegionKind> {
    Some(match state {
        ompt_state_t::WAIT_BARRIER_EXPLICIT => SyncRegionKind::BarrierExplicit,
        ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE => SyncRegionKind::BarrierImplicitWorkshare,
        ompt_state_t::WAIT_BARRIER_IMPLEMENTATION => SyncRegionKind::BarrierImplementation,
        ompt_state_t::WAIT_TASKWAIT => SyncRegionKind::Taskwait,
        ompt_state_t::WAIT_TASKGROUP => SyncRegionKind::Taskgroup,
        _ => return None,
    })
}
