//! Target constructs that run on the host.

use std::ffi::{c_int, c_uint, c_ushort, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use oxomp_sys::gomp::{gomp_device, gomp_fn};
use oxomp_sys::ompt::{ompt_callbacks_t, ompt_target_t};

use super::check::{Forms, Group, check};
use crate::construct::Form;
use crate::recorded::{only, start};
use crate::runtime::call;
use crate::tool::log;
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Target constructs on the host",
    checks: &[check(
        "target-host",
        Forms::Gcc,
        "6.0 §15.8, §35.8",
        "target if(0): target_emi begin and end, with codeptr_ra in the program",
        target,
    )],
};

static RAN: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn body(_addresses: *mut c_void) {
    RAN.store(true, Ordering::Relaxed);
}

fn target(form: Form) -> Verdict {
    start(form)?;
    let mark = log::mark();
    let mut none: *mut c_void = ptr::null_mut();
    call!(GOMP_target_ext(
        gomp_device::HOST => c_int,
        body => gomp_fn,
        0 => usize,
        &raw mut none => *mut *mut c_void,
        ptr::null_mut() => *mut usize,
        ptr::null_mut() => *mut c_ushort,
        0 => c_uint,
        ptr::null_mut() => *mut *mut c_void,
        &raw mut none => *mut *mut c_void,
    ));
    demand(RAN.load(Ordering::Relaxed), || "the region does not run".to_owned())?;
    let seen = only(&log::since(mark), &[ompt_callbacks_t::TARGET_EMI]);
    let [begin, end] = seen.as_slice() else {
        return missing(format!("{} target_emi events", seen.len()));
    };
    if !begin.begins() || !end.ends() || begin.kind != ompt_target_t::TARGET.0 {
        return wrong(format!("seen: {begin}, {end}"));
    }
    crate::recorded::expect_codeptr(&seen)
}
