//! Pages of made-up recordings: what must be in them, and what must not.

mod made_up;

use made_up::{busy, damaged, empty, hostile, long};
use oxomp_analysis::report::Notes;
use oxomp_html::{PAGE_BYTES, page};

const SECTIONS: [&str; 11] = [
    "verdict",
    "budget",
    "timeline",
    "regions",
    "tasks",
    "locks",
    "serial",
    "flame",
    "source",
    "quality",
    "definitions",
];

/// The page without the style sheet and the script of its own, which are the same in every page.
fn written(page: &str) -> String {
    let style = page.find("<style>").zip(page.find("</style>")).expect("a style sheet");
    let script = page.rfind("<script>").expect("a script");
    format!("{}{}", &page[..style.0], &page[style.1..script])
}

#[test]
fn every_page_has_every_section() {
    for analysis in [empty(), busy(), damaged(), hostile()] {
        let page = page(&analysis, &Notes::default());
        for section in SECTIONS {
            assert_eq!(page.matches(&format!("<section id=\"{section}\"")).count(), 1, "{section}");
            assert!(page.contains(&format!("href=\"#{section}\"")), "no way to {section}");
        }
        assert!(page.len() < 300_000, "{} bytes", page.len());
    }
}

#[test]
fn links_lead_to_places_in_the_page_only() {
    let page = written(&page(&busy(), &Notes::default()));
    for (position, _) in page.match_indices("href=\"") {
        let link = &page[position + 6..];
        let link = &link[..link.find('"').expect("the attribute's end")];
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leaves the page"));
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{link} leads nowhere");
    }
    assert!(!page.contains("://"), "nothing is fetched");
    assert!(!page.contains(" style=\"") && !page.contains(" onclick"), "the policy forbids it");
}

#[test]
fn names_do_not_act() {
    let page = page(&hostile(), &Notes::default());
    let text = written(&page);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!text.contains("<img") && !text.contains("<b>"), "no element of a name's making");
    assert!(text.contains("&lt;img src=x onerror=alert(1)&gt;"), "the argument is shown");
    let html = &text[..text.find("<script id=\"data\"").expect("the data")];
    assert!(!html.contains("\" onmouseover="), "no attribute of a name's making");
    let steering = |one: char| (one.is_control() && one != '\n') || one == '\u{202e}';
    assert!(!text.contains(steering), "no character steers its reader");
}

#[test]
fn a_page_says_what_is_missing() {
    let nothing = page(&empty(), &Notes::default());
    for words in [
        "Nothing was recorded.",
        "No parallel region was recorded.",
        "The recording holds no samples",
        "No explicit task was recorded.",
        "truncated at",
    ] {
        assert!(nothing.contains(words), "{words}");
    }
    let notes = Notes { ended: Some("killed by SIGKILL".to_owned()), ..Notes::default() };
    let killed = page(&damaged(), &notes);
    for words in [
        "The program was killed by SIGKILL.",
        "Part of the data is damaged and left out: chunk 7: the checksum does not match",
        "2 chunks open when the program went away",
        "Recording stopped early: the disk is full.",
    ] {
        assert!(killed.contains(words), "{words}");
    }
    assert!(!page(&busy(), &Notes::default()).contains("class=\"warnings\""), "nothing is missing");
}

#[test]
fn a_million_regions_fit() {
    let analysis = long(1_000_000);
    let page = page(&analysis, &Notes::default());
    assert!(page.len() < 3_000_000 && page.len() < PAGE_BYTES, "{} bytes", page.len());
    assert!(page.contains("are gathered in cells of that length"), "it says so");
    let short = oxomp_html::page(&long(100), &Notes::default());
    assert!(short.contains("No event was left out."), "nothing is folded without need");
}

#[test]
fn many_threads_and_long_names_stay_within_the_bound() {
    let page = page(&made_up::wide(3_000, 100_000), &Notes::default());
    assert!(page.len() < PAGE_BYTES, "{} bytes", page.len());
    assert!(page.contains("further threads have no row"), "it says so");
}
