//! Variables that the program sets as if they were in the environment (`kmp_set_defaults`).

use oxomp_base::diag;
use oxomp_base::icv::{DisplayEnv, display, env};
use oxomp_base::settings::{self, Settings};

use crate::affinity_format;
use crate::block::Thread;

/// Sets the variables of `text`, `NAME=value` with `|` between them. Before the runtime has read
/// its environment, these values take precedence over the environment's. Afterwards it changes
/// those variables that can still change, for the calling task and for threads that are created
/// later.
pub fn set(text: &str) {
    let (variables, rest) = definitions(text);
    for part in rest {
        diag::warning(&format!("kmp_set_defaults: \"{part}\" is not NAME=value; ignored"));
    }
    let Some(settings) = settings::known() else {
        return settings::set_early(variables);
    };
    for (name, value) in variables {
        change(settings, name, value);
    }
}

/// The definitions, and the parts of the text that are not definitions.
fn definitions(text: &str) -> (Vec<(String, String)>, Vec<&str>) {
    let mut variables = Vec::new();
    let mut rest = Vec::new();
    for part in text.split('|').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                variables.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            _ => rest.push(part),
        }
    }
    (variables, rest)
}

/// Sets a variable while the program runs.
fn change(settings: &Settings, name: String, value: String) {
    let variable = [(name, value)];
    let processors = env::Processors {
        num_procs: settings.globals.num_procs_var,
        concurrency: settings.processors,
        refused: None,
    };
    let (new, globals, warnings) = env::read(&variable, |_| processors);
    for warning in warnings {
        diag::bad_value(&warning.to_string());
    }
    let task = Thread::current().implicit_task();
    match variable[0].0.as_str() {
        "OMP_NUM_THREADS" => task.change_icvs(|icvs| {
            icvs.nthreads_var = new.nthreads_var;
            icvs.nthreads_is_set = true;
            icvs.nthreads_deeper = new.nthreads_deeper;
            icvs.max_active_levels_var = icvs.max_active_levels_var.max(new.max_active_levels_var);
        }),
        "OMP_DYNAMIC" => task.change_icvs(|icvs| icvs.dyn_var = new.dyn_var),
        "OMP_SCHEDULE" => task.change_icvs(|icvs| icvs.run_sched_var = new.run_sched_var),
        "OMP_MAX_ACTIVE_LEVELS" | "OMP_NESTED" => {
            task.change_icvs(|icvs| icvs.max_active_levels_var = new.max_active_levels_var);
        }
        "OMP_DEFAULT_DEVICE" => {
            task.change_icvs(|icvs| icvs.default_device_var = new.default_device_var);
        }
        "KMP_BLOCKTIME" | "GOMP_SPINCOUNT" | "OMP_WAIT_POLICY" => {
            settings.set_blocktime(globals.blocktime.unwrap_or_else(|| settings.blocktime()));
        }
        "KMP_STACKSIZE" | "GOMP_STACKSIZE" | "OMP_STACKSIZE" => {
            settings.set_stack_bytes(globals.stack_bytes());
        }
        "KMP_LIBRARY" => settings.set_library(globals.library),
        "KMP_WARNINGS" => diag::set_warnings(globals.warnings),
        "OMP_NUM_TEAMS" => settings.set_nteams(globals.nteams_var),
        "OMP_TEAMS_THREAD_LIMIT" => {
            settings.set_teams_thread_limit(globals.teams_thread_limit_var);
        }
        "OMP_TARGET_OFFLOAD" => settings.set_target_offload(globals.target_offload_var),
        "OMP_AFFINITY_FORMAT" => affinity_format::set(globals.affinity_format_var.as_bytes()),
        "OMP_DISPLAY_AFFINITY" => affinity_format::set_display(globals.display_affinity_var),
        "OMP_DISPLAY_ENV" if globals.display_env != DisplayEnv::No => {
            let verbose = globals.display_env == DisplayEnv::Verbose;
            display::print(&settings.icvs, &settings.globals, verbose);
        }
        "OMP_DISPLAY_ENV" => {}
        name => diag::warning(&format!(
            "kmp_set_defaults: {name} cannot be set once the runtime has started; ignored"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::definitions;

    #[test]
    fn definitions_stand_between_bars() {
        let (variables, rest) = definitions(" A=1 | B = x=y||C|=4|D=");
        let pairs: Vec<_> = variables.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(pairs, [("A", "1"), ("B", "x=y"), ("D", "")]);
        assert_eq!(rest, ["C", "=4"]);
        assert_eq!(definitions("").0, []);
    }
}
