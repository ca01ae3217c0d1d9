//! The timeline's row of worksharing constructs: those in which the primary threads of regions
//! outside every other were.

use std::collections::HashMap;

use oxomp_analysis::model::Work;
use oxomp_analysis::summary::{SiteId, WorkKind};
use oxomp_analysis::work_kind;

use crate::timeline::{NAMED_REGIONS, spans_row};
use crate::view::View;

/// Constructs that the row tells apart, those of most time; two more numbers mean all others, and
/// constructs of which only sums were recorded.
const NAMED: usize = NAMED_REGIONS;

/// The row, and what its numbers mean; 0 is no construct.
#[derive(Debug)]
pub(crate) struct Constructs {
    pub(crate) names: Vec<String>,
    pub(crate) cells: Vec<u8>,
}

impl Constructs {
    /// `None` if no construct was recorded.
    pub(crate) fn of(view: &View<'_>) -> Option<Self> {
        let mut spans = Vec::new();
        let mut times: HashMap<(WorkKind, u64), u64> = HashMap::new();
        for work in &view.analysis.model.works {
            let Some((kind, end)) = shown(view, work) else { continue };
            let key = (kind, work.code);
            *times.entry(key).or_default() += end - work.begin;
            spans.push((work.begin, end, key));
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
            Some(site) => format!("{} {}", kind.name(), view.place(Some(*site))),
            None => kind.name().to_owned(),
        }));
        names.resize(NAMED + 1, String::new());
        names.push("another construct".to_owned());
        // What a row of spans has after them.
        names.push("constructs of which only sums were recorded".to_owned());
        let other = NAMED as u8 + 1;
        let spans = spans.into_iter();
        let spans: Vec<_> = spans
            .map(|(begin, end, key)| (begin, end, numbers.get(&key).copied().unwrap_or(other)))
            .collect();
        (!spans.is_empty()).then(|| Self { names, cells: spans_row(view, spans) })
    }
}

/// Kind and end of `work`, if the row shows it.
fn shown(view: &View<'_>, work: &Work) -> Option<(WorkKind, u64)> {
    let model = &view.analysis.model;
    let member = work.member?;
    let region = &model.regions[model.members[member as usize].region as usize];
    let is_primary = !region.nested && region.primary == Some(member);
    let end = work.end.filter(|end| is_primary && *end > work.begin)?;
    Some((work_kind(work.kind)?, end))
}
