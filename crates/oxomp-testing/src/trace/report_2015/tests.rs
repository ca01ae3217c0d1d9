//! A right log, and one with each mistake.

use super::check;
use crate::trace::log::parse;

const PROGRAM: &str = "\
0 thread_begin type=initial thread_id=own
0 initial_task_begin task=t1
0 parallel_begin parallel=p1 parent=t1 requested=2 invoker=runtime
1 thread_begin type=worker thread_id=own
1 idle_begin thread_id=own
1 idle_end thread_id=own
0 implicit_task_begin parallel=p1 task=t2
+ parallel_info level=0 parallel=p1 size=2
1 implicit_task_begin parallel=p1 task=t3
+ parallel_info level=0 parallel=p1 size=2
0 wait_critical wait_id=w1
0 acquired_critical wait_id=w1
0 release_critical wait_id=w1
0 init_nest_lock wait_id=w2 hint=0 type=1
0 acquired_nest_lock_first wait_id=w2
0 acquired_nest_lock_next wait_id=w2
0 release_nest_lock_prev wait_id=w2
0 release_nest_lock_last wait_id=w2
0 destroy_nest_lock wait_id=w2
0 task_begin task=t4 parent=t2
0 task_switch first=t2 second=t4
0 task_end task=t4
0 task_switch first=zero second=t2
0 barrier_begin parallel=p1 task=t2 codeptr=null
0 wait_barrier_begin parallel=p1 task=t2
0 wait_barrier_end parallel=p1 task=t2
0 barrier_end parallel=p1 task=t2
0 implicit_task_end parallel=p1 task=t2
1 implicit_task_end parallel=p1 task=t3
1 idle_begin thread_id=own
0 parallel_end parallel=p1 task=t1 invoker=runtime
1 idle_end thread_id=own
1 thread_end type=worker thread_id=own
0 initial_task_end task=t1
0 thread_end type=initial thread_id=own
0 runtime_shutdown";

fn checked(events: &str) -> Result<(), String> {
    let mut text = String::from("# set_callback parallel_begin always\n");
    let mut count = 0;
    for line in events.lines() {
        match line.starts_with('+') {
            true => text += &format!("{line}\n"),
            false => {
                text += &format!("{count} thread={line}\n");
                count += 1;
            }
        }
    }
    text += &format!("# end events={count} dropped=0\n");
    check(&parse(&text).expect("a right log"))
}

#[test]
fn a_right_log_passes() {
    assert_eq!(checked(PROGRAM), Ok(()));
}

#[test]
fn each_rule_has_an_effect() {
    for (from, to, wanted) in [
        ("task_begin task=t4", "task_begin task=zero", "task is zero"),
        ("0 thread_begin type=initial thread_id=own\n", "", "first event"),
        ("idle_begin thread_id=own", "idle_begin thread_id=wrong", "not the thread's id"),
        (
            "1 idle_end thread_id=own\n0 impl",
            "1 flush thread_id=own\n0 impl",
            "while the thread idles",
        ),
        ("1 idle_begin thread_id=own\n1 idle_end thread_id=own\n0 i", "0 i", "does not idle"),
        ("1 idle_begin thread_id=own\n0 par", "0 par", "does not idle"),
        ("type=worker thread_id=own\n0", "type=other thread_id=own\n0", "another type"),
        ("1 thread_end type=worker thread_id=own\n", "", "has no end"),
        ("\n0 runtime_shutdown", "", "is not the shutdown"),
        (
            "0 runtime_shutdown",
            "0 runtime_shutdown\n0 flush thread_id=own",
            "after the thread's end",
        ),
        ("parent=t1", "parent=t9", "not the task of its begin"),
        ("task=t1 invoker=runtime", "task=t1 invoker=program", "another invoker"),
        ("parallel=p1 task=t3\n+", "parallel=p9 task=t3\n+", "has not begun"),
        (
            "1 implicit_task_begin parallel=p1 task=t3",
            "1 implicit_task_begin parallel=p1 task=t2",
            "begins twice",
        ),
        (
            "task=t3\n+ parallel_info level=0 parallel=p1 size=2",
            "task=t3\n+ parallel_info level=0 parallel=p1 size=3",
            "two sizes",
        ),
        ("requested=2", "requested=1", "more threads"),
        (
            "1 implicit_task_end parallel=p1",
            "1 implicit_task_end parallel=p2",
            "not the region of its begin",
        ),
        ("0 task_end task=t4\n", "", "does not end"),
        ("0 initial_task_end task=t1\n", "", "does not end"),
        ("second=t4", "second=t8", "has not begun"),
        ("parent=t2", "parent=t9", "not the task that the thread executes"),
        ("task_switch first=t2", "task_switch first=zero", "has not completed"),
        ("task_switch first=zero", "task_switch first=t4", "completed is suspended"),
        ("0 barrier_end parallel=p1", "0 barrier_end parallel=p7", "not the region that"),
        (
            "wait_barrier_end parallel=p1 task=t2",
            "wait_barrier_end parallel=p2 task=t2",
            "not the region that",
        ),
        ("0 barrier_end parallel=p1 task=t2\n", "", "inside a construct"),
        ("0 wait_barrier_end parallel=p1 task=t2\n", "", "an end without its begin"),
        ("0 acquired_critical wait_id=w1", "0 acquired_critical wait_id=w3", "something else"),
        ("0 acquired_critical wait_id=w1\n", "", "does not get what it waits for"),
        ("0 release_critical wait_id=w1\n", "", "does not release the critical"),
        ("init_nest_lock wait_id=w2", "init_lock wait_id=w2", "not initialized"),
        ("acquired_nest_lock_next", "acquired_nest_lock_first", "owns it already"),
        ("release_nest_lock_prev", "release_nest_lock_last", "not what the task acquired"),
    ] {
        assert!(PROGRAM.contains(from), "{from}");
        let error = checked(&PROGRAM.replacen(from, to, 1)).expect_err(wanted);
        assert!(error.contains(wanted), "{from}: {error}");
    }
}

#[test]
fn another_thread_may_complete_a_detached_task_at_any_time() {
    let (end, switch) = ("0 task_end task=t4\n", "0 task_switch first=zero second=t2\n");
    let both = format!("{end}{switch}");
    assert!(PROGRAM.contains(&both));
    let end = end.replacen('0', "1", 1);
    let suspended = switch.replace("zero", "t4");
    for way in [format!("{end}{switch}"), format!("{end}{suspended}"), format!("{suspended}{end}")]
    {
        assert_eq!(checked(&PROGRAM.replace(&both, &way)), Ok(()), "{way}");
    }
    let early = PROGRAM.replace(&both, &format!("{switch}{end}"));
    assert!(checked(&early).expect_err("it goes on").contains("has not completed"));
}

#[test]
fn any_thread_may_end_the_process() {
    assert_eq!(checked(&PROGRAM.replace("0 runtime_shutdown", "2 runtime_shutdown")), Ok(()));
}

#[test]
fn a_lock_belongs_to_a_task_or_to_a_thread() {
    let (release, switch) = ("0 release_nest_lock_last wait_id=w2\n", "second=t4\n");
    let without = PROGRAM.replace(release, "").replace("0 destroy_nest_lock wait_id=w2\n", "");
    let by = |thread: &str| {
        let release = release.replacen('0', thread, 1);
        checked(&without.replace(switch, &format!("{switch}{release}")))
    };
    assert_eq!(by("0"), Ok(()));
    assert!(by("1").expect_err("it owns nothing").contains("not what the task acquired"));
}
