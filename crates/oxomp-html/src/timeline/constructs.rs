//! Rows of the timeline that say in which construct the program was: worksharing constructs, those
//! in which the primary threads of regions outside every other were; and operations of devices.

use std::collections::HashMap;

use oxomp_analysis::model::{DeviceOperation, Work};
use oxomp_analysis::summary::SiteId;
use oxomp_analysis::work_kind;

use super::spans::{NAMED_REGIONS, spans_row};
use crate::view::View;

/// How many constructs the row tells apart: those with the most time. Two more numbers stand for
/// all other constructs, and for constructs of which only sums were recorded.
const NAMED: usize = NAMED_REGIONS;

/// A construct of a row: what it is in words, and its code address.
type Key = (&'static str, u64);

/// The row, and what its numbers mean; 0 means no construct.
#[derive(Debug)]
pub(super) struct Constructs {
    pub(super) names: Vec<String>,
    pub(super) cells: Vec<u8>,
}

impl Constructs {
    /// The worksharing constructs; `None` if none was recorded.
    pub(super) fn of(view: &View<'_>) -> Option<Self> {
        let works = view.analysis.model.works.iter();
        let spans = works.filter_map(|work| {
            let (kind, end) = shown(view, work)?;
            Some((work.begin, end, (kind, work.code)))
        });
        let rest = ["another construct", "constructs of which only sums were recorded"];
        Self::row(view, spans.collect(), rest)
    }

    /// The operations of devices; `None` if none was recorded.
    pub(super) fn of_devices(view: &View<'_>) -> Option<Self> {
        let operations = view.analysis.model.operations.iter();
        let spans = operations.filter(|one| one.begin < one.end);
        let spans = spans.map(|one| (one.begin, one.end, (operation(one), one.code)));
        let rest = ["another operation", "operations of which only sums may have been recorded"];
        Self::row(view, spans.collect(), rest)
    }

    /// The row of `spans`; `rest` has the names for the constructs that are not told apart, and for
    /// the time of which only sums are known.
    fn row(view: &View<'_>, spans: Vec<(u64, u64, Key)>, rest: [&str; 2]) -> Option<Self> {
        let mut times: HashMap<Key, u64> = HashMap::new();
        for &(begin, end, key) in &spans {
            *times.entry(key).or_default() += end - begin;
        }
        let mut order: Vec<_> = times.into_iter().collect();
        order.sort_by_key(|&(key, time)| (std::cmp::Reverse(time), key));
        let numbers: HashMap<_, u8> =
            order.iter().take(NAMED).map(|(key, _)| *key).zip(1..).collect();
        let mut names = vec![String::new()];
        let sites = view.summary.sites.iter().zip(0..);
        let sites: HashMap<u64, SiteId> =
            sites.map(|(site, number)| (site.codeptr, SiteId(number))).collect();
        names.extend(order.iter().take(NAMED).map(|((kind, code), _)| match sites.get(code) {
            Some(site) => format!("{kind} {}", view.place(Some(*site))),
            None => (*kind).to_owned(),
        }));
        names.resize(NAMED + 1, String::new());
        // What a row of spans has after them.
        names.extend(rest.map(str::to_owned));
        let other = NAMED as u8 + 1;
        let spans = spans.into_iter();
        let spans: Vec<_> = spans
            .map(|(begin, end, key)| (begin, end, numbers.get(&key).copied().unwrap_or(other)))
            .collect();
        (!spans.is_empty()).then(|| Self { names, cells: spans_row(view, spans) })
    }
}

/// Kind and end of `work`, if the row shows it.
fn shown(view: &View<'_>, work: &Work) -> Option<(&'static str, u64)> {
    let model = &view.analysis.model;
    let member = work.member?;
    let region = &model.regions[model.members[member as usize].region as usize];
    let is_primary = !region.nested && region.primary == Some(member);
    let end = work.end.filter(|end| is_primary && *end > work.begin)?;
    Some((work_kind(work.kind)?.name(), end))
}

/// An operation of a device in words, by OMPT's kind of data operation.
fn operation(one: &DeviceOperation) -> &'static str {
    match one.kind {
        0 => "kernel",
        1 | 4 => "memory on the device",
        2 => "to device",
        3 => "from device",
        _ => "between devices",
    }
}
