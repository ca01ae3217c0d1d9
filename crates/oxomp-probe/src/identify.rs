//! The answers of a runtime about itself, for the report on a program.

use std::ffi::CStr;

use crate::construct::Form;
use crate::{environment, ompd, recorded, runtime, tool};

/// Loads the runtime, starts it, and prints what it told the tool as `key<TAB>value` lines.
pub(crate) fn identify(path: &CStr) {
    environment::set(&[]);
    if let Err(reason) = runtime::load(path) {
        say("unloadable", &reason);
        return;
    }
    if let Some(file) = runtime::file() {
        say("path", &file);
    }
    // OMPD's variable is filled when the runtime starts.
    let started = Form::on_runtime("either").and_then(recorded::start);
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
    for library in ompd::libraries() {
        say("ompd", &library);
    }
    if runtime::symbol(c"ompd_dll_locations").is_some() {
        say("ompd_symbol", "ompd_dll_locations");
    }
}

fn say(key: &str, value: &str) {
    println!("{key}\t{value}");
}
