//! The timeline of a run as an archive of the Open Trace Format 2, for Vampir and the tools of
//! Score-P. The README beside this file describes the format.
//!
//! A process is a location group, each thread a location with its regions (constructs, waits,
//! serial code), the teams that it was in and the locks that it acquired and released. Constructs
//! for devices and their operations are locations of their own. Times are nanoseconds since the
//! start of the process.

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::model::Model;

use crate::timeline::{self, Extent, Fitting, Lanes, Slice, fold};

mod anchor;
mod chunks;
mod definitions;
mod events;
mod locations;
mod locks;
mod record;
mod regions;
mod role;
mod stays;
mod tasks;
mod teams;
mod walk;

use anchor::Anchor;
use chunks::{Chunks, DEFINITION_CHUNK};
use events::Events;
use locations::{Locations, define_clock};
use locks::{LockEvent, Locks};
use tasks::around_tasks;
use walk::Walk;

/// The file of an archive by which programs open it. An archive without it is not whole.
pub const ANCHOR: &str = "traces.otf2";
/// The folder in an archive that has the files of the locations.
pub const LOCATIONS: &str = "traces";
/// Bytes of the two events of a slice, roughly.
const SLICE_SIZE: u64 = 26;
/// Bytes of the four events of a task, roughly.
const TASK_SIZE: u64 = 34;

/// Writes the content of a file.
pub type Content<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Writes the archive of `analysis`, made by the program `producer`: hands each file to `file`, by
/// its path in the archive's folder, the anchor last. Returns a remark if the archive does not show
/// everything one by one.
///
/// # Errors
///
/// The errors of `file`.
pub fn write<E>(
    analysis: &Analysis,
    producer: &str,
    extent: Extent,
    file: &mut dyn FnMut(&str, &mut Content<'_>) -> Result<(), E>,
) -> Result<Option<String>, E> {
    let (fitting, beside) = Fitting::new(analysis, extent, slice_size(&analysis.model));
    let locks = Locks::of(&analysis.model);
    let mut walk = Walk::new(analysis);
    define_clock(analysis, fitting.window, &mut walk.definitions);
    let mut archive = Archive { walk, locations: Locations::default(), file };
    let window = fitting.window;
    let none = Lanes::new();
    let locks_of =
        |thread: usize| locks.events(beside.holds.get(thread).unwrap_or(&none), fitting.width);
    let mut result = Ok(());
    let mut take = |thread: usize, slices: &[Slice]| {
        if result.is_ok() {
            let slices = around_tasks(slices, &analysis.model, window);
            result = archive.thread(thread, &slices, fitting.width, &locks_of);
        }
    };
    timeline::each_thread(analysis, &beside.gaps, fitting.window, &mut take, &mut |_, _| {});
    result?;
    // Readers refuse an archive without locations, which a recording of no events would be.
    archive.threads_until(analysis.model.threads.len().max(1), &locks_of)?;
    for (thread, lanes) in beside.devices.iter().enumerate() {
        for lane in lanes {
            archive.devices(thread, lane, fitting.width)?;
        }
    }
    archive.finish(analysis, producer, &fitting)?;
    Ok(fitting.remark())
}

/// Bytes of a slice's events, roughly, those of tasks included.
fn slice_size(model: &Model) -> u64 {
    let segments: usize = model.threads.iter().map(|thread| thread.segments.len()).sum();
    SLICE_SIZE + TASK_SIZE * model.tasks.len() as u64 / segments.max(1) as u64
}

/// An archive being written.
struct Archive<'a, 'b, E> {
    walk: Walk<'a>,
    locations: Locations,
    file: &'b mut dyn FnMut(&str, &mut Content<'_>) -> Result<(), E>,
}

impl<E> Archive<'_, '_, E> {
    /// Writes the thread at a position in the model's threads. Threads come in order.
    fn thread(
        &mut self,
        thread: usize,
        slices: &[Slice],
        width: u64,
        locks_of: &dyn Fn(usize) -> Vec<LockEvent>,
    ) -> Result<(), E> {
        self.threads_until(thread, locks_of)?;
        let events = self.location(slices, width, &locks_of(thread))?;
        self.locations.thread_written(events);
        Ok(())
    }

    /// Writes the threads before the one at `end` that were not written, which have no slices.
    fn threads_until(
        &mut self,
        end: usize,
        locks_of: &dyn Fn(usize) -> Vec<LockEvent>,
    ) -> Result<(), E> {
        while self.locations.count() < end as u64 {
            let thread = self.locations.count() as usize;
            let events = self.location(&[], 0, &locks_of(thread))?;
            self.locations.thread_written(events);
        }
        Ok(())
    }

    /// Writes constructs for devices of a thread, after all threads.
    fn devices(&mut self, thread: usize, slices: &[Slice], width: u64) -> Result<(), E> {
        let events = self.location(slices, width, &[])?;
        self.locations.devices_written(thread, events);
        Ok(())
    }

    /// Writes the files of the next location, and returns the number of its events.
    fn location(&mut self, slices: &[Slice], width: u64, locks: &[LockEvent]) -> Result<u64, E> {
        let Self { walk, locations, file } = self;
        let number = locations.count();
        let (slices, _) = fold(slices, width);
        let mut count = 0;
        file(&format!("{LOCATIONS}/{number}.evt"), &mut |out| {
            let mut events = Events::new(out);
            walk.location(number, &slices, locks, &mut events)?;
            count = events.finish()?;
            Ok(())
        })?;
        // The numbers in events are those of the global definitions.
        file(&format!("{LOCATIONS}/{number}.def"), &mut |out| {
            Chunks::new(DEFINITION_CHUNK, out).finish().map(drop)
        })?;
        Ok(count)
    }

    fn finish(self, analysis: &Analysis, producer: &str, fitting: &Fitting) -> Result<(), E> {
        let Self { mut walk, locations, file } = self;
        let definitions = &mut walk.definitions;
        locations.define(analysis, definitions);
        walk.teams.define(locations.threads(), definitions);
        file("traces.def", &mut |out| definitions.write(out))?;
        let header = &analysis.summary.header;
        let mut description = vec![header.command.join(" ")];
        description.extend(fitting.remarks(analysis));
        let anchor = Anchor {
            locations: locations.count(),
            definitions: definitions.count(),
            machine: &header.hostname,
            creator: producer,
            description: &description.join("\n"),
            id: header.started_unix_ns ^ u64::from(header.pid).rotate_right(24),
        };
        file(ANCHOR, &mut |out| anchor.write(out))
    }
}
