//! What each thread waits for, and which thread or task holds it, with and without OMP_DEBUG.

use oxomp_debuggee::{
    AddressSpace, Barrier, Member, Mutex, Owner, Progress, Task, TaskInFlight, TasksInFlight,
    Thread, Wait,
};
use oxomp_ompd_layout::Field;
use oxomp_sys::ompt::ompt_state_t;
use oxomp_testing::compiler::Family;

use crate::debuggee::{Debuggee, PATIENCE, command, compile, space};
use crate::{FAMILIES, Facts};

/// The program `held`, in the waits of `what`.
struct Held {
    program: Debuggee,
    facts: Vec<Facts>,
    space: AddressSpace,
}

/// Calls `check` with the program in the waits of `what`, built by each compiler, with and without
/// OMP_DEBUG; its threads print `lines` lines.
fn each(what: &str, lines: usize, check: impl Fn(Family, &Held)) {
    each_held(what, lines, |family, held| {
        check(family, &held);
        held.program.finish();
    });
}

/// As `each`, for a program that does not end by itself: it is killed.
fn each_held(what: &str, lines: usize, check: impl Fn(Family, Held)) {
    for family in FAMILIES {
        for debug in ["enabled", "disabled"] {
            println!("{family:?} {what}, OMP_DEBUG={debug}");
            let variables = [("OMP_DEBUG", debug), ("OMP_NUM_THREADS", "3")];
            let mut command = command(&compile(family, "held"), &variables);
            let mut program = Debuggee::start(command.arg(what));
            let facts = (0..lines).map(|_| Facts::parse(&program.line())).collect();
            let space = space(program.pid());
            let held = Held { program, facts, space };
            check(family, held);
        }
    }
}

impl Held {
    fn fact(&self, role: &str) -> &Facts {
        self.facts.iter().find(|fact| fact.text("role") == role).expect(role)
    }

    fn thread(&self, role: &str) -> Thread {
        let lwp = self.fact(role).number("lwp");
        Thread::with_id(&self.space, Field::ThreadLwp, lwp).expect(role)
    }

    /// The wait of a thread, as soon as `wanted` accepts it.
    fn wait<T>(&self, role: &str, wanted: impl Fn(Wait) -> Option<T>) -> T {
        let start = std::time::Instant::now();
        loop {
            let wait = self.thread(role).wait(&self.space);
            if let Some(found) = wait.clone().ok().and_then(&wanted) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "{role} waits otherwise: {wait:?}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// The kind of the mutex for which a thread waits, its wait id and its owner.
    fn mutex(&self, role: &str) -> (Mutex, u64, Owner) {
        self.wait(role, |wait| match wait {
            Wait::Mutex { kind, wait_id, owner } => Some((kind, wait_id, owner)),
            _ => None,
        })
    }

    /// The current task of a thread.
    fn task(&self, role: &str) -> Task {
        self.thread(role).current_task(&self.space).expect("it has a task")
    }

    fn is_of(&self, member: &Member, role: &str) -> bool {
        member.thread == Some(self.thread(role))
    }

    /// Checks that `owner` is a frame of the thread `role`, a little above the frame that the
    /// thread printed.
    fn is_frame_of(&self, owner: Owner, role: &str) -> bool {
        let Owner::Frame(bits) = owner else { return false };
        let frame = self.fact(role).number("frame");
        let stack = frame - (1 << 16)..frame + (1 << 16);
        bits.address_in(stack).is_some()
    }
}

#[test]
fn mutexes_name_their_owner() {
    each("mutexes", 4, |_, held| {
        let (kind, wait_id, owner) = held.mutex("lock");
        assert_eq!((kind, wait_id), (Mutex::Lock, held.fact("lock").number("wait_id")));
        assert!(held.is_frame_of(owner, "holder"), "{owner:?}");
        let (kind, wait_id, owner) = held.mutex("nest_lock");
        assert_eq!((kind, wait_id), (Mutex::NestLock, held.fact("nest_lock").number("wait_id")));
        assert_eq!(owner, Owner::Task(held.task("holder")));
        let (kind, wait_id, owner) = held.mutex("critical");
        assert!(kind == Mutex::Critical && wait_id != 0);
        assert!(held.is_frame_of(owner, "holder"), "{owner:?}");
        assert_eq!(held.thread("holder").wait(&held.space), Ok(Wait::Nothing));
    });
}

#[test]
fn reductions_name_the_thread_that_combines() {
    each("reduction", 2, |family, held| {
        let (kind, wait_id, owner) = held.mutex("reduction");
        assert_ne!(wait_id, 0);
        if family == Family::Gcc {
            // gcc's code takes the mutex of atomics.
            assert_eq!(kind, Mutex::Atomic);
            assert!(held.is_frame_of(owner, "holder"), "{owner:?}");
        } else {
            assert_eq!((kind, owner), (Mutex::Reduction, Owner::Thread(held.thread("holder"))));
        }
        assert_eq!(held.thread("holder").wait(&held.space), Ok(Wait::Nothing));
    });
}

#[test]
fn a_tree_of_partial_results_names_the_member_that_is_missing() {
    each("tree", 4, |family, held| {
        if family == Family::Gcc {
            // gcc's code combines without the runtime.
            return;
        }
        for (role, awaited) in [("middle", "absent"), ("top", "middle"), ("leaf", "top")] {
            let missing = held.wait(role, |wait| match wait {
                Wait::Reduction { missing, .. } => (missing.len() == 1).then_some(missing),
                _ => None,
            });
            assert!(held.is_of(&missing[0], awaited), "{role}: {missing:?}");
        }
    });
}

#[test]
fn ordered_loops_name_the_iteration_and_its_thread() {
    each("ordered", 3, |_, held| {
        let waiting: Vec<_> = held.facts.iter().filter(|it| it.text("role") == "ordered").collect();
        assert_eq!(waiting.len(), 2);
        let mut awaited: Vec<u64> = Vec::new();
        for fact in waiting {
            let lwp = fact.number("lwp");
            let thread = Thread::with_id(&held.space, Field::ThreadLwp, lwp).expect("a thread");
            let start = std::time::Instant::now();
            let wait = loop {
                match thread.wait(&held.space) {
                    Ok(wait @ Wait::Ordered { .. }) => break wait,
                    other => assert!(start.elapsed() < PATIENCE, "{other:?}"),
                }
            };
            let Wait::Ordered { turn, awaited: mine, holder, .. } = wait else { continue };
            assert_eq!(turn, 0);
            assert!(held.is_of(&holder.expect("a holder"), "holder"), "{holder:?}");
            awaited.push(mine);
        }
        awaited.sort_unstable();
        assert_eq!(awaited, [1, 2]);
    });
}

#[test]
fn doacross_loops_name_the_awaited_iteration() {
    each("doacross", 2, |_, held| {
        let vector = held.wait("doacross", |wait| match wait {
            Wait::Doacross { vector, .. } => Some(vector),
            _ => None,
        });
        assert_eq!(vector, [0, 2]);
    });
}

/// The tasks that `tasks` of the program has made, by their progress.
fn check_tasks(held: &Held, role: &str, tasks: &[TaskInFlight]) {
    let found = |wanted: &dyn Fn(&Progress) -> bool| {
        tasks.iter().find(|task| wanted(&task.progress)).unwrap_or_else(|| panic!("{tasks:?}"))
    };
    let event = held.fact(role).number("wait_id");
    found(&|progress| *progress == Progress::AwaitsEvent { event });
    let thread = held.thread("executor");
    let executed = found(&|it| *it == Progress::Executed { thread, is_current: true });
    assert_eq!(executed.task, held.task("executor"));
    found(&|it| *it == Progress::Blocked { predecessors: vec![executed.task] });
}

#[test]
fn tasks_are_found_wherever_they_are() {
    each("ready", 4, |_, held| {
        // The detached task, the task that is executed, the task that waits for it, and a ready
        // task.
        let all = TasksInFlight::read(&held.space).expect("readable").all(&held.space);
        assert_eq!(all.len(), 4, "{all:?}");
        check_tasks(held, "ready", &all);
        assert!(all.iter().any(|task| task.progress == Progress::Ready), "{all:?}");
        let region = held.thread("absent").current_parallel(&held.space).expect("a region");
        assert_eq!(region.tasks_in_flight(&held.space), Ok(all.clone()));
        for task in all {
            assert_eq!(task.task.region(&held.space), Ok(region));
            let generating = task.task.generating(&held.space);
            assert_eq!(generating, Ok(held.task("ready")));
        }
        assert_eq!(held.thread("ready").wait(&held.space), Ok(Wait::Nothing));
    });
}

#[test]
fn a_taskwait_names_the_children() {
    each("taskwait", 4, |_, held| {
        let (task, children) = held.wait("taskwait", |wait| match wait {
            Wait::Taskwait { task, children } => Some((task, children)),
            _ => None,
        });
        assert_eq!(task, held.task("taskwait"));
        assert_eq!(task.unfinished_children(&held.space), Ok(3));
        assert_eq!(children.len(), 3, "{children:?}");
        check_tasks(held, "taskwait", &children);
        let executor = held.thread("executor").wait(&held.space);
        assert_eq!(executor, Ok(Wait::Nothing));
    });
}

#[test]
fn a_taskgroup_names_its_tasks() {
    each("taskgroup", 4, |_, held| {
        let tasks = held.wait("taskgroup", |wait| match wait {
            Wait::Taskgroup { tasks, .. } => Some(tasks),
            _ => None,
        });
        assert_eq!(tasks.len(), 3, "{tasks:?}");
        check_tasks(held, "taskgroup", &tasks);
    });
}

#[test]
fn an_undeferred_task_names_its_predecessors() {
    each("dependences", 4, |_, held| {
        let predecessors = held.wait("dependences", |wait| match wait {
            Wait::Dependences { predecessors, .. } => Some(predecessors),
            _ => None,
        });
        let [one] = &predecessors[..] else { panic!("{predecessors:?}") };
        assert_eq!(one.task, held.task("executor"));
    });
}

#[test]
fn a_barrier_names_the_missing_members_and_the_tasks() {
    each("barrier", 3, |_, held| {
        let (missing, tasks) = held.wait("barrier", |wait| match wait {
            Wait::Barrier { missing, tasks, is_cancelled: false, .. } => Some((missing, tasks)),
            _ => None,
        });
        let [absent] = &missing[..] else { panic!("{missing:?}") };
        assert!(absent.number == 2 && held.is_of(absent, "absent"), "{absent:?}");
        let progress: Vec<_> = tasks.iter().map(|task| &task.progress).collect();
        assert_eq!(tasks.len(), 2, "{progress:?}");
        assert!(progress.iter().any(|it| matches!(it, Progress::Blocked { .. })), "{progress:?}");
        assert!(progress.iter().any(|it| matches!(it, Progress::Executed { .. })), "{progress:?}");
    });
}

/// Below the task its implicit task waits, too, whose state the thread keeps without OMP_DEBUG.
#[test]
fn a_task_waits_itself_or_works_above_one_that_waits() {
    each("inner", 2, |_, held| {
        let (task, children) = held.wait("inner", |wait| match wait {
            Wait::Taskwait { task, children } => Some((task, children)),
            _ => None,
        });
        assert_eq!(task.is_implicit(&held.space), Ok(false));
        let [child] = &children[..] else { panic!("{children:?}") };
        assert!(matches!(child.progress, Progress::AwaitsEvent { .. }), "{child:?}");
        assert_eq!(child.task.generating(&held.space), Ok(task));
    });
    each("working", 2, |_, held| {
        for _ in 0..20 {
            assert_eq!(held.thread("working").wait(&held.space), Ok(Wait::Nothing));
            let state = held.thread("working").state(&held.space);
            assert_eq!(state, Ok((ompt_state_t::WORK_PARALLEL, 0)));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    });
}

#[test]
fn a_large_team_names_the_missing_member() {
    each("crowd", 3, |_, held| {
        let missing = held.wait("crowd", |wait| match wait {
            // The other threads are on their way.
            Wait::Barrier { missing, .. } => (missing.len() == 1).then_some(missing),
            _ => None,
        });
        assert!(missing[0].number == 9 && held.is_of(&missing[0], "absent"), "{missing:?}");
        assert_eq!(held.thread("executor").wait(&held.space), Ok(Wait::Nothing));
        let state = held.thread("executor").state(&held.space);
        assert_eq!(state, Ok((ompt_state_t::WORK_PARALLEL, 0)));
    });
}

#[test]
fn a_league_names_the_missing_team() {
    each("league", 2, |_, held| {
        let (region, missing) = held.wait("teams", |wait| match wait {
            Wait::Barrier { kind: Barrier::Teams, region, missing, .. } => Some((region, missing)),
            _ => None,
        });
        assert_eq!(region.is_league(&held.space), Ok(true));
        let [absent] = &missing[..] else { panic!("{missing:?}") };
        assert!(absent.number == 1 && held.is_of(absent, "absent"), "{absent:?}");
        assert_eq!(absent.task, Some(held.task("absent")));
    });
}

#[test]
fn a_member_that_has_left_the_region_is_missing_too() {
    each_held("unequal", 1, |_, held| {
        let missing = held.wait("unequal", |wait| match wait {
            // Thread 0 shows its state before it arrives.
            Wait::Barrier { kind: Barrier::Parallel, missing, .. } => {
                (missing.len() == 3 && missing.iter().all(|it| it.has_left)).then_some(missing)
            }
            _ => None,
        });
        let numbers: Vec<u64> = missing.iter().map(|member| member.number).collect();
        assert_eq!(numbers, [1, 2, 3], "{missing:?}");
    });
}
