//! The flags of task_create.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_task_flag_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Task};
use crate::recorded::{only, region};
use crate::verdict::{Verdict, demand, missing};

pub(super) const GROUP: Group = Group {
    title: "Flags of tasks",
    checks: &[
        check(
            "flags-plain",
            Forms::Both,
            "6.0 §34.5.1, §33.38",
            "a plain task: explicit alone",
            plain,
        ),
        check(
            "flags-undeferred",
            Forms::Both,
            "6.0 §34.5.1, §33.38",
            "if(0): explicit and undeferred",
            undeferred,
        ),
        check(
            "flags-final",
            Forms::Both,
            "6.0 §34.5.1, §33.38",
            "final: explicit and final",
            is_final,
        ),
        check(
            "flags-untied",
            Forms::Both,
            "6.0 §34.5.1, §33.38",
            "untied: explicit and untied",
            untied,
        ),
        check(
            "flags-mergeable",
            Forms::Both,
            "6.0 §34.5.1, §33.38",
            "mergeable: explicit and mergeable",
            mergeable,
        ),
    ],
};

/// Bits that any task may have besides: whether an implementation runs it at once, or merges it, is
/// its choice.
const CHOICE: u32 = ompt_task_flag_t::UNDEFERRED.0 | ompt_task_flag_t::MERGED.0;

fn flags(form: Form, clauses: Task, demanded: ompt_task_flag_t) -> Verdict {
    let region = region(form, 2, |member| {
        if member.number() == 0 {
            member.task(clauses, |_| {}, 0);
            member.taskwait();
        }
    })?;
    let seen = only(&region.all, &[ompt_callbacks_t::TASK_CREATE]);
    let Some(create) = seen.first() else { return missing("no task_create") };
    let flags = create.flags as u32;
    let wanted = demanded.0 | ompt_task_flag_t::EXPLICIT.0;
    let ignored = CHOICE & !demanded.0;
    demand(flags & !ignored == wanted, || format!("the flags are {flags:#x}, not {wanted:#x}"))
}

fn plain(form: Form) -> Verdict {
    flags(form, Task::default(), ompt_task_flag_t::NONE)
}

fn undeferred(form: Form) -> Verdict {
    let clauses = Task { undeferred: true, ..Task::default() };
    flags(form, clauses, ompt_task_flag_t::UNDEFERRED)
}

fn is_final(form: Form) -> Verdict {
    flags(form, Task { is_final: true, ..Task::default() }, ompt_task_flag_t::FINAL)
}

fn untied(form: Form) -> Verdict {
    flags(form, Task { untied: true, ..Task::default() }, ompt_task_flag_t::UNTIED)
}

fn mergeable(form: Form) -> Verdict {
    flags(form, Task { mergeable: true, ..Task::default() }, ompt_task_flag_t::MERGEABLE)
}
