//! The changes between two sets of runs, and which of them count.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use oxomp_analysis::summary::Class;

use crate::conditions::{busy, differences, incomplete, recording};
use crate::construct::{Construct, Group};
use crate::contention_change::{ContentionChange, changes};
use crate::matching::{Pair, pairs};
use crate::noise::{Interval, Noise, median};
use crate::offloaded::{Offloaded, median_count};
use crate::run::{Measure, Run, RunSet};

/// The part of the wall time below which a construct's change does not count, however large it is
/// for the construct.
pub(crate) const LEAST_OF_WALL: f64 = 0.01;

/// Whether a change counts: more than the threshold and more than noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does not count.
    Same,
    /// There is less of it than before.
    Less,
    /// There is more of it than before.
    More,
}

/// A quantity before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The median of the runs before; `None` if the quantity was not measured or was not there.
    pub before: Option<f64>,
    /// The median of the runs after.
    pub after: Option<f64>,
    /// By how much the medians differ; what is not there counts as 0.
    pub by: f64,
    /// The range of the difference; `None` where there are too few runs to tell.
    pub interval: Option<Interval>,
    /// Whether the change counts, and in which direction it goes.
    pub verdict: Verdict,
}

/// The thing that a change is of.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// The wall time, ns.
    Wall,
    /// The CPU time, ns.
    Cpu,
    /// The parallel efficiency: more is better.
    Efficiency,
    /// The time of all threads in a class, ns.
    Class(Class),
    /// A construct's time, ns.
    Construct(Pair),
    /// The part of the wall time that a construct's work or loss is, ns.
    Part(Pair, &'static str),
}

impl Subject {
    /// The construct, as it is after the change where it is still there.
    #[must_use]
    pub fn construct(&self) -> Option<&Construct> {
        match self {
            Self::Construct((before, after)) | Self::Part((before, after), _) => {
                after.as_ref().or(before.as_ref())
            }
            _ => None,
        }
    }
}

/// A line of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The thing that was measured.
    pub subject: Subject,
    /// How it changed.
    pub change: Change,
    /// The change of the wall time to which the change amounts, ns; rows are ordered by it.
    pub wall_by: f64,
    /// How often a construct was executed before and after.
    pub counts: (u64, u64),
    /// What a construct was before and after, in words; empty if there is nothing to say.
    pub details: (String, String),
    /// The kernels and transfers of a target construct before and after.
    pub offloaded: (Option<Offloaded>, Option<Offloaded>),
}

impl Row {
    /// Whether the change counts and is for the worse. A construct that is new or gone is neither
    /// better nor worse by itself: a loop that has become parallel is a new region.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        match self.subject {
            Subject::Construct((None, _) | (_, None)) => false,
            Subject::Efficiency => self.change.verdict == Verdict::Less,
            // More useful work is as bad as more waiting: it is time for the same result.
            _ => self.change.verdict == Verdict::More,
        }
    }

    /// Whether the change counts.
    #[must_use]
    pub fn counts_as_change(&self) -> bool {
        self.change.verdict != Verdict::Same
    }
}

/// A reason to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The wall time.
    Wall,
    /// The CPU time.
    Cpu,
    /// The parallel efficiency.
    Efficiency,
    /// A construct of a family.
    Group(Group),
}

/// Two sets of runs, compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The runs before.
    pub before: RunSet,
    /// The runs after.
    pub after: RunSet,
    /// Differences of the circumstances, and a machine that was busy, in words.
    pub conditions: Vec<String>,
    /// Why numbers are not of a whole run, in words.
    pub warnings: Vec<String>,
    /// The part of a quantity by which it has to change.
    pub threshold: f64,
    /// The rule for the noise.
    pub noise: Noise,
    /// The wall time.
    pub wall: Row,
    /// The CPU time; `None` if it is not known of every run.
    pub cpu: Option<Row>,
    /// The parallel efficiency.
    pub efficiency: Row,
    /// Where the change of the wall time comes from: largest first.
    pub parts: Vec<Row>,
    /// The budget's classes that have time, in their order.
    pub classes: Vec<Row>,
    /// Every construct; the largest change of the wall time first.
    pub constructs: Vec<Row>,
    /// The code of regions in which threads meet in memory; the largest change first.
    pub contention: Vec<ContentionChange>,
}

/// The parameters by which changes are judged.
struct Judge {
    noise: Noise,
    threshold: f64,
    /// The least change of the wall time that counts for a part of it, ns.
    least: f64,
}

impl Judge {
    /// The change from `before` to `after`; `share` is the part of a difference that is wall time,
    /// or `None` for a quantity of the whole run.
    fn change(&self, before: &[f64], after: &[f64], share: Option<f64>) -> Change {
        let (one, other) = (median(before), median(after));
        let by = other - one;
        let interval = self.noise.interval(before, after);
        let beyond = interval.is_none_or(|range| range.low > 0.0 || range.high < 0.0);
        let large = by.abs() > self.threshold * one.min(other)
            && share.is_none_or(|share| by.abs() * share >= self.least);
        let verdict = match by {
            by if !(beyond && large) || by == 0.0 => Verdict::Same,
            by if by > 0.0 => Verdict::More,
            _ => Verdict::Less,
        };
        Change { before: Some(one), after: Some(other), by, interval, verdict }
    }
}

impl Comparison {
    /// Compares two sets. A change counts if it is larger than the fraction `threshold` (0.05
    /// is 5 %) of the quantity that changes, and larger than the noise, as far as the runs tell it.
    #[must_use]
    pub fn of(before: RunSet, after: RunSet, threshold: f64) -> Self {
        let noise = Noise::of(before.runs.len(), after.runs.len());
        let values = |set: &RunSet, of: &dyn Fn(&Run) -> f64| -> Vec<f64> {
            set.runs.iter().map(of).collect()
        };
        let both = |of: &dyn Fn(&Run) -> f64| (values(&before, of), values(&after, of));
        let wall = both(&|run| run.wall_ns);
        let least = LEAST_OF_WALL * median(&wall.0).min(median(&wall.1));
        let judge = Judge { noise, threshold, least };
        let whole = |subject, (before, after): (Vec<f64>, Vec<f64>)| {
            row(subject, judge.change(&before, &after, None), 0.0)
        };
        let has_cpu = |set: &RunSet| set.runs.iter().all(|run| run.cpu_ns.is_some());
        let cpu = (has_cpu(&before) && has_cpu(&after))
            .then(|| whole(Subject::Cpu, both(&|run| run.cpu_ns.unwrap_or_default())));

        let pairs = pairs(&every_construct(&before), &every_construct(&after));
        let mut constructs: Vec<Row> =
            pairs.iter().map(|pair| judge.construct(pair, &before, &after)).collect();
        let mut parts = judge.parts(&pairs, &before, &after);
        for rows in [&mut constructs, &mut parts] {
            rows.sort_by(|one, other| other.wall_by.abs().total_cmp(&one.wall_by.abs()));
        }
        let threads = |set: &RunSet| median(&values(set, &|run| f64::from(run.facts.threads)));
        let share = 1.0 / threads(&before).max(threads(&after)).max(1.0);
        let classes = Class::ALL.into_iter().filter_map(|class| {
            let (one, other) = both(&|run| run.by_class[class as usize]);
            let change = judge.change(&one, &other, Some(share));
            let has_time = change.before != Some(0.0) || change.after != Some(0.0);
            has_time.then(|| row(Subject::Class(class), change, change.by * share))
        });
        Self {
            conditions: circumstances(&before, &after),
            warnings: [incomplete("before", &before), incomplete("after", &after)].concat(),
            threshold,
            noise,
            wall: whole(Subject::Wall, wall),
            cpu,
            efficiency: whole(Subject::Efficiency, both(&|run| run.efficiency)),
            parts,
            classes: classes.collect(),
            constructs,
            contention: changes(&pairs, &before, &after),
            before,
            after,
        }
    }

    /// The changes for the worse that `gates` are about, largest first.
    #[must_use]
    pub fn regressions(&self, gates: &[Gate]) -> Vec<&Row> {
        let is_gate = |gate| gates.contains(&gate);
        let wall = is_gate(Gate::Wall).then_some(&self.wall);
        let cpu = self.cpu.as_ref().filter(|_| is_gate(Gate::Cpu));
        let efficiency = is_gate(Gate::Efficiency).then_some(&self.efficiency);
        let constructs = self.constructs.iter().filter(|row| {
            row.subject.construct().is_some_and(|of| is_gate(Gate::Group(of.kind.group)))
        });
        let all = wall.into_iter().chain(cpu).chain(efficiency).chain(constructs);
        all.filter(|row| row.is_worse()).collect()
    }
}

fn circumstances(before: &RunSet, after: &RunSet) -> Vec<String> {
    let mut notes = differences(before, after);
    notes.extend(busy("before", before));
    notes.extend(busy("after", after));
    notes.extend(recording(before, after));
    notes
}

fn row(subject: Subject, change: Change, wall_by: f64) -> Row {
    let (counts, details, offloaded) = Default::default();
    Row { subject, change, wall_by, counts, details, offloaded }
}

/// The constructs of all runs of a set.
fn every_construct(set: &RunSet) -> BTreeSet<Construct> {
    set.runs.iter().flat_map(|run| run.constructs.keys().cloned()).collect()
}

impl Judge {
    fn construct(&self, pair: &Pair, before: &RunSet, after: &RunSet) -> Row {
        let side = |set: &RunSet, construct: &Option<Construct>| {
            let measures = set.runs.iter().map(|run| {
                construct.as_ref().and_then(|construct| run.constructs.get(construct)).cloned()
            });
            measures.map(Option::unwrap_or_default).collect::<Vec<_>>()
        };
        let (ones, others) = (side(before, &pair.0), side(after, &pair.1));
        let times = |side: &[Measure]| side.iter().map(|measure| measure.time_ns).collect();
        let walls =
            |side: &[Measure]| -> Vec<f64> { side.iter().map(|measure| measure.wall_ns).collect() };
        let (one, other): (Vec<f64>, Vec<f64>) = (times(&ones), times(&others));
        let wall_by = median(&walls(&others)) - median(&walls(&ones));
        let by = median(&other) - median(&one);
        let share = if by == 0.0 { 0.0 } else { (wall_by / by).abs() };
        let mut change = self.change(&one, &other, Some(share));
        change.before = change.before.filter(|_| pair.0.is_some());
        change.after = change.after.filter(|_| pair.1.is_some());
        let count = |side: &[Measure]| median_count(side.iter().map(|measure| measure.count));
        let offloaded = |side: &[Measure]| {
            Offloaded::median(&side.iter().map(|measure| measure.offloaded).collect::<Vec<_>>())
        };
        let detail = |side: &[Measure]| {
            side.iter().map(|measure| &measure.detail).find(|detail| !detail.is_empty()).cloned()
        };
        Row {
            subject: Subject::Construct(pair.clone()),
            change,
            wall_by,
            counts: (count(&ones), count(&others)),
            details: (detail(&ones).unwrap_or_default(), detail(&others).unwrap_or_default()),
            offloaded: (offloaded(&ones), offloaded(&others)),
        }
    }

    /// The parts of the wall time on both sides.
    fn parts(&self, pairs: &[Pair], before: &RunSet, after: &RunSet) -> Vec<Row> {
        let names = |set: &RunSet| {
            let mut names: HashMap<Construct, BTreeSet<&'static str>> = HashMap::new();
            for (construct, part) in set.runs.iter().flat_map(|run| run.parts.keys()) {
                names.entry(construct.clone()).or_default().insert(part);
            }
            names
        };
        let (of_before, of_after) = (names(before), names(after));
        let values = |set: &RunSet, construct: &Option<Construct>, part: &'static str| {
            let Some(construct) = construct else { return vec![0.0; set.runs.len()] };
            let key = (construct.clone(), part);
            let value = |run: &Run| run.parts.get(&key).copied().unwrap_or_default();
            set.runs.iter().map(value).collect::<Vec<f64>>()
        };
        let mut rows = Vec::new();
        for pair in pairs {
            let of = |names: &HashMap<Construct, BTreeSet<&'static str>>,
                      of: &Option<Construct>| {
                of.as_ref().and_then(|of| names.get(of)).cloned().unwrap_or_default()
            };
            let mut parts: BTreeMap<&'static str, ()> = BTreeMap::new();
            parts.extend(of(&of_before, &pair.0).into_iter().map(|part| (part, ())));
            parts.extend(of(&of_after, &pair.1).into_iter().map(|part| (part, ())));
            for part in parts.into_keys() {
                let (one, other) = (values(before, &pair.0, part), values(after, &pair.1, part));
                let mut change = self.change(&one, &other, Some(1.0));
                change.before = change.before.filter(|_| pair.0.is_some());
                change.after = change.after.filter(|_| pair.1.is_some());
                rows.push(row(Subject::Part(pair.clone(), part), change, change.by));
            }
        }
        rows
    }
}
