//! Nesting of parallel regions (OpenMP 5.2 §18.2.6, §18.2.10 and following).

use core::ffi::c_int;

use oxomp_base::icv::UNLIMITED;
use oxomp_core::block::Shared;
use oxomp_core::{ImplicitTask, Thread, process};

use crate::ignored::ignored;

/// The ancestor of the current implicit task at nesting level `level`; `None` if there is no such
/// level.
fn ancestor(level: c_int) -> Option<Shared<ImplicitTask>> {
    let level = u32::try_from(level).ok()?;
    let mut task = Thread::current().implicit_task().shared();
    if level > task.team().level() {
        return None;
    }
    while task.team().level() > level {
        task = task.team().parent()?;
    }
    Some(task)
}

entry! {
    /// `int omp_in_parallel(void)`
    pub fn omp_in_parallel | omp_in_parallel_() -> c_int {
        c_int::from(Thread::current().team().active_level() > 0)
    }

    /// `int omp_get_level(void)`
    pub fn omp_get_level | omp_get_level_() -> c_int {
        Thread::current().team().level().cast_signed()
    }

    /// `int omp_get_active_level(void)`
    pub fn omp_get_active_level | omp_get_active_level_() -> c_int {
        Thread::current().team().active_level().cast_signed()
    }

    /// `int omp_get_ancestor_thread_num(int level)`: -1 if there is no such level.
    pub fn omp_get_ancestor_thread_num | ompc_get_ancestor_thread_num(level: c_int) -> c_int {
        ancestor(level).map_or(-1, |task| task.thread_num().cast_signed())
    }

    /// `int omp_get_team_size(int level)`: -1 if there is no such level.
    pub fn omp_get_team_size | ompc_get_team_size(level: c_int) -> c_int {
        ancestor(level).map_or(-1, |task| task.team().size().cast_signed())
    }

    /// `void omp_set_max_active_levels(int max_levels)`
    pub fn omp_set_max_active_levels | ompc_set_max_active_levels(max_levels: c_int) {
        let Ok(levels) = u32::try_from(max_levels) else {
            let expected = "a non-negative number";
            return ignored("omp_set_max_active_levels", "max_levels", max_levels, expected);
        };
        Thread::current().task().change_icvs(|icvs| icvs.max_active_levels_var = levels);
    }

    /// `int omp_get_max_active_levels(void)`
    pub fn omp_get_max_active_levels | omp_get_max_active_levels_() -> c_int {
        Thread::current().icvs().max_active_levels_var.cast_signed()
    }

    /// `int omp_get_supported_active_levels(void)`
    pub fn omp_get_supported_active_levels | omp_get_supported_active_levels_() -> c_int {
        process::start_for_tool();
        UNLIMITED.cast_signed()
    }

    /// `void omp_set_nested(int nested)`: deprecated, sets *max-active-levels-var*.
    pub fn omp_set_nested | ompc_set_nested(nested: c_int) {
        let levels = if nested != 0 { UNLIMITED } else { 1 };
        Thread::current().task().change_icvs(|icvs| icvs.max_active_levels_var = levels);
    }

    /// `int omp_get_nested(void)`: deprecated; whether a region encountered here could be active
    /// inside another.
    pub fn omp_get_nested | omp_get_nested_() -> c_int {
        let thread = Thread::current();
        let levels = thread.icvs().max_active_levels_var;
        c_int::from(levels > 1 && levels > thread.team().active_level())
    }
}
