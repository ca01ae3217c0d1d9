//! The initial tasks that a thread is in.

/// The initial tasks that a thread is in: of leagues, and of target regions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InitialTasks {
    /// A bit for each, the innermost in the lowest place: 1 if the task belongs to a league.
    of_leagues: u64,
}

impl InitialTasks {
    pub(crate) const NONE: Self = Self { of_leagues: 0 };

    /// An initial task begins.
    pub(crate) fn begin(&mut self, of_league: bool) {
        self.of_leagues = self.of_leagues << 1 | u64::from(of_league);
    }

    /// The innermost one ends; returns whether it belongs to a league. The initial task that is the
    /// thread itself has no bit.
    pub(crate) fn end(&mut self) -> bool {
        let of_league = self.of_leagues & 1 != 0;
        self.of_leagues >>= 1;
        of_league
    }
}

#[cfg(test)]
mod tests {
    use super::InitialTasks;

    #[test]
    fn initial_tasks_end_in_the_reverse_order() {
        let mut tasks = InitialTasks::NONE;
        tasks.begin(true);
        tasks.begin(false);
        tasks.begin(true);
        assert_eq!([tasks.end(), tasks.end(), tasks.end()], [true, false, true]);
        assert!(!tasks.end(), "that of the thread itself");
    }
}
