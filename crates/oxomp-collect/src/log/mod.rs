//! A thread's stream of records, and what belongs to the thread besides.
//!
//! A log belongs to the thread whose thread-local pointer names it, from its thread-begin to its
//! thread-end; no other thread touches it.

mod stream;
mod table;

use std::sync::atomic::Ordering;

use oxomp_sys::unreported::oxomp_unreported_t;
use oxomp_trace::layout::ChunkKind;
use oxomp_trace::{EventKind, Record};

use crate::context::{Context, InitialTasks};
use crate::costs::Costs;
use crate::fold::{self, Sinks};
use crate::loops::Chunks;
use crate::mpi_events::MpiEvents;
use crate::offload::Offload;
use crate::overhead::Meter;
use crate::pages::Pages;
use crate::phases;
use crate::scheduler::Looked;
use crate::seen::Seen;
use crate::store::{Exhausted, Store};
use crate::sums::{Sums, Tables};
use crate::tasks::{Creations, Node, Nodes, Returned, ShortTasks};
use crate::team::Team;
use crate::unreported::Unreported;
use crate::visible::Visible;

use stream::Stream;
pub(crate) use table::{
    Logs, handles, has_current, hide_current, lose_current, only_counts, peek, show_current,
    with_current,
};

/// The most nested regions of one thread that have a [`Team`].
pub(crate) const LEVELS: usize = 8;

/// The stream of one thread at a time.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Log {
    /// Number of the stream.
    pub(crate) number: u32,
    /// Its events.
    events: Stream,
    /// In a recording of the last seconds, the begins and ends of threads and pauses.
    lives: Stream,
    /// The place of this thread among the threads that have had the stream, from 0.
    pub(crate) life: u64,
    /// Regions begun by this thread.
    regions: u32,
    /// The initial tasks that the thread is in.
    pub(crate) initial_tasks: InitialTasks,
    /// The chunks that the thread was given since the last worksharing construct began.
    pub(crate) chunks: Chunks,
    /// The sinks that it has met in its iteration of a doacross loop nest.
    pub(crate) sinks: Sinks,
    /// The construct for a device that the thread is in.
    pub(crate) offload: Offload,
    /// The time that the collector takes for the thread's events.
    pub(crate) meter: Meter,
    /// The thread's use of processors.
    pub(crate) looked: Looked,
    /// The part of the thread's state that the helper reads.
    pub(crate) visible: &'static Visible,
    /// Where the thread has met regions.
    pub(crate) seen: Seen,
    /// The phase of the program in which the thread is.
    pub(crate) phase: phases::Seen,
    /// Folded sums.
    pub(crate) sums: Sums,
    /// Cost curves of loops.
    pub(crate) costs: Costs,
    /// What the thread does in messages and collective operations of MPI.
    pub(crate) mpi_events: MpiEvents,
    /// The thread's nested activities.
    pub(crate) context: Context,
    /// The mutexes that the thread may acquire without events.
    pub(crate) unreported: Unreported,
    /// The task that the thread executes, if it has a node.
    pub(crate) running: Option<&'static Node>,
    /// The tasks that it has created last.
    pub(crate) creations: Creations,
    /// Its tasks that are only counted.
    pub(crate) short_tasks: ShortTasks,
    /// When the last task ended on the thread.
    pub(crate) task_ended: u64,
    /// The nodes of the tasks that it creates.
    pub(crate) nodes: &'static Nodes,
    /// Free nodes of tasks that another thread created.
    pub(crate) returned: Returned,
    /// The teams of the regions it begins.
    pub(crate) teams: &'static [Team; LEVELS],
}

/// The data that stay in place when a thread ends and another one continues its stream. All zeros
/// are valid: the memory comes from the system untouched.
#[derive(Debug)]
struct Lasting {
    /// The teams of the thread's regions. They outlive the thread, since late members of its last
    /// team may still read them.
    teams: [Team; LEVELS],
    /// The nodes of the tasks that the thread creates, which outlive it, too.
    nodes: Nodes,
    /// What the thread shows to the helper.
    visible: Visible,
    /// Where the thread's folded sums are, and its cost curves.
    tables: Tables,
    curves: Pages,
    /// What the runtime counts for the thread.
    unreported: oxomp_unreported_t,
}

impl Log {
    fn new(number: u32, lasting: &'static Lasting) -> Self {
        Self {
            number,
            events: Stream::of(ChunkKind::Events),
            lives: Stream::of(ChunkKind::Lives),
            life: 0,
            regions: 0,
            initial_tasks: InitialTasks::NONE,
            chunks: Chunks::NONE,
            sinks: Sinks::NONE,
            offload: Offload::NONE,
            meter: Meter::NEW,
            looked: Looked::NEVER,
            visible: &lasting.visible,
            seen: Seen::new(),
            phase: phases::Seen::NONE,
            sums: Sums::new(&lasting.tables),
            costs: Costs::new(&lasting.curves),
            mpi_events: MpiEvents::NONE,
            context: Context::new(),
            unreported: Unreported::new(&lasting.unreported),
            running: None,
            creations: Creations::NONE,
            short_tasks: ShortTasks::NONE,
            task_ended: 0,
            nodes: &lasting.nodes,
            returned: Returned::NONE,
            teams: &lasting.teams,
        }
    }

    /// Another thread continues the stream.
    fn begin_anew(&mut self) {
        self.life += 1;
        self.initial_tasks = InitialTasks::NONE;
        self.chunks = Chunks::NONE;
        self.sinks.forget();
        self.offload = Offload::NONE;
        self.looked = Looked::NEVER;
        self.running = None;
        self.creations = Creations::NONE;
        self.short_tasks = ShortTasks::NONE;
        self.task_ended = 0;
        self.context = Context::new();
    }

    /// Releases the log's chunks.
    fn close(&mut self, store: &Store) {
        self.events.close(store);
        self.lives.close(store);
        self.sums.close(store);
        self.costs.close(store);
        self.mpi_events.close(store);
    }

    /// A number for a new region, unique in the process and never 0.
    #[inline]
    pub(crate) fn next_region(&mut self) -> u64 {
        self.regions = self.regions.wrapping_add(1);
        (u64::from(self.number) << 32 | u64::from(self.regions)) + 1
    }

    /// How many regions the threads of the stream have begun.
    pub(crate) fn regions_begun(&self) -> u64 {
        self.regions.into()
    }

    /// Whether the thread is in a region that is only counted.
    #[inline]
    pub(crate) fn only_counts(&self) -> bool {
        self.context.member_of.is_some()
    }

    /// The code address of the region that the thread is in; 0 outside every region.
    #[inline]
    pub(crate) fn region_code(&mut self) -> u64 {
        self.context.regions.top().map_or(0, |frame| frame.region.code)
    }

    /// The team in whose region the thread is as one of the workers. Signal-safe.
    pub(crate) fn member_of(&self) -> Option<&'static Team> {
        let context = &self.context;
        if context.member_of.is_some() {
            return context.member_of.filter(|_| context.counted.is_none());
        }
        let frame = context.regions.iter().next_back()?;
        Some(frame.team).filter(|_| !frame.primary)
    }

    /// The team of the region that the thread ends as its primary thread, and the number of the
    /// region around it, if samples ask for the call path that led to the region.
    #[inline]
    pub(crate) fn asked_for_fork(&self) -> Option<(&'static Team, u64)> {
        // The region that ends lies inside the team's region, whose call path is another one.
        if self.context.hidden_regions > 0 {
            return None;
        }
        if let Some(counted) = &self.context.counted {
            return Some((counted.team, 0)).filter(|(team, _)| team.is_asked());
        }
        let mut regions = self.context.regions.iter().rev();
        let frame = regions.next()?;
        let team = Some(frame.team).filter(|team| team.is_asked())?;
        let outer = regions.next().map(|outer| outer.team);
        Some((team, outer.map_or(0, |team| team.id.load(Ordering::Relaxed))))
    }

    /// Appends an event.
    #[inline]
    pub(crate) fn push(&mut self, store: &Store, record: Record) -> Result<(), Exhausted> {
        if self.events.is_full() {
            self.turn(store, record.tick)?;
        }
        self.events.push(record)
    }

    #[cold]
    fn turn(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        fold::judge(fold::Used::of(store), now);
        self.context.has_turned = fold::keeps_last();
        self.events.turn(store, self.number)
    }

    /// Appends a begin or end of a thread or a pause.
    pub(crate) fn push_life(&mut self, store: &Store, record: Record) -> Result<(), Exhausted> {
        if !fold::keeps_last() {
            return self.push(store, record);
        }
        if self.lives.is_full() {
            self.lives.turn(store, self.number)?;
        }
        self.lives.push(record)
    }
}

/// A record of `kind` at `tick`; the caller fills in the other fields that the kind defines.
#[inline]
pub(crate) fn record(kind: EventKind, tick: u64) -> Record {
    Record { tick, kind: kind as u8, ..Record::default() }
}
