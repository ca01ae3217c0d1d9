//! What OMP_DISPLAY_ENV and `omp_display_env` print (OpenMP 5.2 §18.15, §21.7), in LLVM's format.

use std::io::Write;

use super::tool::{ToolIcvs, ToolVerboseInit};
use super::{Blocktime, DisplayEnv, GlobalIcvs, Icvs, ProcBind, TargetOffload, WaitPolicy};

/// `_OPENMP` of the version that the runtime implements: 5.2.
pub const OPENMP_VERSION: u32 = 202_111;

/// Writes [`display`]'s text to the standard error, with the tool variables of the process.
pub fn print(icvs: &Icvs, global: &GlobalIcvs, verbose: bool) {
    // An OMP_TOOL that is none ends the program, and not here.
    let Ok(tool) = ToolIcvs::of_process() else { return };
    // One write, so that the text stays in one piece; a closed stderr is no reason to fail.
    let _ = std::io::stderr().write_all(display(icvs, global, &tool, verbose).as_bytes());
}

/// The text: every variable of the specification, with `verbose` our own too. Values that are the
/// initial ones print as one would write them.
#[must_use]
pub fn display(icvs: &Icvs, global: &GlobalIcvs, tool: &ToolIcvs, verbose: bool) -> String {
    let mut text = String::from("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n");
    text.push_str(&format!("   _OPENMP='{OPENMP_VERSION}'\n"));
    for (name, value) in variables(icvs, global, tool, verbose) {
        match value {
            Some(value) => text.push_str(&format!("  [host] {name}='{value}'\n")),
            None => text.push_str(&format!("  [host] {name}: value is not defined\n")),
        }
    }
    text.push_str("OPENMP DISPLAY ENVIRONMENT END\n\n");
    text
}

fn variables(
    icvs: &Icvs,
    global: &GlobalIcvs,
    tool: &ToolIcvs,
    verbose: bool,
) -> Vec<(&'static str, Option<String>)> {
    let mut all = vec![
        ("OMP_AFFINITY_FORMAT", Some(global.affinity_format_var.clone())),
        ("OMP_CANCELLATION", Some(truth(global.cancel_var))),
        ("OMP_DEFAULT_DEVICE", Some(icvs.default_device_var.to_string())),
        ("OMP_DISPLAY_AFFINITY", Some(truth(global.display_affinity_var))),
        ("OMP_DISPLAY_ENV", Some(display_env(global.display_env).to_owned())),
        ("OMP_DYNAMIC", Some(truth(icvs.dyn_var))),
        ("OMP_MAX_ACTIVE_LEVELS", Some(icvs.max_active_levels_var.to_string())),
        ("OMP_MAX_TASK_PRIORITY", Some(global.max_task_priority_var.to_string())),
        ("OMP_NUM_TEAMS", Some(global.nteams_var.to_string())),
        ("OMP_NUM_THREADS", Some(list(icvs.nthreads_var, icvs.nthreads_deeper.as_slice()))),
        ("OMP_PLACES", place_list(global, "OMP_PLACES")),
        ("OMP_PROC_BIND", Some(proc_bind(icvs))),
        ("OMP_SCHEDULE", Some(icvs.run_sched_var.to_string())),
        ("OMP_STACKSIZE", global.stacksize_var.map(size)),
        ("OMP_TARGET_OFFLOAD", Some(target_offload(global.target_offload_var).to_owned())),
        ("OMP_TEAMS_THREAD_LIMIT", Some(global.teams_thread_limit_var.to_string())),
        ("OMP_THREAD_LIMIT", Some(icvs.thread_limit_var.to_string())),
        ("OMP_TOOL", Some(if tool.tool_var { "enabled" } else { "disabled" }.to_owned())),
        ("OMP_TOOL_LIBRARIES", tool_libraries(tool)),
        ("OMP_TOOL_VERBOSE_INIT", Some(verbose_init(&tool.tool_verbose_init_var))),
        ("OMP_WAIT_POLICY", Some(wait_policy(global).to_owned())),
    ];
    if verbose {
        let time = global.blocktime.unwrap_or(Blocktime::DEFAULT);
        for name in ["GOMP_CPU_AFFINITY", "KMP_AFFINITY"] {
            all.push((name, place_list(global, name)));
        }
        all.push(("KMP_BLOCKTIME", Some(blocktime(time))));
        all.push(("KMP_DEVICE_THREAD_LIMIT", Some(global.device_thread_limit.to_string())));
        all.push(("KMP_WARNINGS", Some(truth(global.warnings))));
        all.sort_unstable_by_key(|(name, _)| *name);
    }
    all
}

/// The place list, if the variable `name` has said it.
fn place_list(global: &GlobalIcvs, name: &str) -> Option<String> {
    let list = global.place_list.as_ref().filter(|_| global.place_list_variable == name);
    list.map(ToString::to_string)
}

fn truth(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

fn display_env(value: DisplayEnv) -> &'static str {
    match value {
        DisplayEnv::No => "FALSE",
        DisplayEnv::Yes => "TRUE",
        DisplayEnv::Verbose => "VERBOSE",
    }
}

fn list(first: u32, deeper: &[u32]) -> String {
    let elements: Vec<String> = [first].iter().chain(deeper).map(ToString::to_string).collect();
    elements.join(",")
}

fn proc_bind(icvs: &Icvs) -> String {
    let policies = [icvs.bind_var];
    let words: Vec<&str> = policies
        .iter()
        .chain(icvs.bind_deeper.as_slice())
        .map(|policy| match policy {
            ProcBind::False => "false",
            ProcBind::True => "true",
            ProcBind::Primary => "primary",
            ProcBind::Close => "close",
            ProcBind::Spread => "spread",
        })
        .collect();
    words.join(",")
}

/// In the largest unit that divides it.
fn size(bytes: usize) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.iter().find(|(shift, _)| bytes != 0 && bytes.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}

fn target_offload(value: TargetOffload) -> &'static str {
    match value {
        TargetOffload::Default => "DEFAULT",
        TargetOffload::Mandatory => "MANDATORY",
        TargetOffload::Disabled => "DISABLED",
    }
}

fn tool_libraries(tool: &ToolIcvs) -> Option<String> {
    let paths: Vec<String> =
        tool.tool_libraries_var.iter().map(|path| path.display().to_string()).collect();
    (!paths.is_empty()).then(|| paths.join(":"))
}

fn verbose_init(value: &ToolVerboseInit) -> String {
    match value {
        ToolVerboseInit::Disabled => "disabled".to_owned(),
        ToolVerboseInit::Stdout => "stdout".to_owned(),
        ToolVerboseInit::Stderr => "stderr".to_owned(),
        ToolVerboseInit::File(path) => path.display().to_string(),
    }
}

/// The default, awake for a while and then asleep, counts as passive.
fn wait_policy(global: &GlobalIcvs) -> &'static str {
    match global.wait_policy_var {
        Some(WaitPolicy::Active) => "ACTIVE",
        Some(WaitPolicy::Passive) | None => "PASSIVE",
    }
}

fn blocktime(value: Blocktime) -> String {
    match value {
        Blocktime::Infinite => "infinite".to_owned(),
        Blocktime::For(time) if time.subsec_micros() % 1000 == 0 => {
            format!("{}ms", time.as_millis())
        }
        Blocktime::For(time) => format!("{}us", time.as_micros()),
    }
}

#[cfg(test)]
mod tests {
    use super::display;
    use crate::icv::env;
    use crate::icv::tool::ToolIcvs;

    fn shown(variables: &[(&str, &str)], verbose: bool) -> Vec<String> {
        let variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let (icvs, global, _) = env::read(&variables, 6);
        let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
        let text = display(&icvs, &global, &tool, verbose);
        assert!(text.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n   _OPENMP='202111'\n"));
        assert!(text.ends_with("OPENMP DISPLAY ENVIRONMENT END\n\n"));
        text.lines().map(|line| line.trim_start_matches("  [host] ").to_owned()).collect()
    }

    #[test]
    fn what_is_shown_reads_back_as_the_same_variables() {
        let written = [
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "monotonic:dynamic,3"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_STACKSIZE", "300K"),
            ("OMP_WAIT_POLICY", "ACTIVE"),
            ("OMP_THREAD_LIMIT", "17"),
            ("OMP_TARGET_OFFLOAD", "DISABLED"),
        ];
        let lines = shown(&written, false);
        for (name, value) in written {
            assert!(lines.contains(&format!("{name}='{value}'")), "{name} in {lines:#?}");
        }
        assert!(!lines.iter().any(|line| line.starts_with("KMP_")));
    }

    #[test]
    fn verbose_adds_our_own() {
        let lines = shown(&[("KMP_BLOCKTIME", "1500us"), ("OMP_STACKSIZE", "65537B")], true);
        assert!(lines.contains(&"KMP_BLOCKTIME='1500us'".to_owned()));
        assert!(lines.contains(&"OMP_STACKSIZE='65537B'".to_owned()));
        assert!(shown(&[], true).contains(&"KMP_BLOCKTIME='200ms'".to_owned()));
    }
}
