//! Situations made by hand, for tests.

use crate::situation::{
    Activity, Construct, Frame, Member, Mutex, MutexKind, Owner, Place, Region, RegionId,
    RegionKind, Situation, Stands, Task, TaskConstruct, TaskId, TaskState, Thread, ThreadId,
    ThreadKind, Wait,
};

/// `app.c:LINE in FUNCTION`.
pub(crate) fn place(line: u32, function: &str) -> Place {
    Place {
        function: Some(function.to_owned()),
        line: Some(("/src/app.c".to_owned(), line)),
        module: Some("app".to_owned()),
        offset: 0x1000 + u64::from(line),
    }
}

/// A parallel region of `size` threads at `app.c:10 in main`, which all run at line 20.
pub(crate) fn team(size: usize) -> Situation {
    let initial = Region {
        kind: RegionKind::Initial,
        size: 1,
        parent: None,
        encountered_by: None,
        place: None,
        members: vec![Some(ThreadId(0))],
    };
    let parallel = Region {
        kind: RegionKind::Parallel,
        size: size as u64,
        parent: Some(RegionId(0)),
        encountered_by: Some(0),
        place: Some(place(10, "main")),
        members: (0..size).map(|number| Some(ThreadId(number))).collect(),
    };
    Situation {
        threads: (0..size).map(|number| thread(number, RegionId(1), Activity::Runs)).collect(),
        regions: vec![initial, parallel],
        tasks: Vec::new(),
        unread: Vec::new(),
    }
}

/// A thread of a team, with this number in the process and in the team.
pub(crate) fn thread(number: usize, region: RegionId, activity: Activity) -> Thread {
    Thread {
        number: Some(number as u64),
        lwp: Some(100 + number as u64),
        name: "app".to_owned(),
        kind: if number == 0 { ThreadKind::Initial } else { ThreadKind::Worker },
        member: Some((region, number as u64)),
        activity,
        settled: true,
        stands: Stands::Code,
        path: vec![Frame { place: place(20, "work"), calls: None }],
        tasks: Vec::new(),
    }
}

/// A wait for a simple lock.
pub(crate) fn lock(name: &str, owner: Owner) -> Wait {
    let name = Some(name.to_owned());
    Wait::Mutex(Mutex { kind: MutexKind::Lock, address: 0x4010, name, owner })
}

/// A wait for the critical construct with this name.
pub(crate) fn critical(name: &str, owner: Owner) -> Wait {
    let name = Some(name.to_owned());
    Wait::Mutex(Mutex { kind: MutexKind::Critical, address: 0x4020, name, owner })
}

/// A wait in a barrier of the team of [`team`] for these members.
pub(crate) fn barrier(missing: &[usize]) -> Wait {
    let member = |number: &usize| Member {
        number: *number as u64,
        thread: Some(ThreadId(*number)),
        is_gone: false,
    };
    Wait::Barrier {
        region: RegionId(1),
        construct: Construct::Barrier,
        missing: missing.iter().map(member).collect(),
        tasks: Vec::new(),
    }
}

/// A taskwait for these tasks.
pub(crate) fn taskwait(tasks: &[usize]) -> Wait {
    let tasks = tasks.iter().map(|task| TaskId(*task)).collect();
    Wait::Tasks { construct: TaskConstruct::Taskwait, tasks }
}

/// A task of the team that thread 0 generated, at this line.
pub(crate) fn task(line: u32, state: TaskState) -> Task {
    Task {
        region: Some(RegionId(1)),
        place: Some(place(line, "main")),
        state,
        block: 0,
        ancestors: Some(Vec::new()),
        root: Some(ThreadId(0)),
    }
}

/// Makes a thread wait at a line.
pub(crate) fn waits(situation: &mut Situation, thread: usize, line: u32, wait: Wait) {
    let thread = &mut situation.threads[thread];
    thread.activity = Activity::Waits(wait);
    thread.path = vec![Frame { place: place(line, "work"), calls: None }];
}
