//! The constructs that are cancelled, as a debugger sees them.

use oxomp_ompd_layout::Field;

use crate::debuggee::{Debuggee, command, compile, reader, wait_until};
use crate::view::Eye;
use crate::{FAMILIES, Facts, thread_of};

/// `ompt_cancel_flag_t`.
const PARALLEL: u64 = 1;
const LOOP: u64 = 4;

#[test]
fn cancelled_constructs_are_seen() {
    for family in FAMILIES {
        let variables = [("OMP_CANCELLATION", "true"), ("OMP_MAX_ACTIVE_LEVELS", "2")];
        let mut program = Debuggee::start(&mut command(&compile(family, "cancelled"), &variables));
        let inner = Facts::parse(&program.line());
        let reader = reader(program.pid());
        let eye = Eye(&reader);
        wait_until("both regions have their cancelled construct", || {
            let threads = eye.alive();
            let tasks = &thread_of(&threads, inner.number("lwp")).tasks;
            let cancelled =
                |level: usize| eye.number(tasks[level].parallel.address, Field::ParallelCancelled);
            cancelled(0) == PARALLEL && cancelled(1) == LOOP
        });
        program.finish();
    }
}
