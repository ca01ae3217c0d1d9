//! Counters of processor and kernel.

use oxomp_text::Page;

use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{bandwidth, count, percent, plural, share, time};
use crate::summary::{CountedActivity, CountedPlace, Counters, Summary};

/// Places shown.
const SHOWN: usize = 8;
/// Places shown of each counter that has a table of its own.
const SHOWN_OF_COUNTER: usize = 3;
/// Share of the counted time below which a further place is not worth a line.
const WORTH_A_LINE: f64 = 0.002;
/// The part of the processor time from which on counters that took turns are worth a sentence.
const WHOLE: f64 = 0.995;

/// Counters that the table of places shows in other numbers.
const IN_RATIOS: [&str; 6] =
    ["cycles", "instructions", "cache-references", "cache-misses", "memory-lines", "remote-lines"];

/// The title of the places' counters.
pub const TITLE: &str = "Counters, by processor time";
/// The title of the counters that are no part of that.
pub const OTHERS_TITLE: &str = "Other counters, by place";

const COLUMNS: [Column; 10] = [
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(8) },
    Column { title: "CPU time", align: Align::Right, fit: Fit::Fixed },
    Column { title: "instructions", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "IPC", align: Align::Right, fit: Fit::Fixed },
    Column { title: "misses", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "memory", align: Align::Right, fit: Fit::Fixed },
    Column { title: "of limit", align: Align::Right, fit: Fit::Drop(4) },
    Column { title: "remote", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: "mixed", align: Align::Right, fit: Fit::Drop(2) },
];

const OTHERS: [Column; 5] = [
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(8) },
    Column { title: "count", align: Align::Right, fit: Fit::Fixed },
    Column { title: "per second", align: Align::Right, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let Some(counters) = &summary.counters else { return };
    let mut is_begun = false;
    if has_ratios(counters) {
        write_table(page, TITLE, &places(counters, names));
        is_begun = true;
    }
    let others = others(counters, names);
    if !others.is_empty() {
        write_table(page, OTHERS_TITLE, &others);
        is_begun = true;
    }
    let sentences = sentences(counters, names);
    if !is_begun && !sentences.is_empty() {
        page.heading("Counters");
    }
    for sentence in sentences {
        page.paragraph(&format!("  {sentence}"), 4);
    }
}

/// Whether some place has a number of the table of places.
#[must_use]
pub fn has_ratios(counters: &Counters) -> bool {
    let counted =
        |name: &str| counters.totals.iter().any(|one| one.name == name && one.count.is_some());
    !counters.places.is_empty() && IN_RATIOS.iter().any(|name| counted(name))
}

/// The places that are worth a line.
fn worth_a_line(counters: &Counters) -> impl Iterator<Item = &CountedPlace> {
    let all = counters.places.iter().fold(0_u64, |sum, one| sum.saturating_add(one.time_ns));
    let worth = move |place: &&CountedPlace| share(place.time_ns, all) >= WORTH_A_LINE;
    counters.places.iter().filter(worth).take(SHOWN)
}

fn places(counters: &Counters, names: Names<'_>) -> Table {
    let mut table = Table::new(&COLUMNS);
    for place in worth_a_line(counters) {
        let or_empty = |text: Option<String>| text.unwrap_or_default();
        table.row(vec![
            place_name(place, names),
            activity(place).to_owned(),
            time(place.time_ns),
            or_empty(place.count("instructions").map(count)),
            or_empty(place.instructions_per_cycle.map(|ipc| format!("{ipc:.2}"))),
            or_empty(place.cache_miss_rate.map(percent)),
            or_empty(place.bytes_per_second.map(rate)),
            or_empty(place.bandwidth_part.map(percent)),
            or_empty(place.remote_part.map(percent)),
            percent(place.mixed),
        ]);
    }
    table
}

fn others(counters: &Counters, names: Names<'_>) -> Table {
    let mut table = Table::new(&OTHERS);
    let others = other_counters(counters);
    for name in others {
        let mut found: Vec<(u64, &CountedPlace)> =
            counters.places.iter().filter_map(|it| Some((it.count(name)?, it))).collect();
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let mut title = name.to_owned();
        for (number, place) in found.into_iter().filter(|it| it.0 > 0).take(SHOWN_OF_COUNTER) {
            table.row(vec![
                std::mem::take(&mut title),
                place_name(place, names),
                activity(place).to_owned(),
                count(number),
                per_second(number, place.time_ns),
            ]);
        }
    }
    table
}

/// The names of counters that the table of places does not show.
pub fn other_counters(counters: &Counters) -> impl Iterator<Item = &str> {
    let counted = counters.totals.iter().filter(|one| one.count.is_some());
    counted.map(|one| one.name.as_str()).filter(|name| !IN_RATIOS.contains(name))
}

/// What was counted in a second of processor time, as `1 204`.
#[must_use]
pub fn per_second(number: u64, time_ns: u64) -> String {
    if time_ns == 0 {
        return String::new();
    }
    count((number as f64 / time_ns as f64 * 1e9).round() as u64)
}

/// The place of counts, as `solver.c:12`, or `outside regions`.
#[must_use]
pub fn place_name(place: &CountedPlace, names: Names<'_>) -> String {
    match (place.region, place.activity) {
        (None, CountedActivity::Elsewhere) => "other places".to_owned(),
        (None, _) => "outside regions".to_owned(),
        (region, _) => names.compact(region),
    }
}

/// What the threads did there, in a few words.
#[must_use]
pub fn activity(place: &CountedPlace) -> &'static str {
    match place.activity {
        CountedActivity::Useful => "useful work",
        CountedActivity::Serial => "serial work",
        CountedActivity::Barrier => "at barriers",
        CountedActivity::Tasks => "waiting for tasks",
        CountedActivity::Mutex => "at locks",
        CountedActivity::Device => "waiting for devices",
        CountedActivity::Idle => "idle",
        CountedActivity::Elsewhere => "",
    }
}

/// Bytes per second, as `18.2 GB/s`.
#[must_use]
pub fn rate(bytes_per_second: u64) -> String {
    bandwidth(bytes_per_second as f64 / 1e9)
}

/// What is to be said of the counters beside their numbers.
#[must_use]
pub fn sentences(counters: &Counters, names: Names<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    for place in counters.places.iter().filter(|place| place.bandwidth_bound) {
        sentences.push(bound(place, counters, names));
    }
    let has_limit = counters.places.iter().any(|place| place.bandwidth_part.is_some());
    if let (Some(limit), Some(threads)) = (counters.bandwidth, counters.bandwidth_threads)
        && has_limit
    {
        let threads = plural(threads, "thread");
        sentences.push(format!(
            "limit: {} is what {threads} fetched from memory in a loop that does nothing else, \
             before the program ran.",
            rate(limit)
        ));
    }
    if let Some(running) = counters.running.filter(|running| *running < WHOLE) {
        sentences.push(format!(
            "The counters were on the processor for {} of the time, since it has too few for all \
             at once: counts are scaled up. Ask for fewer (--counters=LIST).",
            percent(running)
        ));
    }
    for (why, names) in counters.refusals() {
        sentences.push(format!("not counted: {} ({why})", names.join(", ")));
    }
    sentences
}

/// That a region is bound by memory, and what follows.
fn bound(place: &CountedPlace, counters: &Counters, names: Names<'_>) -> String {
    let of_limit = counters.bandwidth.map(rate).unwrap_or_default();
    format!(
        "The region at {} is bound by the bandwidth of memory: its threads fetch {} or more, {} of \
         the {of_limit} that these processors reach. More threads do not make it faster; to fetch \
         less does: smaller types, loops over the same data fused or blocked for the caches.",
        place_name(place, names),
        place.bytes_per_second.map(rate).unwrap_or_default(),
        place.bandwidth_part.map(percent).unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use oxomp_text::{Page, Style};

    use super::{has_ratios, places, sentences};
    use crate::report::names::Names;
    use crate::report::table::write_table;
    use crate::summary::{
        CountedActivity, CountedPlace, CounterTotal, Counters, PlaceCount, SiteId,
    };
    use crate::symbols::Place;

    fn named() -> Place {
        Place {
            function: None,
            line: Some(("a.c".to_owned(), 12)),
            module: None,
            offset: 0,
            behind: None,
            body: None,
        }
    }

    fn counters() -> Counters {
        let total =
            |name: &str| CounterTotal { name: name.to_owned(), count: Some(1), refused: None };
        let place = CountedPlace {
            region: Some(SiteId(0)),
            activity: CountedActivity::Useful,
            time_ns: 2_000_000_000,
            readings: 300,
            mixed: 0.125,
            counts: vec![PlaceCount {
                counter: "instructions".to_owned(),
                count: 4_000_000,
                certain: 3_500_000,
            }],
            instructions_per_cycle: Some(0.4),
            cache_miss_rate: Some(0.9),
            remote_part: None,
            bytes: Some(18_000_000_000),
            bytes_per_second: Some(18_000_000_000),
            bandwidth_part: Some(0.9),
            bandwidth_bound: true,
        };
        Counters {
            totals: vec![
                total("cycles"),
                CounterTotal {
                    name: "hitm".to_owned(),
                    count: None,
                    refused: Some("no unit".to_owned()),
                },
            ],
            running: Some(0.5),
            bandwidth: Some(20_000_000_000),
            bandwidth_threads: Some(4),
            places: vec![place],
            threads: Vec::new(),
        }
    }

    #[test]
    fn a_place_has_its_ratios_and_empty_columns_are_left_out() {
        let counters = counters();
        let named = named();
        let names = Names { places: &[named] };
        assert!(has_ratios(&counters));
        let mut page = Page::new(Style::plain());
        write_table(&mut page, "Counters", &places(&counters, names));
        let text = page.finish();
        let row = text.lines().last().expect("a row");
        for part in ["a.c:12", "useful work", "2.00 s", "4 000 000", "0.40", "90.0 %", "18.0 GB/s"]
        {
            assert!(row.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("remote"), "{text}");
    }

    #[test]
    fn a_limit_turns_and_refusals_are_told() {
        let named = named();
        let told = sentences(&counters(), Names { places: &[named] });
        let [bound, limit, turns, refused] = told.as_slice() else { panic!("{told:#?}") };
        assert!(bound.contains("a.c:12 is bound by the bandwidth of memory"), "{bound}");
        assert!(bound.contains("18.0 GB/s or more, 90.0 % of the 20.0 GB/s"), "{bound}");
        assert!(limit.contains("20.0 GB/s is what 4 threads"), "{limit}");
        assert!(turns.contains("50.0 % of the time"), "{turns}");
        assert_eq!(refused, "not counted: hitm (no unit)");
    }
}
