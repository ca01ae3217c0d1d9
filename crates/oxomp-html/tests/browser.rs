//! The page in a browser: its script runs under its policy, and fills what it has to fill.

mod made_up;
mod scaled;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{Brief, Job};
use oxomp_analysis::report::{JobNotes, Notes};
use oxomp_analysis::summary::ExpectedGain;
use oxomp_html::{JobPage, job_page, page, scale_page};
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;

/// The document after the script of the page has run, and what the browser complained of.
fn opened(analysis: &Analysis, part: &str, folder: &Path) -> (String, String) {
    opened_text(&page(analysis, &Notes::default()), part, folder)
}

/// The text that `script`, which may not return at once, leaves in the page's element `answer`
/// when the page of `analysis` is shown `width` pixels wide.
fn answer(analysis: &Analysis, width: u32, script: &str, folder: &Path) -> String {
    let page = page(analysis, &Notes::default());
    // The policy would keep the script of the test from running.
    let (before, policy) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let page = before.to_owned() + policy.split_once('>').unwrap().1;
    let frame = page.replace('&', "&amp;").replace('"', "&quot;");
    let around = format!(
        "<!DOCTYPE html><meta charset=utf-8><body><iframe width={width} height=900 \
         srcdoc=\"{frame}\"></iframe><pre id=answer></pre><script>onload = async () => {{\
         const view = document.querySelector('iframe').contentWindow, page = view.document;\
         const wait = () => new Promise((done) => setTimeout(done, 300));\
         await wait();\
         document.getElementById('answer').textContent = String(await (async () => {{{script}}})());\
         }};</script>"
    );
    let (dom, complaints) = opened_text(&around, "", folder);
    assert_eq!(complaints, "");
    let answer = dom.rsplit_once("<pre id=\"answer\">").expect("the answer").1;
    answer.split("</pre>").next().unwrap().to_owned()
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
fn the_script_of_a_page_of_numbers_of_threads_runs_without_a_complaint() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = scale_page(&scaled::scale("count"), "");
    let (page, complaints) = opened_text(&text, "#regions-0", folder.path());
    assert_eq!(complaints, "");
    assert!(page.contains("class=\"scripted\""), "the script began");
    assert!(page.contains("class=\"detail open\""), "regions can be opened");
    assert!(page.contains("aria-label=\"sort by lost\""), "tables can be sorted");
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

#[test]
fn no_page_is_wider_than_its_window() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut predicted = made_up::busy();
    let gain = predicted.summary.regions[0].gain.imbalance_ns;
    predicted.summary.expected = vec![ExpectedGain {
        loop_index: 0,
        change: "schedule(dynamic,8)".to_owned(),
        gain_ns: gain,
        error_ns: gain - 1,
    }];
    let pages = [
        predicted,
        made_up::many(320),
        made_up::with_sums(),
        made_up::wide(200, 60),
        made_up::recursive(),
        made_up::sharing(),
        made_up::in_doubt(),
    ];
    for analysis in pages {
        for width in [1280, 400] {
            let script = "return page.documentElement.scrollWidth";
            let wide: u32 = answer(&analysis, width, script, folder.path()).parse().unwrap();
            assert!(wide <= width, "{wide} of {width} pixels");
        }
    }
}

#[test]
fn a_table_that_fits_has_nothing_to_scroll_to() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = "
        const boxes = [...page.querySelectorAll('.scroll')];
        const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth);
        return [boxes.length, ...wide.map((box) => box.getAttribute('aria-label'))].join(', ');
    ";
    for width in [1280, 400] {
        let said = answer(&made_up::sharing(), width, script, folder.path());
        assert_eq!(said, "7", "the number of tables, and those that are too wide");
    }
}

#[test]
fn a_long_table_is_shown_page_by_page_and_searched() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = "
        const box = page.querySelector('[data-name=Regions]');
        const range = () => box.querySelector('.range').textContent;
        const rows = () => [...box.querySelectorAll('tbody tr:not(.detail)')].filter((row) => !row.hidden).length;
        const said = [range(), rows()];
        box.querySelector('[aria-label=\\'next page\\']').click();
        said.push(range(), rows());
        box.querySelector('[aria-label=\\'sort by region\\']').click();
        said.push(range(), box.querySelector('th[aria-sort]').getAttribute('aria-sort'));
        const search = box.querySelector('input');
        search.value = '0x1010';
        search.dispatchEvent(new view.Event('input'));
        said.push(range(), rows());
        search.value = 'no such place';
        search.dispatchEvent(new view.Event('input'));
        said.push(range());
        view.location.hash = '#regions-300';
        await wait();
        const opened = page.getElementById('regions-300');
        said.push(opened.hidden, opened.classList.contains('open'));
        return said.join(', ');
    ";
    let said = answer(&made_up::many(320), 1280, script, folder.path());
    assert_eq!(
        said,
        "1–20 of 320, 20, 21–40 of 320, 20, 1–20 of 320, ascending, 1–1 of 1 of 320, 1, none of 320, \
         false, true"
    );
}

#[test]
fn a_term_explains_itself_by_keyboard_and_touch() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = "
        const term = page.querySelector('#regions a.def[href=\\'#d-lb\\']');
        const tip = page.getElementById('tooltip');
        const said = [tip.hidden];
        term.click();
        said.push(tip.hidden, tip.textContent.slice(0, 30), view.location.hash);
        page.documentElement.dispatchEvent(new view.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        said.push(tip.hidden);
        return said.join('|');
    ";
    let said = answer(&made_up::busy(), 400, script, folder.path());
    assert_eq!(said, "true|false|load balanceWhat the threads o||true");
}

#[test]
fn many_threads_are_bands_that_open() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = "
        const canvas = page.getElementById('timeline-canvas');
        const bands = () => [...page.querySelectorAll('.band')].filter((band) => !band.hidden);
        const said = [bands().length > 0 && bands().length <= 24, canvas.clientHeight < 700];
        const before = canvas.clientHeight;
        bands()[0].click();
        await wait();
        said.push(bands()[0].getAttribute('aria-expanded'), canvas.clientHeight > before);
        page.getElementById('timeline-threads').click();
        await wait();
        said.push(bands().every((band) => band.getAttribute('aria-expanded') === 'true'));
        return said.join(', ');
    ";
    let said = answer(&made_up::wide(200, 20), 1280, script, folder.path());
    assert_eq!(said, "true, true, true, true, true");
    let few = answer(
        &made_up::busy(),
        1280,
        "return page.querySelectorAll('.band').length",
        folder.path(),
    );
    assert_eq!(few, "0");
}

#[test]
fn recursion_is_folded_until_one_wants_it_otherwise() {
    if !has_all(&[Program::Chromium.into(), Program::Timeout.into()]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = "
        const frames = () => [...page.querySelectorAll('#flame-graph button')].map((frame) => frame.getAttribute('aria-label'));
        const said = [frames().length, frames()[2]];
        page.getElementById('flame-fold').click();
        said.push(frames().length);
        return said.join('|');
    ";
    let said = answer(&made_up::recursive(), 1280, script, folder.path());
    assert_eq!(said, "3|fib ↻ up to 30 deep, 100.0 % of all samples|32");
}
