//! Situations made by hand, and random ones against a model that lets every free thread act.

use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest,
};

use super::{Cause, Deadlock, Graph, Node};
use crate::sample::{barrier, critical, lock, task, taskwait, team, waits};
use crate::situation::{
    Activity, Member, Owner, Situation, TaskId, TaskState, ThreadId, ThreadKind, Turn, Wait,
};

fn held(thread: usize) -> Owner {
    Owner::Thread(ThreadId(thread))
}

fn node(thread: usize) -> Node {
    Node::Thread(ThreadId(thread))
}

fn stuck(situation: &Situation) -> Vec<usize> {
    Graph::new(situation).stuck().into_iter().map(|thread| thread.0).collect()
}

fn the_deadlock(situation: &Situation) -> Deadlock {
    let mut found = Graph::new(situation).deadlocks();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn two_locks_in_opposite_order_are_a_circle() {
    let mut it = team(3);
    waits(&mut it, 0, 21, lock("b", held(1)));
    waits(&mut it, 1, 22, lock("a", held(0)));
    assert_eq!(stuck(&it), [0, 1]);
    assert_eq!(the_deadlock(&it).circle, [node(0), node(1)]);
    // The third thread waits behind them: it is not a part of the circle.
    waits(&mut it, 2, 23, barrier(&[0, 1]));
    assert_eq!(stuck(&it), [0, 1, 2]);
    assert_eq!(the_deadlock(&it).nodes, [node(0), node(1)]);
}

#[test]
fn a_thread_may_wait_for_itself() {
    let mut it = team(2);
    waits(&mut it, 1, 21, lock("a", held(1)));
    assert_eq!(the_deadlock(&it).circle, [node(1)]);
    assert_eq!(the_deadlock(&it).cause, None);
}

#[test]
fn a_thread_that_awaits_the_end_of_another_may_hold_what_that_wants() {
    let mut it = team(2);
    waits(&mut it, 0, 21, Wait::End { of: ThreadId(1) });
    assert_eq!(stuck(&it), [0_usize; 0]);
    waits(&mut it, 1, 22, lock("a", held(0)));
    assert_eq!(the_deadlock(&it).circle, [node(0), node(1)]);
    waits(&mut it, 1, 22, lock("a", Owner::Unknown));
    assert_eq!(stuck(&it), [0_usize; 0]);
}

#[test]
fn a_holder_that_runs_may_release() {
    let mut it = team(3);
    waits(&mut it, 0, 21, lock("b", held(1)));
    waits(&mut it, 1, 22, lock("a", held(2)));
    assert_eq!(stuck(&it), [0_usize; 0]);
    assert_eq!(Graph::new(&it).deadlocks(), []);
}

#[test]
fn no_deadlock_follows_from_a_wait_that_may_be_over() {
    let mut it = team(2);
    waits(&mut it, 0, 21, lock("b", held(1)));
    waits(&mut it, 1, 22, lock("a", held(0)));
    it.threads[1].settled = false;
    assert_eq!(stuck(&it), [0_usize; 0]);
}

#[test]
fn the_holder_of_a_lock_may_have_ended() {
    let mut it = team(2);
    waits(&mut it, 0, 21, lock("a", Owner::Ended));
    assert_eq!(the_deadlock(&it).cause, Some(Cause::HeldByEnded));
    waits(&mut it, 0, 21, lock("a", Owner::Unknown));
    assert_eq!(stuck(&it), [0_usize; 0]);
    waits(&mut it, 0, 21, lock("a", Owner::NotFound));
    assert_eq!(stuck(&it), [0_usize; 0], "thread 1 may be the holder");
    waits(&mut it, 1, 22, barrier(&[0]));
    assert_eq!(the_deadlock(&it).cause, Some(Cause::HeldByNone));
}

#[test]
fn a_lock_held_by_an_idle_worker_is_free_no_more_once_no_thread_runs() {
    let mut it = team(2);
    waits(&mut it, 0, 21, lock("a", held(1)));
    it.threads[1].activity = Activity::Idle;
    assert_eq!(the_deadlock(&it).cause, Some(Cause::Idle(ThreadId(1))));
    let mut more = team(3);
    more.threads[..2].clone_from_slice(&it.threads);
    assert_eq!(stuck(&more), [0_usize; 0], "thread 2 may begin a region with the worker");
}

#[test]
fn a_critical_around_a_barrier() {
    let mut it = team(4);
    waits(&mut it, 0, 21, barrier(&[1, 2, 3]));
    for thread in 1..4 {
        waits(&mut it, thread, 20, critical("update", held(0)));
    }
    let deadlock = the_deadlock(&it);
    assert_eq!(deadlock.circle, [node(0), node(1)]);
    assert_eq!(deadlock.nodes.len(), 4);
}

#[test]
fn a_barrier_waits_for_all_missing_members() {
    let mut it = team(4);
    waits(&mut it, 0, 21, barrier(&[1, 2]));
    waits(&mut it, 1, 20, lock("a", held(1)));
    waits(&mut it, 3, 21, barrier(&[1, 2]));
    assert_eq!(stuck(&it), [0, 1, 3], "thread 2 runs, and its arrival is not enough");
    waits(&mut it, 1, 20, lock("a", held(2)));
    assert_eq!(stuck(&it), [0_usize; 0]);
}

#[test]
fn a_member_whose_thread_has_ended_never_arrives() {
    let mut it = team(2);
    let member = Member { number: 1, thread: None, has_ended: true };
    let wait = match barrier(&[]) {
        Wait::Barrier { region, construct, tasks, .. } => {
            Wait::Barrier { region, construct, missing: vec![member], tasks }
        }
        other => other,
    };
    waits(&mut it, 0, 21, wait);
    assert_eq!(the_deadlock(&it).cause, Some(Cause::Ended(member)));
}

#[test]
fn threads_that_miss_the_same_are_in_one_deadlock() {
    let mut it = team(3);
    let member = Member { number: 2, thread: None, has_ended: true };
    for thread in 0..2 {
        waits(&mut it, thread, 21, barrier(&[2]));
        if let Activity::Waits(Wait::Barrier { missing, .. }) = &mut it.threads[thread].activity {
            *missing = vec![member];
        }
    }
    assert_eq!(the_deadlock(&it).nodes, [node(0), node(1)]);
}

#[test]
fn a_worker_that_has_been_woken_may_be_on_its_way_into_the_region() {
    let mut it = team(2);
    waits(&mut it, 0, 21, barrier(&[1]));
    it.threads[1].activity = Activity::Idle;
    assert_eq!(the_deadlock(&it).cause, Some(Cause::Idle(ThreadId(1))));
    it.threads[1].settled = false;
    assert_eq!(stuck(&it), [0_usize; 0]);
}

#[test]
fn a_taskwait_in_a_critical_that_the_child_wants() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::On(ThreadId(1))));
    it.threads[1].tasks = vec![TaskId(0)];
    waits(&mut it, 0, 18, taskwait(&[0]));
    waits(&mut it, 1, 16, critical("c", held(0)));
    let circle = the_deadlock(&it).circle;
    assert_eq!(circle, [node(0), Node::Task(TaskId(0)), node(1)]);
}

#[test]
fn a_ready_task_begins_where_a_thread_waits_for_it() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::Ready));
    waits(&mut it, 0, 18, taskwait(&[0]));
    waits(&mut it, 1, 16, lock("a", held(1)));
    assert_eq!(stuck(&it), [1], "thread 0 itself may execute its child");
}

#[test]
fn a_thread_executes_descendants_of_its_task_while_it_waits_for_tasks() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::On(ThreadId(0))));
    it.tasks.push(task(16, TaskState::Ready));
    it.tasks[1].block = 1;
    it.threads[0].tasks = vec![TaskId(0)];
    waits(&mut it, 0, 18, taskwait(&[1]));
    waits(&mut it, 1, 16, lock("a", held(1)));
    assert_eq!(stuck(&it), [0, 1], "the ready task does not descend from that of thread 0");
    it.tasks[1].ancestors = None;
    assert_eq!(stuck(&it), [1]);
    it.tasks[1].ancestors = Some(vec![0]);
    assert_eq!(stuck(&it), [1]);
}

#[test]
fn a_ready_task_that_no_thread_may_execute_is_part_of_the_circle() {
    let mut it = team(3);
    // Thread 1 waits for the end of a task that thread 2 generated; both others wait for locks.
    it.tasks.push(task(15, TaskState::Ready));
    it.tasks[0].root = Some(ThreadId(2));
    it.tasks.push(task(16, TaskState::Blocked(vec![TaskId(0)])));
    it.tasks[1].root = Some(ThreadId(1));
    waits(&mut it, 0, 18, lock("a", held(1)));
    waits(&mut it, 1, 19, taskwait(&[1]));
    waits(&mut it, 2, 20, lock("a", held(1)));
    assert_eq!(stuck(&it), [0, 1, 2]);
    // A thread in a barrier of the team may execute any task.
    waits(&mut it, 0, 18, barrier(&[1, 2]));
    assert_eq!(stuck(&it), [0_usize; 0]);
}

#[test]
fn an_event_is_fulfilled_by_any_thread_that_goes_on() {
    let mut it = team(2);
    it.tasks.push(task(15, TaskState::Detached));
    it.tasks.push(task(16, TaskState::Blocked(vec![TaskId(0)])));
    waits(&mut it, 0, 18, taskwait(&[1]));
    waits(&mut it, 1, 19, barrier(&[0]));
    assert_eq!(the_deadlock(&it).cause, Some(Cause::Unfulfilled(TaskId(0))));
    it.threads[1].activity = Activity::Runs;
    it.threads[1].kind = ThreadKind::Foreign;
    assert_eq!(stuck(&it), [0_usize; 0], "a thread of the program may fulfil the event");
}

#[test]
fn turns_are_given_by_one_of_several_threads() {
    let mut it = team(3);
    let turn = |turn| Wait::Turn { what: "for iteration 3".to_owned(), turn, is_polled: true };
    waits(&mut it, 0, 18, turn(Turn::OneOf(vec![ThreadId(1), ThreadId(2)])));
    waits(&mut it, 1, 19, barrier(&[0, 2]));
    assert_eq!(stuck(&it), [0_usize; 0]);
    waits(&mut it, 2, 19, barrier(&[0]));
    assert_eq!(stuck(&it), [0, 1, 2]);
    waits(&mut it, 0, 18, turn(Turn::Nobody));
    assert_eq!(the_deadlock(&it).cause, Some(Cause::NobodysTurn));
}

#[test]
fn chains_are_followed_in_any_order() {
    let count = 100_000_usize;
    for is_forward in [true, false] {
        let mut it = team(1);
        for number in 0..count {
            let before = if is_forward { number.checked_sub(1) } else { Some(number + 1) };
            let before = before.filter(|before| *before < count).map(TaskId);
            it.tasks.push(task(15, TaskState::Blocked(before.into_iter().collect())));
        }
        let last = if is_forward { count - 1 } else { 0 };
        waits(&mut it, 0, 18, taskwait(&[last]));
        // With passes over all tasks, one of the two orders takes ten thousand million steps.
        assert_eq!(stuck(&it), [0_usize; 0]);
    }
}

#[test]
fn long_chains_need_no_stack() {
    let mut it = team(1);
    let count = 100_000;
    for number in 0..count {
        let next = (number + 1) % count;
        it.tasks.push(task(15, TaskState::Blocked(vec![TaskId(next)])));
    }
    waits(&mut it, 0, 18, taskwait(&[0]));
    assert_eq!(the_deadlock(&it).nodes.len(), count);
}

/// Lets every free thread do all that it could: release mutexes, arrive, end tasks, give turns.
/// Returns the threads that wait for ever.
fn play(mut it: Situation) -> Vec<usize> {
    let is_free = |it: &Situation, thread: usize| match &it.threads[thread].activity {
        Activity::Runs | Activity::Unknown => true,
        Activity::Idle | Activity::Waits(_) if !it.threads[thread].settled => true,
        Activity::Idle => false,
        Activity::Waits(wait) => match wait {
            Wait::Mutex(mutex) => matches!(mutex.owner, Owner::Free | Owner::Unknown),
            Wait::Barrier { missing, tasks, .. } => missing.is_empty() && tasks.is_empty(),
            Wait::End { .. } => false,
            Wait::Tasks { tasks, .. } => tasks.is_empty(),
            Wait::Turn { turn, .. } => *turn == Turn::Unknown,
            Wait::Other(_) => true,
        },
    };
    let mut over = vec![false; it.tasks.len()];
    let mut someone_acts = false;
    loop {
        let before = (it.clone(), over.clone());
        for thread in 0..it.threads.len() {
            if is_free(&it, thread) && it.threads[thread].activity != Activity::Runs {
                it.threads[thread].activity = Activity::Runs;
            }
        }
        someone_acts |= it.threads.iter().any(|thread| thread.activity == Activity::Runs);
        if someone_acts {
            // It may begin a region with the idle ones, and fulfil every event.
            for thread in &mut it.threads {
                if thread.activity == Activity::Idle {
                    thread.activity = Activity::Runs;
                }
            }
        }
        for task in 0..it.tasks.len() {
            let runs = |thread: &ThreadId| it.threads[thread.0].activity == Activity::Runs;
            let ends = match &it.tasks[task].state {
                TaskState::On(thread) => runs(thread),
                TaskState::Ready => (0..it.threads.len()).any(|thread| {
                    // Teams of the random situations contain all threads.
                    let root = it.tasks[task].root == Some(ThreadId(thread));
                    match &it.threads[thread].activity {
                        Activity::Runs | Activity::Idle => true,
                        Activity::Waits(Wait::Barrier { .. }) => true,
                        Activity::Waits(Wait::Tasks { .. }) => root,
                        _ => false,
                    }
                }),
                TaskState::Blocked(tasks) => tasks.iter().all(|task| over[task.0]),
                TaskState::Detached => someone_acts,
                TaskState::OnDevice | TaskState::Unknown => true,
            };
            over[task] |= ends;
            someone_acts |= ends;
        }
        let settled: Vec<bool> = it.threads.iter().map(|one| one.settled).collect();
        let free: Vec<bool> = it.threads.iter().map(|one| one.activity == Activity::Runs).collect();
        for thread in &mut it.threads {
            match &mut thread.activity {
                Activity::Waits(Wait::Mutex(mutex)) => match mutex.owner {
                    Owner::Thread(owner) if free[owner.0] => mutex.owner = Owner::Free,
                    Owner::NotFound if someone_acts => mutex.owner = Owner::Free,
                    _ => {}
                },
                Activity::Waits(Wait::End { of }) if free[of.0] => thread.activity = Activity::Runs,
                Activity::Waits(Wait::Barrier { missing, tasks, .. }) => {
                    missing.retain(|member| {
                        let is_free = member.thread.is_some_and(|thread| free[thread.0]);
                        let may_come = member.thread.is_some_and(|thread| !settled[thread.0]);
                        !(may_come || is_free)
                    });
                    tasks.retain(|task| !over[task.0]);
                }
                Activity::Waits(Wait::Tasks { tasks, .. }) => tasks.retain(|task| !over[task.0]),
                Activity::Waits(Wait::Turn { turn, .. }) => {
                    if let Turn::OneOf(threads) = turn
                        && threads.iter().any(|thread| free[thread.0])
                    {
                        *turn = Turn::Unknown;
                    }
                }
                _ => {}
            }
        }
        if before == (it.clone(), over.clone()) {
            let waits = |thread: &usize| it.threads[*thread].wait().is_some();
            return (0..it.threads.len()).filter(waits).collect();
        }
    }
}

const THREADS: usize = 5;
const TASKS: usize = 4;

fn a_thread() -> impl Strategy<Value = usize> {
    0..THREADS
}

fn some_tasks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..TASKS, 0..3)
}

fn an_owner() -> impl Strategy<Value = Owner> {
    prop_oneof![
        6 => a_thread().prop_map(held),
        1 => Just(Owner::Ended),
        1 => Just(Owner::Free),
        1 => Just(Owner::Unknown),
        1 => Just(Owner::NotFound),
    ]
}

fn an_activity() -> impl Strategy<Value = Activity> {
    let members = prop::collection::vec((a_thread(), prop::bool::weighted(0.1)), 0..4);
    let at_barrier = (members, some_tasks()).prop_map(|(members, waits_for)| {
        let mut wait = barrier(&members.iter().map(|(thread, _)| *thread).collect::<Vec<_>>());
        if let Wait::Barrier { missing, tasks, .. } = &mut wait {
            for (member, (_, has_ended)) in missing.iter_mut().zip(&members) {
                member.has_ended = *has_ended;
                member.thread = member.thread.filter(|_| !has_ended);
            }
            *tasks = waits_for.into_iter().map(TaskId).collect();
        }
        wait
    });
    let turn = prop_oneof![
        4 => prop::collection::vec(a_thread().prop_map(ThreadId), 1..3).prop_map(Turn::OneOf),
        1 => Just(Turn::Nobody),
        1 => Just(Turn::Unknown),
    ];
    let wait = prop_oneof![
        4 => an_owner().prop_map(|owner| lock("a", owner)),
        4 => at_barrier,
        2 => a_thread().prop_map(|thread| Wait::End { of: ThreadId(thread) }),
        3 => some_tasks().prop_map(|tasks| taskwait(&tasks)),
        2 => turn.prop_map(|turn| Wait::Turn { what: "for an iteration".to_owned(), turn, is_polled: true }),
    ];
    prop_oneof![
        1 => Just(Activity::Runs),
        1 => Just(Activity::Idle),
        10 => wait.prop_map(Activity::Waits),
    ]
}

fn a_task() -> impl Strategy<Value = (TaskState, usize)> {
    let state = prop_oneof![
        3 => a_thread().prop_map(|thread| TaskState::On(ThreadId(thread))),
        2 => Just(TaskState::Ready),
        3 => prop::collection::vec((0..TASKS).prop_map(TaskId), 1..3).prop_map(TaskState::Blocked),
        2 => Just(TaskState::Detached),
    ];
    (state, a_thread())
}

fn a_situation() -> impl Strategy<Value = Situation> {
    let threads = prop::collection::vec((an_activity(), prop::bool::weighted(0.95)), THREADS);
    let tasks = prop::collection::vec(a_task(), TASKS);
    (threads, tasks, any::<bool>()).prop_map(|(threads, tasks, all_wait)| {
        let mut it = team(THREADS);
        for (thread, (activity, settled)) in it.threads.iter_mut().zip(threads) {
            // Half of the situations have no thread that runs: events depend on that.
            let becomes_idle = all_wait && activity == Activity::Runs;
            thread.activity = if becomes_idle { Activity::Idle } else { activity };
            thread.settled = settled || all_wait;
        }
        for (state, root) in tasks {
            it.tasks.push(task(15, state));
            if let Some(task) = it.tasks.last_mut() {
                task.root = Some(ThreadId(root));
            }
        }
        it
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn exactly_those_are_stuck_that_no_free_thread_can_move(it in a_situation()) {
        prop_assert_eq!(stuck(&it), play(it.clone()));
    }

    #[test]
    fn every_stuck_thread_is_explained(it in a_situation()) {
        let graph = Graph::new(&it);
        let deadlocks = graph.deadlocks();
        prop_assert_eq!(graph.stuck().is_empty(), deadlocks.is_empty());
        for deadlock in &deadlocks {
            for (at, node) in deadlock.circle.iter().enumerate() {
                let next = deadlock.circle[(at + 1) % deadlock.circle.len()];
                let edges = graph.held_by(*node);
                let follows = edges.contains(&super::Edge::To(next));
                let misses = deadlock.cause.is_some_and(|cause| {
                    edges.contains(&super::Edge::Missing(cause))
                });
                prop_assert_eq!(follows || misses, true, "{:?} {:?}", node, edges);
            }
        }
    }
}
