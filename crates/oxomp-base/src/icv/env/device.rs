//! The variables of the device or of the whole program, including LLVM's extensions.

use super::reader::Reader;
use crate::icv::{Blocktime, GlobalIcvs, Library, WaitPolicy, value};

/// Reads the variables that the table does not have. Those of the table have been read.
pub(super) fn device(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    stack_size(reader, global);
    waiting(reader, global);
    dispatch_buffers(reader);
    let default = global.num_procs_var;
    global.kmp_teams_thread_limit =
        reader.read("KMP_TEAMS_THREAD_LIMIT", default, |text| value::integer(text, 1));
    let display = reader.read("OMP_DISPLAY_ENV", "false", value::display_env);
    global.display_env = display.unwrap_or(global.display_env);
    if let Some(format) = reader.text("OMP_AFFINITY_FORMAT") {
        global.affinity_format_var = format.to_owned();
    }
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
    let policy = reader
        .read("OMP_WAIT_POLICY", "the default", |text| value::word(text, value::WAIT_POLICIES));
    global.wait_policy_var = policy;
    global.blocktime = policy.map(|policy| match policy {
        WaitPolicy::Active => Blocktime::Infinite,
        WaitPolicy::Passive => Blocktime::from_millis(0),
    });
    if global.library == Library::Turnaround {
        global.blocktime = Some(Blocktime::Infinite);
    }
    let spins = reader.read("GOMP_SPINCOUNT", "the default", value::spin_count);
    let blocktime = reader.read("KMP_BLOCKTIME", "200ms", value::blocktime);
    global.blocktime = blocktime.or(spins).or(global.blocktime);
}
