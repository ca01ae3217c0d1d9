//! Times of a thread of which only sums are known, as parts of the timeline.
//!
//! Two kinds of sums meet intervals here. In the gaps between recorded intervals only sums are
//! known: the sums of the gap itself, if a window of events follows and tells them, or else the
//! mean of all time that nothing else shows. Inside a recorded interval, sums may tell that a part
//! of it was something else, a wait for a lock for instance. The interval keeps its place, and this
//! part of it is shown as what the sums say.

use std::collections::HashMap;

use oxomp_analysis::model::{Gap, Model};
use oxomp_analysis::resolve::{Piece, resolve_pieces};
use oxomp_analysis::summary::Class;

use crate::kinds::{COUNT, Kind};
use crate::view::View;

/// Added to the number of a kind whose time is known as a sum only.
pub(super) const SUMMED: u8 = 64;
const _: () = assert!(COUNT < SUMMED as usize);

/// Share of a thread's time below which sums inside recorded intervals are not worth a part of
/// each.
const WORTH_A_PART: f64 = 0.01;

/// Parts of a length, by kind.
pub(super) type Parts = Vec<(u8, u64)>;

/// By region, the part of useful time that was of another class.
type Inside = HashMap<Option<u32>, Vec<(Class, f64)>>;

/// What the sums say of one thread.
#[derive(Debug)]
pub(super) struct Summed {
    /// The classes that events do not show, with their shares.
    mean: Vec<(Class, f64)>,
    /// By class, the part of its recorded time that is shown as the mean.
    replaced: [f64; Class::COUNT],
    inside: Inside,
    /// The gaps of which the sums are known, in order.
    gaps: Vec<Gap>,
}

impl Summed {
    /// For each thread of the model.
    pub(super) fn of(view: &View<'_>) -> Vec<Self> {
        let model = &view.analysis.model;
        let inside = insides(model);
        let threads = model.threads.iter().zip(&view.analysis.resolved.threads).zip(inside);
        threads
            .map(|((thread, recorded), inside)| {
                let all = view.summary.threads.iter().find(|one| one.number == thread.number);
                let gaps = thread.gaps.clone();
                let shown = Class::ALL.map(|class| {
                    let known = gaps.iter().map(|gap| gap.by_class[class as usize]);
                    known.fold(recorded[class as usize], u64::saturating_add)
                });
                let (mean, replaced) = match all {
                    Some(all) => differences(&all.by_class, &shown),
                    None => (Vec::new(), [0.0; Class::COUNT]),
                };
                Self { mean, replaced, inside, gaps }
            })
            .collect()
    }

    /// The parts of the gap from `begin` to `end`.
    pub(super) fn gap(&self, begin: u64, end: u64) -> Parts {
        let length = end.saturating_sub(begin);
        let mut parts = Parts::new();
        let after = self.gaps.partition_point(|gap| gap.end <= begin);
        match self.gaps.get(after).filter(|gap| gap.begin <= begin && gap.end >= end) {
            Some(gap) => self.share_known(length, gap, &mut parts),
            None => share_out(length, &self.mean, &mut parts),
        }
        let rest = length - parts.iter().map(|part| part.1).sum::<u64>();
        match parts.iter_mut().max_by_key(|part| part.1) {
            Some(most) => most.1 += rest,
            None => parts.push((Kind::of(Class::SerialIdle).0 | SUMMED, rest)),
        }
        parts
    }

    /// Adds `length` to `parts` in the shares of the sums of `gap`; if the thread had less of a
    /// class than such sums say, the missing part is shown as the mean.
    fn share_known(&self, length: u64, gap: &Gap, parts: &mut Parts) {
        let all: u64 = gap.by_class.iter().fold(0, |sum, time| sum.saturating_add(*time));
        let mut shares = Vec::new();
        let mut replaced = 0.0;
        for class in Class::ALL {
            let share = gap.by_class[class as usize] as f64 / all.max(1) as f64;
            let part = self.replaced[class as usize];
            shares.push((class, share * (1.0 - part)));
            replaced += share * part;
        }
        shares.extend(self.mean.iter().map(|(class, part)| (*class, part * replaced)));
        share_out(length, &shares, parts);
    }

    /// The parts of `piece`, whose own kind is `kind`.
    pub(super) fn piece(&self, piece: Piece, kind: Kind) -> Parts {
        let length = piece.end - piece.begin;
        let mut parts = Parts::new();
        if let Some(inside) = self.inside.get(&piece.region)
            && matches!(piece.class, Class::Useful | Class::Serial | Class::SerialIdle)
        {
            share_out(length, inside, &mut parts);
        }
        let replaced = self.replaced[piece.class as usize];
        if replaced > 0.0 {
            let left = length - parts.iter().map(|part| part.1).sum::<u64>();
            share_out((left as f64 * replaced) as u64, &self.mean, &mut parts);
        }
        let left = length - parts.iter().map(|part| part.1).sum::<u64>();
        if left > 0 {
            parts.insert(0, (kind.0, left));
        }
        parts
    }
}

/// Adds `length` to `parts` in the shares of `mean`, rounded down.
fn share_out(length: u64, mean: &[(Class, f64)], parts: &mut Parts) {
    let mut room = length;
    for (class, part) in mean {
        let time = ((length as f64 * part) as u64).min(room);
        room -= time;
        let kind = Kind::of(*class).0 | SUMMED;
        match parts.iter_mut().find(|part| part.0 == kind) {
            Some(part) => part.1 += time,
            None if time > 0 => parts.push((kind, time)),
            None => {}
        }
    }
}

/// The classes in which `all` has more time than `recorded`, with their shares; and by class, the
/// part by which `all` has less.
fn differences(
    all: &[u64; Class::COUNT],
    recorded: &[u64; Class::COUNT],
) -> (Vec<(Class, f64)>, [f64; Class::COUNT]) {
    let lifetime: u64 = all.iter().sum();
    let more = Class::ALL.map(|class| all[class as usize].saturating_sub(recorded[class as usize]));
    let less = Class::ALL.map(|class| recorded[class as usize].saturating_sub(all[class as usize]));
    let (total, missing): (u64, u64) = (more.iter().sum(), less.iter().sum());
    let mean = Class::ALL.into_iter().zip(more).filter(|(_, time)| *time > 0);
    let mean = mean.map(|(class, time)| (class, time as f64 / total as f64)).collect();
    let mut replaced = [0.0; Class::COUNT];
    if missing as f64 > lifetime as f64 * WORTH_A_PART {
        // Of a damaged recording the sums may be too small.
        let known = (total as f64 / missing as f64).min(1.0);
        for (part, (less, recorded)) in replaced.iter_mut().zip(less.iter().zip(recorded)) {
            *part = known * *less as f64 / (*recorded).max(1) as f64;
        }
    }
    (mean, replaced)
}

/// By thread: the waits that were added up inside recorded time, as parts of the useful time of
/// their region.
fn insides(model: &Model) -> Vec<Inside> {
    let mut insides = vec![Inside::new(); model.threads.len()];
    if model.inner.is_empty() {
        return insides;
    }
    let mut around = HashMap::<(usize, Option<u32>), u64>::new();
    let _sums = resolve_pieces(model, &mut |row, piece| {
        if matches!(piece.class, Class::Useful | Class::Serial | Class::SerialIdle) {
            *around.entry((row, piece.region)).or_default() += piece.end - piece.begin;
        }
    });
    for inner in &model.inner {
        let region = inner.member.map(|member| model.members[member as usize].region);
        let all = around.get(&(inner.thread, region)).copied().unwrap_or(0);
        let Some(inside) = insides.get_mut(inner.thread).filter(|_| all > 0) else { continue };
        let parts = inside.entry(region).or_default();
        // Together they are at most all of it.
        let room = 1.0 - parts.iter().map(|part| part.1).sum::<f64>();
        let part = (inner.length as f64 / all as f64).min(room.max(0.0));
        match parts.iter_mut().find(|part| part.0 == inner.class) {
            Some(found) => found.1 += part,
            None => parts.push((inner.class, part)),
        }
    }
    insides
}

#[cfg(test)]
mod tests {
    use super::{SUMMED, Summed, differences};
    use crate::kinds::Kind;
    use oxomp_analysis::model::Gap;
    use oxomp_analysis::resolve::Piece;
    use oxomp_analysis::summary::Class;
    use std::collections::HashMap;

    fn by_class(times: &[(Class, u64)]) -> [u64; Class::COUNT] {
        let mut by_class = [0; Class::COUNT];
        for (class, ns) in times {
            by_class[*class as usize] = *ns;
        }
        by_class
    }

    #[test]
    fn a_gap_shows_the_mean_and_a_piece_its_part() {
        // 600 of 1000 ns were recorded as useful; the sums say that 200 of these were waits.
        let all = by_class(&[(Class::Useful, 400), (Class::Mutex, 450), (Class::Imbalance, 150)]);
        let (mean, replaced) = differences(&all, &by_class(&[(Class::Useful, 600)]));
        let known = Gap { begin: 1000, end: 1100, by_class: by_class(&[(Class::Useful, 90)]) };
        let gaps = vec![known];
        let summed = Summed { mean, replaced, inside: HashMap::new(), gaps };
        let [mutex, imbalance] = [Class::Mutex, Class::Imbalance].map(|one| Kind::of(one).0);
        let mut gap = summed.gap(600, 1000);
        gap.sort_unstable();
        assert_eq!(gap, [(imbalance | SUMMED, 100), (mutex | SUMMED, 300)]);
        let useful = Kind::of(Class::Useful);
        let mut gap = summed.gap(1000, 1100);
        gap.sort_unstable();
        let expected = [(useful.0 | SUMMED, 67), (imbalance | SUMMED, 8), (mutex | SUMMED, 25)];
        assert_eq!(gap, expected, "of its own sums, a third of which was something else");
        let piece = Piece { begin: 0, end: 600, class: Class::Useful, region: None, task: None };
        let parts = summed.piece(piece, useful);
        assert_eq!(parts[0], (useful.0, 400));
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), 600);
        assert!(parts.contains(&(mutex | SUMMED, 150)), "{parts:?}");
    }

    #[test]
    fn without_sums_a_piece_is_itself() {
        let all = by_class(&[(Class::Useful, 600)]);
        let (mean, replaced) = differences(&all, &all);
        let summed = Summed { mean, replaced, inside: HashMap::new(), gaps: Vec::new() };
        let piece = Piece { begin: 5, end: 9, class: Class::Useful, region: None, task: None };
        assert_eq!(summed.piece(piece, Kind::TASK), [(Kind::TASK.0, 4)]);
    }
}
