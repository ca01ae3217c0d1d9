//! Worksharing loops, sections, single.

use std::ffi::{c_long, c_uint};

use oxomp_sys::kmpc::{ident_t, sched_type};

use super::form::Form;
use super::location::{
    DISTRIBUTE, LOOP, LOOP_BARRIER, PLAIN, SECTIONS, SECTIONS_BARRIER, SINGLE_BARRIER,
};
use super::region::Member;
use crate::runtime::call;

/// The schedule of a loop for which compilers call the runtime per chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    Dynamic,
    Guided,
}

/// The part of a thread in a `single` construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Single {
    Executes,
    Skips,
}

impl Member {
    /// `for schedule(dynamic or guided, chunk)` over 0..count, and its barrier.
    pub(crate) fn loop_by_calls(
        self,
        schedule: Schedule,
        count: i32,
        chunk: i32,
        body: impl Fn(i32),
    ) {
        match self.form {
            Form::Clang => {
                let schedule = match schedule {
                    Schedule::Dynamic => sched_type::DYNAMIC_CHUNKED,
                    Schedule::Guided => sched_type::GUIDED_CHUNKED,
                };
                self.clang_loop(schedule.0, count, chunk, body);
            }
            Form::Gcc => self.gcc_loop(schedule, count, chunk, body),
        }
    }

    fn clang_loop(self, schedule: i32, count: i32, chunk: i32, body: impl Fn(i32)) {
        call!(__kmpc_dispatch_init_4(
            &raw const PLAIN => *const ident_t,
            self.gtid => i32,
            schedule => i32,
            0 => i32,
            count - 1 => i32,
            1 => i32,
            chunk => i32,
        ));
        let (mut last, mut low, mut high, mut stride) = (0, 0, 0, 0);
        while call!(__kmpc_dispatch_next_4(
            &raw const PLAIN => *const ident_t,
            self.gtid => i32,
            &raw mut last => *mut i32,
            &raw mut low => *mut i32,
            &raw mut high => *mut i32,
            &raw mut stride => *mut i32,
        ) -> i32)
            != 0
        {
            (low..=high).for_each(&body);
        }
        self.loop_barrier();
    }

    fn gcc_loop(self, schedule: Schedule, count: i32, chunk: i32, body: impl Fn(i32)) {
        let (mut low, mut high): (c_long, c_long) = (0, 0);
        let mut more = match schedule {
            Schedule::Dynamic => call!(GOMP_loop_dynamic_start(
                0 => c_long, count.into() => c_long, 1 => c_long, chunk.into() => c_long,
                &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool),
            Schedule::Guided => call!(GOMP_loop_guided_start(
                0 => c_long, count.into() => c_long, 1 => c_long, chunk.into() => c_long,
                &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool),
        };
        while more {
            (low..high).for_each(|at| body(at as i32));
            more = match schedule {
                Schedule::Dynamic => call!(GOMP_loop_dynamic_next(
                    &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool),
                Schedule::Guided => call!(GOMP_loop_guided_next(
                    &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool),
            };
        }
        call!(GOMP_loop_end());
    }

    /// `for ordered schedule(dynamic, 1)` over 0..count, whose iterations call `ordered`.
    pub(crate) fn ordered_loop(self, count: i32, body: impl Fn(i32)) {
        match self.form {
            Form::Clang => {
                let body = |at| {
                    body(at);
                    call!(__kmpc_dispatch_fini_4(&raw const PLAIN => *const ident_t, self.gtid => i32));
                };
                self.clang_loop(sched_type::ORDERED_DYNAMIC_CHUNKED.0, count, 1, body);
            }
            Form::Gcc => {
                let (mut low, mut high): (c_long, c_long) = (0, 0);
                let mut more = call!(GOMP_loop_ordered_dynamic_start(
                    0 => c_long, count.into() => c_long, 1 => c_long, 1 => c_long,
                    &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool);
                while more {
                    (low..high).for_each(|at| body(at as i32));
                    more = call!(GOMP_loop_ordered_dynamic_next(
                        &raw mut low => *mut c_long, &raw mut high => *mut c_long) -> bool);
                }
                call!(GOMP_loop_end());
            }
        }
    }

    fn loop_barrier(self) {
        call!(__kmpc_barrier(&raw const LOOP_BARRIER => *const ident_t, self.gtid => i32));
    }

    /// `for schedule(static)` over 0..count, and its barrier; gcc makes no call for the loop.
    pub(crate) fn static_loop(self, chunk: Option<i32>, count: i32) {
        let schedule = chunk.map_or(sched_type::STATIC, |_| sched_type::STATIC_CHUNKED);
        self.static_init(&LOOP, schedule, chunk.unwrap_or(1), count);
        self.loop_barrier();
    }

    /// `distribute` with the default schedule over 0..count.
    pub(crate) fn distribute(self, count: i32) {
        self.static_init(&DISTRIBUTE, sched_type::DISTRIBUTE_STATIC, 1, count);
    }

    fn static_init(self, at: &'static ident_t, schedule: sched_type, chunk: i32, count: i32) {
        let (mut last, mut low, mut high, mut stride) = (0, 0, count - 1, 1);
        call!(__kmpc_for_static_init_4(
            std::ptr::from_ref(at) => *const ident_t,
            self.gtid => i32,
            schedule.0 => i32,
            &raw mut last => *mut i32,
            &raw mut low => *mut i32,
            &raw mut high => *mut i32,
            &raw mut stride => *mut i32,
            1 => i32,
            chunk => i32,
        ));
        call!(__kmpc_for_static_fini(std::ptr::from_ref(at) => *const ident_t, self.gtid => i32));
    }

    /// `sections` with `count` sections, and its barrier.
    pub(crate) fn sections(self, count: u32) {
        match self.form {
            Form::Clang => {
                self.static_init(&SECTIONS, sched_type::STATIC, 1, count as i32);
                call!(__kmpc_barrier(
                    &raw const SECTIONS_BARRIER => *const ident_t, self.gtid => i32));
            }
            Form::Gcc => {
                let mut section = call!(GOMP_sections_start(count => c_uint) -> c_uint);
                while section != 0 {
                    section = call!(GOMP_sections_next() -> c_uint);
                }
                call!(GOMP_sections_end());
            }
        }
    }

    /// `single`, and its barrier.
    pub(crate) fn single(self, body: impl FnOnce()) -> Single {
        let chosen = match self.form {
            Form::Clang => {
                call!(__kmpc_single(&raw const PLAIN => *const ident_t, self.gtid => i32) -> i32)
                    != 0
            }
            Form::Gcc => call!(GOMP_single_start() -> bool),
        };
        if chosen {
            body();
        }
        match self.form {
            Form::Clang => {
                if chosen {
                    call!(__kmpc_end_single(&raw const PLAIN => *const ident_t, self.gtid => i32));
                }
                call!(__kmpc_barrier(
                    &raw const SINGLE_BARRIER => *const ident_t, self.gtid => i32));
            }
            Form::Gcc => call!(GOMP_barrier()),
        }
        if chosen { Single::Executes } else { Single::Skips }
    }
}
