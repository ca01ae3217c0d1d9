//! The text of situations made by hand.

use oxomp_text::Style;

use super::{render, verdict};
use crate::sample::{barrier, critical, lock, place, task, taskwait, team, thread, waits};
use crate::situation::{
    Activity, Frame, Mutex, MutexKind, Owner, Region, RegionId, RegionKind, Situation, Stands,
    TaskId, TaskState, ThreadId, ThreadKind, Turn, Wait,
};

fn held(thread: usize) -> Owner {
    Owner::Thread(ThreadId(thread))
}

fn lines(situation: &Situation) -> Vec<String> {
    let style = Style { width: 80, ..Style::plain() };
    let text = render(&verdict(situation), "Process 7", situation, style);
    text.lines().map(str::to_owned).collect()
}

fn foreign(number: usize, stands: Stands) -> crate::situation::Thread {
    let mut thread = thread(number, RegionId(0), Activity::Runs);
    thread.number = None;
    thread.member = None;
    thread.kind = ThreadKind::Foreign;
    thread.stands = stands;
    thread
}

#[test]
fn two_locks_in_opposite_order_and_a_thread_behind_them() {
    let mut it = team(3);
    waits(&mut it, 0, 21, lock("b", held(1)));
    waits(&mut it, 1, 22, lock("a", held(0)));
    waits(&mut it, 2, 30, barrier(&[0, 1]));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 0 waits for lock b at app.c:21, which thread 1 holds; thread 1",
            "waits for lock a at app.c:22, which thread 0 holds.",
            "Thread 2 waits behind that.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 3 threads",
            "  thread 0 (lwp 100) at app.c:21 in work: waits for lock b, which thread 1 holds",
            "  thread 1 (lwp 101) at app.c:22 in work: waits for lock a, which thread 0 holds",
            "  thread 2 (lwp 102) at app.c:30 in work: waits at the barrier for threads 0 and",
            "      1",
        ]
    );
}

#[test]
fn a_critical_around_a_barrier() {
    let mut it = team(4);
    waits(&mut it, 0, 21, barrier(&[1, 2, 3]));
    for thread in 1..4 {
        waits(&mut it, thread, 20, critical("update", held(0)));
    }
    it.threads[0].path.push(Frame { place: place(12, "main"), calls: None });
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 0 waits at the barrier at app.c:21 for threads 1-3; threads 1-3",
            "wait for critical(update) at app.c:20, which thread 0 holds.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 4 threads",
            "  thread 0 (lwp 100) at app.c:21 in work: waits at the barrier for threads 1-3",
            "    from app.c:12 in main",
            "  threads 1-3 at app.c:20 in work: waits for critical(update), which thread 0",
            "      holds",
        ]
    );
}

#[test]
fn a_thread_that_waits_for_itself() {
    let mut it = team(2);
    waits(&mut it, 1, 20, lock("a", held(1)));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 1 waits for lock a at app.c:20, which it holds itself.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 2 threads",
            "  thread 0 (lwp 100) at app.c:20 in work",
            "  thread 1 (lwp 101) at app.c:20 in work: waits for lock a, which it holds",
            "      itself",
        ]
    );
}

#[test]
fn mutexes_of_posix_and_the_end_of_a_thread() {
    let mutex = |kind, name: Option<&str>, owner| {
        Wait::Mutex(Mutex { kind, address: 0x4040, name: name.map(str::to_owned), owner })
    };
    let mut it = team(3);
    waits(&mut it, 0, 21, mutex(MutexKind::Pthread, Some("guard"), held(1)));
    waits(&mut it, 1, 22, mutex(MutexKind::ReaderWriter, None, held(2)));
    waits(&mut it, 2, 23, Wait::End { of: ThreadId(0) });
    assert_eq!(
        verdict(&it),
        ["Deadlock: thread 0 waits for pthread mutex guard at app.c:21, which thread 1 holds; \
          thread 1 waits for the pthread read-write lock at 0x4040 at app.c:22, which thread 2 \
          holds; thread 2 waits for the end of thread 0 at app.c:23 (pthread_join)."]
    );
}

#[test]
fn a_taskwait_in_a_critical() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::On(ThreadId(1))));
    it.threads[1].tasks = vec![TaskId(0)];
    waits(&mut it, 0, 18, taskwait(&[0]));
    waits(&mut it, 1, 16, critical("c", held(0)));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 0 waits at the taskwait at app.c:18 for the task at app.c:15;",
            "the task at app.c:15 is executed by thread 1; thread 1 waits for critical(c) at",
            "app.c:16, which thread 0 holds.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 2 threads",
            "  thread 0 (lwp 100) at app.c:18 in work: waits at the taskwait for the task at",
            "      app.c:15",
            "  thread 1 (lwp 101) at app.c:16 in work: waits for critical(c), which thread 0",
            "      holds",
            "  task at app.c:15 in main: is executed by thread 1",
        ]
    );
}

#[test]
fn an_event_that_no_thread_fulfils() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::Detached));
    it.tasks.push(task(16, TaskState::Blocked(vec![TaskId(0)])));
    waits(&mut it, 0, 18, taskwait(&[1]));
    waits(&mut it, 1, 19, barrier(&[0]));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 0 waits at the taskwait at app.c:18 for the task at app.c:16;",
            "the task at app.c:16 depends on the task at app.c:15; the task at app.c:15 is",
            "over, but its event is not fulfilled (omp_fulfill_event); no thread is left that",
            "could fulfil it.",
            "Thread 1 waits behind that.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 2 threads",
            "  thread 0 (lwp 100) at app.c:18 in work: waits at the taskwait for the task at",
            "      app.c:16",
            "  thread 1 (lwp 101) at app.c:19 in work: waits at the barrier for thread 0",
            "  task at app.c:15 in main: is over, but its event is not fulfilled",
            "      (omp_fulfill_event)",
            "  task at app.c:16 in main: depends on the task at app.c:15",
        ]
    );
}

#[test]
fn a_thread_that_may_act_and_idle_workers() {
    let mut it = team(4);
    for thread in 0..3 {
        waits(&mut it, thread, 20, barrier(&[3]));
    }
    it.threads[3].stands = Stands::SystemCall("read()".to_owned());
    for number in 4..16 {
        let mut idle = thread(number, RegionId(0), Activity::Idle);
        idle.member = None;
        it.threads.push(idle);
    }
    it.threads.push(foreign(16, Stands::SystemCall("poll()".to_owned())));
    assert_eq!(
        lines(&it),
        [
            "No deadlock found: threads 0-2 wait for thread 3, which is at app.c:20 in work,",
            "in read().",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 4 threads",
            "  threads 0-2 at app.c:20 in work: waits at the barrier for thread 3",
            "  thread 3 (lwp 103) at app.c:20 in work, in read()",
            "12 workers idle",
            "other thread (lwp 116) at app.c:20 in work, in poll()",
        ]
    );
}

#[test]
fn an_iteration_that_none_of_several_threads_posts() {
    let mut it = team(3);
    let turn = Turn::OneOf(vec![ThreadId(1), ThreadId(2)]);
    waits(&mut it, 0, 18, Wait::Turn { what: "for iteration 3".to_owned(), turn, is_polled: true });
    waits(&mut it, 1, 19, barrier(&[0, 2]));
    waits(&mut it, 2, 19, barrier(&[0]));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 0 waits for iteration 3 at app.c:18, which one of threads 1 and",
            "2 has to give; thread 1 waits at the barrier at app.c:19 for threads 0 and 2;",
            "thread 2 waits at the barrier at app.c:19 for thread 0.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 3 threads",
            "  thread 0 (lwp 100) at app.c:18 in work: waits for iteration 3, which one of",
            "      threads 1 and 2 has to give",
            "  thread 1 (lwp 101) at app.c:19 in work: waits at the barrier for threads 0 and",
            "      2",
            "  thread 2 (lwp 102) at app.c:19 in work: waits at the barrier for thread 0",
        ]
    );
}

#[test]
fn nested_regions_number_their_threads_by_level() {
    let mut it = team(3);
    it.regions.push(Region {
        kind: RegionKind::Parallel,
        size: 2,
        parent: Some(RegionId(1)),
        encountered_by: Some(1),
        place: Some(place(14, "inner")),
        members: vec![Some(ThreadId(1)), Some(ThreadId(3))],
    });
    it.threads.push(thread(3, RegionId(2), Activity::Runs));
    it.threads[1].member = Some((RegionId(2), 0));
    it.threads[3].member = Some((RegionId(2), 1));
    waits(&mut it, 3, 16, lock("a", held(2)));
    waits(&mut it, 2, 16, lock("b", held(3)));
    waits(&mut it, 0, 16, barrier(&[1, 2]));
    assert_eq!(
        lines(&it),
        [
            "Deadlock: thread 2 waits for lock b at app.c:16, which thread 1.1 holds; thread",
            "1.1 waits for lock a at app.c:16, which thread 2 holds.",
            "Thread 0 waits behind that.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 3 threads",
            "  thread 0 (lwp 100) at app.c:16 in work: waits at the barrier for thread 2 and",
            "      thread 1.0",
            "  thread 2 (lwp 102) at app.c:16 in work: waits for lock b, which thread 1.1",
            "      holds",
            "  parallel region at app.c:14 in inner, 2 threads, begun by member 1 of the",
            "      region around it",
            "    thread 1.0 (lwp 101) at app.c:20 in work",
            "    thread 1.1 (lwp 103) at app.c:16 in work: waits for lock a, which thread 2",
            "        holds",
        ]
    );
}

#[test]
fn many_threads_and_tasks_are_folded() {
    let mut it = team(64);
    for thread in 1..64 {
        waits(&mut it, thread, 40, barrier(&[0]));
    }
    for _ in 0..500 {
        it.tasks.push(task(15, TaskState::Ready));
    }
    it.unread.push("the tasks of one region could not be read".to_owned());
    assert_eq!(
        lines(&it),
        [
            "No deadlock found: threads 1-63 wait for thread 0, which is at app.c:20 in work.",
            "",
            "Process 7",
            "parallel region at app.c:10 in main, 64 threads",
            "  thread 0 (lwp 100) at app.c:20 in work",
            "  threads 1-63 at app.c:40 in work: waits at the barrier for thread 0",
            "  500 × task at app.c:15 in main: is ready for any thread of the team that comes",
            "      to a task scheduling point",
            "The tasks of one region could not be read",
        ]
    );
}

#[test]
fn threads_that_wait_in_no_construct_are_told_by_their_places() {
    let mut it = team(8);
    waits(&mut it, 0, 30, barrier(&[1, 2, 3, 4, 5, 6, 7]));
    for thread in &mut it.threads[1..] {
        thread.stands = Stands::SystemCall("futex()".to_owned());
    }
    assert_eq!(
        verdict(&it),
        ["No deadlock found: thread 0 waits for threads 1-7, which are at app.c:20 in work, in \
          futex()."]
    );
    it.threads[1].stands = Stands::Code;
    assert_eq!(
        verdict(&it),
        ["No deadlock found: thread 0 waits for thread 1, which is at app.c:20 in work, and \
          threads 2-7, which are at app.c:20 in work, in futex()."]
    );
    // A thread of which nothing but its place is known need not work.
    for (thread, line) in it.threads[1..].iter_mut().zip(40..) {
        thread.path[0].place = place(line, "work");
    }
    assert_eq!(
        verdict(&it),
        ["No deadlock found: thread 0 waits for threads 1-7, which wait in no OpenMP construct."]
    );
    let mut it = team(8);
    assert_eq!(
        verdict(&it),
        ["No thread waits in an OpenMP construct: threads 0-7 are at app.c:20 in work."]
    );
    it.threads[7].stands = Stands::SystemCall("read()".to_owned());
    assert_eq!(
        verdict(&it),
        ["No thread waits in an OpenMP construct: threads 0-6 are at app.c:20 in work; thread 7 \
          is at app.c:20 in work, in read()."]
    );
}

#[test]
fn a_crash_is_told_first() {
    let mut it = team(2);
    it.threads[1].stands = Stands::Signal("SIGSEGV".to_owned());
    assert_eq!(verdict(&it), ["Thread 1 is at app.c:20 in work, stopped by SIGSEGV."]);
    waits(&mut it, 0, 30, barrier(&[1]));
    assert_eq!(
        verdict(&it),
        ["Thread 1 is at app.c:20 in work, stopped by SIGSEGV. No deadlock found: thread 0 waits \
          for thread 1, which is at app.c:20 in work, stopped by SIGSEGV."]
    );
}

#[test]
fn members_that_are_gone_are_told_apart() {
    let mut it = team(4);
    waits(&mut it, 0, 30, barrier(&[1, 2, 3]));
    for thread in 1..3 {
        it.threads[thread].activity = Activity::Idle;
    }
    if let Activity::Waits(Wait::Barrier { missing, .. }) = &mut it.threads[0].activity {
        missing[2].thread = None;
        missing[2].has_ended = true;
    }
    assert_eq!(
        verdict(&it),
        [
            "Deadlock: thread 0 waits at the barrier at app.c:30 for threads 1 and 2, which have left \
          the region and thread 3, which has ended."
        ]
    );
}
