//! The page in a browser: its script runs under its policy, and fills what it has to fill.

mod made_up;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{Brief, Job};
use oxomp_analysis::report::{JobNotes, Notes};
use oxomp_html::{JobPage, job_page, page};
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;

/// The document after the script of the page has run, and what the browser complained of.
fn opened(analysis: &Analysis, part: &str, folder: &Path) -> (String, String) {
    opened_text(&page(analysis, &Notes::default()), part, folder)
}

fn opened_text(text: &str, part: &str, folder: &Path) -> (String, String) {
    let file = folder.join("report.html");
    fs::write(&file, text).expect("the page is written");
    let output = Program::Timeout
        .command()
        .args(["120", Program::Chromium.text()])
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .args(["--log-level=0", "--window-size=1000,4000", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}{part}", file.display()))
        .stdin(Stdio::null())
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints = complaints.lines().filter(|line| line.contains(":CONSOLE"));
    let complaints: Vec<&str> = complaints.collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), complaints.join("\n"))
}

#[test]
fn the_script_fills_the_page_without_a_complaint() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (page, complaints) = opened(&made_up::busy(), "#regions-0", folder.path());
    assert_eq!(complaints, "");
    assert!(page.contains("class=\"scripted\""), "the script began");
    // Written when the canvas has been drawn.
    assert!(page.contains("Whole run, 220.0 ms; a column is"), "the timeline is drawn");
    assert!(page.contains("aria-label=\"sort by region\""), "tables can be sorted");
    assert!(page.contains("aria-label=\"read_input, 15.0 % of all samples\""), "the flame graph");
    let region = &page[page.find("data-region=\"0\"").expect("the first region")..];
    let region = &region[..region.find("What could be won").expect("its gains")];
    assert!(region.contains("thread 0") && region.contains("thread 1"), "{region}");
    assert!(region.contains("load imbalance:"), "{region}");
}

#[test]
fn the_script_of_a_page_of_processes_runs_without_a_complaint() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let brief = Brief::new(&made_up::busy());
    let job = Job::new(vec![brief.clone(), Brief { pid: brief.pid + 1, ..brief }]);
    let notes = JobNotes::default();
    let text = job_page(&JobPage { job: &job, notes: &notes, pages: &[] });
    let folder = tempfile::tempdir().expect("a folder");
    let (page, complaints) = opened_text(&text, "", folder.path());
    assert_eq!(complaints, "");
    assert!(page.contains("class=\"scripted\""), "the script began");
    assert!(page.contains("aria-label=\"sort by computing\""), "tables can be sorted");
    assert!(page.contains("Theme: system"), "the last step of the script");
}

#[test]
fn names_do_not_act_in_a_browser() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (page, complaints) = opened(&made_up::hostile(), "", folder.path());
    assert_eq!(complaints, "");
    assert!(page.contains("class=\"scripted\""), "the script began");
    assert!(!page.contains("<img"), "no element of a name's making");
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
}

#[test]
fn an_empty_recording_has_a_page_too() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (page, complaints) = opened(&made_up::empty(), "", folder.path());
    assert_eq!(complaints, "");
    assert!(page.contains("class=\"scripted\"") && page.contains("Nothing was recorded."));
}
