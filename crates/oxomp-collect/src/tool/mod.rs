//! The OMPT tool: one record per event.

mod collector;
mod control;
mod devices;
mod doacross;
mod mpi;
mod mutexes;
mod task_switch;
mod under_way;

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use ompt::{
    Cancel, CancelFlags, ControlResult, ControlTool, DataWord, Dependence, DependenceKind,
    Dependences, DeviceInitialize, Dispatch, DispatchInstance, Endpoint, Event, EventSet,
    ImplicitTask, Initialization, Mutex, MutexAcquire, MutexKind, ParallelBegin, ParallelEnd,
    ParallelFlags, Registration, Runtime, SyncRegion, SyncRegionKind, Target, TargetDataOp,
    TargetDataOpEmi, TargetEmi, TargetSubmit, TargetSubmitEmi, TaskCreate, TaskFlags, TaskSchedule,
    TaskStatus, ThreadBegin, ThreadEnd, Tool, Work,
};
use oxomp_trace::fold::left_out;
use oxomp_trace::info::EventClass;
use oxomp_trace::{EventKind, Record};

use crate::fold::Word;
use crate::log::{self, Log, record};
use crate::offload::Operation;
use crate::recording::{self, Recording};
use crate::store::Store;
use crate::tasks::{self, Node};
use crate::{attached, child, clock, message, sample, settings};
use collector::Collector;
use devices::{HAS_DEVICES, WITHOUT_ENDS};

ompt::ompt_tool!(Collector);

/// The address of a data word; 0 without a data word.
fn address(word: Option<&DataWord>) -> usize {
    word.map_or(0, |word| ptr::from_ref(word).addr())
}

#[ompt::tool]
impl Tool for Collector {
    fn wanted(_: &Runtime) -> bool {
        settings::wanted()
    }

    fn initialize(initialization: &Initialization) -> Option<Self> {
        let attached = attached::find(initialization);
        let say = |error: &str| match attached {
            // The user is where the command runs.
            Some(attached) => attached.tell(error),
            None => message::print(&format!("nothing is recorded: {error}")),
        };
        Self::start(initialization, attached).map_err(|error| say(&error)).ok()
    }

    fn events(&self) -> EventSet {
        Self::METHODS.without(WITHOUT_ENDS.iter().copied().collect())
    }

    fn registered(&self, registration: &Registration) {
        // A runtime before 5.1 has the older events only.
        if registration.refused().contains(Event::TARGET_EMI) {
            for event in WITHOUT_ENDS {
                ompt::register::<Self>(&self.entry_points, event);
            }
        }
    }

    fn finalize(&self) {
        if let Some(recording) = recording::current() {
            recording.end();
            recording.give_back();
        }
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        child::begin_thread(event.kind);
    }

    fn thread_end(&self, _: &ThreadEnd<'_>) {
        if recording::is_wanted()
            && let Some(recording) = recording::current()
        {
            recording.leave_thread();
        }
    }

    #[inline]
    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        child::enter_region();
        let act = |log: &mut Log, store: &Store, now| {
            let begin = Record {
                code: event.codeptr_ra.0 as u64,
                aux: event.requested_parallelism,
                sub: u8::from(event.flags.contains(ParallelFlags::LEAGUE)),
                ..record(EventKind::ParallelBegin, now)
            };
            let region = log.begin_region(store, begin, address(event.parallel))?;
            // A word that is not written stays in the caches of the members.
            if let Some(word) = event.parallel
                && !matches!(region, Word::Hidden)
            {
                word.set(region.encode());
            }
            Ok(())
        };
        self.begin(act, Log::hide_region);
    }

    #[inline]
    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        self.end(EventClass::Regions, |log, store, now| {
            if let Some((team, outer)) = log.asked_for_fork() {
                sample::tell_fork(store, team, outer);
            }
            let code = log.ending_region();
            log.end_region(store, now, event.codeptr_ra.0 as u64)?;
            log.leave_region(code);
            Ok(())
        });
    }

    #[inline]
    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        let initial = event.flags.contains(TaskFlags::INITIAL);
        if event.endpoint == Endpoint::End
            && !initial
            && (recording::is_on() || log::only_counts())
            && log::handles(EventClass::Regions, Log::end_left_member)
        {
            return;
        }
        let place = address(event.parallel);
        if event.endpoint == Endpoint::Begin
            && recording::is_on()
            && log::handles(EventClass::Regions, |log| {
                log.continues_series(place, || recording::current().map(Recording::store))
            })
        {
            return;
        }
        if event.endpoint == Endpoint::End {
            return self.end(EventClass::Regions, |log, store, now| {
                if initial {
                    if !log.initial_tasks.end() {
                        log.end_initial_task();
                        return Ok(());
                    }
                    log.context.team_num = 0;
                }
                log.end_member(store, now)
            });
        }
        // The initial task outside every construct is the thread itself, and the initial task of a
        // target region is part of the task around it.
        if initial && event.actual_parallelism <= 1 && event.index == 1 {
            log::with_current(Log::begin_initial_task);
            return;
        }
        let act = |log: &mut Log, store: &Store, now| {
            // Most often the team of the thread's last region. The runtime's data word, which names
            // the team, is in a cache line for which the thread has to wait.
            if let Some(last) = log.context.last {
                last.team.prefetch();
            }
            if initial {
                log.initial_tasks.begin(true);
                log.context.team_num = event.index;
            }
            let begin = Record {
                code: u64::from(event.index),
                aux: event.actual_parallelism,
                ..record(EventKind::ImplicitBegin, now)
            };
            let word = Word::decode(event.parallel.map_or(0, |word| word.get()));
            if let Word::Counted(team) = word {
                return log.begin_series_part(store, team, place, now);
            }
            log.begin_member(store, word, begin)
        };
        self.begin(act, |log| {
            if initial {
                log.initial_tasks.begin(true);
            }
            log.hide_member();
        });
    }

    #[inline]
    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        let begins = event.endpoint == Endpoint::Begin;
        let sub = event.kind.raw().0 as u8;
        let code = event.codeptr_ra.0 as u64;
        let taskwait = event.kind == SyncRegionKind::Taskwait;
        self.inner_event(EventClass::Regions, |log, store, now| {
            let last = matches!(
                event.kind,
                SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams
            );
            match begins {
                true if !last => log.stop_task(now),
                false if !last => log.resume_task(now, !taskwait),
                _ => {}
            }
            match (event.kind, begins) {
                (SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams, true) => {
                    log.arrive(store, now)?;
                }
                (SyncRegionKind::BarrierImplicitParallel | SyncRegionKind::BarrierTeams, _) => {
                    log.leave(now);
                }
                (SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup, true) => {
                    log.begin_taskwait(store, now);
                }
                (SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup, _) => {
                    log.end_taskwait(store, now)?;
                }
                (SyncRegionKind::Reduction, _) => return Ok(()),
                (_, true) => log.begin_barrier(store, now),
                (_, _) => log.end_barrier(store, now, sub, code)?,
            }
            let kind = if begins { EventKind::WaitBegin } else { EventKind::WaitEnd };
            log.record(store, Record { sub, code, ..record(kind, now) })?;
            if begins || last || taskwait || event.kind == SyncRegionKind::Taskgroup {
                return Ok(());
            }
            log.pass_barrier(store, now)
        });
    }

    #[inline]
    fn work(&self, event: &Work<'_>) {
        let sub = event.kind.raw().0 as u8;
        let code = event.codeptr_ra.0 as u64;
        self.inner_event(EventClass::Loops, |log, store, now| {
            if event.endpoint == Endpoint::Begin {
                log.begin_chunks(store, sub, code, event.count, now);
                return log.begin_work(store, (sub, code), event.count, now);
            }
            log.end_work(store, (sub, code), now)?;
            log.end_chunks(store, now);
            Ok(())
        });
    }

    #[inline]
    fn dispatch(&self, event: &Dispatch<'_>) {
        let (start, iterations) = match event.instance {
            DispatchInstance::WsLoopChunk(chunk) | DispatchInstance::DistributeChunk(chunk) => {
                (chunk.start, chunk.iterations)
            }
            DispatchInstance::Iteration(start) => (start, 1),
            // Sections are handed out in their order.
            DispatchInstance::Section(_) => (u64::MAX, 1),
            _ => return,
        };
        if recording::is_on() && !log::only_counts() {
            log::handles(EventClass::Loops, |log| {
                log.sinks.forget();
                log.chunks.hand_out(start, iterations, clock::now);
                true
            });
        }
    }

    #[inline]
    fn mutex_acquire(&self, event: &MutexAcquire) {
        let (id, code) = (event.wait_id.0, event.codeptr_ra.0 as u64);
        if matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock) {
            return self.test(event);
        }
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_request(id, code, event.kind))
        {
            return;
        }
        self.time_request(event);
    }

    #[inline]
    fn mutex_acquired(&self, event: &Mutex) {
        if matches!(event.kind, MutexKind::TestLock | MutexKind::TestNestLock) {
            return self.end_tests(event);
        }
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_acquisition(event.wait_id.0))
        {
            return;
        }
        self.time_acquisition(event);
    }

    #[inline]
    fn mutex_released(&self, event: &Mutex) {
        if recording::is_on()
            && log::handles(EventClass::Locks, |log| log.counts_release(event.wait_id.0))
        {
            return;
        }
        self.time_release(event);
    }

    #[inline]
    fn task_create(&self, event: &TaskCreate<'_>) {
        let Some(word) = event.task else { return };
        if event.flags.contains(TaskFlags::TARGET) {
            word.set(tasks::PART_OF_TASK);
        }
        if !event.flags.contains(TaskFlags::EXPLICIT) {
            return;
        }
        word.set(tasks::WITHOUT_NODE);
        let code = event.codeptr_ra.0 as u64;
        if event.flags.contains(TaskFlags::UNDEFERRED) {
            self.untimed_event(EventClass::Tasks, |log, store| {
                log.create_undeferred(store, code);
                Ok(())
            });
        }
        let encountering = event.encountering_task;
        let around = encountering.map_or(tasks::WITHOUT_NODE, |word| word.get());
        let counts = |log: &mut Log| log.counts_task(code, around, clock::now);
        if recording::is_on()
            && !event.has_dependences
            && !log::only_counts()
            && log::handles(EventClass::Tasks, counts)
        {
            word.set(tasks::counted_word(code));
            return;
        }
        self.inner_event(EventClass::Tasks, |log, store, now| {
            let keep = |node| {
                if let Some(encountering) = encountering {
                    encountering.set(node);
                }
            };
            word.set(log.create_task(store, now, code, around, keep));
            Ok(())
        });
    }

    #[inline]
    fn dependences(&self, event: &Dependences<'_>) {
        match event.dependences.first().map(Dependence::kind) {
            Some(DependenceKind::Sink) => return self.sink(event.dependences),
            Some(DependenceKind::Source) => return self.source(event.dependences),
            _ => {}
        }
        let Some(node) = event.task.and_then(|word| Node::of_word(word.get())) else { return };
        if !node.is_explicit() {
            return;
        }
        let accesses = event.dependences.iter().map(|dependence| match dependence.kind() {
            DependenceKind::In => dependence.variable() | 1,
            _ => dependence.variable() & !1,
        });
        if event.dependences.len() <= tasks::DEPENDENCES {
            node.set_dependences(accesses, || None);
            return;
        }
        self.event(EventClass::Tasks, |log, store, _| {
            let without_room = node.set_dependences(accesses, || log.nodes.take());
            if without_room > 0 {
                log.leave_out_more(store, left_out::DEPENDENCES, without_room);
            }
            Ok(())
        });
    }

    #[inline]
    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        let word = |word: Option<&DataWord>| word.map_or(0, DataWord::get);
        let (prior, next) = (word(event.prior), word(event.next));
        if [prior, next].contains(&tasks::PART_OF_TASK) {
            return;
        }
        let completes = match event.status {
            TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::Detach => true,
            TaskStatus::Switch | TaskStatus::Yield => false,
            TaskStatus::LateFulfill => {
                if let Some(word) = event.prior {
                    tasks::fulfil(word, clock::now());
                }
                return;
            }
            _ => return,
        };
        let ended = tasks::counted_code(prior).filter(|_| completes);
        if ended.is_none() && tasks::counted_code(next).is_none() {
            return self.switch_tasks(event, prior, next, completes);
        }
        if let (Some(word), Some(code)) = (event.prior, ended) {
            word.set(tasks::WITHOUT_NODE);
            if event.status == TaskStatus::Detach {
                tasks::time_all(code);
            }
        }
        self.untimed_event(EventClass::Tasks, |log, store| {
            if !tasks::is_explicit(prior) && log.context.is_in_task_under_way {
                log.end_task_under_way(store, clock::now())?;
            }
            log.change_counted(store, ended, next)
        });
        // The other one of the two tasks may be timed.
        if ended.is_some() && tasks::has_not_begun(next) {
            self.switch_tasks(event, 0, next, false);
        } else if ended.is_none() && completes {
            self.switch_tasks(event, prior, 0, true);
        }
    }

    /// LLVM's runtime reports the end of a discarded task after this event, too.
    fn cancel(&self, event: &Cancel<'_>) {
        let Some(word) = event.task.filter(|_| event.flags.contains(CancelFlags::DISCARDED_TASK))
        else {
            return;
        };
        let task = word.get();
        word.set(tasks::PART_OF_TASK);
        if tasks::counted_code(task).is_some() || tasks::has_not_begun(task) {
            self.untimed_event(EventClass::Tasks, |log, store| {
                log.discard_task(store, task);
                Ok(())
            });
        }
    }

    fn device_initialize(&self, _: &DeviceInitialize<'_>) {
        HAS_DEVICES.store(true, Ordering::Relaxed);
    }

    fn target_emi(&self, event: &TargetEmi<'_>) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let what = (event.kind, event.device_num, event.codeptr_ra);
        if let (Some(word), Endpoint::Begin) = (event.target, event.endpoint) {
            word.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        self.target_construct(event.target.map_or(0, DataWord::get), event.endpoint, what);
    }

    fn target(&self, event: &Target<'_>) {
        let what = (event.kind, event.device_num, event.codeptr_ra);
        self.target_construct(event.target_id, event.endpoint, what);
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        self.operation(Operation::of_data(event, self.host), event.endpoint);
    }

    fn target_data_op(&self, event: &TargetDataOp) {
        self.operation(Operation::of_single(event, self.host), Endpoint::BeginEnd);
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        self.kernel(event.requested_num_teams, event.endpoint);
    }

    fn target_submit(&self, event: &TargetSubmit) {
        self.kernel(event.requested_num_teams, Endpoint::BeginEnd);
    }

    fn control_tool(&self, event: &ControlTool) -> ControlResult {
        let changed = control::obey(event);
        if changed { ControlResult::SUCCESS } else { ControlResult::IGNORED }
    }
}
