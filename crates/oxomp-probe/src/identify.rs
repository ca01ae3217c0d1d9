//! The answers of a runtime about itself, for the report on a program.

use std::ffi::{CStr, c_char};

use crate::{check, recorded, runtime, tool};

/// Loads the runtime, starts it, and prints what it told the tool as `key<TAB>value` lines.
pub(crate) fn identify(path: &CStr) {
    crate::set_environment(&[]);
    if let Err(reason) = runtime::load(path) {
        say("unloadable", &reason);
        return;
    }
    if let Some(file) = runtime::file() {
        say("path", &file);
    }
    // OMPD's variable is filled when the runtime starts.
    let started = check::form("either").and_then(recorded::start);
    let told = tool::started();
    say("ompt", if started.is_ok() { "yes" } else { "no" });
    if told.start_calls > 0 {
        say("version", told.runtime_version.as_deref().unwrap_or("unnamed"));
        say("openmp", &told.omp_version.to_string());
    }
    let refused: Vec<String> = told
        .answers
        .iter()
        .filter(|(_, answer)| answer.0 <= 1)
        .filter_map(|(event, _)| event.name())
        .map(|name| name.to_string_lossy().replace("ompt_callback_", ""))
        .collect();
    if started.is_ok() {
        say("events", &told.answers.len().saturating_sub(refused.len()).to_string());
        say("never", &refused.join(", "));
    }
    for library in ompd_libraries() {
        say("ompd", &library);
    }
    if runtime::symbol(c"ompd_dll_locations").is_some() {
        say("ompd_symbol", "ompd_dll_locations");
    }
}

/// The list behind `ompd_dll_locations`.
pub(crate) fn ompd_libraries() -> Vec<String> {
    let Some(symbol) = runtime::symbol(c"ompd_dll_locations") else { return Vec::new() };
    // SAFETY: the variable is a pointer to a vector of C strings that NULL ends, or NULL.
    let mut at = unsafe { *symbol.as_ptr().cast::<*const *const c_char>() };
    let mut found = Vec::new();
    while !at.is_null() && found.len() < 100 {
        // SAFETY: `at` is inside the vector, whose last element is NULL.
        let name = unsafe { *at };
        if name.is_null() {
            break;
        }
        // SAFETY: the elements are C strings.
        found.push(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        // SAFETY: NULL has not been reached.
        at = unsafe { at.add(1) };
    }
    found
}

fn say(key: &str, value: &str) {
    println!("{key}\t{value}");
}
