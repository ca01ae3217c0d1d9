//! The parts of a stay in a barrier.

/// The parts of a stay from `begin` to `end`, without the ticks of the `tasks` that the thread
/// executed meanwhile: waiting for threads that had not arrived; from the `last` arrival on; and
/// waiting while `tasking`, the time in which tasks of the team were under way.
pub(super) fn stay(
    (begin, last, end): (u64, u64, u64),
    tasking: Option<(u64, u64)>,
    tasks: u64,
) -> [u64; 3] {
    let end = end.max(begin);
    let last = last.clamp(begin, end);
    let (from, until) = tasking.unwrap_or((end, end));
    let from = from.clamp(begin, end);
    let until = until.clamp(from, end);
    let common = |begin: u64, end: u64| end.min(until).saturating_sub(begin.max(from));
    let late = last - begin - common(begin, last);
    let cost = end - last - common(last, end);
    let mut tasks = tasks;
    // The thread's own tasks run while tasks are under way; the time of those that were only
    // counted is an estimate.
    let [starved, late, cost] = [until - from, late, cost].map(|part| {
        let own = tasks.min(part);
        tasks -= own;
        part - own
    });
    [late, cost, starved]
}

#[cfg(test)]
mod tests {
    use super::stay;

    #[test]
    fn without_tasks_the_last_arrival_divides() {
        assert_eq!(stay((10, 40, 45), None, 0), [30, 5, 0]);
        assert_eq!(stay((10, 5, 45), None, 0), [0, 35, 0], "the last one itself");
        assert_eq!(stay((10, 40, 45), None, 7), [23, 5, 0], "of tasks that were only counted");
    }

    #[test]
    fn while_tasks_are_under_way_a_thread_waits_for_them() {
        assert_eq!(stay((10, 40, 60), Some((20, 50)), 0), [10, 10, 30]);
        assert_eq!(stay((10, 40, 60), Some((20, 50)), 12), [10, 10, 18]);
        assert_eq!(stay((10, 40, 60), Some((0, 90)), 0), [0, 0, 50]);
        assert_eq!(stay((10, 40, 60), Some((70, 90)), 0), [30, 20, 0], "afterwards");
        assert_eq!(stay((10, 40, 60), Some((20, 50)), 35), [5, 10, 0], "nothing is lost");
    }
}
