//! The dependences of a task, as the 2015 report has them.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_sys::ompt::ompt_dependence_type_t as Type;
use oxomp_sys::report_2015::{ompt_task_dependence_flag_t as Flag, ompt_task_dependence_t};

use super::callbacks::{call, registered};
use super::{number, switch};
use crate::ompt::event::{DependenceRecord, TaskRecord};

/// More dependences than most tasks have: these need no memory from the heap.
const FEW: usize = 32;

/// The task depends on these locations.
pub(super) fn deliver(task: &TaskRecord, dependences: &[DependenceRecord]) {
    if switch::is_taskwait(task) {
        return;
    }
    let task = number::of_task(task);
    if dependences.len() <= FEW {
        let nothing =
            ompt_task_dependence_t { variable_addr: ptr::null_mut(), dependence_flags: Flag(0) };
        let mut known = [nothing; FEW];
        let mut count = 0;
        for dependence in dependences.iter().filter_map(translate) {
            known[count] = dependence;
            count += 1;
        }
        tell(task, &known[..count]);
    } else {
        tell(task, &dependences.iter().filter_map(translate).collect::<Vec<_>>());
    }
}

/// The report has no word for doacross dependences of ordered constructs: an event without other
/// dependences is not reported to its tools.
fn tell(task: u64, known: &[ompt_task_dependence_t]) {
    if !known.is_empty() {
        call!(task_dependences(task, known.as_ptr(), known.len() as c_int));
    }
}

/// A dependence as the report has it: a task excludes those that come before and after it, unless
/// its dependence is of type in.
fn translate(dependence: &DependenceRecord) -> Option<ompt_task_dependence_t> {
    let flag = match Type(dependence.kind) {
        Type::SOURCE | Type::SINK => return None,
        Type::IN => Flag::IN,
        Type::OUT => Flag::OUT,
        _ => Flag::INOUT,
    };
    Some(ompt_task_dependence_t {
        variable_addr: ptr::with_exposed_provenance_mut::<c_void>(dependence.variable as usize),
        dependence_flags: flag,
    })
}
