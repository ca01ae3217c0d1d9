//! `omp_control_tool`, and the error directive.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_severity_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Member};
use crate::recorded::{expect, expect_codeptr, only, start};
use crate::runtime::{call, symbol};
use crate::tool::{self, CONTROL_RESULT, log};
use crate::verdict::{Verdict, demand, missing};

pub(super) const GROUP: Group = Group {
    title: "Control by the program",
    checks: &[
        check(
            "control",
            Forms::Either,
            "5.1 §3.14, 6.0 §31.1, §34.8",
            "omp_control_tool: arguments, codeptr_ra and result",
            control,
        ),
        check(
            "control-results",
            Forms::Either,
            "6.0 §31.1",
            "omp_control_tool returns what the tool returns",
            results,
        ),
        check(
            "control-nocallback",
            Forms::Either,
            "5.1 §3.14, 6.0 §20.12",
            "omp_control_tool without a callback gives -1",
            no_callback,
        )
        .after(|| tool::WITHOUT_CONTROL.store(true, Ordering::Relaxed)),
        check(
            "control-notool",
            Forms::Either,
            "5.1 §3.14, 6.0 §20.12",
            "omp_control_tool without a tool gives -2",
            no_tool,
        )
        .with(&[("OMP_TOOL", "disabled")]),
        check(
            "control-fortran",
            Forms::Either,
            "5.1 §3.14",
            "omp_control_tool_ takes Fortran's arguments by reference",
            fortran,
        ),
        check(
            "error",
            Forms::Both,
            "5.1 §4.5.2.30, 6.0 §10.1, §34.2",
            "the error directive: severity, message and codeptr_ra",
            error,
        ),
    ],
};

fn control_tool(command: c_int, modifier: c_int, argument: *mut c_void) -> c_int {
    call!(omp_control_tool(command => c_int, modifier => c_int, argument => *mut c_void) -> c_int)
}

fn has_routine() -> Verdict {
    if symbol(c"omp_control_tool").is_some() {
        return Ok(());
    }
    missing("the runtime does not export omp_control_tool")
}

fn control(form: Form) -> Verdict {
    start(form)?;
    has_routine()?;
    let mark = log::mark();
    let mut word = 0u8;
    let result = control_tool(70, 5, (&raw mut word).cast());
    let seen = only(&log::since(mark), &[ompt_callbacks_t::CONTROL_TOOL]);
    expect(&seen, &["control_tool"])?;
    let given = (seen[0].count, seen[0].index, seen[0].wait);
    demand(given == (70, 5, (&raw mut word).addr() as u64), || {
        format!("command, modifier and argument are {given:?}")
    })?;
    demand(result == 0, || format!("the result is {result}, not the callback's 0"))?;
    expect_codeptr(&seen)
}

fn results(form: Form) -> Verdict {
    start(form)?;
    has_routine()?;
    for wanted in [0, 1, 65, c_int::MAX] {
        CONTROL_RESULT.store(wanted, Ordering::Relaxed);
        let result = control_tool(1, 0, ptr::null_mut());
        demand(result == wanted, || {
            format!("the callback returns {wanted}, the routine {result}")
        })?;
    }
    Ok(())
}

fn no_callback(form: Form) -> Verdict {
    start(form)?;
    has_routine()?;
    let result = control_tool(1, 0, ptr::null_mut());
    demand(result == -1, || format!("the result is {result}"))
}

fn no_tool(form: Form) -> Verdict {
    start(form).err();
    has_routine()?;
    let result = control_tool(1, 0, ptr::null_mut());
    demand(result == -2, || format!("the result is {result}"))
}

fn fortran(form: Form) -> Verdict {
    start(form)?;
    if symbol(c"omp_control_tool_").is_none() {
        return missing("the runtime does not export omp_control_tool_");
    }
    let mark = log::mark();
    let (command, modifier): (c_int, c_int) = (3, 7);
    call!(omp_control_tool_(
        &raw const command => *const c_int, &raw const modifier => *const c_int) -> c_int);
    let seen = only(&log::since(mark), &[ompt_callbacks_t::CONTROL_TOOL]);
    expect(&seen, &["control_tool"])?;
    let given = (seen[0].count, seen[0].index, seen[0].wait);
    demand(given == (3, 7, 0), || {
        format!("command, modifier and argument are {given:?}, not (3, 7, 0)")
    })
}

fn error(form: Form) -> Verdict {
    start(form)?;
    let mark = log::mark();
    let message = c"a message of oxomp doctor";
    Member::outside(form).warn(message);
    let seen = only(&log::since(mark), &[ompt_callbacks_t::ERROR]);
    expect(&seen, &["error"])?;
    demand(seen[0].kind == ompt_severity_t::WARNING.0, || {
        format!("the severity is {}, not warning", seen[0].kind)
    })?;
    demand(seen[0].text.as_bytes() == message.to_bytes(), || {
        format!("the message is {:?} of length {}", seen[0].text, seen[0].count)
    })?;
    expect_codeptr(&seen)
}
