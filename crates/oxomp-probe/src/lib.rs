//! The conformance checks of `oxomp doctor`, in one shared object: an OMPT tool that keeps what the
//! runtime tells it, and probes that call a runtime as compiled programs do.
//!
//! A process of `oxomp-probe` makes one check: a runtime that crashes or hangs spoils no other. The
//! runtime finds the tool by `OMP_TOOL_LIBRARIES`, which names this same object, so tool and probes
//! share the log. Nothing here is compiled by an OpenMP compiler, and the checks need none.

use std::ffi::{CStr, c_char, c_int};

mod checks;
mod code;
mod construct;
mod environment;
mod identify;
mod machine;
mod offload;
mod ompd;
mod recorded;
mod runtime;
mod sampling;
mod tool;
mod verdict;

use checks::Check;
use construct::Form;
use verdict::{Fault, Verdict};

/// `list`, `identify RUNTIME`, or `check ID FORM RUNTIME`.
///
/// # Safety
///
/// `arguments` points to `count` C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxomp_probe_main(count: c_int, arguments: *const *const c_char) -> c_int {
    let words: Vec<&CStr> = (0..usize::try_from(count).unwrap_or(0))
        // SAFETY: the caller passes as many C strings.
        .map(|at| unsafe { CStr::from_ptr(*arguments.add(at)) })
        .collect();
    let texts: Vec<&str> = words.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    match *texts.as_slice() {
        ["list"] => print!("{}", checks::list()),
        ["identify", _] => identify::identify(words[1]),
        ["check", id, form, _] => return make_check(id, form, words[3]),
        _ => {
            eprintln!("oxomp-probe: list | identify RUNTIME | check ID FORM RUNTIME");
            return 2;
        }
    }
    0
}

fn make_check(id: &str, form: &str, runtime: &CStr) -> c_int {
    let Some(check) = checks::find(id) else {
        eprintln!("oxomp-probe: there is no check {id}");
        return 2;
    };
    environment::set(check.environment);
    (check.prepare)();
    verdict::tell(&run(check, form, runtime));
    0
}

fn run(check: &Check, form: &str, runtime: &CStr) -> Verdict {
    machine::require_threads()?;
    if check.offloads {
        offload::load(runtime)?;
    }
    runtime::load(runtime)
        .map_err(|reason| Fault::Wrong(format!("the runtime cannot be loaded: {reason}")))?;
    (check.run)(Form::on_runtime(form)?)
}
