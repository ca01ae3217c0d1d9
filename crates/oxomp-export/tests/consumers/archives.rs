//! Archives of the Open Trace Format 2, as the program `otf2-print` reads them.

mod jobs;
mod printed;

use std::fs;
use std::path::Path;

use oxomp_analysis::Analysis;
use oxomp_analysis::model::{Hold, MutexWait};
use oxomp_analysis::summary::Class;
use oxomp_export::{Extent, otf2};
use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{Prerequisite, Program};

use crate::recordings::{Recording, analysis_of};
use crate::{KILLED, PRODUCER, PROGRAMS, accidents, document, sum};
use printed::{Archive, Event};

/// Writes the archive of `analysis` below `folder`, and returns the remark.
fn write(analysis: &Analysis, extent: Extent, folder: &Path) -> Option<String> {
    fs::create_dir_all(folder.join(otf2::LOCATIONS)).unwrap();
    otf2::write(analysis, PRODUCER, extent, &mut |name, content| {
        content(&mut fs::File::create(folder.join(name))?)
    })
    .unwrap()
}

/// The archive of `analysis` as it is read; its events are nested, and as many as it says.
fn archive(analysis: &Analysis, extent: Extent, recording: &Recording) -> Archive {
    let folder = recording.folder.path().join("otf2");
    write(analysis, extent, &folder);
    let archive = Archive::read(&folder.join(otf2::ANCHOR));
    archive.check_events();
    archive
}

fn can_read() -> bool {
    has_all(&[Prerequisite::from(Program::Otf2Print)])
}

/// The waits that regions show, by their names.
const WAITS: [(Class, &str); 4] = [
    (Class::Imbalance, "barrier: waiting for others"),
    (Class::Barrier, "barrier: its own cost"),
    (Class::Taskwait, "taskwait"),
    (Class::ForkJoin, Class::ForkJoin.name()),
];

/// A sum of ticks is rounded once, each region for itself, by a nanosecond at most.
fn is_near((count, regions): (u64, u64), sum: u64, what: &str) {
    let is_near = regions.abs_diff(sum) <= count.max(1000);
    assert!(is_near, "{what}: {regions} ns of {count} regions, {sum} ns in the document");
}

#[test]
fn an_archive_has_the_times_of_the_document() {
    if !can_read() {
        return;
    }
    for program in PROGRAMS {
        let Some(recording) = Recording::of(program) else { return };
        let analysis = recording.analysis();
        let document = document(&analysis);
        let archive = archive(&analysis, Extent::default(), &recording);
        let header = &analysis.summary.header;
        assert_eq!(archive.clock, (1_000_000_000, 0, header.wall_ns), "{program}");
        assert_eq!(archive.locations.len(), analysis.model.threads.len(), "{program}");
        // The primary threads' parts of regions, and those of all threads in teams.
        let forks = archive.pairs("THREAD_FORK", "THREAD_JOIN");
        assert_eq!(forks.0, sum(&document["regions"], "calls"), "{program}");
        is_near(forks, sum(&document["regions"], "wall_ns"), program);
        let teams = archive.pairs("THREAD_TEAM_BEGIN", "THREAD_TEAM_END");
        assert_eq!(teams.0, analysis.model.members.len() as u64, "{program}");
        for (class, name) in WAITS {
            let threads = analysis.resolved.threads.iter();
            let expected: u64 = threads.map(|by_class| by_class[class as usize]).sum();
            is_near(archive.named(name), expected, &format!("{program}: {name}"));
        }
        for row in document["regions"].as_array().unwrap() {
            let (file, line) = (&row["place"]["file"], &row["place"]["line"]);
            let is_there = archive.regions.values().any(|region| {
                region.role == "PARALLEL" && *file == region.file && *line == region.line
            });
            assert!(is_there, "{program}: {row}");
        }
        let tasks = archive.of_role("TASK").0;
        assert_eq!(tasks > 0, program.contains("tasks"), "{program}");
    }
}

#[test]
fn tasks_are_created_executed_and_completed() {
    if !can_read() {
        return;
    }
    for program in ["tests/profiler/tasks_tree.c", "tests/profiler/regions_in_tasks.c"] {
        let Some(recording) = Recording::of(program) else { return };
        let analysis = recording.analysis();
        let archive = archive(&analysis, Extent::default(), &recording);
        let of = |kind: &'static str| archive.events.iter().filter(move |it| it.kind == kind);
        let tasks = sum(&document(&analysis)["tasks"], "count");
        assert_eq!(analysis.summary.quality.folded_tasks, 0, "{program}");
        let begun = of("THREAD_TASK_SWITCH").filter(|event| event.task()[2] > 0);
        assert!(begun.count() as u64 >= tasks, "{program}");
        assert_eq!(of("THREAD_TASK_CREATE").count() as u64, tasks, "{program}");
        assert_eq!(of("THREAD_TASK_COMPLETE").count() as u64, tasks, "{program}");
        assert_eq!(archive.of_role("TASK").0, tasks, "{program}");
        // Their time is that of their regions, waits inside them included.
        let each = analysis.model.tasks.iter().map(|task| task.end - task.begin);
        is_near(archive.of_role("TASK"), each.sum(), program);
    }
}

#[test]
fn locks_are_acquired_and_released_as_often_as_the_document_says() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let analysis = recording.analysis();
    let locks = &document(&analysis)["locks"];
    let archive = archive(&analysis, Extent::default(), &recording);
    let held = archive.pairs("THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK");
    assert_eq!(held.0, sum(locks, "acquisitions"));
    is_near(held, sum(locks, "hold_ns"), "held");
    is_near(archive.of_role("CRITICAL"), sum(locks, "wait_ns"), "critical");
    // Each acquisition of the one lock has a number of its own, in the order of time.
    let mut acquired: Vec<&Event> =
        archive.events.iter().filter(|event| event.kind == "THREAD_ACQUIRE_LOCK").collect();
    acquired.sort_by_key(|event| event.time);
    let orders: Vec<u64> = acquired.iter().map(|event| event.value("Acquisition Order")).collect();
    assert_eq!(orders, (1..=held.0).collect::<Vec<_>>());
}

#[test]
fn a_location_of_several_chunks_is_read_whole() {
    const MANY: u64 = 100_000;
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let mut analysis = recording.analysis();
    let wait_of = |wait: &MutexWait| (wait.acquired && wait.member.is_some()).then(|| wait.clone());
    let wait = analysis.model.mutex_waits.iter().find_map(wait_of).expect("there are criticals");
    // As if the thread had acquired another lock ever again from then on.
    for number in 0..MANY {
        let (kind, code, wait_id) = (wait.kind, wait.code, wait.wait_id + 1);
        let begin = wait.end + 2 * number;
        let again = MutexWait { wait_id, begin, end: begin, ..wait.clone() };
        analysis.model.mutex_waits.push(again);
        analysis.model.holds.push(Hold { kind, wait_id, code, begin, end: begin + 1 });
    }
    let before = recording.analysis().model.holds.len() as u64;
    let archive = archive(&analysis, Extent::default(), &recording);
    let held = archive.pairs("THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK");
    assert_eq!(held.0, before + MANY);
    let folder = recording.folder.path().join("otf2").join(otf2::LOCATIONS);
    let sizes = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    assert!(sizes.max() > Some(3 << 20), "chunks have a megabyte each");
}

#[test]
fn explicit_barriers_have_another_role_than_those_at_the_ends_of_regions() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/barriers.c") else { return };
    let analysis = recording.analysis();
    let archive = archive(&analysis, Extent::default(), &recording);
    let barriers = &document(&analysis)["barriers"];
    assert_eq!(barriers[0]["kind"], "explicit");
    let stays = archive.of_role("BARRIER");
    assert_eq!(stays.0, sum(barriers, "passes"));
    is_near(stays, sum(barriers, "wait_ns"), "explicit barriers");
    assert_eq!(archive.of_role("IMPLICIT_BARRIER").0, 2, "the end of the region, of two threads");
}

#[test]
fn a_window_and_a_budget_hold_for_archives() {
    if !can_read() {
        return;
    }
    let Some(recording) = Recording::of("tests/profiler/tasks_tiny.c") else { return };
    let analysis = recording.analysis();
    let whole = archive(&analysis, Extent::default(), &recording);
    let small = Extent { budget: 100_000, ..Extent::default() };
    let folded = archive(&analysis, small, &recording);
    let remark = write(&analysis, small, &recording.folder.path().join("otf2"));
    assert!(remark.is_some_and(|remark| remark.contains("shorter than")));
    assert!(folded.events.len() < whole.events.len());
    assert!(folded.named("(short slices)").0 > 0 && whole.named("(short slices)").0 == 0);
    let times = &analysis.resolved.regions[0];
    let window = (times.begin, times.end);
    let part = archive(&analysis, Extent { window, ..Extent::default() }, &recording);
    assert_eq!(part.clock, (1_000_000_000, window.0, window.1 - window.0));
    assert!(part.events.iter().all(|event| (window.0..=window.1).contains(&event.time)));
    assert_eq!(part.pairs("THREAD_FORK", "THREAD_JOIN"), (1, window.1 - window.0));
}

#[test]
fn damaged_and_killed_recordings_give_archives_that_are_read() {
    if !can_read() {
        return;
    }
    let Some(killed) = Recording::of(KILLED) else { return };
    let forks =
        archive(&killed.analysis(), Extent::default(), &killed).pairs("THREAD_FORK", "THREAD_JOIN");
    assert_eq!(forks.0, 3);
    let Some(recording) = Recording::of("tests/profiler/tasks_tree.c") else { return };
    for file in accidents(&recording) {
        if oxomp_trace::Profile::open(&file).is_ok() {
            archive(&analysis_of(&file), Extent::default(), &recording);
        }
    }
}

#[test]
fn constructs_for_devices_are_locations_of_their_own() {
    if !can_read() {
        return;
    }
    let source = "tests/profiler/offload/copies.c";
    let Some(recording) = Recording::offloading(source) else { return };
    let analysis = recording.analysis();
    let archive = archive(&analysis, Extent::default(), &recording);
    let devices =
        archive.locations.values().filter(|location| location.kind == "ACCELERATOR_STREAM");
    assert_eq!(devices.count(), 1);
    let kernels = archive.of_role("FUNCTION").0;
    assert_eq!(kernels, sum(&document(&analysis)["offload"]["constructs"], "kernels"));
    assert_eq!(archive.of_role("DATA_TRANSFER").0, 40);
}
