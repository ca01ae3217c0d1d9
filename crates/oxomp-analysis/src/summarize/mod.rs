//! The sums of a profile by place in the program.

use std::collections::BTreeMap;

use oxomp_trace::{FoldKind, Profile, fold};

use crate::blame::blame;
use crate::calls::CallTree;
use crate::calls::build::call_tree;
use crate::calls::hot_code::sampled;
use crate::constructs::Constructs;
use crate::directives::{directives, name_sinks};
use crate::folded::{Folded, FoldedRegion, add_folded, inside_at_end, summed_until};
use crate::gains::{Gains, covered, gains, site_gains, spread};
use crate::loops::chunks::{Loops, loops};
use crate::loops::sampled::Samples;
use crate::model::Model;
use crate::normalise::normalise;
use crate::offload::name_variables;
use crate::offload::sums::sums as offload_sums;
use crate::processor::machine_of;
use crate::resolve::{RegionTimes, Resolved};
use crate::scheduler::{Taken, serial_waits, taken};
use crate::serial_wait::{share_waits, waited};
use crate::stretches::serial;
use crate::summary::{Class, Gain, Region, Summary, WorkKind, Worksharing, work_kind};
use crate::sums::raise;
use crate::symbols::{LoadedModule, Symbols};
use crate::tasks::course;
use crate::tasks::sums::tasks;
use crate::tasks::waits::{TaskWaits, resolve_with_waits};
use crate::whole::{Unfinished, unfinished, without_events, without_times};

mod barriers;
mod blocked;
mod budget;
mod counters;
mod distances;
mod header;
mod hot_accesses;
mod iterations;
mod lock_tests;
mod mpi;
mod mutexes;
mod phases;
mod quality;
mod sampled_waits;
mod shared_lines;
mod sites;
mod slices;
mod unreached;

use barriers::barriers;
use blocked::{blocked, blocked_without_openmp};
use budget::{budget, threads};
use counters::counters;
use distances::Nests;
use header::header;
use hot_accesses::hot_accesses;
use iterations::iterations;
use lock_tests::{LockTests, UserCode, lock_tests};
use mpi::{mpi_by_thread, mpi_calls};
use mutexes::mutexes;
use phases::phases;
use quality::quality;
use sampled_waits::{SampledWait, sampled_waits};
use shared_lines::shared_lines;
use sites::Sites;
use slices::slices;
use unreached::unreached;

/// The numbers of a profile, by code address.
#[must_use]
pub fn summarize(profile: &Profile) -> Summary {
    let model = normalised(profile);
    let (resolved, waits) = resolve_with_waits(&model);
    sums(profile, &model, &Constructs::default(), &CallTree::default(), resolved, &waits)
}

/// The numbers of a profile, by construct: copies of a construct at several addresses are one.
#[must_use]
pub fn summarize_constructs(profile: &Profile, symbols: &mut Symbols) -> Summary {
    let (model, constructs) = normalised_by_construct(profile, symbols);
    let calls = call_tree(profile, &model, &constructs, symbols);
    let (resolved, waits) = resolve_with_waits(&model);
    let mut summary = sums(profile, &model, &constructs, &calls, resolved, &waits);
    name_variables(&mut summary.offload, &profile.info, symbols);
    summary.directives = directives(&symbols.places(&summary.sites), symbols);
    name_sinks(&mut summary.blocked, symbols);
    summary
}

/// The events of a profile as intervals, in which the addresses of a construct's copies are
/// replaced by the construct's.
pub(crate) fn normalised_by_construct(
    profile: &Profile,
    symbols: &mut Symbols,
) -> (Model, Constructs) {
    let modules = profile.info.modules.iter().map(|module| LoadedModule {
        file: &module.file,
        build_id: &module.build_id,
        size: module.end.saturating_sub(module.begin),
    });
    symbols.expect_code_of(machine_of(&profile.info));
    symbols.find_images(&modules.collect::<Vec<_>>());
    let mut model = normalised(profile);
    let constructs = Constructs::find(profile, &mut model, symbols);
    (model, constructs)
}

fn normalised(profile: &Profile) -> Model {
    let main = Some(u64::from(profile.header.pid));
    normalise(&profile.threads, &profile.clock(), recorded_end(profile), main)
}

/// The sums over `model`, in which `constructs` has replaced the code addresses; `resolved` and
/// `waits` are formed from this model.
pub(crate) fn sums(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    calls: &CallTree,
    mut resolved: Resolved,
    waits: &TaskWaits,
) -> Summary {
    let events = Events { model, resolved: &resolved.clone() };
    let whole = profile.info.whole_sums;
    let bare = if whole { without_events(model) } else { Model::default() };
    let mut unfinished =
        Unfinished { threads: vec![None; model.threads.len()], ..Unfinished::default() };
    if whole {
        let until = summed_until(profile, model);
        let inside = inside_at_end(profile, constructs);
        unfinished = self::unfinished(profile, model, &resolved, &until, &inside);
        resolved = without_times(&resolved);
    }
    let model = if whole { &bare } else { model };
    let mut blame = blame(model);
    let rests = &unfinished.threads;
    let folded = add_folded(profile, model, constructs, &mut resolved, &mut blame, rests);
    let mut taken = taken(profile, model, constructs, &mut resolved, &folded.open_work);
    let open = unfinished.regions.iter().map(|(code, ..)| *code);
    let codes = model.regions.iter().map(|region| region.code).chain(open);
    let codes = codes.chain(folded.regions.keys().copied()).collect();
    let sampled_waits = sampled_waits(calls, model, constructs, &codes, &mut taken, &mut resolved);
    let user_code = UserCode::of(model, &folded, &unfinished, &taken, &resolved);
    let tests = lock_tests(profile, model, constructs, &user_code, &mut resolved);
    let waited_ns = waited(profile, model, calls, &mut resolved);
    let samples = Samples { calls, regions: &codes, blame: &blame };
    let loops = loops(profile, model, constructs, &mut resolved, &taken, samples);
    let tasks = tasks(profile, constructs);
    let mut sites = Sites::new(&profile.info);
    let recorded = resolved.regions.iter().map(|region| region.size);
    let open = unfinished.regions.iter().map(|(_, _, times, _)| times.size);
    let recorded = recorded.chain(open);
    let max_team = recorded.chain(folded.regions.values().map(|sums| sums.team.1)).max();
    let max_team = max_team.unwrap_or(1).max(1);
    let header = header(profile, model, max_team);
    let sources = Sources { model, resolved: &resolved, folded: &folded, events };
    let by_code = region_sums(sources, &unfinished, &loops, &taken, &sampled_waits, &tests);
    let teams: BTreeMap<u64, u64> = by_code
        .iter()
        .map(|(code, sums)| (*code, sums.team.map_or(1, |team| team.1.into())))
        .collect();
    let team = |code: u64| teams.get(&code).copied().unwrap_or(header.threads.into());
    let lock_gains = if whole {
        folded.site_gains(header.threads)
    } else {
        let recorded = by_code.iter().map(|(&code, sums)| (code, sums.lock_gain)).collect();
        site_gains(model, &recorded, folded.lock_gain(), &blame, header.threads)
    };
    let nests = Nests::of(profile, constructs, calls);
    let (atomics, spins) = hot_accesses(calls, constructs, &codes, &mut sites);
    let shared_lines = shared_lines(calls, &codes, &mut sites);
    let executed: BTreeMap<u64, u64> =
        by_code.iter().map(|(code, sums)| (*code, sums.calls)).collect();
    let regions = regions(by_code, waits, calls, &mut sites);
    let iterations = iterations(events.model, &executed, |code| sites.id(code));
    let counters = counters(profile, events.model, constructs, &regions, |code| sites.id(code));
    let sampled = sampled(calls, events.model, |code| sites.id(code));
    let mut serial =
        serial(model, &resolved, &folded, &taken, header.threads, |code| sites.id(code));
    let offload = offload_sums(profile, constructs, events.model);
    let offload = offload.into_summary(constructs, |code| sites.id(code));
    let mpi = mpi_calls(profile, constructs, |code| sites.id(code));
    let mpi_of_threads = (!mpi.is_empty()).then(|| mpi_by_thread(profile));
    let known = serial_waits(profile, constructs);
    let known = known.into_iter().map(|(after, ns)| (after.and_then(|code| sites.id(code)), ns));
    share_waits(&mut serial, sampled.as_ref(), &known.collect(), waited_ns);
    let budget = budget(model, &resolved, &header);
    let blocked = match budget.total_ns {
        0 => blocked_without_openmp(calls),
        _ => blocked(calls, constructs, &taken, sampled_waits, &nests, |code| sites.id(code)),
    };
    Summary {
        budget,
        threads: threads(model, &resolved, mpi_of_threads.as_ref()),
        barriers: barriers(model, &resolved, &folded, &mut sites),
        unreached: unreached(events.model, &mut sites),
        mutexes: mutexes(blame, &lock_gains, &tests, team, &mut sites),
        atomics,
        spins,
        shared_lines,
        blocked,
        serial,
        offload,
        mpi,
        iterations,
        phases: phases(profile),
        slices: slices(profile),
        counters,
        sampled,
        loops: loops.into_summary(|code| sites.id(code)),
        expected: Vec::new(),
        tasks: tasks.constructs(waits, |code| sites.id(code)),
        chains: tasks.chains(&regions, |code| sites.id(code)),
        regions,
        header,
        quality: quality(profile, events.model, &resolved, &folded),
        sites: sites.into_vec(),
        directives: BTreeMap::new(),
    }
}

/// The last tick that the file shows elsewhere than in events. A process that was killed was alive
/// when it last read the clocks, added to a sum, or was sampled.
fn recorded_end(profile: &Profile) -> Option<u64> {
    let info = &profile.info;
    let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
    let sums = entries
        .filter(|entry| entry.fold_kind() == Some(FoldKind::Thread))
        .map(|entry| entry.values[fold::thread::UNTIL])
        .max();
    let stopped = info.stopped.as_ref().map(|(tick, _)| *tick);
    let clocks = info.clock_pairs.iter().map(|pair| pair.0).max();
    let samples = profile.calls.iter().flat_map(|calls| &calls.samples);
    let samples = samples.map(|sample| sample.tick).max();
    stopped.or(info.end_tick).or(clocks.max(samples)).max(sums)
}

/// What the events tell.
#[derive(Clone, Copy)]
struct Events<'a> {
    model: &'a Model,
    resolved: &'a Resolved,
}

/// Where the sums of regions come from. In a recording with whole sums `model` and `resolved` have
/// nothing of the events.
#[derive(Clone, Copy)]
struct Sources<'a> {
    model: &'a Model,
    resolved: &'a Resolved,
    folded: &'a Folded,
    events: Events<'a>,
}

/// Sums over the instances of one region.
#[derive(Default)]
struct RegionSums {
    calls: u64,
    wall: u64,
    team: Option<(u32, u32)>,
    serialized: u64,
    nested: u64,
    under_way: u64,
    useful: u64,
    mean_computed: f64,
    max_computed: f64,
    gain: Gains,
    /// The part of `gain` for locks that comes from recorded instances.
    lock_gain: f64,
    /// Begin and end of each recorded instance.
    instances: Vec<(u64, u64)>,
    /// Begin and end of each instance whose events were recorded, whether the instance is in sums
    /// or not.
    recorded: Vec<(u64, u64)>,
    spread: Option<f64>,
    tasking: Option<course::Sums>,
    works: BTreeMap<(WorkKind, u64), Worksharing>,
}

impl RegionSums {
    /// Adds a recorded instance of the region.
    fn add_instance(&mut self, nested: bool, times: &RegionTimes, gains: &Gains) {
        let size = f64::from(times.size);
        let useful = times.by_class[Class::Useful as usize];
        self.calls += 1;
        raise(&mut self.wall, times.end - times.begin);
        self.add_team((times.size, times.size));
        self.serialized += u64::from(times.size == 1);
        self.nested += u64::from(nested);
        raise(&mut self.useful, useful);
        self.mean_computed += useful as f64 / size;
        self.max_computed += times.max_useful as f64;
        for (gain, more) in self.gain.iter_mut().zip(gains) {
            *gain += more;
        }
        self.lock_gain += gains[Class::Mutex as usize];
        self.instances.push((times.begin, times.end));
    }

    /// Adds the tasks of a recorded instance.
    fn add_tasking(&mut self, tasking: &course::Tasking) {
        self.tasking.get_or_insert_default().add(tasking);
    }

    /// Cuts the gains to the time during which an instance ran: instances may run at the same time,
    /// in threads of an outer team or of the program's own.
    fn bound(&mut self, folded_wall: u64, wall: u64) {
        self.spread = spread(&self.recorded, self.calls);
        let ran = covered(std::mem::take(&mut self.instances)).saturating_add(folded_wall);
        let ran = ran.min(wall) as f64;
        let total: f64 = Gain::CLASSES.iter().map(|class| self.gain[*class as usize]).sum();
        if total > ran {
            self.gain = self.gain.map(|gain| gain * ran / total);
            self.lock_gain *= ran / total;
        }
    }

    /// Adds instances that the collector has folded.
    fn add_fold(&mut self, fold: &FoldedRegion) {
        raise(&mut self.calls, fold.calls);
        raise(&mut self.wall, fold.wall);
        self.add_team(fold.team);
        raise(&mut self.serialized, fold.serialized);
        raise(&mut self.nested, fold.nested);
        raise(&mut self.useful, fold.useful);
        self.mean_computed += fold.mean_computed as f64;
        self.max_computed += fold.max_computed as f64;
        for (gain, &time) in self.gain.iter_mut().zip(&fold.gain) {
            *gain += time as f64;
        }
    }

    /// Adds the smallest and the largest size of a team.
    fn add_team(&mut self, team: (u32, u32)) {
        let (least, most) = self.team.unwrap_or(team);
        self.team = Some((least.min(team.0), most.max(team.1)));
    }

    /// Counts the time of blocked threads, and what the scheduler took of useful time and
    /// imbalance. Imbalance that the scheduler hid, by taking the time of threads with little work,
    /// counts as imbalance.
    fn move_taken(&mut self, taken: Taken) {
        let size = f64::from(self.team.map_or(1, |team| team.1).max(1));
        let blocked = taken.blocked.min(self.useful);
        self.useful -= blocked;
        self.gain[Class::Blocked as usize] += blocked as f64 / size;
        let useful = taken.useful.min(self.useful);
        self.useful -= useful;
        let imbalance = &mut self.gain[Class::Imbalance as usize];
        let waits = (taken.waits as f64 / size).min(*imbalance);
        *imbalance -= waits;
        let taken_ns = useful as f64 / size;
        let hidden = (taken.hidden as f64 / size).min(taken_ns);
        *imbalance += hidden;
        self.gain[Class::Scheduler as usize] += taken_ns - hidden + waits;
    }

    /// Counts `waited` of the useful time, all threads together, as waits that samples found, or as
    /// spinning for a lock.
    fn move_waits(&mut self, waited: u64) {
        let size = f64::from(self.team.map_or(1, |team| team.1).max(1));
        let waited = waited.min(self.useful);
        self.useful -= waited;
        self.gain[Class::Mutex as usize] += waited as f64 / size;
    }

    /// Counts `dispatch` of the useful time, all threads together, as handing out chunks.
    fn move_dispatch(&mut self, dispatch: u64) {
        let size = f64::from(self.team.map_or(1, |team| team.1).max(1));
        let dispatch = dispatch.min(self.useful);
        self.useful -= dispatch;
        self.gain[Class::Dispatch as usize] += dispatch as f64 / size;
    }

    /// The sums over a worksharing construct of the region.
    fn work(&mut self, kind: WorkKind, code: u64) -> &mut Worksharing {
        self.works.entry((kind, code)).or_insert_with(|| no_executions(kind))
    }

    /// The region at `code` of the summary.
    fn into_region(
        self,
        code: u64,
        waits: &TaskWaits,
        calls: &CallTree,
        sites: &mut Sites<'_>,
    ) -> Region {
        // Rounded down, so that the sum keeps its bound.
        let gain = |class: Class| self.gain[class as usize] as u64;
        let mut worksharing: Vec<Worksharing> = self
            .works
            .into_iter()
            .map(|((_, code), work)| Worksharing { site: sites.of_program(code), ..work })
            .collect();
        worksharing.sort_by_cached_key(|work| std::cmp::Reverse(work.executions));
        Region {
            site: sites.id(code),
            calls: self.calls,
            wall_ns: self.wall,
            team: self.team.unwrap_or((1, 1)),
            serialized: self.serialized,
            nested: self.nested,
            under_way: self.under_way,
            load_balance: (self.max_computed > 0.0).then(|| self.mean_computed / self.max_computed),
            spread: self.spread,
            useful_ns: self.useful,
            python: calls.python.get(&code).cloned().unwrap_or_default(),
            gain: Gain {
                imbalance_ns: gain(Class::Imbalance),
                barrier_ns: gain(Class::Barrier),
                mutex_ns: gain(Class::Mutex),
                taskwait_ns: gain(Class::Taskwait),
                starved_ns: gain(Class::Starved),
                dispatch_ns: gain(Class::Dispatch),
                scheduler_ns: gain(Class::Scheduler),
                blocked_ns: gain(Class::Blocked),
                fork_join_ns: gain(Class::ForkJoin),
            },
            worksharing,
            tasking: self.tasking.map(|tasking| {
                let longest = sites.id(tasking.longest_code());
                tasking.into_tasking(longest, waits.in_region(code))
            }),
        }
    }
}

/// Sums over the instances of each region, by its code address.
fn region_sums(
    sources: Sources<'_>,
    unfinished: &Unfinished,
    loops: &Loops,
    taken: &BTreeMap<u64, Taken>,
    sampled_waits: &[SampledWait],
    tests: &LockTests,
) -> BTreeMap<u64, RegionSums> {
    let Sources { model, resolved, folded, events } = sources;
    let mut by_code = BTreeMap::<u64, RegionSums>::new();
    let instances = model.regions.iter().zip(&resolved.regions).zip(gains(model, resolved));
    let instances =
        instances.map(|((region, times), gains)| (region.code, region.nested, times, gains));
    let open = unfinished.regions.iter();
    let open = open.map(|(code, nested, times, gains)| (*code, *nested, times, *gains));
    for (code, nested, times, gains) in instances.chain(open) {
        by_code.entry(code).or_default().add_instance(nested, times, &gains);
    }
    let recorded = events.model.regions.iter().zip(&events.resolved.regions);
    for (region, times) in recorded.filter(|(region, _)| region.is_whole()) {
        by_code.entry(region.code).or_default().recorded.push((times.begin, times.end));
    }
    for (index, region) in (0_u32..).zip(&events.model.regions) {
        if let Some(tasking) = events.resolved.tasking.get(&index) {
            by_code.entry(region.code).or_default().add_tasking(tasking);
        }
    }
    for (&code, fold) in &folded.regions {
        by_code.entry(code).or_default().add_fold(fold);
    }
    for region in events.model.regions.iter().filter(|region| region.under_way) {
        if let Some(sums) = by_code.get_mut(&region.code) {
            sums.under_way += 1;
        }
    }
    for (region, &taken) in taken {
        if let Some(sums) = by_code.get_mut(region) {
            sums.move_taken(taken);
        }
    }
    for wait in sampled_waits {
        if let Some(sums) = by_code.get_mut(&wait.region) {
            sums.move_waits(wait.time);
        }
    }
    for (region, &time) in &tests.regions {
        if let Some(sums) = by_code.get_mut(region) {
            sums.move_waits(time);
        }
    }
    for (region, dispatch) in loops.dispatch() {
        if let Some(sums) = by_code.get_mut(&region) {
            sums.move_dispatch(dispatch);
        }
    }
    for (&(region, kind, code), fold) in &folded.works {
        let Some(kind) = work_kind(kind) else { continue };
        let sum = by_code.entry(region).or_default().work(kind, code);
        raise(&mut sum.executions, fold[0]);
        raise(&mut sum.iterations, fold[1]);
        if fold[3] > 0 {
            raise(sum.chunks.get_or_insert(0), fold[2]);
        }
    }
    for work in &model.works {
        let Some(member) = work.member else { continue };
        let region = model.members[member as usize].region;
        let facts = &model.regions[region as usize];
        let sums = by_code.entry(facts.code).or_default();
        let Some(kind) = work_kind(work.kind) else { continue };
        let sum = sums.work(kind, work.code);
        sum.executions += 1;
        let by_one = matches!(kind, WorkKind::Single | WorkKind::Taskloop);
        if facts.primary == Some(member) || by_one {
            raise(&mut sum.iterations, work.iterations);
        }
        if let Some(chunks) = work.chunks {
            raise(sum.chunks.get_or_insert(0), chunks);
        }
    }
    for (code, sums) in &mut by_code {
        let folded_wall = folded.regions.get(code).map_or(0, |fold| fold.wall);
        sums.bound(folded_wall, model.end);
    }
    by_code
}

fn regions(
    by_code: BTreeMap<u64, RegionSums>,
    waits: &TaskWaits,
    calls: &CallTree,
    sites: &mut Sites<'_>,
) -> Vec<Region> {
    // An address that only events tell belongs to a region which the sums name otherwise.
    let met = by_code.into_iter().filter(|(_, sums)| sums.calls > 0);
    let mut regions: Vec<Region> =
        met.map(|(code, sums)| sums.into_region(code, waits, calls, sites)).collect();
    regions.sort_by_key(|region| std::cmp::Reverse((region.gain.total_ns(), region.wall_ns)));
    regions
}

fn no_executions(kind: WorkKind) -> Worksharing {
    Worksharing { kind, site: None, executions: 0, iterations: 0, chunks: None }
}
