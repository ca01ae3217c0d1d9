//! The first advice on tasks and on waits for them.

use oxomp_analysis::summary::{Gain, SiteId, Summary, TaskConstruct, Tasking};

use super::S;
use super::advice::{first_advice, of_region};

/// A region of two long tasks for which the other thread waits half a second.
fn of_tasks() -> Summary {
    let gain = Gain { starved_ns: S / 2, ..Gain::default() };
    let mut summary = of_region(gain, &[]);
    summary.regions[0].tasking = Some(Tasking {
        instances: 1,
        tasks: 2,
        work_ns: S,
        span_ns: S,
        longest_ns: S / 2,
        longest: Some(SiteId(1)),
        waits_ns: 2 * S,
        parallelism: [1.0; 10],
        ..Tasking::default()
    });
    summary.tasks = vec![TaskConstruct {
        site: Some(SiteId(1)),
        region: Some(SiteId(0)),
        count: 2,
        by_thread: vec![(0, 2)],
        time_ns: S,
        longest_ns: S / 2,
        depth: 1,
        waits_ns: 2 * S,
        ..TaskConstruct::default()
    }];
    summary
}

#[test]
fn undeferred_tasks_are_not_told_to_be_smaller_or_more() {
    let mut summary = of_tasks();
    assert!(!first_advice(&summary).contains("undeferred"));
    summary.tasks[0].undeferred = 2;
    let advice = first_advice(&summary);
    assert!(advice.contains("its 2 tasks (solver.c:140) are undeferred"), "{advice}");
    // Where some are queued, or where they are short, that is a cut-off.
    summary.tasks[0].undeferred = 1;
    assert!(!first_advice(&summary).contains("undeferred"));
    (summary.tasks[0].undeferred, summary.tasks[0].time_ns) = (2, 10_000);
    assert!(!first_advice(&summary).contains("undeferred"));
}

#[test]
fn tasks_whose_events_come_late_are_named() {
    let mut summary = of_tasks();
    summary.tasks[0].detached = 1;
    assert!(!first_advice(&summary).contains("the events of"), "they wait while tasks run");
    summary.tasks[0].waits_ns = 0;
    let advice = first_advice(&summary);
    let part = "the threads wait for the events of 1 task (solver.c:140), whose code is over";
    assert!(advice.contains(part), "{advice}");
    // Of which tasks ran meanwhile, only recorded events tell; and without them, how long any ran.
    summary.regions[0].tasking = None;
    assert!(!first_advice(&summary).contains("the events of"));
    summary.tasks[0].time_ns = S / 10;
    assert!(first_advice(&summary).contains(part), "{}", first_advice(&summary));
}

#[test]
fn waits_for_tasks_have_advice_however_many_instances_were_recorded() {
    let mut summary = of_tasks();
    let long = "the threads wait for one long task (solver.c:140) of 500.0 ms";
    // One of a hundred calls was recorded.
    assert_eq!(summary.regions[0].calls, 100);
    summary.tasks[0].count = 200;
    assert!(first_advice(&summary).contains(long), "{}", first_advice(&summary));
    let several = |summary: &mut Summary| {
        let tasking = summary.regions[0].tasking.as_mut().expect("tasks");
        (tasking.longest_ns, tasking.work_ns) = (S / 20, 2 * S);
    };
    several(&mut summary);
    let text = first_advice(&summary);
    let part =
        "2.0 of 4 threads have a task on average: more and smaller tasks (now 200 of 5.00 ms)";
    assert!(text.contains(part), "{text}");
    summary.regions[0].tasking = None;
    let text = first_advice(&summary);
    let part = "threads find no task that is ready: more and smaller tasks (now 200 of 5.00 ms)";
    assert!(text.contains(part), "{text}");
    // Of two constructs, the one whose tasks are longer keeps the others waiting.
    let mut short = summary.tasks[0].clone();
    (short.site, short.count, short.time_ns) = (Some(SiteId(0)), 100, S / 100);
    summary.tasks[0].count = 100;
    summary.tasks.push(short);
    let text = first_advice(&summary);
    assert!(text.contains("wait for each of 100 long tasks of 10.00 ms (solver.c:140)"), "{text}");
}
