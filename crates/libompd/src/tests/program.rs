//! A program of the tests. It has a region with two threads: the first executes an explicit task,
//! the second waits for a lock. It also has an idle worker, and a block whose thread has ended.

use oxomp_ompd_layout::{Field, Object};

use super::image::{Image, Machine};

/// The image, and the addresses of its objects.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) image: Image,
    pub(crate) settings: u64,
    pub(crate) primary: u64,
    pub(crate) second: u64,
    pub(crate) outer: u64,
    pub(crate) region: u64,
    pub(crate) members: [u64; 2],
    pub(crate) explicit: u64,
    /// The last implicit task of the idle worker.
    pub(crate) last: u64,
}

pub(crate) const PRIMARY: u64 = 100;
pub(crate) const SECOND: u64 = 101;
pub(crate) const IDLE: u64 = 102;
pub(crate) const LOCK: u64 = 0xabc0;
pub(crate) const OUTLINED: u64 = 0x4000;
pub(crate) const TASK_ENTRY: u64 = 0x5000;

const IMPLICIT: Field = Field::TaskIsImplicit;

/// Adds the parts that tasks of every kind have.
fn record(image: &mut Image, task: u64, kind: Field, generation: u64, data: u64) {
    let record = image.inside(task, Field::ExplicitTaskRecord);
    image.set(record, Field::TaskGeneration, generation);
    image.set(record, kind, 1);
    image.set(task, Field::ExplicitTaskIsImplicit, u64::from(kind != Field::TaskIsExplicit));
    image.set(record, Field::TaskData, data);
}

fn icvs(image: &mut Image, nthreads: u64) -> u64 {
    let icvs = image.object(Object::Icvs);
    image.set(icvs, Field::IcvsNthreads, nthreads);
    image.set_numbers(icvs, Field::IcvsNthreadsDeeper, &[4]);
    image.set(icvs, Field::IcvsBind, 2);
    image.set_bytes(icvs, Field::IcvsBindDeeper, &[3]);
    image.set(icvs, Field::IcvsRunSchedKind, 2);
    image.set(icvs, Field::IcvsRunSchedChunk, 7);
    image.set(icvs, Field::IcvsMaxActiveLevels, 3);
    image.set(icvs, Field::IcvsThreadLimit, 50);
    image.set(icvs, Field::IcvsDefaultDevice, u64::MAX);
    image.set(icvs, Field::IcvsDefAllocator, 1);
    image.set(icvs, Field::IcvsDynamic, 1);
    icvs
}

fn implicit(image: &mut Image, region: u64, number: u64, kind: Field, generation: u64) -> u64 {
    let task = image.object(Object::ImplicitTask);
    record(image, task, kind, generation, 0x70 + number);
    image.set(task, Field::ImplicitTaskParallel, region);
    image.set(task, Field::ImplicitTaskThreadNum, number);
    image.set(task, Field::ImplicitTaskPlace, number);
    let icvs = icvs(image, 8 + number);
    image.set(task, Field::ImplicitTaskIcvs, icvs);
    let partition = image.inside(task, Field::ImplicitTaskPartition);
    image.set(partition, Field::PartitionFirst, 0);
    image.set(partition, Field::PartitionLength, 2);
    task
}

fn thread(image: &mut Image, lwp: u64, state: u64, next: u64) -> u64 {
    let thread = image.object(Object::Thread);
    image.set(thread, Field::ThreadNext, next);
    image.set(thread, Field::ThreadLwp, lwp);
    image.set(thread, Field::ThreadPthread, lwp << 32);
    image.set(thread, Field::ThreadGeneration, 1);
    image.set(thread, Field::ThreadState, state);
    image.set(thread, Field::ThreadData, 0x1000 + lwp);
    thread
}

fn region(image: &mut Image, level: u64, size: u64, generation: u64) -> u64 {
    let region = image.object(Object::Parallel);
    image.set(region, Field::ParallelGeneration, generation);
    image.set(region, Field::ParallelLevel, level);
    image.set(region, Field::ParallelActiveLevel, level);
    image.set(region, Field::ParallelSize, size);
    image.set(region, Field::ParallelData, 0x80 + level);
    let group = image.object(Object::ContentionGroup);
    image.set(region, Field::ParallelContentionGroup, group);
    region
}

/// The thread is in this implicit task, and executes `task`.
fn executes(image: &mut Image, thread: u64, implicit: u64, task: u64) {
    image.set(thread, Field::ThreadImplicitTask, implicit);
    image.set(thread, Field::ThreadTask, task);
}

fn settings(image: &mut Image) -> u64 {
    let process = image.process;
    let settings = image.object(Object::Settings);
    image.set(settings, Field::SettingsNumProcs, 6);
    image.set(settings, Field::SettingsTargetOffload, 2);
    image.set(settings, Field::SettingsCancel, 1);
    image.set(settings, Field::SettingsMaxTaskPriority, 11);
    image.set(settings, Field::SettingsNteams, 12);
    image.set(settings, Field::SettingsTeamsThreadLimit, 13);
    image.set(settings, Field::SettingsStacksize, 14 << 10);
    image.set(settings, Field::SettingsDisplayAffinity, 1);
    image.set(process, Field::ProcessNumDevices, 2);
    image.set(process, Field::ProcessDefaultStack, 8 << 20);
    image.set(process, Field::ProcessSettings, settings);
    image.set(process, Field::ProcessOpenmpVersion, 202_111);
    image.set(process, Field::ProcessToolVar, 1);
    image.set_bytes(process, Field::ProcessRuntimeVersion, b"oxomp of the test\0");
    image.set_bytes(process, Field::ProcessAffinityFormat, b"host %H");
    image.set_bytes(
        process,
        Field::ProcessEnvironment,
        b"OMP_DEBUG=enabled\0OMP_TOOL_LIBRARIES=/a.so:/b.so\0OMP_NUM_THREADS=8,4\0",
    );
    let mut places = Vec::new();
    for processors in [0b11, 1 << 2, 1 << 3] {
        let place = image.object(Object::Place);
        image.set_numbers(place, Field::PlaceProcessors, &[processors]);
        places.extend(image.pieces[&place].clone());
    }
    image.set_bytes(process, Field::ProcessPlaces, &places);
    let data = image.object(Object::ToolData);
    image.set(data, Field::ToolDataWord, 0x99);
    image.set(process, Field::ProcessToolData, data);
    settings
}

impl Program {
    /// The program, with *debug-var* as given.
    pub(crate) fn new(debug: bool) -> Self {
        Program::on(Machine::HERE, debug)
    }

    /// The program on a machine.
    pub(crate) fn on(machine: Machine, debug: bool) -> Self {
        let odd = u64::from(debug);
        let mut image = Image::new(machine);
        let process = image.process;
        let settings = settings(&mut image);
        image.set(process, Field::ProcessDebug, odd);
        let ended = thread(&mut image, 0, 0, 0);
        // It waits at the barrier of the region that is over.
        let idle = thread(&mut image, IDLE, if debug { 0x100 } else { 0x011 }, ended);
        let second = thread(&mut image, SECOND, 0x041, idle);
        let primary = thread(&mut image, PRIMARY, 0x001, second);
        image.set(second, Field::ThreadWaitId, LOCK);
        image.set(primary, Field::ThreadWaitId, LOCK);
        image.set(process, Field::ProcessThreads, primary);

        let outer = region(&mut image, 0, 1, odd);
        let initial = implicit(&mut image, outer, 0, Field::TaskIsInitial, odd);
        image.set_array(outer, Field::ParallelTasks, &[initial]);
        image.set(primary, Field::ThreadInitialTask, initial);

        let inner = region(&mut image, 1, 2, 5 * odd);
        image.set(inner, Field::ParallelEncountering, initial);
        image.set(inner, Field::ParallelFunction, OUTLINED * odd);
        let members = [0, 1].map(|number| implicit(&mut image, inner, number, IMPLICIT, 7 * odd));
        image.set_array(inner, Field::ParallelTasks, &members);
        image.set(members[1], Field::ImplicitTaskThread, second);

        let explicit = image.object(Object::ExplicitTask);
        record(&mut image, explicit, Field::TaskIsExplicit, 3 * odd, 0x7e);
        let task_record = image.inside(explicit, Field::ExplicitTaskRecord);
        image.set(explicit, Field::ExplicitTaskIsFinal, 1);
        image.set(task_record, Field::TaskExitFrame, 0x7fff_0000);
        image.set(task_record, Field::TaskExitFrameFlags, 0x11);
        image.set(task_record, Field::TaskEnterFrame, 0x7ffe_0000);
        image.set(task_record, Field::TaskEnterFrameFlags, 0x10);
        image.set(explicit, Field::ExplicitTaskGenerating, members[0]);
        image.set(explicit, Field::ExplicitTaskScheduling, members[0]);
        image.set(explicit, Field::ExplicitTaskParallel, inner);
        image.set(explicit, Field::ExplicitTaskFunction, TASK_ENTRY);
        let variables = icvs(&mut image, 12);
        image.set(explicit, Field::ExplicitTaskIcvs, variables);
        executes(&mut image, primary, members[0], explicit);
        executes(&mut image, second, members[1], members[1]);

        let over = region(&mut image, 1, 2, 6 * odd);
        image.set(over, Field::ParallelEncountering, initial);
        let last = implicit(&mut image, over, 1, IMPLICIT, 8 * odd);
        image.set(last, Field::ImplicitTaskThread, idle);
        executes(&mut image, idle, last, last);
        Program { image, settings, primary, second, outer, region: inner, members, explicit, last }
    }
}
