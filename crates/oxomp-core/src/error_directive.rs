//! The error directive at execution time (OpenMP 5.2 §8.5).

use core::ffi::CStr;

use oxomp_arch::CallSite;
use oxomp_base::diag::{self, Location};

use crate::block::Thread;
use crate::ompt::event::{EnterFrame, Severity, emit};

/// Executes the directive: emits the event, prints `message`, and ends the program with status 1 if
/// the severity is fatal. An empty message stands for no message.
pub fn run(severity: Severity, message: &CStr, location: Location<'_>, site: CallSite) {
    let thread = Thread::current();
    {
        let _frame = EnterFrame::new(&thread.task().ompt, site);
        emit::error(severity, message, site);
    }
    let kind = match severity {
        Severity::Warning => "warning",
        Severity::Fatal => "error",
    };
    let mut report = format!("{location}: Encountered user-directed {kind}");
    if !message.is_empty() {
        report.push_str(": ");
        report.push_str(&message.to_string_lossy());
    }
    report.push('.');
    match severity {
        Severity::Warning => diag::warning(&report),
        Severity::Fatal => diag::fatal(&report),
    }
}
