//! An archive being written, process by process.

use std::collections::HashMap;

use super::anchor::Anchor;
use super::calls::Call;
use super::chunks::{Chunks, DEFINITION_CHUNK};
use super::events::Events;
use super::groups::Groups;
use super::locations::{Kind, Locations, define_clock};
use super::locks::{LockEvent, Locks};
use super::moments::{Moments, without_sums_at};
use super::process::Process;
use super::role::Paradigm;
use super::shared::Shared;
use super::tasks::around_tasks;
use super::walk::Walk;
use super::{ANCHOR, LOCATIONS, MakeFile};
use crate::timeline::{self, Fitting, Lanes, Slice, fold, thread_name};

/// The locations that are written so far, and what their events refer to.
pub(super) struct Archive<'f, 'e, E> {
    shared: Shared,
    locations: Locations,
    /// The location of each process's main thread.
    mains: Vec<u64>,
    file: &'f mut MakeFile<'e, E>,
}

/// What is known of an archive as a whole.
#[derive(Debug)]
pub(super) struct Whole<'a> {
    pub(super) producer: &'a str,
    pub(super) machine: &'a str,
    pub(super) description: String,
    /// A number that other archives do not have.
    pub(super) id: u64,
    /// When time 0 was, ns since 1970.
    pub(super) started: u64,
    /// The part that is shown.
    pub(super) window: (u64, u64),
    /// The communicators of MPI, by their numbers: positions of processes, the first one with all.
    pub(super) communicators: &'a [Vec<u32>],
}

/// What a location shows.
struct Shown<'a> {
    /// A position in the model's threads.
    thread: Option<usize>,
    slices: &'a [Slice],
    locks: &'a [LockEvent],
    calls: &'a [Call],
}

impl<'f, 'e, E> Archive<'f, 'e, E> {
    /// An archive with so many communicators beside the teams of threads.
    pub(super) fn new(communicators: u32, file: &'f mut MakeFile<'e, E>) -> Self {
        let shared = Shared::new(communicators);
        Self { shared, locations: Locations::default(), mains: Vec::new(), file }
    }

    /// Writes the events of the next process.
    pub(super) fn add(&mut self, process: &Process<'_>) -> Result<Fitting, E> {
        let analysis = process.analysis;
        let hostname = &analysis.summary.header.hostname;
        self.locations.begin_process(process.name.clone(), hostname);
        let (fitting, beside) = Fitting::new(analysis, process.extent, process.slice_size());
        let (window, width) = (fitting.window, fitting.width);
        let first_thread = self.locations.threads().len();
        let mut walk = Walk::new(analysis, first_thread as u64, &mut self.shared);
        let mut files = Files { locations: &mut self.locations, process, file: self.file, width };
        let locks = Locks::of(&analysis.model);
        let main = process.main_thread();
        let none = Lanes::new();
        // Threads come in order; those without slices are told by the next one that has some.
        let mut next = 0;
        let mut until = |walk: &mut Walk<'_, '_>, end: usize, last: &[Slice]| {
            for thread in next..end {
                let slices = if thread + 1 == end { last } else { &[] };
                let slices = around_tasks(slices, &analysis.model, window);
                let locks = locks.events(beside.holds.get(thread).unwrap_or(&none), width);
                let calls: &[Call] =
                    if thread == main { &process.calls.on_main_thread } else { &[] };
                let shown = Shown { thread: Some(thread), slices: &slices, locks: &locks, calls };
                files.write(walk, &shown, thread_name(analysis, thread), Kind::Thread)?;
            }
            next = next.max(end);
            Ok::<(), E>(())
        };
        let mut result = Ok(());
        let mut take = |thread: usize, slices: &[Slice]| {
            if result.is_ok() {
                result = until(&mut walk, thread + 1, slices);
            }
        };
        timeline::each_thread(analysis, &beside.gaps, window, &mut take, &mut |_, _| {});
        result?;
        // Readers refuse an archive without locations, which a recording of no events would be.
        until(&mut walk, analysis.model.threads.len().max(1), &[])?;
        for calls in &process.calls.on_others {
            let shown = Shown { thread: None, slices: &[], locks: &[], calls };
            files.write(&mut walk, &shown, "MPI on other threads".to_owned(), Kind::Calls)?;
        }
        for (thread, lanes) in beside.devices.iter().enumerate() {
            for slices in lanes {
                let shown = Shown { thread: None, slices, locks: &[], calls: &[] };
                let name = format!("devices of {}", thread_name(analysis, thread));
                files.write(&mut walk, &shown, name, Kind::Devices)?;
            }
        }
        self.mains.push(self.locations.threads()[first_thread + main]);
        Ok(fitting)
    }

    /// Writes the definitions, and the anchor.
    pub(super) fn finish(self, whole: &Whole<'_>) -> Result<(), E> {
        let Self { mut shared, locations, mains, file } = self;
        let definitions = &mut shared.definitions;
        define_clock(whole.started, whole.window, definitions);
        locations.define(!whole.communicators.is_empty(), definitions);
        let mut groups = Groups::default();
        if let Some((world, others)) = whole.communicators.split_first() {
            let main = |process: &u32| mains.get(*process as usize).copied();
            let locations: Vec<u64> = world.iter().filter_map(main).collect();
            groups.all(Paradigm::Mpi, "ranks", &locations, definitions);
            let positions: HashMap<u32, u64> = world.iter().copied().zip(0..).collect();
            let all: Vec<u64> = (0..locations.len() as u64).collect();
            let name = "MPI_COMM_WORLD";
            groups.communicator((Paradigm::Mpi, 0), name, &all, definitions);
            for (number, processes) in (1..).zip(others) {
                let position = |process| positions.get(process).copied();
                let members: Vec<u64> = processes.iter().filter_map(position).collect();
                let name = format!("communicator of {} ranks", members.len());
                groups.communicator((Paradigm::Mpi, number), &name, &members, definitions);
            }
        }
        shared.teams.define(locations.threads(), &mut groups, definitions);
        file("traces.def", &mut |out| definitions.write(out))?;
        let anchor = Anchor {
            locations: locations.next(),
            definitions: definitions.count(),
            machine: whole.machine,
            creator: whole.producer,
            description: &whole.description,
            id: whole.id,
        };
        file(ANCHOR, &mut |out| anchor.write(out))
    }
}

/// The files of a process's locations.
struct Files<'a, 'e, E> {
    locations: &'a mut Locations,
    process: &'a Process<'a>,
    file: &'a mut MakeFile<'e, E>,
    /// Slices below it are folded.
    width: u64,
}

impl<E> Files<'_, '_, E> {
    /// Writes those of the next location.
    fn write(
        &mut self,
        walk: &mut Walk<'_, '_>,
        shown: &Shown<'_>,
        name: String,
        kind: Kind,
    ) -> Result<(), E> {
        let Self { locations, process, file, width } = self;
        let number = locations.next();
        let (mut slices, _) = fold(shown.slices, *width);
        if !shown.calls.is_empty() {
            without_sums_at(shown.calls, &mut slices);
        }
        let mut count = 0;
        file(&format!("{LOCATIONS}/{number}.evt"), &mut |out| {
            let mut events = Events::new(process.start, out);
            let moments = Moments::new(shown.locks, shown.calls, process.functions);
            walk.location(shown.thread, &slices, moments, &mut events)?;
            count = events.finish()?;
            Ok(())
        })?;
        // The numbers in events are those of the global definitions.
        file(&format!("{LOCATIONS}/{number}.def"), &mut |out| {
            Chunks::new(DEFINITION_CHUNK, out).finish().map(drop)
        })?;
        locations.written(name, kind, count);
        Ok(())
    }
}
