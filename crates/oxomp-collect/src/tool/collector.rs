//! The collector, and how it hands an event to the calling thread's log.

use ompt::{EntryPoints, Initialization};
use oxomp_trace::FileHeader;
use oxomp_trace::info::EventClass;

use super::{mpi, under_way};
use crate::attached::{Attached, Variables};
use crate::log::{self, Log};
use crate::mode::Mode;
use crate::origin::Origin;
use crate::recording::{self, Recording};
use crate::settings::Settings;
use crate::store::{Exhausted, Store};
use crate::{census, child, clock, sample, unreported};

#[derive(Debug)]
pub(crate) struct Collector {
    pub(super) entry_points: EntryPoints,
    /// The host's device number.
    pub(super) host: i32,
}

impl Collector {
    pub(super) fn start(
        initialization: &Initialization,
        attached: Option<Attached>,
    ) -> Result<Self, String> {
        let settings = Settings::read(&Variables::of(attached.as_ref()));
        clock::choose();
        let (pair, ticks_per_second) = clock::measure();
        let header = FileHeader {
            pid: std::process::id(),
            start_tick: pair.0,
            start_monotonic_ns: pair.1,
            start_unix_ns: clock::read(libc::CLOCK_REALTIME),
            ticks_per_second,
        };
        let cpus = initialization.entry_points.num_procs().filter(|&cpus| cpus > 0);
        let cpus = cpus.unwrap_or_else(allowed_cpus);
        let origin = Origin {
            settings,
            runtime: initialization.runtime,
            allowed_cpus: u64::from(cpus),
            ticks_per_second,
            age: if attached.is_some() { census::begin_late() } else { census::age() },
            attached,
        };
        sample::prepare(initialization.entry_points);
        sample::begin_anew();
        unreported::prepare(initialization);
        under_way::hear(initialization);
        child::watch_forks();
        let recording = Recording::create(origin, &header)?;
        recording.begin_sampling();
        recording::begin();
        mpi::listen();
        let entry_points = initialization.entry_points;
        Ok(Self { entry_points, host: initialization.initial_device_num })
    }

    /// Handles an event at the current tick with the thread's log, if the recording is on.
    #[inline]
    pub(super) fn event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if recording::is_on() {
            self.event_in_any_mode(class, act);
        }
    }

    /// Handles the end of a region, or of a thread's part in it, as [`Self::event`] does, but also
    /// in a pause, in which what began before it may end.
    #[inline]
    pub(super) fn end(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if recording::is_wanted() {
            self.event_in_any_mode(class, act);
        }
    }

    #[inline]
    fn event_in_any_mode(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if let Some(recording) = recording::current() {
            let now = clock::now();
            recording.with_log(|log, store| {
                let is_due = log.meter.is_due(class);
                let result = act(log, store, now);
                if is_due {
                    log.meter.tell(class, now);
                }
                result
            });
        }
    }

    /// Handles the begin of a region, or of a thread's part in it, as [`Self::event`] does; `hide`
    /// notes it in a pause, so that its end is known for what it is.
    #[inline]
    pub(super) fn begin(
        &self,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
        hide: impl FnOnce(&mut Log),
    ) {
        match recording::mode() {
            Mode::On => self.event_in_any_mode(EventClass::Regions, act),
            Mode::Paused => {
                log::with_current(hide);
            }
            Mode::Off => {}
        }
    }

    /// Handles an event inside a region as [`Self::event`] does, unless the region is one that is
    /// only counted. Events of mutexes are handled all the same, since their sums are exact.
    #[inline]
    pub(super) fn inner_event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store, u64) -> Result<(), Exhausted>,
    ) {
        if log::only_counts() {
            return;
        }
        self.event(class, act);
    }

    /// Handles an event that needs no time, unless it is in a region that is only
    /// counted.
    #[inline]
    pub(super) fn untimed_event(
        &self,
        class: EventClass,
        act: impl FnOnce(&mut Log, &Store) -> Result<(), Exhausted>,
    ) {
        if recording::is_on()
            && !log::only_counts()
            && let Some(recording) = recording::current()
        {
            recording.with_log(|log, store| {
                if !log.meter.is_due(class) {
                    return act(log, store);
                }
                let begin = clock::now();
                let result = act(log, store);
                log.meter.tell(class, begin);
                result
            });
        }
    }
}

/// Processors the calling thread may use; 0 if the system does not say.
fn allowed_cpus() -> u32 {
    // SAFETY: zeros are an empty set, which the call fills in.
    unsafe {
        let mut set = std::mem::zeroed::<libc::cpu_set_t>();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set).unsigned_abs(),
            _ => 0,
        }
    }
}
