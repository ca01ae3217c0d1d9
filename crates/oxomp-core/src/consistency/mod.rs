//! KMP_CONSISTENCY_CHECK: wrong nesting of constructs, or a thread that releases a lock that it
//! does not hold, ends the program with one line (OpenMP 5.2 §17.1).
//!
//! The check listens to the events of OMPT, so that it costs nothing unless the user asks for it.
//! Each thread keeps a list of the regions that it is in; the regions of one task are *closely
//! nested*. The check does not see constructs that the compiler expands without a call of the
//! runtime.

mod nesting;

use oxomp_base::diag;
use oxomp_sys::ompt::ompt_callbacks_t as E;

use crate::block::Thread;
use crate::ompt::event::{Event, Hear, Listener, TaskRecord, bit, listen};

pub(crate) use nesting::Regions;
use nesting::{Here, Mistake};

/// The events that the check listens to.
const HEARD: u64 = bit(E::IMPLICIT_TASK)
    | bit(E::WORK)
    | bit(E::MASKED)
    | bit(E::SYNC_REGION)
    | bit(E::MUTEX_ACQUIRE)
    | bit(E::MUTEX_ACQUIRED)
    | bit(E::MUTEX_RELEASED)
    | bit(E::NEST_LOCK);

/// Starts the check, before any region is entered.
pub(crate) fn start() {
    diag::set_strict(true);
    listen(HEARD, &LISTENER);
}

impl Here for Thread {
    fn task(&self) -> *const TaskRecord {
        &raw const Thread::task(self).ompt
    }

    fn is_in_ordered_loop(&self) -> bool {
        self.implicit_task().worksharing.is_ordered()
    }

    fn is_in_loop_with_memory(&self) -> bool {
        self.implicit_task().worksharing.has_memory()
    }
}

static LISTENER: Listener = Listener::of::<Check>();

struct Check;

impl Hear for Check {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        let Some(thread) = Thread::known() else { return };
        if let Err(mistake) = thread.regions.follow(event, thread) {
            report(mistake);
        }
    }
}

#[cold]
fn report(mistake: Mistake) {
    let (inner, site, outer, around) = match mistake {
        Mistake::Nesting { inner, site, outer, around } => {
            (inner.to_string(), site, outer.to_string(), around)
        }
        Mistake::SameName { site, around } => {
            ("critical".to_owned(), site, "a critical of the same name".to_owned(), around)
        }
        Mistake::InTask { inner, site } => {
            let site = site.location();
            diag::fatal(&format!("{site}: {inner} is wrongly nested in an explicit task"));
        }
        Mistake::NotOrdered { site } => {
            let site = site.location();
            diag::fatal(&format!("{site}: ordered: not in a loop with an ordered clause"));
        }
        // The check does not know locks that were taken before it started; but the initialization
        // of a lock starts the runtime, and the check with it.
        Mistake::NotHolder => {
            let what = format_args!("another thread holds the lock");
            return diag::misuse("lock", what, "the call has its effect");
        }
    };
    let (site, around) = (site.location(), around.location());
    diag::fatal(&format!("{site}: {inner} is wrongly nested in {outer} at {around}"));
}
