//! The number of threads of a parallel region (OpenMP 5.2 §10.1.1).

use core::num::NonZeroU32;

/// The inputs of the specification's algorithm for the size of a team, with its names.
#[derive(Clone, Copy, Debug)]
pub struct NumThreads {
    /// The value of the if clause; true without one.
    pub if_clause: bool,
    /// The value of the num_threads clause, if there is one.
    pub num_threads_clause: Option<NonZeroU32>,
    /// The first element of *nthreads-var*, at least 1.
    pub nthreads_var: u32,
    /// *dyn-var*.
    pub dyn_var: bool,
    /// *active-levels-var*: the number of enclosing parallel regions with more than one thread.
    pub active_levels_var: u32,
    /// *max-active-levels-var*.
    pub max_active_levels_var: u32,
    /// *thread-limit-var*, at least 1.
    pub thread_limit_var: u32,
    /// "the number of OpenMP threads currently executing in this contention group", the
    /// encountering thread included.
    pub threads_busy: u32,
    /// *num-procs-var*, to which the size of a team is limited if *dyn-var* is true.
    pub num_procs_var: u32,
}

/// The size of a team, and whether it is smaller than the program may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamSize {
    /// The number of threads of the team, the encountering one included: at least 1.
    pub threads: u32,
    /// The thread limit allowed fewer threads than requested while *dyn-var* was false. The
    /// specification leaves the behaviour to the runtime, which continues with fewer threads and
    /// prints a warning.
    pub limited: bool,
}

impl NumThreads {
    /// The specification's "ThreadsRequested": the value of the clause, otherwise *nthreads-var*.
    #[must_use]
    #[inline]
    pub fn requested(&self) -> u32 {
        self.num_threads_clause.map_or(self.nthreads_var, NonZeroU32::get)
    }

    /// The size of the team, by the specification's algorithm 10.1.
    #[must_use]
    #[inline]
    pub fn team_size(&self) -> TeamSize {
        let requested = self.requested();
        // "if (IfClauseValue = false) then number of threads = 1;
        //  else if (active-levels-var ≥ max-active-levels-var) then number of threads = 1"
        if !self.if_clause || self.active_levels_var >= self.max_active_levels_var {
            return TeamSize { threads: 1, limited: false };
        }
        // "let ThreadsAvailable = (thread-limit-var - ThreadsBusy + 1)"
        let others_busy = self.threads_busy.saturating_sub(1);
        let available = self.thread_limit_var.saturating_sub(others_busy).max(1);
        if self.dyn_var {
            // "1 ≤ number of threads ≤ ThreadsRequested" or "≤ ThreadsAvailable": no more threads
            // than processors.
            let threads = requested.min(available).min(self.num_procs_var.max(1));
            TeamSize { threads, limited: false }
        } else {
            // "if (dyn-var = false) and (ThreadsRequested ≤ ThreadsAvailable) then number of
            //  threads = ThreadsRequested; else if (dyn-var = false) and (ThreadsRequested >
            //  ThreadsAvailable) then behavior is implementation defined"
            TeamSize { threads: requested.min(available), limited: requested > available }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NumThreads, TeamSize};
    use core::num::NonZeroU32;
    use proptest::prelude::{
        Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };

    const PLAIN: NumThreads = NumThreads {
        if_clause: true,
        num_threads_clause: None,
        nthreads_var: 4,
        dyn_var: false,
        active_levels_var: 0,
        max_active_levels_var: 1,
        thread_limit_var: u32::MAX,
        threads_busy: 1,
        num_procs_var: 2,
    };

    fn size(threads: u32) -> TeamSize {
        TeamSize { threads, limited: false }
    }

    #[test]
    fn nthreads_var_decides_without_a_clause() {
        assert_eq!(PLAIN.team_size(), size(4));
        let clause = NumThreads { num_threads_clause: NonZeroU32::new(7), ..PLAIN };
        assert_eq!(clause.team_size(), size(7));
    }

    #[test]
    fn a_false_if_clause_or_too_deep_a_level_serializes() {
        assert_eq!(NumThreads { if_clause: false, ..PLAIN }.team_size(), size(1));
        assert_eq!(NumThreads { active_levels_var: 1, ..PLAIN }.team_size(), size(1));
        assert_eq!(NumThreads { max_active_levels_var: 0, ..PLAIN }.team_size(), size(1));
    }

    #[test]
    fn the_thread_limit_counts_the_whole_contention_group() {
        let limited = NumThreads { thread_limit_var: 5, threads_busy: 3, ..PLAIN };
        assert_eq!(limited.team_size(), TeamSize { threads: 3, limited: true });
        assert_eq!(NumThreads { threads_busy: 2, ..limited }.team_size(), size(4));
        let exhausted = NumThreads { threads_busy: 9, ..limited };
        assert_eq!(exhausted.team_size(), TeamSize { threads: 1, limited: true });
    }

    #[test]
    fn dynamic_adjustment_takes_no_more_than_the_processors() {
        assert_eq!(NumThreads { dyn_var: true, ..PLAIN }.team_size(), size(2));
    }

    fn number() -> impl Strategy<Value = u32> {
        prop_oneof![0_u32..9, any::<u32>(), Just(u32::MAX), Just(i32::MAX.cast_unsigned())]
    }

    proptest! {
        #[test]
        fn the_result_lies_within_the_specifications_bounds(
            if_clause: bool,
            clause in number(),
            nthreads in number(),
            dyn_var: bool,
            levels in number(),
            max_levels in number(),
            limit in number(),
            busy in number(),
            num_procs_var in number(),
        ) {
            let input = NumThreads {
                if_clause,
                num_threads_clause: NonZeroU32::new(clause),
                nthreads_var: nthreads.max(1),
                dyn_var,
                active_levels_var: levels,
                max_active_levels_var: max_levels,
                thread_limit_var: limit.max(1),
                threads_busy: busy.max(1),
                num_procs_var,
            };
            let TeamSize { threads, limited } = input.team_size();
            let available =
                (i64::from(limit.max(1)) - i64::from(busy.max(1)) + 1).clamp(1, 1 << 32);
            prop_assert!(threads >= 1);
            prop_assert!(threads <= input.requested());
            prop_assert!(i64::from(threads) <= available);
            if !if_clause || levels >= max_levels {
                prop_assert_eq!((threads, limited), (1, false));
            } else if !dyn_var {
                let fits = i64::from(input.requested()) <= available;
                prop_assert_eq!(limited, !fits);
                prop_assert!(!fits || threads == input.requested());
            }
        }
    }
}
