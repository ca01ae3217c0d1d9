//! Runs at several numbers of threads, as a document of its own.

use oxomp_analysis::summary::Class;
use oxomp_scale::{
    Amdahl, Construct, Loss, Part, Point, RegionPoint, RegionScale, Scale, Source, Stop,
    contention_of, lock_of,
};
use serde::Serialize;

use super::version::SCALE_SCHEMA_VERSION;

/// A program at several numbers of threads, as `oxomp scale` ran it. Times are in nanoseconds,
/// named `…_ns`; those of parts are wall time, of the run of median wall time. A quantity that was
/// not measured is null, never zero. Numbers of threads are named by their position in `points`,
/// regions by that in `regions`, from 0.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ScaleDocument<'a> {
    /// Version of this schema, `MAJOR.MINOR.PATCH`: a reader needs to know the first part.
    schema_version: &'static str,
    /// Always `scale`.
    document: &'static str,
    /// The program that wrote the document, and its version.
    producer: String,
    /// The program and its arguments.
    command: &'a [String],
    /// Name of the machine.
    hostname: &'a str,
    /// The runtime's name and version, in its own words.
    runtime: &'a str,
    /// Processors that the program may use: more threads make nothing faster.
    processors: u32,
    /// What makes the numbers doubtful, or less than they seem, in words.
    warnings: &'a [String],
    /// The conclusion: its first sentence names the cause.
    verdict: Vec<&'a str>,
    /// The numbers of threads, ascending. The first is the base of all comparisons.
    points: Vec<ScalePoint<'a>>,
    /// Position of the number of threads that the verdict is about: the most for which there are
    /// processors.
    judged: usize,
    /// Amdahl's serial part, measured at the first number of threads.
    amdahl: &'a Amdahl,
    /// The first region that stops scaling; null if none does.
    first_stop: Option<FirstStop<'a>>,
    /// The regions, by what they lose at the judged number of threads, largest first.
    regions: Vec<ScaleRegion<'a>>,
}

/// The runs with one number of threads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScalePoint<'a> {
    #[serde(flatten)]
    point: &'a Point,
    /// `speed_up / ideal_speed_up`.
    efficiency: f64,
    /// Wall time in no region, ns.
    serial_ns: f64,
    /// What recording took the threads of the run of median wall time, ns; null if it is not known.
    /// It is part of their work and of what the regions lose.
    recording_ns: Option<f64>,
    /// What the run takes beyond the ideal time, by cause, largest first; the sum is all of it.
    lost: Vec<ScaleLoss<'a>>,
}

/// Wall time beyond that of ideal scaling.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScaleLoss<'a> {
    /// The region; null: code outside of every region.
    region: Option<usize>,
    /// `work inflation`, `teams do not grow`, `waiting for iterations`, `turns in reductions`, or
    /// the class of the lost time; null without a region.
    part: Option<&'static str>,
    /// Of time that is lost at locks, the lock that has most of it in the region; null if none is
    /// known.
    lock: Option<ScaleLock<'a>>,
    /// Of work inflation, the code of the region in which threads meet in memory; null if little of
    /// the region's samples is there.
    contention: Option<ScaleContention<'a>>,
    /// How much, ns; less than 0 if it is faster than the ideal.
    wall_ns: f64,
}

/// A place at which threads ask for a lock.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScaleLock<'a> {
    /// `critical`, `lock`, `nest lock`, `atomic`, `ordered` or `mutex`.
    kind: &'static str,
    #[serde(flatten)]
    place: ScalePlace<'a>,
}

/// The place of a construct.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScalePlace<'a> {
    /// The place as the text prints it: `solver.c:118`.
    label: String,
    /// The user's function; null if unknown.
    function: Option<&'a str>,
    /// Source file, without its folders; null without line information.
    file: Option<&'a str>,
    /// Line in `file`, from 1; null without line information.
    line: Option<u32>,
}

/// Code in which threads meet in memory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScaleContention<'a> {
    /// `shared cache lines`, `atomic updates` or `loops that wait for a variable`.
    code: &'static str,
    /// The place that has most of the samples, in words.
    place: &'a str,
    /// The part of the region's samples that are at such code, from 0 to 1.
    share: f64,
}

/// The first region that stops scaling.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FirstStop<'a> {
    #[serde(flatten)]
    stop: &'a Stop,
    /// The lock that is to blame; null if it is no lock, or if none is known.
    lock: Option<ScaleLock<'a>>,
}

/// A region.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ScaleRegion<'a> {
    #[serde(flatten)]
    place: ScalePlace<'a>,
    /// Short name of the mapped file; null for code of no file.
    module: Option<&'a str>,
    /// The code's offset in the module, in bytes.
    offset: u64,
    /// True for a region inside others: its work is part of theirs, only its losses are its own.
    nested: bool,
    /// The size of its teams, if that is the same whatever the number of threads; else null.
    own_team: Option<u32>,
    /// The first number of threads at which it no longer scales; null if it does.
    stops_at: Option<usize>,
    /// Its numbers, in the order of `points`.
    points: &'a [RegionPoint],
}

impl<'a> ScaleDocument<'a> {
    pub(super) fn new(scale: &'a Scale, producer: &str) -> Self {
        let facts = scale.facts();
        let sentences = [&scale.verdict.headline].into_iter().chain(&scale.verdict.sentences);
        Self {
            schema_version: SCALE_SCHEMA_VERSION,
            document: "scale",
            producer: producer.to_owned(),
            command: &facts.command,
            hostname: &facts.hostname,
            runtime: &facts.runtime,
            processors: scale.processors,
            warnings: &scale.warnings,
            verdict: sentences.map(String::as_str).collect(),
            points: (0..scale.points.len()).map(|index| ScalePoint::new(scale, index)).collect(),
            judged: scale.judged,
            amdahl: &scale.amdahl,
            first_stop: scale.stop.as_ref().map(|stop| FirstStop::new(scale, stop)),
            regions: scale.regions.iter().map(|it| ScaleRegion::new(it, &scale.points)).collect(),
        }
    }
}

impl<'a> ScalePoint<'a> {
    fn new(scale: &'a Scale, index: usize) -> Self {
        let point = &scale.points[index];
        Self {
            point,
            efficiency: point.efficiency(),
            serial_ns: point.run().serial_ns,
            recording_ns: point.run().recording_ns,
            lost: scale.losses[index].iter().map(|it| ScaleLoss::new(scale, index, it)).collect(),
        }
    }
}

impl<'a> FirstStop<'a> {
    fn new(scale: &'a Scale, stop: &'a Stop) -> Self {
        let lock_of = |part| ScaleLock::of(scale, stop.point, Source::Region(stop.region, part));
        Self { stop, lock: stop.blame.and_then(lock_of) }
    }
}

impl<'a> ScaleLoss<'a> {
    fn new(scale: &'a Scale, point: usize, loss: &Loss) -> Self {
        let (region, part) = match loss.source {
            Source::Serial => (None, None),
            Source::Region(region, part) => (Some(region), Some(part.name())),
        };
        Self {
            region,
            part,
            lock: ScaleLock::of(scale, point, loss.source),
            contention: ScaleContention::of(scale, point, loss.source),
            wall_ns: loss.ns,
        }
    }
}

impl<'a> ScaleLock<'a> {
    fn of(scale: &'a Scale, point: usize, source: Source) -> Option<Self> {
        let Source::Region(region, Part::Class(Class::Mutex)) = source else { return None };
        let lock = lock_of(scale, point, region)?;
        Some(Self { kind: lock.kind.name, place: ScalePlace::of(lock) })
    }
}

impl<'a> ScalePlace<'a> {
    fn of(construct: &'a Construct) -> Self {
        let spot = construct.spot.as_ref();
        Self {
            label: construct.place(),
            function: spot.and_then(|spot| spot.function.as_deref()),
            file: spot.and_then(|spot| spot.file.as_deref()),
            line: spot.and_then(|spot| spot.line),
        }
    }
}

impl<'a> ScaleContention<'a> {
    fn of(scale: &'a Scale, point: usize, source: Source) -> Option<Self> {
        let Source::Region(region, Part::WorkInflation) = source else { return None };
        let (code, found) = contention_of(scale, point, &scale.regions[region])?;
        Some(Self { code: code.name(), place: &found.place, share: found.share })
    }
}

impl<'a> ScaleRegion<'a> {
    fn new(region: &'a RegionScale, points: &[Point]) -> Self {
        let spot = region.construct.spot.as_ref();
        Self {
            place: ScalePlace::of(&region.construct),
            module: spot.and_then(|spot| spot.module.as_deref()),
            offset: spot.map_or(0, |spot| spot.offset),
            nested: region.is_nested(),
            own_team: region.own_team(points),
            stops_at: region.stops_at,
            points: &region.at,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use oxomp_analysis::summary::Class;
    use oxomp_scale::{
        Construct, ContendedCode, Contention, Group, Kind, Measured, MeasuredRegion, Scale, Spot,
    };

    use super::ScaleDocument;

    fn construct(group: Group, name: &'static str, line: u32) -> Construct {
        let spot = Spot {
            file: Some("bins.c".to_owned()),
            function: Some("count".to_owned()),
            line: Some(line),
            module: None,
            offset: line.into(),
        };
        Construct { kind: Kind { group, name }, spot: Some(spot), other: None }
    }

    /// A run whose region works for `work` of wall time and waits for a critical for `waits`.
    fn run(threads: u32, work: f64, waits: f64) -> Measured {
        let region = construct(Group::Region, "parallel", 9);
        let mut losses = [0.0; Class::COUNT];
        losses[Class::Mutex as usize] = waits;
        let measured = MeasuredRegion {
            calls: 1,
            team: (threads, threads),
            work_ns: work,
            workers: threads.into(),
            losses,
            ..MeasuredRegion::default()
        };
        let place = "bins.c:11 (lock xadd)".to_owned();
        let share = if threads > 1 { 0.4 } else { 0.0 };
        let code = ContendedCode { share, samples: 100.0, place };
        Measured {
            threads,
            wall_ns: work + waits,
            regions: BTreeMap::from([(region.clone(), measured)]),
            locks: BTreeMap::from([(construct(Group::Lock, "critical", 12), waits)]),
            contention: BTreeMap::from([((region, Contention::AtomicUpdates), code)]),
            recording_ns: Some(7.0),
            ..Measured::default()
        }
    }

    #[test]
    fn losses_name_the_lock_and_the_code_in_which_threads_meet() {
        let scale = Scale::of(vec![run(1, 400e6, 0.0), run(4, 150e6, 300e6)], 8).unwrap();
        let document = serde_json::to_value(ScaleDocument::new(&scale, "test")).unwrap();
        let lost = document["points"][1]["lost"].as_array().unwrap();
        let of = |part: &str| lost.iter().find(|one| one["part"] == part).expect("the part");
        let lock = &of("locks & criticals")["lock"];
        assert_eq!((&lock["kind"], &lock["label"]), (&"critical".into(), &"bins.c:12".into()));
        assert_eq!((&lock["function"], &lock["line"]), (&"count".into(), &12.into()));
        assert!(of("locks & criticals")["contention"].is_null());
        let inflation = of("work inflation");
        assert!(inflation["lock"].is_null());
        assert_eq!(inflation["contention"]["code"], "atomic updates");
        assert_eq!(inflation["contention"]["share"], 0.4);
        assert_eq!(document["first_stop"]["lock"], *lock);
        assert_eq!(document["points"][1]["recording_ns"], 7.0);
    }
}
