//! The variables of the device or of the whole program, including LLVM's extensions.

use super::reader::Reader;
use crate::icv::value::{self, Parsed};
use crate::icv::{Blocktime, GlobalIcvs, Library, ProcBind, TargetOffload, WaitPolicy};
use crate::icv::{allocator, kmp_schedule};

/// The variable of *target-offload-var*.
pub(super) const TARGET_OFFLOAD: &str = "OMP_TARGET_OFFLOAD";

/// *target-offload-var* by a value of its variable.
pub(super) fn target_offload(text: &str) -> Parsed<TargetOffload> {
    let words = [
        ("default", TargetOffload::Default),
        ("mandatory", TargetOffload::Mandatory),
        ("disabled", TargetOffload::Disabled),
    ];
    value::word(text, &words)
}

pub(super) fn device(reader: &mut Reader<'_>, num_procs: u32) -> GlobalIcvs {
    let mut global = GlobalIcvs::new(num_procs);
    stack_size(reader, &mut global);
    waiting(reader, &mut global);
    dispatch_buffers(reader);
    reader.boolean("OMP_CANCELLATION", &mut global.cancel_var);
    reader.integer("OMP_MAX_TASK_PRIORITY", 0, &mut global.max_task_priority_var);
    reader.integer("OMP_NUM_TEAMS", 1, &mut global.nteams_var);
    reader.integer("OMP_TEAMS_THREAD_LIMIT_ALL", 1, &mut global.teams_thread_limit_var);
    reader.integer("OMP_TEAMS_THREAD_LIMIT", 1, &mut global.teams_thread_limit_var);
    teams(reader, &mut global);
    reader.integer("KMP_ALL_THREADS", 1, &mut global.device_thread_limit);
    reader.integer("KMP_DEVICE_THREAD_LIMIT", 1, &mut global.device_thread_limit);
    reader.boolean("KMP_DETERMINISTIC_REDUCTION", &mut global.deterministic_reduction);
    reader.boolean("KMP_ENABLE_TASK_THROTTLING", &mut global.task_throttling);
    let check = reader.read("KMP_CONSISTENCY_CHECK", "none", |text| {
        value::word(text, &[("none", false), ("all", true)])
    });
    global.consistency_check = check.unwrap_or(false);
    reader.boolean("KMP_DUPLICATE_LIB_OK", &mut global.duplicate_lib_ok);
    reader.boolean("LIBOMP_USE_HIDDEN_HELPER_TASK", &mut global.use_hidden_helper_task);
    reader.boolean("KMP_SETTINGS", &mut global.settings);
    let schedule = reader.read("KMP_SCHEDULE", global.kmp_schedule, kmp_schedule::parse);
    global.kmp_schedule = schedule.unwrap_or(global.kmp_schedule);
    let default = global.def_allocator_var.name;
    if let Some(said) = reader.read("OMP_ALLOCATOR", default, allocator::parse) {
        global.def_allocator_var = said;
    }
    let offload = reader.read(TARGET_OFFLOAD, "default", target_offload);
    global.target_offload_var = offload.unwrap_or(global.target_offload_var);
    let debug = reader.read("OMP_DEBUG", "disabled", |text| {
        value::word(text, &[("disabled", false), ("enabled", true)])
    });
    global.debug_var = debug.unwrap_or(false);
    let display = reader.read("OMP_DISPLAY_ENV", "false", value::display_env);
    global.display_env = display.unwrap_or(global.display_env);
    reader.boolean("OMP_DISPLAY_AFFINITY", &mut global.display_affinity_var);
    if let Some(format) = reader.text("OMP_AFFINITY_FORMAT") {
        global.affinity_format_var = format.to_owned();
    }
    global
}

/// Reads LLVM's variables for leagues.
fn teams(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    let default = global.num_procs_var;
    global.kmp_teams_thread_limit =
        reader.read("KMP_TEAMS_THREAD_LIMIT", default, |text| value::integer(text, 1));
    let policy = reader.read("KMP_TEAMS_PROC_BIND", "spread", |text| {
        let words = [
            ("spread", ProcBind::Spread),
            ("close", ProcBind::Close),
            ("primary", ProcBind::Primary),
            ("master", ProcBind::Primary),
        ];
        value::word(text, &words)
    });
    global.kmp_teams_proc_bind = policy.unwrap_or(global.kmp_teams_proc_bind);
}

/// The smallest stack that suffices for the runtime's frames and a tool's callbacks, in bytes.
pub(crate) const LEAST_STACK: usize = 64 << 10;

/// Reads the stack size: the first of the three variables that is set to a valid size counts.
fn stack_size(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    for name in ["KMP_STACKSIZE", "GOMP_STACKSIZE", "OMP_STACKSIZE"] {
        let Some(bytes) = reader.read(name, "the default", value::size) else { continue };
        if bytes < LEAST_STACK {
            reader.warn(name, "too small".to_owned(), format!("{}K", LEAST_STACK >> 10));
        }
        global.stacksize_var.get_or_insert(bytes.max(LEAST_STACK));
    }
}

/// Reads KMP_DISP_NUM_BUFFERS, the number of loops that LLVM's runtime may have in flight. This
/// runtime ignores the number, but warns about one that LLVM's refuses.
fn dispatch_buffers(reader: &mut Reader<'_>) {
    reader.read("KMP_DISP_NUM_BUFFERS", "the default", |text| match value::integer(text, 0)? {
        0 => Err("too small".to_owned()),
        1..=4096 => Ok(()),
        _ => Err("too large".to_owned()),
    });
}

/// Reads OMP_WAIT_POLICY, and the older and more detailed variables for it, which take precedence.
fn waiting(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    let policy = reader.read("OMP_WAIT_POLICY", "the default", |text| {
        value::word(text, &[("active", WaitPolicy::Active), ("passive", WaitPolicy::Passive)])
    });
    global.wait_policy_var = policy;
    global.blocktime = policy.map(|policy| match policy {
        WaitPolicy::Active => Blocktime::Infinite,
        WaitPolicy::Passive => Blocktime::from_millis(0),
    });
    let library = reader.read("KMP_LIBRARY", "throughput", |text| {
        let words = [
            ("throughput", Library::Throughput),
            ("turnaround", Library::Turnaround),
            ("serial", Library::Serial),
        ];
        value::word(text, &words)
    });
    if library == Some(Library::Turnaround) {
        global.blocktime = Some(Blocktime::Infinite);
    }
    global.library = library.unwrap_or(global.library);
    let spins = reader.read("GOMP_SPINCOUNT", "the default", value::spin_count);
    let blocktime = reader.read("KMP_BLOCKTIME", "200ms", value::blocktime);
    global.blocktime = blocktime.or(spins).or(global.blocktime);
}
