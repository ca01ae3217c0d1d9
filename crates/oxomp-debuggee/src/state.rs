//! The states of threads (`ompt_state_t`), and what a thread waits for.

use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;
use oxomp_sys::ompt::ompt_state_t;

use crate::Answer;
use crate::address_space::AddressSpace;
use crate::thread::Thread;

impl Thread {
    /// `ThreadState`, which for a worker without *debug-var* may be that of a region that is over.
    pub(crate) fn raw_state(self, space: &AddressSpace) -> Answer<ompt_state_t> {
        let number = self.number(space, Field::ThreadState)?;
        Ok(ompt_state_t(i32::try_from(number).map_err(|_| ompd_rc_t::ERROR)?))
    }

    /// Whether the thread executes a task, in a wait for tasks or in a barrier: without a listener
    /// the state stays that of the wait.
    fn is_above_wait(self, space: &AddressSpace, state: ompt_state_t) -> Answer<bool> {
        let is_barrier =
            (ompt_state_t::WAIT_BARRIER.0..=ompt_state_t::WAIT_BARRIER_TEAMS.0).contains(&state.0);
        let is_wait = [ompt_state_t::WAIT_TASKWAIT, ompt_state_t::WAIT_TASKGROUP].contains(&state);
        if !is_barrier && !is_wait {
            return Ok(false);
        }
        let task = self.current_task(space)?;
        Ok(!task.is_implicit(space)? && (is_barrier || self.is_executing(space, task)?))
    }

    /// The state of a thread that executes the code of its current task.
    fn state_of_code(self, space: &AddressSpace) -> Answer<ompt_state_t> {
        let region = self.current_task(space)?.region(space)?;
        Ok(match region.number(space, Field::ParallelLevel)? {
            0 => ompt_state_t::WORK_SERIAL,
            _ => ompt_state_t::WORK_PARALLEL,
        })
    }

    /// The state of the thread, and the wait id that belongs to it; 0 for none.
    pub fn state(self, space: &AddressSpace) -> Answer<(ompt_state_t, u64)> {
        let state = self.raw_state(space)?;
        if state.is_mutex_wait() {
            return Ok((state, self.number(space, Field::ThreadWaitId)?));
        }
        // Without *debug-var* the state of a worker that has left a region stays that of the
        // barrier at its end.
        let in_barrier = state == ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL;
        if in_barrier && self.current_task(space) == Err(ompd_rc_t::UNAVAILABLE) {
            return Ok((ompt_state_t::IDLE, 0));
        }
        if self.is_above_wait(space, state).unwrap_or(false) {
            return Ok((self.state_of_code(space)?, 0));
        }
        Ok((state, 0))
    }
}
