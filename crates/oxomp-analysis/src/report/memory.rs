//! The remedies for waits for memory, and what they could win.

use super::certainty::Cause;
use super::memory_waits::{MemoryWait, MemoryWaits, has_many_remote};
use super::units::{bandwidth, percent};
use crate::summary::{CountedPlace, Region, Summary};

/// The part of the time of a remote line that it takes longer than one of the own node, at most:
/// it may take twice as long.
const REMOTE_EXTRA: f64 = 0.5;
const LATENCY_REMEDY: &str = "put beside each other what is used together, visit data in the \
                              order in which they lie (sorted or blocked indices, arrays in place \
                              of lists), or use smaller data, which caches hold";
const REMOTE_REMEDY: &str = "let the threads that use data be the first to write them, and bind \
                             threads (OMP_PROC_BIND=close)";

/// What to do about the waits of `region` for memory, and what that could win.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<(Cause, String)> {
    let found = MemoryWaits::of(region, summary)?;
    let MemoryWaits { kind, place, part } = found;
    let mut remedies = match kind {
        MemoryWait::Bandwidth => vec![bandwidth_remedy(region, place)],
        MemoryWait::Latency => vec![LATENCY_REMEDY.to_owned()],
        MemoryWait::Remote => Vec::new(),
    };
    if has_many_remote(place) {
        let remote = place.remote_part.map(percent).unwrap_or_default();
        let what = match kind {
            MemoryWait::Remote => String::new(),
            _ => format!("{remote} of the lines come from another NUMA node: "),
        };
        remedies.push(format!("{what}{REMOTE_REMEDY}"));
    }
    let text = format!("its threads {}: {}", found.what(), remedies.join("; "));
    let work = region.useful_ns / u64::from(region.team.1.max(1));
    let extra = match kind {
        MemoryWait::Remote => place.remote_part.unwrap_or_default() * REMOTE_EXTRA,
        MemoryWait::Bandwidth | MemoryWait::Latency => 1.0,
    };
    // Between nothing and all of the wait. Half of it is what half of the data takes.
    let half_ns = (work.min(region.wall_ns) as f64 * part * extra / 2.0) as u64;
    Some((Cause::work(half_ns, half_ns), text))
}

fn bandwidth_remedy(region: &Region, place: &CountedPlace) -> String {
    let rate = place.bytes_per_second.map(|rate| bandwidth(rate as f64 / 1e9));
    let rate = rate.unwrap_or_default();
    let threads = match region.team.1 {
        0 | 1 => "",
        _ => ", and fewer threads may reach the same",
    };
    format!(
        "at {rate}, half as much data take half the time (smaller types, loops over the same data \
         fused, or blocked for the caches){threads}"
    )
}

#[cfg(test)]
mod tests {
    use super::{MemoryWait, MemoryWaits, against};
    use crate::summary::{
        BANDWIDTH_BOUND, CountedActivity, CountedPlace, Counters, PlaceCount, Region, SiteId,
        Summary,
    };

    const S: u64 = 1_000_000_000;

    fn region() -> Region {
        Region {
            site: Some(SiteId(0)),
            team: (2, 2),
            wall_ns: S,
            useful_ns: 2 * S,
            ..Region::default()
        }
    }

    /// A second of two threads: instructions per cycle, lines in a second of each thread, the part
    /// of the limit, and of lines from another node.
    fn summary(ipc: f64, lines: u64, of_limit: f64, remote: Option<f64>) -> Summary {
        let count = 2 * lines;
        let place = CountedPlace {
            region: Some(SiteId(0)),
            activity: CountedActivity::Useful,
            time_ns: 2 * S,
            readings: 100,
            mixed: 0.0,
            counts: vec![PlaceCount { counter: "memory-lines".to_owned(), count, certain: count }],
            instructions_per_cycle: Some(ipc),
            cache_miss_rate: None,
            remote_part: remote,
            bytes: Some(count * 64),
            bytes_per_second: Some(count * 64),
            bandwidth_part: Some(of_limit),
            bandwidth_bound: of_limit >= BANDWIDTH_BOUND,
        };
        let counters = Counters { places: vec![place], ..Counters::default() };
        Summary { counters: Some(counters), ..crate::summarize(&Default::default()) }
    }

    /// What the region waits for, the text, and half of what a change could win, ms.
    fn of(summary: &Summary) -> Option<(MemoryWait, String, u64)> {
        let found = MemoryWaits::of(&region(), summary)?;
        let (cause, text) = against(&region(), summary)?;
        assert_eq!(cause.lost_ns, cause.error_ns, "from nothing to twice as much");
        Some((found.kind, text, cause.lost_ns / 1_000_000))
    }

    #[test]
    fn a_region_near_the_limit_is_told_to_fetch_less() {
        let (kind, text, gain) = of(&summary(0.5, 90_000_000, 0.9, None)).expect("advice");
        assert_eq!((kind, gain), (MemoryWait::Bandwidth, 450));
        assert!(text.contains("fetch 90.0 % of what memory gives at most: at 11.5 GB/s"), "{text}");
        assert!(text.contains("fewer threads may reach the same"), "{text}");
        assert!(!text.contains("NUMA"), "{text}");
        let (_, text, _) = of(&summary(0.5, 90_000_000, 0.9, Some(0.45))).expect("advice");
        assert!(text.contains("45.0 % of the lines come from another NUMA node: let"), "{text}");
    }

    #[test]
    fn a_region_far_from_the_limit_waits_for_single_lines() {
        // A line each 100 ns, as in a list that is followed.
        let (kind, text, gain) = of(&summary(0.1, 10_000_000, 0.1, None)).expect("advice");
        assert_eq!((kind, gain), (MemoryWait::Latency, 400));
        assert!(text.contains("(0.10 instructions per cycle, 10.0 % of"), "{text}");
        // It computes beside that; few lines come; or the bandwidth may be the cause.
        assert_eq!(of(&summary(1.5, 10_000_000, 0.1, None)), None);
        assert_eq!(of(&summary(0.1, 3_000_000, 0.03, None)), None);
        assert_eq!(of(&summary(0.1, 10_000_000, 0.5, None)), None);
    }

    #[test]
    fn lines_of_another_node_are_told_where_lines_take_long() {
        let (kind, text, gain) = of(&summary(1.5, 10_000_000, 0.5, Some(0.5))).expect("advice");
        // The threads wait for 80 % of the time, half of it for remote lines, and half of that
        // beyond what own lines take.
        assert_eq!((kind, gain), (MemoryWait::Remote, 100));
        assert!(text.starts_with("its threads fetch 50.0 % of their cache lines from"), "{text}");
        assert_eq!(of(&summary(1.5, 10_000_000, 0.5, Some(0.1))), None);
        assert_eq!(of(&summary(1.5, 1_000_000, 0.5, Some(0.5))), None);
    }

    #[test]
    fn without_counters_or_a_limit_nothing_is_told() {
        let mut summary = summary(0.1, 10_000_000, 0.1, None);
        let counters = summary.counters.as_mut().expect("they are there");
        counters.places[0].bandwidth_part = None;
        assert_eq!(of(&summary), None);
        summary.counters = None;
        assert_eq!(of(&summary), None);
    }
}
