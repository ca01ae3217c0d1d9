//! The sections construct (kmpc), as Intel's compilers call it: the runtime is asked for each
//! section. clang makes a static loop of it.

use oxomp_core::worksharing::WorksharingLoop;
use oxomp_core::{CallSite, Thread};

use super::Loc;

entry! {
    /// `kmp_int32 __kmpc_sections_init(ident_t *loc, kmp_int32 global_tid)`: whether the team has
    /// more than one thread. The number of sections is known with the first request.
    pub fn __kmpc_sections_init(loc: Loc, _gtid: i32) -> i32 {
        let site = loc.site();
        let thread = Thread::current();
        thread.begin_loop(WorksharingLoop::sections(0), site);
        i32::from(thread.team().size() > 1)
    }

    /// `kmp_int32 __kmpc_next_section(ident_t *loc, kmp_int32 global_tid,
    /// kmp_int32 numberOfSections)`: the number of the next section, from 0; the number of sections
    /// if no section is left.
    pub fn __kmpc_next_section(_loc: Loc, _gtid: i32, count: i32) -> i32 {
        let thread = Thread::current();
        thread.set_section_count(u64::try_from(count).unwrap_or(0));
        thread.next_chunk(CallSite::here()).map_or(count, |chunk| chunk.start as i32)
    }

    /// `void __kmpc_end_sections(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_sections(_loc: Loc, _gtid: i32) {
        Thread::current().end_loop(CallSite::here());
    }
}
