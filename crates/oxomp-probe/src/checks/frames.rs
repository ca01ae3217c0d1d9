//! Frames: where tasks' stack frames meet the runtime's.

use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

use oxomp_arch::{FramelessCall, call_frameless};
use oxomp_sys::gomp::gomp_fn;
use oxomp_sys::ompt::{ompt_frame_flag_t, ompt_frame_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Task, parallel};
use crate::recorded::{region, start};
use crate::runtime::{call, function};
use crate::tool;
use crate::verdict::{Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Frames",
    checks: &[
        check(
            "frame-enter",
            Forms::Both,
            "6.0 §33.15, §34.3.1",
            "parallel_begin: the encountering task's enter frame is set, with flags",
            enter,
        ),
        check(
            "frame-initial",
            Forms::Both,
            "6.0 §33.15",
            "the initial task in its own code has neither frame",
            initial,
        ),
        check(
            "frame-exit",
            Forms::Both,
            "6.0 §33.15",
            "an implicit task's exit frame is above its code's, with flags",
            exit,
        ),
        check(
            "frame-encountering",
            Forms::Both,
            "6.0 §33.15",
            "inside a region, the encountering task's enter frame is above the exit frame",
            encountering,
        ),
        check(
            "frame-apart",
            Forms::Gcc,
            "6.0 §33.15",
            "from code without frame pointers, a task's enter frame is below its exit frame",
            apart,
        ),
        check(
            "frame-serialized",
            Forms::Both,
            "6.0 §33.15",
            "a serialized region's frames stay after a runtime call in it",
            serialized,
        ),
        check(
            "frame-task",
            Forms::Both,
            "6.0 §33.15",
            "task_create: the encountering task's enter frame is set",
            task,
        ),
        check(
            "frame-cleared",
            Forms::Both,
            "6.0 §33.15",
            "the enter frame is cleared after a construct",
            cleared,
        ),
    ],
};

/// The frame of a task of the calling thread's chain.
fn frame_at(level: i32) -> Option<ompt_frame_t> {
    let get = tool::get_task_info()?;
    let mut frame: *mut ompt_frame_t = null_mut();
    // SAFETY: `frame` is writable, and every other result may be left out.
    let status =
        unsafe { get(level, null_mut(), null_mut(), &raw mut frame, null_mut(), null_mut()) };
    // SAFETY: with status 2 the pointer is valid until control returns to the runtime.
    if status == 2 { unsafe { frame.as_ref() }.copied() } else { None }
}

/// Whose frame it is, and one of the three kinds of address, and nothing else.
fn has_kind(flags: ompt_frame_flag_t) -> bool {
    flags.0 & 0x30 != 0 && flags.0 & !0x31 == 0
}

fn check_enter(frame: Option<ompt_frame_t>, below: usize, above: usize) -> Verdict {
    let Some(frame) = frame else { return missing("the frame is NULL") };
    let enter = frame.enter_frame.value as usize;
    if enter == 0 {
        return missing("enter_frame is not set");
    }
    if enter <= below || enter > above {
        return wrong("enter_frame is not between the runtime's frames and the program's");
    }
    let flags = frame.enter_frame_flags;
    demand(has_kind(flags), || {
        format!("enter_frame_flags {:#x} are not an owner and a kind of address", flags.0)
    })
}

fn enter(form: Form) -> Verdict {
    let region = region(form, 2, |_| {})?;
    check_enter(region.begin.frame, region.begin.stack, region.place.above)
}

fn initial(form: Form) -> Verdict {
    start(form)?;
    let Some(frame) = frame_at(0) else { return missing("ompt_get_task_info gives no frame") };
    demand(frame.exit_frame.is_none() && frame.enter_frame.is_none(), || {
        format!("exit {:#x}, enter {:#x}", frame.exit_frame.value, frame.enter_frame.value)
    })
}

/// The finding of a thread of a region: the verdict of the first that finds a fault.
struct First(Mutex<Verdict>);

impl First {
    fn new() -> Self {
        Self(Mutex::new(Ok(())))
    }

    fn add(&self, verdict: Verdict) {
        let mut first = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if first.is_ok() {
            *first = verdict;
        }
    }

    fn take(self) -> Verdict {
        self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn check_exit(frame: Option<ompt_frame_t>, local: usize) -> Verdict {
    let Some(frame) = frame else { return missing("ompt_get_task_info gives no frame") };
    let exit = frame.exit_frame.value as usize;
    if exit == 0 {
        return missing("exit_frame is not set");
    }
    // The outlined function's own frame begins a little above its variables; the stack's top may
    // be megabytes away.
    if exit <= local || exit - local > 1 << 20 {
        return wrong("exit_frame is not above the task's own frames");
    }
    if !frame.enter_frame.is_none() {
        return wrong("enter_frame is set while the task runs its own code");
    }
    let flags = frame.exit_frame_flags;
    demand(has_kind(flags), || {
        format!("exit_frame_flags {:#x} are not an owner and a kind of address", flags.0)
    })
}

fn exit(form: Form) -> Verdict {
    let first = First::new();
    region(form, 2, |member| first.add(check_exit(frame_at(0), member.local)))?;
    first.take()
}

fn encountering(form: Form) -> Verdict {
    start(form)?;
    let first = First::new();
    let place = Mutex::new(None);
    let region = region(form, 2, |member| {
        if member.number() == 0 {
            let frames = (frame_at(0), frame_at(1));
            *place.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(frames);
            let (Some(inner), Some(outer)) = frames else {
                first.add(missing("ompt_get_task_info gives no frame at level 1"));
                return;
            };
            let exit = inner.exit_frame.value as usize;
            let enter = outer.enter_frame.value as usize;
            if enter == 0 {
                first.add(missing("enter_frame of level 1 is not set"));
            } else if enter < exit {
                first.add(wrong("the outer task's enter_frame is below the inner exit_frame"));
            }
        }
    })?;
    first.take()?;
    let frames = place.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let outer = frames.and_then(|(_, outer)| outer);
    check_enter(outer, region.begin.stack, region.place.above)
}

type GompParallel = unsafe extern "C" fn(gomp_fn, *mut c_void, c_uint, c_uint);

unsafe extern "C" fn look_at_outer(found: *mut c_void) {
    // SAFETY: `apart` passes it, and it outlives the region.
    let found = unsafe { &*found.cast::<First>() };
    let Some(outer) = frame_at(1) else {
        found.add(missing("ompt_get_task_info gives no frame at level 1"));
        return;
    };
    let (enter, exit) = (outer.enter_frame.value, outer.exit_frame.value);
    if enter == 0 || exit == 0 {
        found.add(missing(format!("enter {enter:#x}, exit {exit:#x}")));
    } else {
        found.add(demand(enter < exit, || format!("enter {enter:#x}, exit {exit:#x}")));
    }
}

fn apart(form: Form) -> Verdict {
    start(form)?;
    let found = First::new();
    // SAFETY: the type is as in the compilers' interface.
    let fork = unsafe { function::<GompParallel>("GOMP_parallel") };
    let body = look_at_outer as *const c_void;
    let argument = (&raw const found).expose_provenance();
    // An outlined function of optimized code, which keeps no frame pointer, encounters a region of
    // one thread.
    let words = [body.expose_provenance(), argument, 1, 0];
    let mut inner = FramelessCall { function: fork as *const c_void, words };
    call!(GOMP_parallel(
        call_frameless => gomp_fn,
        (&raw mut inner).cast() => *mut c_void,
        2 => c_uint,
        0 => c_uint,
    ));
    found.take()
}

fn serialized(form: Form) -> Verdict {
    let first = First::new();
    region(form, 1, |member| {
        first.add(check_exit(frame_at(0), member.local));
        member.critical(0, || {});
        member.barrier();
        parallel(form, 1, |_| {});
        first.add(check_exit(frame_at(0), member.local));
    })?;
    first.take()
}

fn task(form: Form) -> Verdict {
    let region = region(form, 1, |member| {
        member.task(Task::default(), |_| {}, 0);
    })?;
    let create =
        region.all.iter().find(|event| event.is(oxomp_sys::ompt::ompt_callbacks_t::TASK_CREATE));
    let Some(create) = create else { return missing("no task_create") };
    check_enter(create.frame, create.stack, region.place.above)
}

fn cleared(form: Form) -> Verdict {
    let first = First::new();
    region(form, 2, |member| {
        member.barrier();
        member.critical(0, || {});
        member.taskwait();
        first.add(check_exit(frame_at(0), member.local));
    })?;
    first.take()?;
    initial(form)
}
