//! Building a situation from a process: the threads of the kernel first, then what the runtime
//! tells of each.

use std::collections::BTreeMap;

use oxomp_debuggee::{self as debuggee, AddressSpace, Answer, TasksInFlight};
use oxomp_inspect::Image;
use oxomp_ompd_layout::Field;

use super::blocked;
use super::library::Library;
use super::native::{self, UserFrame};
use super::variables::Names;
use crate::situation::{
    Activity, Construct, Frame, Owner, Place, Region, RegionId, RegionKind, Situation, Task,
    TaskId, TaskState, Thread, ThreadId, ThreadKind, Wait,
};

/// The most tasks on the stack of a thread, and ancestors of a task.
const DEEPEST: usize = 1 << 10;
/// The most threads of a team.
const LARGEST_TEAM: u64 = 1 << 16;

/// `ompt_thread_worker`.
const WORKER: i64 = 2;

/// A situation in the making.
pub(super) struct Builder<'a> {
    image: &'a Image,
    space: &'a AddressSpace,
    runtime: Option<usize>,
    pub(super) situation: Situation,
    threads: BTreeMap<debuggee::Thread, ThreadId>,
    regions: BTreeMap<debuggee::Parallel, RegionId>,
    tasks: BTreeMap<(u64, u64), TaskId>,
    parents: BTreeMap<(u64, u64), Parent>,
    variables: Names,
    unread_threads: usize,
}

/// The task that generated another one.
#[derive(Clone, Copy)]
enum Parent {
    /// An implicit task, and the thread that executes it.
    Implicit(Option<ThreadId>),
    Explicit(debuggee::Task),
}

/// The situation of the process; without `space` that of its native threads.
pub(super) fn situation(
    image: &Image,
    space: Option<&AddressSpace>,
    runtime: Option<usize>,
) -> Situation {
    let mut variables = Names::default();
    let mut situation = native_threads(image, runtime, &mut variables);
    situation.unread.extend(image.warnings().iter().cloned());
    let Some(space) = space else {
        for thread in &mut situation.threads {
            thread.kind = ThreadKind::Foreign;
        }
        return situation;
    };
    let mut builder = Builder {
        image,
        space,
        runtime,
        situation,
        threads: BTreeMap::new(),
        regions: BTreeMap::new(),
        tasks: BTreeMap::new(),
        parents: BTreeMap::new(),
        variables,
        unread_threads: 0,
    };
    builder.fill();
    builder.situation
}

/// Every thread of the kernel, as one that the runtime does not know.
fn native_threads(image: &Image, runtime: Option<usize>, variables: &mut Names) -> Situation {
    let mut situation = Situation::default();
    let library = Library::of(image);
    for native in image.threads() {
        let frames = native::user_frames(image, runtime, native.lwp);
        situation.threads.push(Thread {
            number: None,
            lwp: u64::try_from(native.lwp).ok(),
            name: native.name.clone(),
            kind: ThreadKind::Foreign,
            member: None,
            activity: blocked::activity(image, &library, native, variables),
            settled: native::is_asleep(native),
            stands: native::stands(image, native, &frames, variables),
            path: flattened(&frames),
            tasks: Vec::new(),
        });
    }
    situation
}

/// One frame for each function, inlined ones included.
fn flattened(frames: &[UserFrame]) -> Vec<Frame> {
    let frame = |frame: &UserFrame| {
        let calls = frame.calls.clone();
        let place = move |(at, place): (usize, &Place)| Frame {
            place: place.clone(),
            calls: calls.clone().filter(|_| at == 0),
        };
        frame.places.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    frames.iter().flat_map(frame).collect()
}

impl Builder<'_> {
    fn fill(&mut self) {
        let known = self.know_threads();
        for thread in &known {
            if let Ok(region) = thread.current_parallel(self.space) {
                self.region_id(region);
            }
        }
        let tasks = match TasksInFlight::read(self.space) {
            Ok(tasks) => tasks,
            Err(_) => {
                self.situation.unread.push("the explicit tasks could not be read".to_owned());
                return;
            }
        };
        for task in tasks.all(self.space) {
            self.task_id(&task);
        }
        for thread in &known {
            self.place_thread(*thread);
        }
        for thread in &known {
            let Some(id) = self.thread_id(*thread) else { continue };
            let activity = match thread.wait_among(self.space, &tasks) {
                Ok(wait) => self.activity(id, &wait),
                Err(_) => {
                    self.unread_threads += 1;
                    Activity::Unknown
                }
            };
            if activity == Activity::Idle {
                self.situation.threads[id.0].member = None;
            }
            // A thread that naps in a barrier is not woken when that is over.
            let is_polled = match &activity {
                Activity::Waits(Wait::Turn { is_polled, .. }) => *is_polled,
                Activity::Waits(Wait::Barrier { .. }) => !native::is_in_futex(self.image, id.0),
                _ => false,
            };
            let entry = &mut self.situation.threads[id.0];
            entry.settled &= !is_polled;
            // A thread that does not wait in the runtime may wait in the C library.
            if activity != Activity::Runs {
                entry.activity = activity;
            }
        }
        super::ended::mark(self.regions.values().copied(), &mut self.situation);
        self.place_regions(&known);
        self.place_ends();
        if self.unread_threads > 0 {
            let text = match self.unread_threads {
                1 => "the state of one thread could not be read".to_owned(),
                more => format!("the state of {more} threads could not be read"),
            };
            self.situation.unread.push(text);
        }
    }

    /// The threads that the runtime knows.
    fn know_threads(&mut self) -> Vec<debuggee::Thread> {
        let Ok(blocks) = debuggee::blocks(self.space) else {
            self.situation
                .unread
                .push("the runtime's list of threads could not be read".to_owned());
            return Vec::new();
        };
        let mut known = Vec::new();
        for at in blocks {
            let Ok(thread) = debuggee::Thread::at(self.space, at) else { continue };
            let Ok(lwp) = thread.number(self.space, Field::ThreadLwp) else { continue };
            let is_it =
                |native: &oxomp_inspect::NativeThread| u64::try_from(native.inner_lwp) == Ok(lwp);
            let Some(index) = self.image.threads().iter().position(is_it) else { continue };
            let number = thread.number(self.space, Field::ThreadNumber).ok();
            let kind = thread.number(self.space, Field::ThreadKind).map(u64::cast_signed);
            let entry = &mut self.situation.threads[index];
            entry.number = number;
            entry.kind = match kind {
                Ok(WORKER) => ThreadKind::Worker,
                _ => ThreadKind::Initial,
            };
            self.threads.insert(thread, ThreadId(index));
            known.push(thread);
        }
        known
    }

    pub(super) fn thread_id(&self, thread: debuggee::Thread) -> Option<ThreadId> {
        self.threads.get(&thread).copied()
    }

    pub(super) fn is_of_runtime(&self, address: u64) -> bool {
        self.runtime.is_some() && self.image.module_of(address) == self.runtime
    }

    pub(super) fn variable(&mut self, address: u64) -> Option<String> {
        self.variables.of(self.image, address)
    }

    /// The thread whose stack has the frame that took a mutex.
    pub(super) fn owner_by_frame(&self, low_bits: u32) -> Owner {
        match self.image.stacks_of(low_bits)[..] {
            [] => Owner::NotFound,
            [lwp] => {
                let found = self.image.threads().iter().position(|thread| thread.lwp == lwp);
                found.map_or(Owner::Unknown, |index| Owner::Thread(ThreadId(index)))
            }
            _ => Owner::Unknown,
        }
    }

    /// The region, which is read if it is not known yet, after those around it.
    pub(super) fn region_id(&mut self, region: debuggee::Parallel) -> RegionId {
        if let Some(&id) = self.regions.get(&region) {
            return id;
        }
        let mut chain = vec![region];
        while chain.len() < DEEPEST {
            match chain[chain.len() - 1].enclosing(self.space) {
                Ok(around) if !self.regions.contains_key(&around) => chain.push(around),
                _ => break,
            }
        }
        for region in chain.into_iter().rev() {
            let entry = self.read_region(region);
            let id = RegionId(self.situation.regions.len());
            self.situation.regions.push(entry);
            self.regions.insert(region, id);
        }
        self.regions[&region]
    }

    fn read_region(&self, region: debuggee::Parallel) -> Region {
        let space = self.space;
        let parent = region.enclosing(space).ok().and_then(|it| self.regions.get(&it).copied());
        let is_league = region.is_league(space).unwrap_or(false);
        let is_of_league = region.number(space, Field::ParallelIsOfLeague).is_ok_and(|it| it != 0);
        let around = region.number(space, Field::ParallelEncountering).ok().filter(|at| *at != 0);
        let by = around.and_then(|at| space.number(at, Field::ImplicitTaskThreadNum).ok());
        let size = match region.number(space, Field::ParallelSize) {
            Ok(size) if size <= LARGEST_TEAM => size,
            _ => 0,
        };
        let member = |number: u64| {
            let number = i32::try_from(number).ok()?;
            self.thread_id(region.thread(space, number).ok()?)
        };
        Region {
            kind: match (is_league, around) {
                (true, _) => RegionKind::League,
                (false, Some(_)) if !is_of_league => RegionKind::Parallel,
                _ => RegionKind::Initial,
            },
            size,
            parent,
            encountered_by: by,
            place: None,
            members: (0..size).map(member).collect(),
        }
    }

    /// The task, which is read if it is not known yet.
    pub(super) fn task_id(&mut self, task: &debuggee::TaskInFlight) -> TaskId {
        self.task_of(task.task, Some(&task.progress))
    }

    fn task_of(&mut self, task: debuggee::Task, progress: Option<&debuggee::Progress>) -> TaskId {
        if let Some(&id) = self.tasks.get(&task.key()) {
            if let Some(progress) = progress
                && self.situation.task(id).state == TaskState::Unknown
            {
                self.situation.tasks[id.0].state = self.task_state(progress);
            }
            return id;
        }
        let id = TaskId(self.situation.tasks.len());
        self.tasks.insert(task.key(), id);
        let region = task.region(self.space).ok().map(|region| self.region_id(region));
        let function = task.function(self.space).ok();
        let lineage = self.lineage(task);
        self.situation.tasks.push(Task {
            region,
            place: function.and_then(|address| native::function(self.image, address)),
            state: TaskState::Unknown,
            block: task.key().0,
            ancestors: lineage.as_ref().ok().map(|(ancestors, _)| ancestors.clone()),
            root: lineage.ok().and_then(|(_, root)| root),
        });
        if let Some(progress) = progress {
            self.situation.tasks[id.0].state = self.task_state(progress);
        }
        id
    }

    fn task_state(&mut self, progress: &debuggee::Progress) -> TaskState {
        match progress {
            debuggee::Progress::Executed { thread, .. } => {
                self.thread_id(*thread).map_or(TaskState::Unknown, TaskState::On)
            }
            debuggee::Progress::Ready => TaskState::Ready,
            debuggee::Progress::Blocked { predecessors } => {
                let tasks = predecessors.iter().map(|task| self.task_of(*task, None));
                TaskState::Blocked(tasks.collect())
            }
            debuggee::Progress::AwaitsEvent { .. } => TaskState::Detached,
            debuggee::Progress::OnDevice => TaskState::OnDevice,
            debuggee::Progress::Generated { .. } => TaskState::Unknown,
        }
    }

    /// The explicit tasks from which a task descends, and the thread of the implicit one.
    fn lineage(&mut self, task: debuggee::Task) -> Answer<(Vec<u64>, Option<ThreadId>)> {
        let mut ancestors = Vec::new();
        let mut at = task;
        while ancestors.len() < DEEPEST {
            match self.parent(at)? {
                Parent::Implicit(thread) => return Ok((ancestors, thread)),
                Parent::Explicit(above) => {
                    ancestors.push(above.key().0);
                    at = above;
                }
            }
        }
        Err(oxomp_sys::ompd::ompd_rc_t::ERROR)
    }

    /// The task that generated `task`, read once: the tasks of a recursion have each other as
    /// ancestors.
    fn parent(&mut self, task: debuggee::Task) -> Answer<Parent> {
        if let Some(&parent) = self.parents.get(&task.key()) {
            return Ok(parent);
        }
        let above = task.generating(self.space)?;
        let parent = match above.is_implicit(self.space)? {
            true => Parent::Implicit(self.executing(above)),
            false => Parent::Explicit(above),
        };
        self.parents.insert(task.key(), parent);
        Ok(parent)
    }

    /// The thread that executes a task, or has it on its stack.
    pub(super) fn executing(&self, task: debuggee::Task) -> Option<ThreadId> {
        if task.is_implicit(self.space).ok()? {
            let region = task.region(self.space).ok()?;
            let number = task.thread_num(self.space).ok()?;
            let thread = region.thread(self.space, i32::try_from(number).ok()?).ok()?;
            return self.thread_id(thread);
        }
        let executes = |thread: &&debuggee::Thread| thread.executes(self.space, task) == Ok(true);
        self.threads.keys().find(executes).and_then(|thread| self.thread_id(*thread))
    }

    /// Finds which member of its innermost team the thread is, the explicit tasks on its stack, and
    /// the frames of these tasks.
    fn place_thread(&mut self, thread: debuggee::Thread) {
        let Some(id) = self.thread_id(thread) else { return };
        let stack = self.stack(thread);
        let Ok(region) = thread.current_parallel(self.space) else { return };
        let region = self.region_id(region);
        let member = thread.thread_num(self.space).ok().map(|number| (region, number));
        self.situation.threads[id.0].member = member;
        let is_explicit = |task: &&debuggee::Task| task.is_implicit(self.space) == Ok(false);
        let explicit: Vec<debuggee::Task> = stack.iter().take_while(is_explicit).copied().collect();
        let tasks: Vec<TaskId> = explicit.iter().map(|task| self.task_of(*task, None)).collect();
        for task in &tasks {
            if self.situation.task(*task).state == TaskState::Unknown {
                self.situation.tasks[task.0].state = TaskState::On(id);
            }
        }
        let frames = self.frames_of_tasks(id, &stack);
        // A thread at the begin or the end of its region stands in the code around the construct.
        let last = frames.first().map_or(0, |(at, _)| (*at).max(tasks.len()));
        let own: Vec<UserFrame> =
            frames.into_iter().filter(|(at, _)| *at <= last).map(|(_, it)| it).collect();
        let entry = &mut self.situation.threads[id.0];
        entry.tasks = tasks;
        entry.path = flattened(&own);
    }

    /// The tasks on the stack of a thread, the innermost first, through all regions whose thread 0
    /// it is.
    fn stack(&self, thread: debuggee::Thread) -> Vec<debuggee::Task> {
        let mut stack = Vec::new();
        let mut next = thread.current_task(self.space).ok();
        while let Some(task) = next.filter(|_| stack.len() < DEEPEST) {
            stack.push(task);
            next = self.below(task).ok();
        }
        stack
    }

    fn below(&self, task: debuggee::Task) -> Answer<debuggee::Task> {
        let space = self.space;
        if !task.is_implicit(space)? {
            return task.scheduling(space);
        }
        let region = task.region(space)?;
        if task.thread_num(space)? != 0 {
            return Err(oxomp_sys::ompd::ompd_rc_t::UNAVAILABLE);
        }
        let at = match region.number(space, Field::ParallelEncounteringTask)? {
            0 => region.number(space, Field::ParallelEncountering)?,
            at => at,
        };
        match at {
            0 => Err(oxomp_sys::ompd::ompd_rc_t::UNAVAILABLE),
            at => debuggee::Task::at(space, at),
        }
    }

    /// The user's frames of a thread, each with the number of its task in `stack`: that of the
    /// innermost task whose code the runtime called from a frame above it.
    fn frames_of_tasks(&self, id: ThreadId, stack: &[debuggee::Task]) -> Vec<(usize, UserFrame)> {
        let lwp = self.image.threads()[id.0].lwp;
        let exits: Vec<u64> = stack
            .iter()
            .map(|task| task.frames(self.space).map_or(0, |(exit, _)| exit.address))
            .collect();
        let last = stack.len().saturating_sub(1);
        let mut at = 0;
        let mut found = Vec::new();
        for frame in native::user_frames(self.image, self.runtime, lwp) {
            if let Some(address) = frame.address {
                let is_inside =
                    |task: usize| task >= last || (exits[task] != 0 && address <= exits[task]);
                while !is_inside(at) {
                    at += 1;
                }
            }
            found.push((at, frame));
        }
        found
    }

    /// Gives the primary thread at the end of its region the place of the construct: the line of
    /// the runtime's call may be that of another one.
    fn place_ends(&mut self) {
        for thread in &mut self.situation.threads {
            let Activity::Waits(Wait::Barrier { region, construct, .. }) = &thread.activity else {
                continue;
            };
            let is_end = matches!(construct, Construct::Parallel | Construct::Teams);
            let is_primary = thread.member == Some((*region, 0));
            if let Some(place) = &self.situation.regions[region.0].place
                && let Some(frame) = thread.path.first_mut()
                && is_end
                && is_primary
            {
                frame.place = place.clone();
            }
        }
    }

    /// The place of each construct: the beginning of the function into which the compiler has
    /// outlined it, where that has a line, else the call of the runtime by the thread of the
    /// encountering task. The call may have the line of another construct: gcc gives it any line of
    /// the function around, and merges calls.
    fn place_regions(&mut self, known: &[debuggee::Thread]) {
        for thread in known {
            let Some(id) = self.thread_id(*thread) else { continue };
            let stack = self.stack(*thread);
            let frames = self.frames_of_tasks(id, &stack);
            for (number, task) in stack.iter().enumerate() {
                let is_primary = task.is_implicit(self.space) == Ok(true)
                    && task.thread_num(self.space) == Ok(0)
                    && number + 1 < stack.len();
                let Ok(region) = task.region(self.space) else { continue };
                let Some(&region) = self.regions.get(&region).filter(|_| is_primary) else {
                    continue;
                };
                let call = frames.iter().find(|(at, _)| *at > number);
                let place = call.and_then(|(_, frame)| {
                    let own = native::construct(self.image, frame.pc);
                    own.or_else(|| frame.places.first().cloned())
                });
                self.situation.regions[region.0].place = place;
            }
        }
        let regions: Vec<(debuggee::Parallel, RegionId)> =
            self.regions.iter().map(|(region, id)| (*region, *id)).collect();
        for (region, id) in regions {
            let outlined = region.number(self.space, Field::ParallelFunction).unwrap_or(0);
            let own = native::function(self.image, outlined).filter(|place| place.line.is_some());
            if own.is_some() {
                self.situation.regions[id.0].place = own;
            }
            let address = region.number(self.space, Field::ParallelReturnAddress).unwrap_or(0);
            if self.situation.region(id).place.is_none() && address != 0 {
                let place = native::construct(self.image, address)
                    .unwrap_or_else(|| native::place(&self.image.place_of_return(address)));
                self.situation.regions[id.0].place = Some(place);
            }
        }
    }
}
