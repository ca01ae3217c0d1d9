//! Drawing a random program: constructs nest only as the specification allows, and no thread waits
//! for another in vain.

use super::random::Random;
use super::tree::{
    Block, Construct, Depend, Fulfiller, Grain, Loop, Node, Program, Schedule, SingleEnding,
    TargetData, Task, Taskloop,
};

/// The program of `seed`.
#[must_use]
pub fn program(seed: u64) -> Program {
    let mut draw = Draw { random: Random::new(seed), nodes: 0, size: 0 };
    let max_active_levels = draw.random.between(1, 3);
    let schedule = draw.random.one(&[Schedule::Static, Schedule::Dynamic, Schedule::Guided]);
    let schedule = (schedule, draw.random.between(1, 3));
    let mut natives = Vec::new();
    if draw.random.chance(15) {
        for _ in 0..draw.random.between(1, 2) {
            natives.push(draw.block(Around::initial(), 3));
        }
    }
    let body = draw.block(Around::initial(), 4);
    Program { seed, max_active_levels, schedule, body, natives }
}

/// The most executions of bodies that a program is meant to have.
const LARGEST: u32 = 500;

/// The surroundings of a block.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// Every thread of the team executes the block once: worksharing and barriers may stand here.
    by_team: bool,
    /// Only constructs without a wait may stand here: the thread holds a mutex.
    is_leaf: bool,
    /// The initial task executes it: teams may stand here.
    is_initial: bool,
    /// A final task executes it: its tasks are included.
    is_final: bool,
    /// It belongs to the code of an untied task. After a scheduling point clang's code of such a
    /// task has lost the variables that are declared in its nested blocks.
    is_untied: bool,
    /// The names of criticals and locks below this one are held.
    mutexes: u32,
    /// How deep the block lies.
    depth: u32,
    /// How often, at most, it is executed.
    times: u32,
}

impl Around {
    fn initial() -> Self {
        Self {
            by_team: true,
            is_leaf: false,
            is_initial: true,
            is_final: false,
            is_untied: false,
            mutexes: 0,
            depth: 0,
            times: 1,
        }
    }

    fn inside(self, times: u32) -> Self {
        let times = self.times * times.max(1);
        Self { by_team: false, is_initial: false, depth: self.depth + 1, times, ..self }
    }

    fn team(self, threads: u32) -> Self {
        Self { by_team: true, is_final: false, is_untied: false, ..self.inside(threads) }
    }

    fn leaf(self) -> Self {
        Self { is_leaf: true, ..self.inside(1) }
    }
}

struct Draw {
    random: Random,
    nodes: u32,
    size: u32,
}

impl Draw {
    fn block(&mut self, around: Around, most: u32) -> Block {
        let count = self.random.between(0, most).max(u32::from(around.depth == 0));
        let mut block = Block::new();
        for _ in 0..count {
            if let Some(construct) = self.construct(around) {
                block.push(self.node(construct));
            }
        }
        block
    }

    fn node(&mut self, construct: Construct) -> Node {
        self.nodes += 1;
        Node { id: self.nodes, construct }
    }

    fn construct(&mut self, around: Around) -> Option<Construct> {
        self.size += around.times;
        if around.depth > 5 || self.size > LARGEST {
            return None;
        }
        if around.is_leaf {
            return Some(self.leaf(around));
        }
        Some(match self.random.between(0, 99) {
            0..=24 if around.depth < 4 && around.times <= 12 => self.parallel(around),
            25..=27 if around.is_initial => self.teams(around),
            0..=55 if around.by_team => self.by_team(around),
            0..=69 => self.tasking(around),
            _ => self.leaf(around),
        })
    }

    fn parallel(&mut self, around: Around) -> Construct {
        let threads = self.random.between(1, if around.depth == 0 { 4 } else { 3 });
        match self.random.between(0, 99) {
            0..=14 => {
                let inside = self.worksharing_loop(around.inside(threads), false);
                let Construct::Loop(mut construct) = inside else { return inside };
                // Clang leaves a region out whose loop has no iterations.
                if construct.count() == 0 {
                    construct.iterations = (1, None);
                }
                return Construct::ParallelLoop { threads, construct };
            }
            15..=22 => {
                let sections = self.sections(around.inside(threads));
                return Construct::ParallelSections { threads, sections };
            }
            23..=30 => {
                let at = self.random.between(0, threads - 1);
                return Construct::CancelledParallel { threads, at };
            }
            _ => {}
        }
        let is_if_false = self.random.chance(10);
        let reduction = self.random.chance(15);
        let body = self.block(around.team(threads), 4);
        Construct::Parallel { threads, is_if_false, reduction, body }
    }

    fn teams(&mut self, around: Around) -> Construct {
        let teams = self.random.between(1, 3);
        let inside = around.inside(teams);
        let mut body = Block::new();
        for _ in 0..self.random.between(1, 2) {
            let construct = if self.random.chance(50) {
                self.parallel(inside)
            } else {
                let iterations = self.random.between(0, 6);
                let chunk = self.maybe_chunk();
                let body = self.block(inside.inside(2), 1);
                Construct::Distribute { iterations, chunk, body }
            };
            body.push(self.node(construct));
        }
        Construct::Teams { teams, body }
    }

    /// A construct that every thread of the team must meet.
    fn by_team(&mut self, around: Around) -> Construct {
        let nowait = self.random.chance(30);
        match self.random.between(0, 99) {
            0..=34 => self.worksharing_loop(around, nowait),
            35..=46 => {
                if self.random.chance(25) {
                    let sections = self.random.between(2, 5);
                    let at = self.random.between(0, sections - 1);
                    return Construct::CancelledSections { sections, at };
                }
                Construct::Sections { nowait, sections: self.sections(around) }
            }
            47..=60 => {
                let endings =
                    [SingleEnding::Barrier, SingleEnding::Nowait, SingleEnding::Copyprivate];
                let ending = self.random.one(&endings);
                Construct::Single { ending, body: self.block(around.inside(1), 3) }
            }
            61..=68 => Construct::Scope { nowait, body: self.block(around.inside(3), 1) },
            69..=73 => {
                let schedule = self.random.one(&[Schedule::Static, Schedule::Dynamic]);
                let iterations = self.random.between(2, 8);
                let at = self.random.between(0, iterations - 1);
                Construct::CancelledLoop { schedule, iterations, at }
            }
            74..=78 => {
                let schedule = self.random.one(&[Schedule::Static, Schedule::Dynamic]);
                Construct::Doacross { schedule, iterations: self.random.between(0, 6) }
            }
            79..=86 => {
                let filter = self.random.between(0, 2);
                Construct::Masked { filter, body: self.block(around.inside(1), 2) }
            }
            _ => Construct::Barrier,
        }
    }

    fn sections(&mut self, around: Around) -> Vec<Block> {
        (0..self.random.between(1, 4)).map(|_| self.block(around.inside(1), 2)).collect()
    }

    fn maybe_chunk(&mut self) -> Option<u32> {
        self.random.chance(50).then(|| self.random.between(1, 3))
    }

    fn worksharing_loop(&mut self, around: Around, nowait: bool) -> Construct {
        let schedule = self.random.one(&[
            Schedule::None,
            Schedule::Static,
            Schedule::Static,
            Schedule::Dynamic,
            Schedule::Dynamic,
            Schedule::Guided,
            Schedule::Auto,
            Schedule::Runtime,
        ]);
        let has_chunk = matches!(schedule, Schedule::Static | Schedule::Dynamic | Schedule::Guided);
        let chunk = if has_chunk { self.maybe_chunk() } else { None };
        let second = self.random.chance(15).then(|| self.random.between(0, 3));
        let iterations = (self.random.between(0, if second.is_some() { 3 } else { 9 }), second);
        let is_ordered = self.random.chance(15);
        let reduction = self.random.chance(15);
        let mut body = self.block(around.inside(3), 2);
        if is_ordered {
            let inside = self.block(around.inside(3).leaf(), 2);
            body.push(self.node(Construct::Ordered { body: inside }));
        }
        Construct::Loop(Loop { schedule, chunk, iterations, is_ordered, nowait, reduction, body })
    }

    fn tasking(&mut self, around: Around) -> Construct {
        match self.random.between(0, 99) {
            0..=49 => self.task(around),
            50..=62 => {
                let grain = match self.random.between(0, 2) {
                    0 => Grain::Size(self.random.between(1, 4)),
                    1 => Grain::Tasks(self.random.between(1, 4)),
                    _ => Grain::Any,
                };
                Construct::Taskloop(Taskloop {
                    iterations: self.random.between(0, 8),
                    grain,
                    nogroup: self.random.chance(30),
                    is_if_false: self.random.chance(10),
                    body: self.block(around.inside(4), 1),
                })
            }
            63..=71 => Construct::Taskwait,
            72..=74 => {
                let kind = self.random.one(&[Depend::In, Depend::Out, Depend::Inout]);
                Construct::TaskwaitDepend { depend: (kind, self.random.between(0, 2)) }
            }
            75..=79 => Construct::Taskyield,
            80..=84 if !around.is_untied => {
                let tasks = self.random.between(1, 6);
                Construct::CancelledGroup { tasks, at: self.random.between(0, tasks - 1) }
            }
            85..=86 => {
                let kinds = [TargetData::Enter, TargetData::Exit, TargetData::Update];
                Construct::TargetData(self.random.one(&kinds))
            }
            87..=89 => Construct::Target { body: self.block(around.leaf(), 2) },
            _ => Construct::Taskgroup { body: self.block(around.inside(1), 3) },
        }
    }

    fn task(&mut self, around: Around) -> Construct {
        let kinds =
            [Depend::In, Depend::Out, Depend::Inout, Depend::Mutexinoutset, Depend::Inoutset];
        let mut depend: Vec<(Depend, u32)> = Vec::new();
        if self.random.chance(40) {
            for _ in 0..self.random.between(1, 2) {
                let variable = self.random.between(0, 2);
                if depend.iter().all(|(_, other)| *other != variable) {
                    depend.push((self.random.one(&kinds), variable));
                }
            }
        }
        let is_untied = self.random.chance(10);
        let is_if_false = self.random.chance(15);
        // The specification forbids `detach` beside `mergeable`; the generator of an undeferred
        // task would wait for the event that it has to fulfil itself.
        let has_event = self.random.chance(12);
        let can_detach =
            has_event && !(is_untied || is_if_false) && !(around.is_final || around.is_untied);
        let detach =
            can_detach.then(|| self.random.one(&[Fulfiller::Itself, Fulfiller::Generator]));
        let is_final = detach.is_none() && self.random.chance(10);
        let inside = around.inside(1);
        let inside = Around { is_final: is_final || around.is_final, is_untied, ..inside };
        Construct::Task(Task {
            is_if_false,
            is_final,
            is_untied,
            is_mergeable: detach.is_none() && self.random.chance(10),
            has_priority: self.random.chance(10),
            detach,
            depend,
            body: self.block(inside, 2),
        })
    }

    /// A construct that waits for nothing but a mutex.
    fn leaf(&mut self, around: Around) -> Construct {
        let next = around.mutexes + 1;
        let inside = Around { mutexes: next, ..around.leaf() };
        match self.random.between(0, 99) {
            0..=14 if next < 4 => {
                let hint = self.random.one(&[0, 0, 1, 2, 4, 8]);
                // Only a critical construct with a name may have a hint, and all of a name have the
                // same.
                let name = if hint == 0 && next == 1 { 0 } else { next * 10 + hint };
                Construct::Critical { name, hint, body: self.block(inside, 2) }
            }
            15..=27 if next < 4 => {
                let is_test = self.random.chance(30);
                Construct::Lock { lock: next, is_test, body: self.block(inside, 2) }
            }
            28..=39 if next < 4 => {
                let is_test = self.random.chance(30);
                let depth = self.random.between(1, 3);
                Construct::NestLock { lock: next, is_test, depth, body: self.block(inside, 2) }
            }
            40..=54 => Construct::Atomic,
            55..=66 => Construct::Flush,
            67..=70 => Construct::Error,
            _ => Construct::Probe,
        }
    }
}
