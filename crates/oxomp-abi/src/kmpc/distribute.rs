//! Loops that are divided among the teams of a league (kmpc): bounds are inclusive, of four integer
//! types. clang uses the calls of worksharing loops, with kinds of their own (`loops`).

use oxomp_core::Thread;
use oxomp_core::worksharing::iterations::LoopInteger;
use oxomp_core::worksharing::static_loop::{Division, StaticLoop};
use oxomp_core::worksharing::{begin_static_of_league, part_of_team};

use super::Loc;
use super::loops::{StaticInit, dispatch_init, division, work_kind};
use crate::argument::{InOut, Out};

/// The chunks of the calling thread's team, of `chunk` iterations each, round-robin.
fn team_init<T: LoopInteger>(variables: StaticInit<T>, step: T::Step, chunk: T::Step) {
    let (lower, upper) = (variables.lower.get(), variables.upper.get());
    let whole = StaticLoop { lower, upper, step, division: Division::RoundRobin(chunk) };
    variables.store(part_of_team(Thread::current(), &whole));
}

/// The block of the calling thread's team: its bounds, and whether it has the last iteration.
fn block_of_team<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> (T, T, bool) {
    let whole = StaticLoop { lower, upper, step, division: Division::Blocks };
    let block = part_of_team(Thread::current(), &whole);
    (block.lower, block.upper, block.is_last)
}

macro_rules! loops {
    ($($type:ty, $step:ty: $team_init:ident $static_init:ident $dispatch_init:ident;)*) => {
        $(
            entry! {
                /// `void __kmpc_team_static_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// kmp_int32 *p_last, TYPE *p_lb, TYPE *p_ub, STEP *p_st, STEP incr, STEP chunk)`
                pub fn $team_init(
                    _loc: Loc,
                    _gtid: i32,
                    last: Option<Out<i32>>,
                    lower: InOut<$type>,
                    upper: InOut<$type>,
                    stride: Out<$step>,
                    step: $step,
                    chunk: $step,
                ) {
                    team_init(StaticInit { last, lower, upper, stride }, step, chunk);
                }

                /// `void __kmpc_dist_for_static_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// kmp_int32 schedule, kmp_int32 *plastiter, TYPE *plower, TYPE *pupper,
                /// TYPE *pupperD, STEP *pstride, STEP incr, STEP chunk)`: a block for each team,
                /// whose last value is stored to `pupperD`, and `schedule` inside the team.
                pub fn $static_init(
                    loc: Loc,
                    _gtid: i32,
                    schedule: i32,
                    last: Option<Out<i32>>,
                    lower: InOut<$type>,
                    upper: InOut<$type>,
                    upper_of_team: Out<$type>,
                    stride: Out<$step>,
                    step: $step,
                    chunk: $step,
                ) {
                    let site = loc.site();
                    let variables = StaticInit { last, lower, upper, stride };
                    let (lower, upper) = (variables.lower.get(), variables.upper.get());
                    let whole = StaticLoop { lower, upper, step, division: division(schedule, chunk) };
                    let (part, end) = begin_static_of_league(&whole, || work_kind(loc), site);
                    upper_of_team.set(end);
                    variables.store(part);
                }

                /// `void __kmpc_dist_dispatch_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// enum sched_type schedule, kmp_int32 *p_last, TYPE lb, TYPE ub, STEP st,
                /// STEP chunk)`: a block for each team, whose chunks are handed out to the team's
                /// threads. `p_last`: the team has the last block.
                pub fn $dispatch_init(
                    loc: Loc,
                    _gtid: i32,
                    schedule: i32,
                    last: Option<Out<i32>>,
                    lower: $type,
                    upper: $type,
                    step: $step,
                    chunk: $step,
                ) {
                    let site = loc.site();
                    let (lower, upper, is_last) = block_of_team(lower, upper, step);
                    if let Some(last) = last {
                        last.set(i32::from(is_last));
                    }
                    dispatch_init(schedule, lower, upper, step, chunk, site);
                }
            }
        )*
    };
}

loops! {
    i32, i32:
        __kmpc_team_static_init_4 __kmpc_dist_for_static_init_4 __kmpc_dist_dispatch_init_4;
    u32, i32:
        __kmpc_team_static_init_4u __kmpc_dist_for_static_init_4u __kmpc_dist_dispatch_init_4u;
    i64, i64:
        __kmpc_team_static_init_8 __kmpc_dist_for_static_init_8 __kmpc_dist_dispatch_init_8;
    u64, i64:
        __kmpc_team_static_init_8u __kmpc_dist_for_static_init_8u __kmpc_dist_dispatch_init_8u;
}
