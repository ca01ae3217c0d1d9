//! Target constructs that the host executes (the 2015 report §3.1, §3.2.2).

use core::ffi::{c_int, c_void};

use oxomp_sys::ompt::ompt_target_t;
use oxomp_sys::report_2015::ompt_target_task_type_t;

use super::callbacks::{call, registered};
use super::{encoder, number};
use crate::block::Thread;
use crate::ompt::event::{Endpoint, TargetFacts, TargetRecord, TaskRecord};

/// A task has encountered a target construct other than target data, and is about to generate its
/// target task. The task does not exist yet: it takes the id that the callback is told.
pub(super) fn task_begins(encountering: &TaskRecord, construct: &TargetFacts) {
    let Some(thread) = Thread::known() else { return };
    let id = number::draw();
    thread.ompt.report_2015.target_task.set(id);
    call!(target_task_begin(
        number::of_task(encountering),
        encoder::frame(encountering),
        id,
        construct.device_num,
        construct.function,
        task_type(construct.kind),
    ));
}

/// The target task that a callback was told of exists now.
pub(super) fn task_is_created(task: &TaskRecord) {
    if let Some(thread) = Thread::known() {
        task.data.set(thread.ompt.report_2015.target_task.replace(0));
    }
}

/// A target construct begins or ends. Those without a target task are the ends of a target data
/// region; the events of target tasks are told where they are generated and complete.
pub(super) fn construct(region: &TargetRecord<'_>, endpoint: Endpoint, code: *const c_void) {
    let encountering = number::of_task(region.encountering);
    match (region.target_task, ompt_target_t(region.kind), endpoint) {
        (None, ompt_target_t::ENTER_DATA, Endpoint::Begin) => {
            call!(target_data_begin(encountering, region.device_num, code));
        }
        (None, ompt_target_t::EXIT_DATA, Endpoint::End) => call!(target_data_end(encountering)),
        _ => {}
    }
}

/// The kind of a target construct, without the difference that a nowait clause makes.
fn task_type(kind: c_int) -> ompt_target_task_type_t {
    match ompt_target_t(kind) {
        ompt_target_t::ENTER_DATA | ompt_target_t::ENTER_DATA_NOWAIT => {
            ompt_target_task_type_t::ENTER_DATA
        }
        ompt_target_t::EXIT_DATA | ompt_target_t::EXIT_DATA_NOWAIT => {
            ompt_target_task_type_t::EXIT_DATA
        }
        ompt_target_t::UPDATE | ompt_target_t::UPDATE_NOWAIT => ompt_target_task_type_t::UPDATE,
        _ => ompt_target_task_type_t::TARGET,
    }
}
