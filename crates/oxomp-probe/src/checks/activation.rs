//! How a runtime finds a tool and starts it.

use std::env;
use std::fs;
use std::sync::atomic::Ordering;

use super::check::{Forms, Group, check};
use crate::code;
use crate::construct::Form;
use crate::recorded::{require_tool, start};
use crate::runtime::{call, symbol};
use crate::tool::{self, log};
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Activation",
    checks: &[
        check(
            "tool-libraries",
            Forms::Either,
            "6.0 §4.5.2, §32.2.2",
            "a tool of OMP_TOOL_LIBRARIES is asked and started",
            by_libraries,
        ),
        check(
            "address-space",
            Forms::Either,
            "6.0 §32.2.2",
            "ompt_start_tool of the address space is asked before OMP_TOOL_LIBRARIES",
            by_address_space,
        )
        .after(join_address_space),
        check(
            "next-library",
            Forms::Either,
            "6.0 §32.2.2",
            "a library that cannot be loaded is passed over",
            by_libraries,
        )
        .after(put_bad_library_first),
        check(
            "refused",
            Forms::Either,
            "6.0 §32.2.2",
            "a tool whose ompt_start_tool returns NULL is not initialized",
            refused,
        )
        .after(|| tool::REFUSES.store(true, Ordering::Relaxed)),
        check(
            "declined",
            Forms::Either,
            "6.0 §32.2.2",
            "a tool whose initializer returns 0 gets no events",
            declined,
        )
        .after(|| tool::DECLINES.store(true, Ordering::Relaxed)),
        check(
            "disabled",
            Forms::Either,
            "6.0 §4.5.1",
            "OMP_TOOL=disabled: no tool is asked",
            disabled,
        )
        .with(&[("OMP_TOOL", "disabled")]),
        check(
            "versions",
            Forms::Either,
            "6.0 §32.2.1",
            "ompt_start_tool is told the versions of OpenMP and of the runtime",
            versions,
        ),
        check(
            "initializer",
            Forms::Either,
            "5.1 §4.5.1.1, 6.0 §34.1.1",
            "the initializer is given the initial device and its own tool_data",
            initializer,
        ),
        check(
            "verbose-init",
            Forms::Either,
            "6.0 §4.5.3",
            "OMP_TOOL_VERBOSE_INIT: the log names the library and the outcome",
            verbose_init,
        )
        .after(ask_for_log),
        check(
            "verbose-disabled",
            Forms::Either,
            "6.0 §4.5.3",
            "OMP_TOOL_VERBOSE_INIT: the log says that tools are disabled",
            verbose_disabled,
        )
        .with(&[("OMP_TOOL", "disabled")])
        .after(ask_for_log),
    ],
};

fn by_libraries(form: Form) -> Verdict {
    start(form).map(drop)
}

/// Makes this object's symbols visible to all objects, like the symbols of a program that is a tool
/// itself.
fn join_address_space() {
    let path = code::own_file();
    // SAFETY: the path is a C string; the object is loaded already, so nothing is run.
    unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_GLOBAL) };
    // SAFETY: the runtime is not loaded yet, and there is one thread.
    unsafe { env::set_var("OMP_TOOL_LIBRARIES", "/nonexistent/tool.so") };
}

fn by_address_space(form: Form) -> Verdict {
    start(form).map(drop)
}

fn put_bad_library_first() {
    let own = env::var("OMP_TOOL_LIBRARIES").unwrap_or_default();
    // SAFETY: the runtime is not loaded yet, and there is one thread.
    unsafe { env::set_var("OMP_TOOL_LIBRARIES", format!("/nonexistent/tool.so:{own}")) };
}

fn refused(form: Form) -> Verdict {
    start(form).err();
    let started = tool::started();
    if started.start_calls == 0 {
        return missing("the runtime does not look for a tool");
    }
    demand(!started.initialized, || "the initializer is called all the same".to_owned())
}

fn declined(form: Form) -> Verdict {
    start(form)?;
    crate::construct::parallel(form, 2, |_| {});
    match log::all().first() {
        Some(event) => wrong(format!("{event} is delivered")),
        None => Ok(()),
    }
}

fn disabled(form: Form) -> Verdict {
    let started = start(form);
    if started.is_ok() || tool::started().start_calls > 0 {
        return wrong("ompt_start_tool is called");
    }
    // A runtime without OMPT does not ask for a tool either, so the check says nothing about it.
    if symbol(c"ompt_start_tool").is_none() && symbol(c"ompt_tool").is_none() {
        return missing("the runtime has no OMPT");
    }
    Ok(())
}

fn versions(form: Form) -> Verdict {
    start(form)?;
    let started = tool::started();
    let known = [201_811, 202_011, 202_111, 202_411];
    if !known.contains(&started.omp_version) {
        return wrong(format!(
            "omp_version is {}, the _OPENMP of no version with OMPT",
            started.omp_version
        ));
    }
    demand(started.runtime_version.is_some(), || "runtime_version is NULL".to_owned())
}

fn initializer(form: Form) -> Verdict {
    start(form)?;
    let started = tool::started();
    let device = call!(omp_get_initial_device() -> i32);
    if started.initial_device != device {
        return wrong(format!(
            "initial_device_num is {}, omp_get_initial_device() is {device}",
            started.initial_device
        ));
    }
    demand(started.data_is_ours, || {
        "tool_data is not the address of the field in the tool's structure".to_owned()
    })
}

fn log_file() -> std::path::PathBuf {
    env::temp_dir().join(format!("oxomp-probe-{}.log", std::process::id()))
}

fn ask_for_log() {
    // SAFETY: the runtime is not loaded yet, and there is one thread.
    unsafe { env::set_var("OMP_TOOL_VERBOSE_INIT", log_file()) };
}

/// The log, which is removed; 6.0 makes the name a prefix.
fn take_log() -> String {
    let file = log_file();
    let prefix = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = String::new();
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            text += &fs::read_to_string(entry.path()).unwrap_or_default();
            fs::remove_file(entry.path()).ok();
        }
    }
    text
}

fn verbose_init(form: Form) -> Verdict {
    let started = start(form);
    let log = take_log();
    started?;
    if log.is_empty() {
        return missing("no log is written");
    }
    let own = code::own_file().to_string_lossy().into_owned();
    let lower = log.to_lowercase();
    demand(log.contains(&own), || "the log does not name the library".to_owned())?;
    demand(lower.contains("success"), || "the log does not say that loading succeeded".to_owned())?;
    demand(lower.contains("ompt_start_tool"), || {
        "the log does not say whether ompt_start_tool was found".to_owned()
    })
}

fn verbose_disabled(form: Form) -> Verdict {
    start(form).err();
    let log = take_log();
    if log.is_empty() {
        return missing("no log is written");
    }
    demand(require_tool().is_err(), || "the tool is started".to_owned())?;
    demand(log.to_lowercase().contains("disabled"), || {
        format!("the log does not say so: {}", log.trim())
    })
}
