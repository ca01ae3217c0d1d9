//! The program's control of its tool: `omp_control_tool` (OpenMP 5.2 §18.14) and `ompt_control`
//! (the report of 2015 §8). Either routine reaches a tool of either interface.

use core::ffi::c_void;
use core::ptr;

use oxomp_arch::CallSite;

use super::found_tool::FoundTool;
use super::phase::{accepts_callbacks, is_active, is_in_sight};
use super::running_callbacks::RunningCallback;
use super::start_and_end::find;
use super::{callbacks, found_tool, report_2015, restart_2015};
use crate::block::Thread;
use crate::ompt::event::EnterFrame;

/// Results of `omp_control_tool` without a callback of the tool.
const NO_TOOL: i32 = -2;
const NO_CALLBACK: i32 = -1;
/// The result if the callback has none: the tool has received the command.
const SUCCESS: i32 = 0;

/// `omp_control_tool`: returns the result of the tool's callback, -2 without a tool, -1 without a
/// callback. Starts the runtime if there is a tool and the runtime has not started.
pub fn control(command: i32, modifier: i32, arg: *mut c_void, site: CallSite) -> i32 {
    // A negative number keeps its value in 64 bits, as C's conversion does.
    let wide = |number| i64::from(number).cast_unsigned();
    deliver(wide(command), wide(modifier), arg, site)
}

/// `ompt_control`, which has no result. Starts the runtime as `control` does.
pub fn control_2015(command: u64, modifier: u64, site: CallSite) {
    deliver(command, modifier, ptr::null_mut(), site);
}

fn deliver(command: u64, modifier: u64, arg: *mut c_void, site: CallSite) -> i32 {
    find();
    if !is_in_sight() {
        return NO_TOOL;
    }
    // Starts the tool if this is the first call of the runtime, or the first since the tool's end.
    let thread = Thread::current();
    restart_2015::resume();
    // The tool may have refused to run, or have been ended.
    if !accepts_callbacks() {
        return NO_TOOL;
    }
    let Some(tool) = found_tool::get() else { return NO_TOOL };
    let _running = RunningCallback::enter();
    let frame = || EnterFrame::new(&thread.task().ompt, site);
    let received = match tool {
        FoundTool::OpenMp5(_) => callbacks::registered::control_tool().map(|callback| {
            let _frame = frame();
            // SAFETY: the tool registered the function as the callback of this event; the program
            // and the tool agree on the use of `arg`.
            unsafe { callback(command, modifier, arg, site.return_address()) }
        }),
        FoundTool::Report2015(_) => {
            let _frame = frame();
            report_2015::control(command, modifier).then_some(SUCCESS)
        }
    };
    received.unwrap_or(if is_active() { NO_CALLBACK } else { NO_TOOL })
}
