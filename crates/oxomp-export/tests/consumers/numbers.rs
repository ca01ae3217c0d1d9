//! The numbers that the text summary tells of a recording are in its document, too, and in its
//! tables.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{Notes, Style, render};
use oxomp_export::csv;
use serde_json::Value;

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
    let table = csv::tables(analysis).find(|table| table.file == file).expect("the table");
    let mut bytes = Vec::new();
    table.write(analysis, &mut bytes).unwrap();
    // No field of these programs has a comma in it.
    let text = String::from_utf8(bytes).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a heading");
    let place = names.iter().position(|one| *one == name).expect("the column");
    lines.map(|fields| fields[place].parse::<u64>().unwrap()).sum()
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
