//! A static loop or sections construct as compiled code encounters it (kmpc): the thread's part,
//! and the events.

use core::iter;

use oxomp_arch::CallSite;

use super::iterations::LoopInteger;
use super::state::schedule::Chunk;
use super::static_loop::{Division, StaticChunk, StaticLoop};
use crate::block::{Team, Thread};
use crate::ompt::event::{Audience, Dispatch, Endpoint, Work, emit, for_events, has_events};

/// The calling thread's part of a static loop that begins, in the common case: a loop that
/// `common_part` covers, a thread that the runtime knows, and no listener to events. Calls no
/// function. `None` in all other cases, which `begin_static` covers.
#[inline(always)]
pub fn begin_common_static<T: LoopInteger>(whole: &StaticLoop<T>) -> Option<StaticChunk<T>> {
    if has_events() {
        return None;
    }
    let task = Thread::known()?.implicit_task_if_any()?;
    let team = task.team();
    whole.common_part(task.thread_num(), team.size(), || team.group().is_of_league())
}

/// Whether the compiled loop may go from each iteration to the next by the stride, although the
/// thread is alone and could have all iterations as one chunk. clang's code does so in the loops
/// that it divides among the teams of a league, and then in chunks of one among their threads. (On
/// LLVM's runtime a team of one thread executes only the first iteration of its part.)
#[inline(always)]
fn goes_by_stride<T: LoopInteger>(whole: &StaticLoop<T>, team: &Team) -> bool {
    team.size() == 1 && whole.has_chunks_of_one() && team.group().is_of_league()
}

/// What a static loop is divided among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The threads of the team: a worksharing loop.
    Threads,
    /// The teams of the league: a distribute loop.
    Teams,
}

/// The calling thread's part of a static loop that begins. `work` returns the kind of the
/// construct.
pub fn begin_static<T: LoopInteger>(
    whole: &StaticLoop<T>,
    among: Among,
    work: impl FnOnce() -> Work,
    site: CallSite,
) -> StaticChunk<T> {
    for_events!(|audience| begin_for(audience, whole, among, work, site))
}

#[inline(always)]
fn begin_for<T: LoopInteger>(
    audience: impl Audience,
    whole: &StaticLoop<T>,
    among: Among,
    work: impl FnOnce() -> Work,
    site: CallSite,
) -> StaticChunk<T> {
    let thread = Thread::current();
    let task = thread.implicit_task();
    let (me, size) = match among {
        Among::Threads => (task.thread_num(), task.team().size()),
        Among::Teams => thread.team_in_league(),
    };
    let part = match among {
        Among::Threads if goes_by_stride(whole, task.team()) => whole.one_by_one(),
        _ => whole.part(me, size),
    };
    if audience.is_listening() {
        report(audience, thread, whole.iterations(), whole.chunks(&part, size), work(), site);
    }
    part
}

/// The part of the calling thread's team in a loop that is divided among the teams of the league.
pub fn part_of_team<T: LoopInteger>(thread: &Thread, whole: &StaticLoop<T>) -> StaticChunk<T> {
    let (team_num, num_teams) = thread.team_in_league();
    whole.part(team_num, num_teams)
}

/// A loop that is divided into a block for each team of the league, and each block, by `whole`,
/// among the threads of the team. Returns the calling thread's part, and the last value of its
/// team's block.
pub fn begin_static_of_league<T: LoopInteger>(
    whole: &StaticLoop<T>,
    work: impl FnOnce() -> Work,
    site: CallSite,
) -> (StaticChunk<T>, T) {
    for_events!(|audience| begin_of_league_for(audience, whole, work, site))
}

#[inline(always)]
fn begin_of_league_for<T: LoopInteger>(
    audience: impl Audience,
    whole: &StaticLoop<T>,
    work: impl FnOnce() -> Work,
    site: CallSite,
) -> (StaticChunk<T>, T) {
    let thread = Thread::current();
    let task = thread.implicit_task();
    let block = part_of_team(thread, &StaticLoop { division: Division::Blocks, ..*whole });
    if block.is_empty {
        if audience.is_listening() {
            report(audience, thread, whole.iterations(), iter::empty(), work(), site);
        }
        return (block, block.upper);
    }
    let of_team = StaticLoop { lower: block.lower, upper: block.upper, ..*whole };
    let size = task.team().size();
    let part = of_team.part(task.thread_num(), size);
    if audience.is_listening() {
        let first = whole.iteration_of(block.lower);
        let chunks = of_team.chunks(&part, size);
        let chunks = chunks.map(|chunk| Chunk { start: first + chunk.start, ..chunk });
        report(audience, thread, whole.iterations(), chunks, work(), site);
    }
    (StaticChunk { is_last: part.is_last && block.is_last, ..part }, block.upper)
}

/// Emits the begin of a construct with `count` iterations or sections, and each of the thread's
/// chunks. The compiled code makes no other call before the end: it goes from chunk to chunk by the
/// stride. An event of a chunk occurs before the chunk's first iteration (OpenMP 5.2 §19.5.2.6), so
/// all occur here, in the order of the chunks. A thread that finds the loop cancelled does not
/// execute the rest of them.
#[inline(never)]
fn report(
    audience: impl Audience,
    thread: &Thread,
    count: u64,
    mut chunks: impl Iterator<Item = Chunk>,
    work: Work,
    site: CallSite,
) {
    let task = &thread.implicit_task().ompt;
    audience.work(work, Endpoint::Begin, task, count, site);
    let Some(first) = chunks.next() else { return };
    let dispatch = |chunk: Chunk| match work {
        // The call does not tell where the code of each section is, so its own address stands for
        // all of them.
        Work::Sections => {
            for _ in 0..chunk.iterations {
                let code = site.return_address() as u64;
                audience.dispatch(Dispatch::Section, task, code, 1, site);
            }
        }
        Work::LoopStatic => {
            let Chunk { start, iterations, .. } = chunk;
            audience.dispatch(Dispatch::WorksharingLoopChunk, task, start, iterations, site);
        }
        Work::Distribute => {
            let Chunk { start, iterations, .. } = chunk;
            audience.dispatch(Dispatch::DistributeChunk, task, start, iterations, site);
        }
        _ => {}
    };
    dispatch(first);
    if emit::tool_wants_dispatch()
        && let Some(second) = chunks.next()
    {
        dispatch(second);
        chunks.for_each(dispatch);
        // For a debugger the thread is in its first chunk.
        task.note_chunk(first.start, first.iterations);
    }
}

/// The calling thread leaves the loop.
#[inline(always)]
pub fn end_static(work: impl FnOnce() -> Work, site: CallSite) {
    for_events!(|audience| end_for(audience, work, site));
}

#[inline(always)]
fn end_for(audience: impl Audience, work: impl FnOnce() -> Work, site: CallSite) {
    if audience.is_listening() {
        audience.work(work(), Endpoint::End, &Thread::current().implicit_task().ompt, 0, site);
    }
}
