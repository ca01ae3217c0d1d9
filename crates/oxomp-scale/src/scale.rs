//! All runs of a program, brought together.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_compare::{Construct, Facts};
use serde::Serialize;

use crate::losses::{Loss, losses};
use crate::measured::Measured;
use crate::notes::warnings;
use crate::numbers::ratio;
use crate::point::Point;
use crate::region::RegionScale;
use crate::stop::{Stop, first_stop, stops_at};
use crate::verdict::Verdict;

/// The part that no number of threads makes faster.
// Amdahl's serial part, as it was measured at the fewest threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SerialPart"))]
pub struct Amdahl {
    /// Wall time in no region, ns.
    pub outside_ns: f64,
    /// Wall time in regions that have a team of one thread whatever the number, ns.
    #[serde(rename = "one_thread_ns")]
    pub single_ns: f64,
    /// Both as a part of the wall time, from 0 to 1.
    pub share: f64,
    /// How many times as fast as the first number of threads any number can be; null without a
    /// serial part.
    // It is infinite then, which JSON has no number for.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub limit: f64,
}

/// A program at several numbers of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Processors that the program may use.
    pub processors: u32,
    /// By number of threads; at least one.
    pub points: Vec<Point>,
    /// Position of the point that the verdict is about: the most threads for which there are
    /// processors, else the fewest.
    pub judged: usize,
    /// By the wall time that they lose at the judged point, largest first.
    pub regions: Vec<RegionScale>,
    /// Where each point loses its time, in the order of the points.
    pub losses: Vec<Vec<Loss>>,
    /// Amdahl's serial part.
    pub amdahl: Amdahl,
    /// The first region that stops scaling; `None` if none does.
    pub stop: Option<Stop>,
    /// What makes the numbers doubtful, or less than they seem, in words.
    pub warnings: Vec<String>,
    /// The conclusion in words.
    pub verdict: Verdict,
}

impl Scale {
    /// Brings `runs` together, made on a machine with `processors` processors for the program;
    /// `None` without runs.
    #[must_use]
    pub fn of(runs: Vec<Measured>, processors: u32) -> Option<Self> {
        let mut by_threads = BTreeMap::<u32, Vec<Measured>>::new();
        for run in runs {
            by_threads.entry(run.threads).or_default().push(run);
        }
        let of_threads = |(threads, runs)| Point::of(threads, runs, processors);
        let mut points: Vec<Point> = by_threads.into_iter().map(of_threads).collect();
        let base = points.first()?;
        let (fewest, base_wall) = (base.threads.min(processors).max(1), base.wall_ns);
        for point in &mut points {
            point.speed_up = ratio(base_wall, point.wall_ns);
            point.ideal = f64::from(point.threads.min(processors).max(1)) / f64::from(fewest);
        }
        let judged = points.iter().rposition(|point| !point.is_beyond).unwrap_or(0);

        let constructs: BTreeSet<&Construct> =
            points.iter().flat_map(|point| point.run().regions.keys()).collect();
        let of = |construct: &&Construct| RegionScale::of(construct, &points);
        let mut regions: Vec<RegionScale> = constructs.iter().map(of).collect();
        regions.sort_by(|one, other| {
            other.at[judged]
                .lost_ns
                .total_cmp(&one.at[judged].lost_ns)
                .then_with(|| other.at[0].wall_ns.total_cmp(&one.at[0].wall_ns))
        });
        for region in &mut regions {
            region.stops_at = stops_at(region, &points);
        }
        let amdahl = Amdahl::of(&points, &regions);
        for point in &mut points {
            let serial = amdahl.share.clamp(0.0, 1.0);
            point.amdahl = 1.0 / (serial + (1.0 - serial) / point.ideal);
        }
        let mut scale = Self {
            losses: (0..points.len()).map(|index| losses(&points, &regions, index)).collect(),
            stop: first_stop(&regions, &points),
            processors,
            points,
            judged,
            regions,
            amdahl,
            warnings: Vec::new(),
            verdict: Verdict::default(),
        };
        scale.warnings = warnings(&scale);
        scale.verdict = Verdict::of(&scale);
        Some(scale)
    }

    /// The runs of the fewest threads.
    #[must_use]
    pub fn base(&self) -> &Point {
        &self.points[0]
    }

    /// The point that the verdict is about.
    #[must_use]
    pub fn at(&self) -> &Point {
        &self.points[self.judged]
    }

    /// The circumstances of the first run; those of the others are the same but for the number of
    /// threads.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.points[0].runs[0].facts
    }

    /// The wall time of the judged point's median run beyond that of ideal scaling, ns.
    #[must_use]
    pub fn lost_ns(&self) -> f64 {
        self.losses[self.judged].iter().map(|loss| loss.ns).sum()
    }
}

impl Amdahl {
    fn of(points: &[Point], regions: &[RegionScale]) -> Self {
        let (base, last) = (points[0].run(), points.len() - 1);
        let single = regions.iter().filter(|region| {
            let at = &region.at[last].measured;
            last > 0 && at.calls > 0 && at.team.1 == 1 && !at.is_nested
        });
        let single_ns = single.map(|region| region.at[0].wall_ns).sum();
        let serial_ns = base.serial_ns + single_ns;
        Self {
            outside_ns: base.serial_ns,
            single_ns,
            share: ratio(serial_ns, base.wall_ns),
            limit: if serial_ns > 0.0 { base.wall_ns / serial_ns } else { f64::INFINITY },
        }
    }
}
