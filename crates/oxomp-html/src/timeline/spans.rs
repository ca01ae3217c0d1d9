//! Rows that say what ran, by number: spans of time, and gaps of which only sums are known.

use oxomp_analysis::model::Model;

use super::lane::Lane;
use super::weaver::Weaver;
use crate::view::View;

/// How many regions the row of regions tells apart. Two more numbers stand for all other regions,
/// and for regions of which only sums were recorded.
pub(super) const NAMED_REGIONS: usize = 60;
pub(super) const OTHER_REGIONS: u8 = NAMED_REGIONS as u8 + 1;
const SUMS_ONLY: u8 = NAMED_REGIONS as u8 + 2;
/// A row of `spans`, each from a time to a time with a number; those that overlap one before are
/// cut. Time without a span is [`SUMS_ONLY`] where a thread recorded no events.
pub(super) fn spans_row(view: &View<'_>, mut spans: Vec<(u64, u64, u8)>) -> Vec<u8> {
    spans.sort_unstable();
    let mut weaver = Weaver::new(1, view.limits.timeline_bytes / 8);
    let end = view.analysis.model.end;
    let gaps = gaps(&view.analysis.model);
    let mut until = 0;
    for (begin, end, number) in spans {
        let begin = begin.max(until);
        if end > begin {
            push_empty(&mut weaver, &gaps, until, begin);
            weaver.push(0, number, end - begin);
            until = end;
        }
    }
    push_empty(&mut weaver, &gaps, until, end);
    weaver.lanes.into_iter().next().map(Lane::into_bytes).unwrap_or_default()
}

/// Adds the time without a span from `begin` to `end`.
fn push_empty(weaver: &mut Weaver, gaps: &[(u64, u64)], begin: u64, end: u64) {
    let mut from = begin;
    let first = gaps.partition_point(|gap| gap.1 <= begin);
    for gap in gaps[first..].iter().take_while(|gap| gap.0 < end) {
        let (gap_begin, gap_end) = (gap.0.max(from), gap.1.min(end));
        weaver.push(0, 0, gap_begin - from);
        weaver.push(0, SUMS_ONLY, gap_end - gap_begin);
        from = gap_end;
    }
    weaver.push(0, 0, end.saturating_sub(from));
}

/// Intervals in which at least one thread recorded no events, disjoint and in order.
fn gaps(model: &Model) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    for thread in &model.threads {
        let mut until = thread.begin;
        for segment in &thread.segments {
            if segment.begin > until {
                gaps.push((until, segment.begin));
            }
            until = until.max(segment.end);
        }
        if thread.end > until {
            gaps.push((until, thread.end));
        }
    }
    gaps.sort_unstable();
    let mut united: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in gaps {
        match united.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => united.push((begin, end)),
        }
    }
    united
}
