//! Explicit tasks: counted and timed by construct, and the longest chain of them, in every mode.

mod counted;
mod creations;
mod node;
mod paths;
mod short;
mod word;

use std::sync::atomic::Ordering::Relaxed;

use ompt::DataWord;
use oxomp_trace::FoldKind;
use oxomp_trace::fold::{counts, forms, left_out, span, tasks};

use crate::log::Log;
use crate::mode::MODE;
use crate::store::Store;

pub(crate) use creations::Creations;
pub(crate) use node::{DEPENDENCES, Node, Nodes, Returned, WITHOUT_NODE};
pub(crate) use short::{ShortTasks, time_all};
pub(crate) use word::{PART_OF_TASK, counted_code, counted_word, has_not_begun, is_explicit};

/// A longer time between two tasks of a thread is a wait for tasks, ticks.
const GAP_TICKS: u64 = 1 << 15;

/// How a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It is complete, or cancelled.
    Whole,
    /// Its code is over, and its detach event is not fulfilled yet.
    OfCode,
}

/// The detach event of the task of the data word `word` is fulfilled at `now`; the task's code is
/// over, and it was under way until now. The calling thread may be any, and has no log if OpenMP
/// does not know it.
pub(crate) fn fulfil(word: &DataWord, now: u64) {
    let Some(node) = Node::of_word(word.get()) else { return };
    let Some((team, phase, paused)) = node.take_awaited() else { return };
    let pauses = MODE.paused_until(now).saturating_sub(paused);
    team.end_task(phase, now.saturating_sub(pauses));
    word.set(WITHOUT_NODE);
    node::release_alone(node);
}

impl Log {
    /// The thread creates a task at `code`; returns the new task's data word. `encountering` is the
    /// word of the task that creates it, and `keep` stores one there.
    #[inline]
    pub(crate) fn create_task(
        &mut self,
        store: &Store,
        now: u64,
        code: u64,
        encountering: u64,
        keep: impl FnOnce(u64),
    ) -> u64 {
        self.time_creation(store, now, code);
        let parent = match Node::of_word(encountering) {
            Some(parent) => Some(parent),
            None if encountering == 0 && !self.is_in_initial_task() => {
                self.implicit_node(now, keep)
            }
            None => None,
        };
        let around = match parent {
            Some(parent) => parent.is_explicit().then(|| parent.code.load(Relaxed)),
            None => counted_code(encountering),
        };
        if let Some(code) = around {
            time_all(code);
        }
        let Some(node) = self.nodes.take() else {
            self.leave_out(store, left_out::TASKS);
            return WITHOUT_NODE;
        };
        self.count(store, counts::TASKS_CREATED);
        node.create(code, now);
        if let Some(parent) = parent {
            let since = parent.since.load(Relaxed);
            let run = if since == 0 { 0 } else { now.saturating_sub(since) };
            parent.add_child(node, parent.path.load(Relaxed) + run);
        }
        node.word()
    }

    /// Notes a creation. The time since the creation before is an upper bound of what that one
    /// took.
    #[inline]
    fn time_creation(&mut self, store: &Store, now: u64, code: u64) {
        let before = self.creations;
        let ticks = now.saturating_sub(before.at);
        if before.code != code {
            self.tell_creations(store);
            self.creations.code = code;
        } else if before.at != 0 && ticks < GAP_TICKS {
            self.creations.ticks += ticks;
            self.creations.count += 1;
        }
        self.creations.at = now;
    }

    /// Adds up the creations that are not in the sums yet.
    #[cold]
    fn tell_creations(&mut self, store: &Store) {
        let Creations { code, ticks, count, .. } = self.creations;
        self.creations = Creations::NONE;
        if count == 0 {
            return;
        }
        let (_, region) = self.region();
        let Some(values) = self.beside(store, FoldKind::Tasks, 0, [code, region]) else { return };
        values[tasks::CREATING] += ticks;
        values[tasks::CREATIONS] += count;
    }

    /// The node of the implicit task that the thread executes, which creates its first task.
    #[cold]
    fn implicit_node(&mut self, now: u64, keep: impl FnOnce(u64)) -> Option<&'static Node> {
        let begin = self.context.regions.top().map_or(0, |frame| frame.begin);
        let node = self.nodes.take()?;
        node.since.store(if begin == 0 { now } else { begin }, Relaxed);
        keep(node.word());
        self.running = Some(node);
        if let Some(frame) = self.context.regions.top() {
            frame.node = Some(node);
        }
        Some(node)
    }

    /// An initial task outside every league begins; inside a region, it belongs to a target
    /// construct. Its tasks are not part of the region's chains.
    pub(crate) fn begin_initial_task(&mut self) {
        self.initial_tasks.begin(false);
        let Some(frame) = self.context.regions.top() else { return };
        if frame.initial_tasks == 0 {
            frame.interrupted = self.running;
        }
        frame.initial_tasks += 1;
    }

    /// An initial task outside every league ends: the thread goes on with the task around it.
    pub(crate) fn end_initial_task(&mut self) {
        let Some(frame) = self.context.regions.top() else { return };
        if frame.initial_tasks == 1 {
            self.running = frame.interrupted;
        }
        frame.initial_tasks = frame.initial_tasks.saturating_sub(1);
    }

    fn is_in_initial_task(&mut self) -> bool {
        self.context.regions.top().is_some_and(|frame| frame.initial_tasks > 0)
    }

    /// The thread goes from the task `prior`, which ends or is left, to `next`.
    #[inline]
    pub(crate) fn change_task(
        &mut self,
        store: &Store,
        now: u64,
        prior: u64,
        next: u64,
        end: Option<End>,
    ) {
        self.creations.at = 0;
        if let Some(node) = Node::of_word(prior) {
            node.stop(now);
            if let Some(end) = end.filter(|_| node.is_explicit() && !node.is_awaiting()) {
                self.finish_task(store, now, node, end);
            }
        }
        self.running = Node::of_word(next);
        if let Some(node) = self.running
            && let Some(created) = node.run(now)
        {
            self.start_task(store, now, node, created);
        }
    }

    /// A task begins on this thread.
    fn start_task(&mut self, store: &Store, now: u64, node: &Node, created: u64) {
        let (number, region) = self.region();
        if node.depends() {
            for (address, reads) in node.dependences() {
                let path = paths::before(number, address, reads);
                node.path.store(path.max(node.path.load(Relaxed)), Relaxed);
            }
        }
        let gap = now.saturating_sub(self.task_ended);
        let own = self.nodes.made_here(node);
        let key = [node.code.load(Relaxed), region];
        let Some(values) = self.beside(store, FoldKind::Tasks, 0, key) else { return };
        values[tasks::QUEUED] += now.saturating_sub(created);
        values[tasks::STOLEN] += u64::from(!own);
        if gap < GAP_TICKS {
            values[tasks::BETWEEN] += gap;
            values[tasks::GAPS] += 1;
        }
    }

    /// A cancellation discards the task of the data word, which has not begun.
    pub(crate) fn discard_task(&mut self, store: &Store, word: u64) {
        self.leave_out(store, left_out::DISCARDED);
        if let Some(node) = Node::of_word(word) {
            node::release(node, self.nodes, &mut self.returned);
        }
    }

    fn finish_task(&mut self, store: &Store, now: u64, node: &'static Node, end: End) {
        self.task_ended = now;
        self.count(store, counts::TASKS_ENDED);
        let (path, ran) = (node.path.load(Relaxed), node.ran.load(Relaxed));
        node.tell_parent(path);
        let team = self.context.regions.top().map(|frame| frame.team);
        let (number, region) = self.region();
        let depends = node.depends();
        if depends {
            for (address, reads) in node.dependences() {
                if !paths::ended(number, address, reads, path) {
                    self.leave_out(store, left_out::DEPENDENCES);
                }
            }
        }
        if let Some(team) = team {
            team.end_chain(path);
        }
        let key = [node.code.load(Relaxed), region];
        let depth = node.depth.load(Relaxed);
        match (end, self.context.regions.top()) {
            (End::OfCode, Some(frame)) => {
                node.await_event(frame.team, frame.present_phase(), frame.paused);
            }
            _ => node::release(node, self.nodes, &mut self.returned),
        }
        if end == End::OfCode {
            self.note_form(store, key, forms::DETACHED);
        }
        let Some(values) = self.beside(store, FoldKind::Tasks, 0, key) else { return };
        values[tasks::COUNT] += 1;
        values[tasks::TIME] += ran;
        values[tasks::LONGEST] = values[tasks::LONGEST].max(ran);
        values[tasks::DEPTH] = values[tasks::DEPTH].max(depth.into());
        values[tasks::DEPENDENT] += u64::from(depends);
        let timed = values[tasks::COUNT] - values[tasks::UNTIMED];
        short::tell_mean_time(key[0], timed, values[tasks::TIME]);
        if let Some(values) = self.beside(store, FoldKind::TaskTimes, 0, key) {
            values[tasks::bin(ran)] += 1;
        }
    }

    /// Counts a task of the construct and region of `key` for one of the [`forms`].
    #[cold]
    fn note_form(&mut self, store: &Store, key: [u64; 2], form: usize) {
        if let Some(values) = self.beside(store, FoldKind::TaskForms, 0, key) {
            values[form] += 1;
        }
    }

    /// The thread creates a task at `code` that is undeferred.
    pub(crate) fn create_undeferred(&mut self, store: &Store, code: u64) {
        let (_, region) = self.region();
        self.note_form(store, [code, region], forms::UNDEFERRED);
    }

    /// The task that the thread executes waits.
    #[inline]
    pub(crate) fn stop_task(&mut self, now: u64) {
        self.creations.at = 0;
        if let Some(node) = self.running {
            node.stop(now);
            node.waiting.store(true, Relaxed);
            if !node.is_explicit() {
                let chain = self.take_counted_chain(node.path.load(Relaxed));
                node.lengthen(chain);
            }
        }
    }

    /// The task that the thread executes has waited: for its children, or, `for_all`, in a barrier.
    #[inline]
    pub(crate) fn resume_task(&mut self, now: u64, for_all: bool) {
        let Some(node) = self.running else { return };
        let mut path = node.path.load(Relaxed).max(node.longest_child());
        if for_all && let Some(team) = self.context.regions.top().map(|frame| frame.team) {
            path = path.max(team.has_waited());
        }
        node.has_waited(path);
        node.waiting.store(false, Relaxed);
        node.since.store(now, Relaxed);
    }

    /// The implicit task of the thread arrives at the end of its region: adds its chain to the
    /// region's.
    pub(crate) fn arrive_task(&mut self, store: &Store, now: u64) {
        self.tell_creations(store);
        let Some(frame) = self.context.regions.top() else { return };
        let (Some(node), team) = (frame.node, frame.team) else { return };
        node.stop(now);
        node.waiting.store(true, Relaxed);
        let path = node.path.load(Relaxed);
        let chain = self.take_counted_chain(path);
        team.lengthen(path.max(chain));
    }

    /// The thread leaves the region in which its implicit task had a node.
    pub(crate) fn leave_task(&mut self, node: Option<&'static Node>) {
        if let Some(node) = node {
            self.running = None;
            node::release(node, self.nodes, &mut self.returned);
        }
    }

    /// The region ends on its primary thread after `wall` ticks: adds up its longest chain.
    pub(crate) fn end_span(&mut self, store: &Store, code: u64, longest: u64, wall: u64) {
        if longest == 0 {
            return;
        }
        let Some(values) = self.beside(store, FoldKind::Span, 0, [code, 0]) else { return };
        values[span::REGIONS] += 1;
        values[span::SPAN] += longest.min(wall);
        values[span::WALL] += wall;
    }

    /// Number and code address of the region that the thread is in; 0 outside every region.
    fn region(&mut self) -> (u64, u64) {
        self.context.regions.top().map_or((0, 0), |frame| (frame.region.id, frame.region.code))
    }
}
