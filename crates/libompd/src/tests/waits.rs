//! What threads wait for, read from a memory image: owners of mutexes, tasks in flight, members
//! that have not arrived; and from one in which lists go in circles.

use std::cell::Cell;
use std::rc::Rc;

use oxomp_debuggee::{
    AddressSpace, Barrier, Mutex, Owner, Progress, Source, TasksInFlight, Thread, Wait, blocks,
};
use oxomp_ompd_layout::{Field, Memory, Object, event_handle};

use super::image::{Image, TABLE};
use super::program::{PRIMARY, Program, SECOND};

/// An image that counts its reads.
struct Counted {
    image: Image,
    reads: Rc<Cell<usize>>,
}

// SAFETY: the tests use the image and its counter on one thread.
unsafe impl Send for Counted {}

impl Memory for Counted {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        self.reads.set(self.reads.get() + 1);
        self.image.read(address, buffer)
    }
}

impl Source for Counted {}

/// The process of the image, and the number of its reads.
fn space(image: &Image) -> (AddressSpace, Rc<Cell<usize>>) {
    let reads = Rc::new(Cell::new(0));
    let source = Counted { image: image.clone(), reads: Rc::clone(&reads) };
    (AddressSpace::open(source, TABLE).expect("a table"), reads)
}

fn thread(space: &AddressSpace, lwp: u64) -> Thread {
    Thread::with_id(space, Field::ThreadLwp, lwp).expect("a thread")
}

/// What the second thread waits for.
fn wait_of_second(image: &Image) -> Wait {
    let (space, _) = space(image);
    thread(&space, SECOND).wait(&space).expect("readable")
}

/// The second thread waits in this state for a mutex with this word.
fn owner(program: &mut Program, state: u64, word: u32) -> (Mutex, Owner) {
    let at = program.image.bytes(&u64::from(word).to_ne_bytes());
    program.image.set(program.second, Field::ThreadState, state);
    program.image.set(program.second, Field::ThreadWaitId, at);
    match wait_of_second(&program.image) {
        Wait::Mutex { kind, wait_id, owner } => {
            assert_eq!(wait_id, at);
            (kind, owner)
        }
        other => panic!("{other:?}"),
    }
}

const LOCK: u64 = 0x041;

#[test]
fn the_word_of_a_mutex_names_its_owner() {
    for debug in [true, false] {
        let program = &mut Program::new(debug);
        // The word has bits 1 to 31 of the frame's address in its bits 0 to 30, and bit 0 always
        // set.
        let frame = 0x7ffe_1234_5670_u64;
        let word = (frame as u32 >> 1) | 1;
        for (state, kind) in [(LOCK, Mutex::Lock), (0x042, Mutex::Critical), (0x043, Mutex::Atomic)]
        {
            let (found, owner) = owner(program, state, word);
            let Owner::Frame(bits) = owner else { panic!("{owner:?}") };
            assert_eq!((found, bits.low()), (kind, frame as u32));
        }
        // A frame at the begin of a span of 4 GiB.
        let Owner::Frame(low) = owner(program, LOCK, 0x7019).1 else { panic!("no frame") };
        assert_eq!(low.low(), 0xe030);
        assert_eq!(owner(program, LOCK, 0).1, Owner::Free);
        assert_eq!(owner(program, LOCK, 0x7fff_fffe).1, Owner::Unsound(0x7fff_fffe));
        for unsound in [0x1234_5678, 0x8000_0001, u32::MAX - 6] {
            assert_eq!(owner(program, LOCK, unsound).1, Owner::Unsound(unsound));
        }
        program.image.set(program.second, Field::ThreadWaitId, 16);
        let unreadable = wait_of_second(&program.image);
        let expected = Wait::Mutex { kind: Mutex::Lock, wait_id: 16, owner: Owner::Unknown };
        assert_eq!(unreadable, expected);
    }
}

#[test]
fn nestable_locks_belong_to_tasks_or_to_threads() {
    let program = &mut Program::new(true);
    program.image.set(program.second, Field::ThreadWaitsForNestLock, 1);
    program.image.set(program.second, Field::ThreadNestLockOwner, 1);
    let own = program.image.object(Object::TaskOwn);
    program.image.set(own, Field::TaskOwnNumber, 7);
    program.image.set(program.explicit, Field::ExplicitTaskOwn, own);
    let (kind, by_task) = owner(program, LOCK, 7);
    let (space, _) = space(&program.image);
    let explicit = thread(&space, PRIMARY).current_task(&space).expect("a task");
    assert_eq!((kind, by_task), (Mutex::NestLock, Owner::Task(explicit)));
    assert_eq!(owner(program, LOCK, 8).1, Owner::Gone(8));
    program.image.set(program.second, Field::ThreadNestLockOwner, 2);
    program.image.set(program.primary, Field::ThreadNumber, 6);
    assert_eq!(owner(program, LOCK, 7).1, Owner::Thread(thread(&space, PRIMARY)));
    assert_eq!(owner(program, LOCK, 9).1, Owner::Gone(9));
}

#[test]
fn the_mutex_of_a_reduction_belongs_to_the_member_that_says_so() {
    let program = &mut Program::new(false);
    assert_eq!(owner(program, 0x002, 3), (Mutex::Reduction, Owner::Unknown));
    program.image.set(program.members[0], Field::ImplicitTaskHasReduction, 1);
    let (space, _) = space(&program.image);
    let expected = Owner::Thread(thread(&space, PRIMARY));
    assert_eq!(owner(program, 0x002, 3), (Mutex::Reduction, expected));
}

/// The second thread waits at a barrier of two threads; `arrived` of them have arrived.
fn at_barrier(program: &mut Program, arrived: u64) {
    let image = &mut program.image;
    let group = image.object(Object::BarrierGroup);
    image.set(group, Field::BarrierGroupArrived, arrived);
    image.set(group, Field::BarrierGroupExpected, 2);
    let barrier = image.object(Object::Barrier);
    image.set(barrier, Field::BarrierGroups, group);
    image.set(program.region, Field::ParallelBarrierWords, barrier);
    image.set(program.second, Field::ThreadState, 0x014);
}

#[test]
fn a_barrier_lacks_the_members_that_have_not_arrived() {
    let mut program = Program::new(true);
    // The first thread executes an explicit task, on top of an implicit one that has arrived or
    // not.
    for (arrived, missing) in [(1, &[0][..]), (2, &[]), (0, &[])] {
        at_barrier(&mut program, arrived);
        let wait = wait_of_second(&program.image);
        let Wait::Barrier { kind, missing: found, tasks, is_cancelled, .. } = wait else {
            panic!("{wait:?}")
        };
        assert_eq!((kind, is_cancelled), (Barrier::Explicit, false));
        let numbers: Vec<u64> = found.iter().map(|member| member.number).collect();
        assert_eq!(numbers, missing, "{arrived} have arrived");
        assert!(tasks.is_empty());
    }
    at_barrier(&mut program, 1);
    let tasks = program.image.object(Object::MemberTasks);
    program.image.set(tasks, Field::MemberTasksHelping, 1);
    program.image.set(program.members[0], Field::ImplicitTaskMemberTasks, tasks);
    program.image.set(program.region, Field::ParallelCancelled, 1);
    let wait = wait_of_second(&program.image);
    let Wait::Barrier { missing, is_cancelled: true, .. } = wait else { panic!("{wait:?}") };
    assert_eq!(missing, []);
}

/// Blocks of tasks.
struct Tasks {
    program: Program,
    blocks: [u64; 5],
}

/// Bytes of a block.
fn step(image: &Image) -> u64 {
    image.inside(0, Field::ExplicitTaskIsEmpty) + 8
}

impl Tasks {
    /// A piece of five blocks. The last block is free; the first implicit task has generated the
    /// tasks in the others.
    fn new() -> Self {
        let mut program = Program::new(true);
        let image = &mut program.image;
        let step = step(image);
        let first = image.bytes(&vec![0; 5 * step as usize]);
        let blocks = [0, 1, 2, 3, 4].map(|index| first + index * step);
        let piece = image.object(Object::TaskPiece);
        image.set(piece, Field::TaskPieceFirst, first);
        image.set(piece, Field::TaskPieceStep, step);
        image.set(piece, Field::TaskPieceCount, 5);
        let own = image.inside(program.primary, Field::ThreadTaskBlocks);
        image.set(own, Field::TaskBlocksPieces, piece);
        image.set(own, Field::TaskBlocksFree1, blocks[4]);
        for at in blocks {
            let record = image.inside(at, Field::ExplicitTaskRecord);
            image.set(record, Field::TaskGeneration, 1);
            image.set(at, Field::ExplicitTaskParallel, program.region);
            image.set(at, Field::ExplicitTaskGenerating, program.members[1]);
            image.set(at, Field::ExplicitTaskIsCounted, 1);
        }
        Tasks { program, blocks }
    }

    fn progress(&self) -> Vec<Progress> {
        let (space, _) = space(&self.program.image);
        let tasks = TasksInFlight::read(&space).expect("readable").all(&space);
        tasks.into_iter().map(|task| task.progress).collect()
    }

    /// Ties of the task in block `index` to a new generation, and the generation.
    fn tie(&mut self, index: usize, waiting: u64) -> (u64, u64) {
        let image = &mut self.program.image;
        let generation = image.object(Object::Generation);
        let ties = image.object(Object::Ties);
        image.set(ties, Field::TiesWaiting, waiting);
        image.set(ties, Field::TiesLength, 1);
        let tie = image.inside(ties, Field::TiesInline);
        image.set(tie, Field::TieGeneration, generation);
        image.set(self.blocks[index], Field::ExplicitTaskTies, ties);
        image.set(self.blocks[index], Field::ExplicitTaskIsDependent, 1);
        (ties, generation)
    }

    /// A wait of the task with these ties for a generation.
    fn wait(&mut self, ties: u64, generation: u64) -> u64 {
        let image = &mut self.program.image;
        let wait = image.object(Object::DependenceWait);
        image.set(wait, Field::DependenceWaitTies, ties);
        image.set(generation, Field::GenerationWaits, wait);
        wait
    }
}

#[test]
fn tasks_are_found_by_their_blocks() {
    let mut tasks = Tasks::new();
    assert_eq!(tasks.progress(), vec![Progress::Ready; 4]);
    let [ready, waits, over, closed, _] = tasks.blocks;
    let (_, generation) = tasks.tie(0, 0);
    let (ties, _) = tasks.tie(1, 1);
    tasks.wait(ties, generation);
    let image = &mut tasks.program.image;
    image.set(over, Field::ExplicitTaskIsDetachable, 1);
    let event = image.inside(over, Field::ExplicitTaskEvent);
    image.set(event, Field::EventBodyIsOver, 1);
    image.set(event, Field::EventSerial, 5);
    // Complete, and kept for its children.
    image.set(closed, Field::ExplicitTaskChildrenAway, u64::MAX << 32);
    let (space, _) = space(image);
    let all = TasksInFlight::read(&space).expect("readable").all(&space);
    let [first, second, third] = &all[..] else { panic!("{all:?}") };
    assert_eq!(first.progress, Progress::Ready);
    assert_eq!(second.progress, Progress::Blocked { predecessors: vec![first.task] });
    let event = event_handle::of(over, 5);
    assert_eq!(third.progress, Progress::AwaitsEvent { event });
    assert_eq!(first.task.key().0, ready);
    assert_eq!(second.task.key().0, waits);
    // The second thread, at a taskwait, waits for them.
    let mut program = tasks.program;
    program.image.set(program.second, Field::ThreadState, 0x020);
    let Wait::Taskwait { children, .. } = wait_of_second(&program.image) else { panic!("none") };
    assert_eq!(children, all);
}

#[test]
fn an_undeferred_task_waits_for_its_predecessors() {
    let mut tasks = Tasks::new();
    let (_, generation) = tasks.tie(0, 0);
    let (ties, _) = tasks.tie(1, 1);
    tasks.wait(ties, generation);
    let (mut program, undeferred) = (tasks.program, tasks.blocks[1]);
    program.image.set(undeferred, Field::ExplicitTaskIsDependent, 0);
    program.image.set(undeferred, Field::ExplicitTaskIsUndeferred, 1);
    program.image.set(undeferred, Field::ExplicitTaskIsCounted, 0);
    program.image.set(program.second, Field::ThreadState, 0x020);
    let wait = wait_of_second(&program.image);
    let Wait::Dependences { predecessors, .. } = &wait else { panic!("{wait:?}") };
    assert_eq!(predecessors.len(), 1);
    assert_eq!(predecessors[0].task.key().0, tasks.blocks[0]);
}

#[test]
fn a_turn_is_awaited_from_the_member_that_has_it() {
    let mut tasks = Tasks::new();
    let (_, generation) = tasks.tie(0, 0);
    let (ties, _) = tasks.tie(1, 0);
    let wait = tasks.wait(ties, generation);
    let image = &mut tasks.program.image;
    let tie = image.inside(ties, Field::TiesInline);
    image.set(tie, Field::TieGeneration, generation);
    image.set(generation, Field::GenerationWaits, 0);
    image.set(generation, Field::GenerationTurns, wait);
    image.set(generation, Field::GenerationIsExclusive, 1);
    // The end of the list of turns.
    image.set(wait, Field::DependenceWaitNext, 1);
    let progress = tasks.progress();
    assert_eq!(progress[0], Progress::Ready);
    let Progress::Blocked { predecessors } = &progress[1] else { panic!("{progress:?}") };
    assert_eq!(predecessors.len(), 1);
    assert_eq!(predecessors[0].key().0, tasks.blocks[0]);
}

#[test]
fn a_task_with_many_dependent_children_is_throttled() {
    let mut tasks = Tasks::new();
    tasks.tie(0, 0);
    let mut program = tasks.program;
    let image = &mut program.image;
    // Of 1100 children 40 are complete at home, and 50 away.
    image.set(program.members[1], Field::ExplicitTaskChildrenMade, 1100);
    image.set(program.members[1], Field::ExplicitTaskChildrenHome, 40 << 32 | 40);
    image.set(program.members[1], Field::ExplicitTaskChildrenAway, 50 << 32 | 50);
    image.set(program.second, Field::ThreadState, 0x101);
    image.set(program.second, Field::ThreadWaitId, 0);
    let wait = wait_of_second(image);
    let Wait::Throttled { task, children } = wait else { panic!("{wait:?}") };
    let (space, _) = space(image);
    assert_eq!(task.unfinished_children(&space), Ok(1010));
    assert_eq!(children.len(), 4);
    program.image.set(program.members[1], Field::ExplicitTaskChildrenMade, 500);
    assert_eq!(wait_of_second(&program.image), Wait::Nothing);
}

/// Every thread's wait, and all tasks; returns the number of reads.
fn ask_all(image: &Image) -> usize {
    let (space, reads) = space(image);
    if let Ok(tasks) = TasksInFlight::read(&space) {
        tasks.all(&space);
    }
    for at in blocks(&space).unwrap_or_default() {
        if let Ok(thread) = Thread::at(&space, at) {
            // Any answer will do.
            let _ = thread.wait(&space);
        }
    }
    reads.get()
}

#[test]
fn lists_that_lead_nowhere_end() {
    const MOST_READS: usize = 1_000_000;
    let sound = Tasks::new();
    let own = sound.program.image.inside(sound.program.primary, Field::ThreadTaskBlocks);
    let change = |change: &dyn Fn(&mut Tasks)| {
        let mut tasks = Tasks::new();
        at_barrier(&mut tasks.program, 1);
        let (_, generation) = tasks.tie(0, 0);
        let (ties, _) = tasks.tie(1, 1);
        let wait = tasks.wait(ties, generation);
        tasks.program.image.set(wait, Field::DependenceWaitNext, wait);
        change(&mut tasks);
        let reads = ask_all(&tasks.program.image);
        assert!(reads < MOST_READS, "{reads} reads");
    };
    change(&|_| {});
    for hostile in [1, 8, u64::MAX, u64::MAX - 7, 1 << 63] {
        change(&|tasks| tasks.program.image.set(own, Field::TaskBlocksPieces, hostile));
        change(&|tasks| tasks.program.image.set(own, Field::TaskBlocksFree1, hostile));
        change(&|tasks| {
            let (ties, _) = tasks.tie(2, 1);
            tasks.program.image.set(ties, Field::TiesLength, hostile);
        });
        change(&|tasks| {
            let (ties, _) = tasks.tie(2, 1);
            tasks.program.image.set(ties, Field::TiesElsewhere, hostile);
        });
        change(&|tasks| {
            let image = &mut tasks.program.image;
            let group = image.object(Object::BarrierGroup);
            image.set(group, Field::BarrierGroupExpected, hostile);
            let barrier = image.object(Object::Barrier);
            image.set(barrier, Field::BarrierGroups, group);
            image.set(tasks.program.region, Field::ParallelBarrierWords, barrier);
        });
        change(&|tasks| {
            let image = &mut tasks.program.image;
            let piece = image.object(Object::TaskPiece);
            image.set(piece, Field::TaskPieceFirst, hostile);
            image.set(piece, Field::TaskPieceCount, hostile);
            image.set(piece, Field::TaskPieceNext, piece);
            image.set(own, Field::TaskBlocksPieces, piece);
        });
        change(&|tasks| {
            let block = tasks.blocks[0];
            tasks.program.image.set(block, Field::ExplicitTaskScheduling, block);
            tasks.program.image.set(tasks.program.primary, Field::ThreadTask, block);
        });
    }
}
