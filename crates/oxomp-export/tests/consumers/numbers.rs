//! The numbers that the text summary tells of a recording are in its document, too, and in its
//! tables.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{Notes, Style, render};
use oxomp_analysis::summary::{
    AtomicUpdate, Class, LineSharing, MemoryObject, SharedLines, SharedPlace, SpinLoop,
};
use oxomp_export::csv;
use serde_json::{Value, json};

use crate::recordings::Recording;
use crate::{document, sum};

/// What a user reads, on one line.
fn text(analysis: &Analysis) -> String {
    let text = render(&analysis.summary, &analysis.places, &Notes::default(), Style::plain());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number before the last such words of the text.
fn before(text: &str, words: &str) -> u64 {
    let (head, _) = text.rsplit_once(words).unwrap_or_else(|| panic!("no {words} in: {text}"));
    // In groups of three.
    let word = |word: &&str| word.chars().all(|one| one.is_ascii_digit());
    let groups: Vec<&str> = head.rsplit(' ').take_while(word).collect();
    groups.into_iter().rev().collect::<String>().parse().unwrap_or_else(|_| panic!("{head}"))
}

/// A column of a table, summed up.
fn column(analysis: &Analysis, file: &str, name: &str) -> u64 {
    let (place, rows) = rows(analysis, file, name);
    rows.iter().map(|fields| fields[place].parse::<u64>().unwrap()).sum()
}

/// The position of the column called `name`, and the rows.
fn rows(analysis: &Analysis, file: &str, name: &str) -> (usize, Vec<Vec<String>>) {
    let table = csv::tables(analysis).find(|table| table.file == file).expect("the table");
    let mut bytes = Vec::new();
    table.write(analysis, &mut bytes).unwrap();
    // No field of these programs has a comma in it.
    let text = String::from_utf8(bytes).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a heading");
    (names.iter().position(|one| one == name).expect("the column"), lines.collect())
}

/// The text's number, that of the rows of the document, and that of the table are one.
fn agree(analysis: &Analysis, number: u64, (rows, key): (&str, &str), table: &str) -> Value {
    let document = document(analysis);
    assert_eq!(sum(&document[rows], key), number, "{rows}: {:#}", document[rows]);
    assert_eq!(column(analysis, table, key), number, "{table}");
    assert!(number > 0, "{key}");
    document
}

#[test]
fn failed_tests_of_locks_are_in_documents_and_tables() {
    let Some(recording) = Recording::of("tests/profiler/test_lock.c") else { return };
    let analysis = recording.analysis();
    let text = text(&analysis);
    let failed = before(text.split(" apart: threads spun").next().unwrap(), " times, ");
    let document = agree(&analysis, failed, ("locks", "failed"), "locks.csv");
    for key in ["tested_ns", "spin_ns"] {
        let number = sum(&document["locks"], key);
        agree(&analysis, number, ("locks", key), "locks.csv");
    }
    let spun: u64 = analysis.summary.mutexes.iter().map(|one| one.spin_ns).sum();
    assert_eq!(sum(&document["locks"], "spin_ns"), spun);
}

#[test]
fn forms_of_tasks_are_in_documents_and_tables() {
    let Some(recording) = Recording::of("tests/profiler/undeferred.c") else { return };
    let analysis = recording.analysis();
    let text_of_all = text(&analysis);
    let undeferred = before(text_of_all.split(" are undeferred").next().unwrap(), " tasks (");
    agree(&analysis, undeferred, ("tasks", "undeferred"), "tasks.csv");
    assert_eq!(undeferred, 30);
    let Some(recording) = Recording::of("tests/profiler/late_event.c") else { return };
    let analysis = recording.analysis();
    let detached = before(&text(&analysis), " task at line");
    agree(&analysis, detached, ("tasks", "detached"), "tasks.csv");
}

#[test]
fn barriers_that_are_never_reached_are_in_documents_and_tables() {
    let Some(recording) = Recording::of_run("tests/profiler/left.c", &["end"]) else { return };
    let analysis = recording.analysis();
    let ended = before(&text(&analysis), " thread of the team never reached");
    let document = agree(&analysis, ended, ("unreached", "ended"), "unreached.csv");
    for key in ["waiting", "time_ns"] {
        let number = sum(&document["unreached"], key);
        agree(&analysis, number, ("unreached", key), "unreached.csv");
    }
}

#[test]
fn memory_that_threads_share_is_in_documents_and_tables() {
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let mut analysis = recording.analysis();
    let region = analysis.summary.regions[0].site;
    let line = Some(("shared.c".to_owned(), 23));
    let place = SharedPlace { function: "add".to_owned(), line: line.clone(), writes: true };
    analysis.summary.shared_lines = vec![SharedLines {
        region,
        sharing: LineSharing::Neighbours(8),
        places: vec![place],
        object: MemoryObject::Variable("counts+16".to_owned()),
        threads: 2,
        lines: 3,
        samples: 440,
        taken: 44,
        of: 1_000,
    }];
    let update = AtomicUpdate {
        region,
        function: "add".to_owned(),
        line: line.clone(),
        instruction: "lock xadd".to_owned(),
        samples: 250,
        of: 1_000,
    };
    analysis.summary.atomics = vec![update];
    let function = "wait_for".to_owned();
    analysis.summary.spins = vec![SpinLoop { region, function, line, samples: 125, of: 1_000 }];
    for (rows, table, samples) in [
        ("shared_lines", "shared_lines.csv", 440),
        ("atomics", "atomics.csv", 250),
        ("spins", "spins.csv", 125),
    ] {
        agree(&analysis, samples, (rows, "samples"), table);
        agree(&analysis, 1_000, (rows, "region_samples"), table);
        assert_eq!(column(&analysis, table, "line"), 23, "{table}");
    }
    for (key, number) in [("taken", 44), ("distance_bytes", 8), ("threads", 2), ("lines", 3)] {
        agree(&analysis, number, ("shared_lines", key), "shared_lines.csv");
    }
}

#[test]
fn chains_and_tasks_at_a_time_are_in_documents_and_tables() {
    let Some(recording) = Recording::of("tests/profiler/tasks_tree.c") else { return };
    let analysis = recording.analysis();
    for key in ["regions", "work_ns", "span_ns", "wall_ns"] {
        let document = document(&analysis);
        agree(&analysis, sum(&document["chains"], key), ("chains", key), "chains.csv");
    }
    let tasking: Vec<_> = analysis.summary.regions.iter().filter_map(|one| one.tasking).collect();
    let tasks = tasking.iter().map(|one| one.tasks).sum::<u64>();
    assert!(tasks > 0, "{tasking:?}");
    assert_eq!(column(&analysis, "tasking.csv", "tasks"), tasks);
    let longest = tasking.iter().map(|one| one.longest_ns).sum::<u64>();
    assert_eq!(column(&analysis, "tasking.csv", "longest_ns"), longest);
}

/// The fields of a column of a table.
fn fields(analysis: &Analysis, file: &str, name: &str) -> Vec<String> {
    let (place, rows) = rows(analysis, file, name);
    rows.into_iter().map(|fields| fields[place].clone()).collect()
}

#[test]
fn documents_and_tables_say_whether_gains_are_bounds() {
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let mut analysis = recording.analysis();
    let tables = ["regions.csv", "locks.csv", "serial.csv"];
    let said = |analysis: &Analysis, expected: &str| {
        for table in tables {
            let said = fields(analysis, table, "gain_is_bound");
            assert!(!said.is_empty() && said.iter().all(|one| one == expected), "{table} {said:?}");
        }
        document(analysis)["bounds"].clone()
    };
    analysis.summary.header.allowed_cpus = 64;
    analysis.summary.budget.by_class[Class::Scheduler as usize] = 0;
    assert_eq!(said(&analysis, "true"), json!({ "hold": true, "doubt": null }));
    analysis.summary.header.allowed_cpus = 1;
    let bounds = said(&analysis, "false");
    assert_eq!(bounds["hold"], false);
    let doubt = bounds["doubt"].as_str().unwrap();
    assert!(doubt.ends_with(" threads and 1 processor"), "{doubt}");
    analysis.summary.budget.by_class[Class::Scheduler as usize] = u64::MAX / 1_000;
    let doubt = said(&analysis, "false")["doubt"].to_string();
    assert!(doubt.contains("processor, and threads lacked a processor for "), "{doubt}");
}

#[test]
fn errors_and_guesses_are_in_documents() {
    let Some(recording) = Recording::of("tests/profiler/critical.c") else { return };
    let mut analysis = recording.analysis();
    analysis.summary.regions[0].spread = Some(0.25);
    analysis.summary.quality.guessed = 12;
    let document = document(&analysis);
    assert_eq!(document["regions"][0]["spread"], 0.25);
    assert_eq!(document["quality"]["guessed"], 12);
    assert_eq!(fields(&analysis, "regions.csv", "spread")[0], "0.25");
    analysis.summary.regions[0].spread = None;
    assert_eq!(self::document(&analysis)["regions"][0]["spread"], Value::Null);
    assert_eq!(fields(&analysis, "regions.csv", "spread")[0], "");
}

#[test]
fn idle_threads_beside_smaller_teams_are_in_documents_and_tables() {
    let Some(recording) = Recording::of("tests/profiler/smaller_team.c") else { return };
    let analysis = recording.analysis();
    let spare = sum(&document(&analysis)["regions"], "spare_ns");
    let document = agree(&analysis, spare, ("regions", "spare_ns"), "regions.csv");
    // Of four threads two idle beside the smaller teams, for the region's time divided by four.
    let regions = document["regions"].as_array().unwrap();
    let smaller = regions.iter().find(|one| one["team_max"] == 2).expect("a region of two");
    assert_eq!(smaller["spare_ns"].as_u64(), smaller["wall_ns"].as_u64().map(|ns| ns / 2));
}
