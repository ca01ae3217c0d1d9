//! Pages of several numbers of threads: what must be in them, and what must not.

mod scaled;

use std::collections::BTreeSet;

use oxomp_html::{PAGE_BYTES, scale_page};
use oxomp_scale::{ContendedCode, Contention, RuntimeWaits, Scale};

#[test]
fn the_page_has_the_verdict_the_curve_the_losses_and_the_regions() {
    let scale = scaled::scale("count");
    let page = scale_page(&scale, "9.9.9");
    for part in [
        "<title>bins, scale",
        "9.9.9",
        &scale.verdict.headline,
        "Attention",
        "aria-label=\"Speed-up. 1 thread: 1.00; 2 threads:",
        "class=\"ideal\"",
        "class=\"amdahl\"",
        "class=\"beyond\"",
        "Serial part, measured",
        "code outside of regions",
        "work inflation",
        "Its teams have 2 threads whatever the number",
        "class=\"k-mutex\"",
        "aria-label=\"8 threads: ",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
    let table = &page[page.find("aria-label=\"Regions\"").expect("the regions")..];
    let rows = &table[..table.find("<section id=\"definitions\"").unwrap()];
    assert_eq!(rows.matches("class=\"opens\"").count(), 4);
    assert!(rows.contains("class=\"detail\""));
}

#[test]
fn causes_have_a_colour_a_definition_and_a_name() {
    let runs = [1, 4].map(|threads: u32| {
        let mut run = scaled::run(threads, 0.0, "count");
        let more = f64::from(threads - 1);
        let waits = RuntimeWaits { iterations_ns: 30e6 * more, turns_ns: 20e6 * more };
        run.wall_ns += waits.sum_ns();
        let inflated = run.regions.keys().nth(1).expect("the region").clone();
        run.regions.get_mut(&inflated).expect("the region").waits = waits;
        let place = "bins.c:33 (lock xadd)".to_owned();
        let code = ContendedCode { share: 0.2 * more, samples: 500.0, place };
        run.contention.insert((inflated, Contention::AtomicUpdates), code);
        run
    });
    let page = scale_page(&Scale::of(runs.into(), 8).unwrap(), "");
    for part in [
        "id=\"d-k-iterations\"",
        "id=\"d-k-turns\"",
        "waiting for iterations",
        "turns in reductions",
        " atomic updates bins.c:33 (lock xadd)",
        " critical bins.c:12",
        "Waits for locks, criticals, ordered and atomic, divided",
    ] {
        assert!(page.contains(part), "`{part}` is missing");
    }
    for colour in ["iterations", "turns"] {
        assert!(
            page.contains(&format!(".k-{colour}{{")) || page.contains(&format!(".k-{colour} {{"))
        );
    }
    assert!(!page.contains("or for another iteration"), "waits for iterations are a cause beside");
}

#[test]
fn links_lead_to_places_in_the_page_only() {
    let page = scale_page(&scaled::scale("count"), "");
    let targets: BTreeSet<&str> = page
        .split("href=\"")
        .skip(1)
        .map(|rest| &rest[..rest.find('"').expect("an end")])
        .collect();
    assert!(targets.len() > 8, "{targets:?}");
    for target in targets {
        let id = target.strip_prefix('#').unwrap_or_else(|| panic!("{target} leads out"));
        assert!(page.contains(&format!("id=\"{id}\"")), "{target} leads nowhere");
    }
    for word in ["http:", "https:", "url(", "@import", "style=\""] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn names_do_not_act() {
    let page = scale_page(&scaled::scale("f<script>alert(1)</script>\u{202e}"), "");
    assert!(!page.contains("<script>alert") && !page.contains('\u{202e}'));
    assert!(page.contains("f&lt;script&gt;alert(1)"));
}

#[test]
fn one_number_of_threads_has_no_curve() {
    let page = scale_page(&Scale::of(vec![scaled::run(4, 0.0, "count")], 8).unwrap(), "");
    assert!(!page.contains("<svg class=\"curve\""), "a curve of one point");
    assert!(page.contains("4 threads only"));
}

#[test]
fn a_thousand_regions_fit() {
    let numbers = [1, 2, 4, 8];
    let runs = numbers.map(|threads| {
        let mut run = scaled::run(threads, 0.0, "count");
        let (construct, region) = run.regions.pop_first().expect("a region");
        for line in 1000..2000 {
            let mut construct = construct.clone();
            if let Some(spot) = &mut construct.spot {
                (spot.line, spot.offset) = (Some(line), line.into());
            }
            run.regions.insert(construct, region.clone());
        }
        run
    });
    let page = scale_page(&Scale::of(runs.into(), 8).unwrap(), "");
    assert!(page.len() < PAGE_BYTES / 4, "{}", page.len());
    assert!(page.contains("803 regions that lose less"), "what is left out is said");
}

/// With `OXOMP_WRITE_PAGE=FILE`, the page to look at.
#[test]
fn the_page_can_be_looked_at() {
    if let Some(file) = std::env::var_os("OXOMP_WRITE_PAGE") {
        std::fs::write(file, scale_page(&scaled::scale("count"), "9.9.9")).unwrap();
    }
}
