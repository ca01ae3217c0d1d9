//! The answers of entry points.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use oxomp_sys::ompt::{ompt_data_t, ompt_task_flag_t};

use super::check::{Forms, Group, check};
use crate::construct::{Form, Task};
use crate::recorded::{Region, region, shown, start};
use crate::runtime::call;
use crate::tool::event::{Word, word};
use crate::tool::{self, log};
use crate::verdict::{Fault, Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Entry points",
    checks: &[
        check(
            "task-info-initial",
            Forms::Either,
            "6.0 §36.16",
            "ompt_get_task_info of the initial task",
            task_info_initial,
        ),
        check(
            "task-info-implicit",
            Forms::Both,
            "6.0 §36.16",
            "ompt_get_task_info in a region: the implicit task, then the initial one",
            task_info_implicit,
        ),
        check(
            "task-info-explicit",
            Forms::Both,
            "6.0 §36.16",
            "ompt_get_task_info in an explicit task",
            task_info_explicit,
        ),
        check(
            "task-info-beyond",
            Forms::Either,
            "6.0 §36.16",
            "ompt_get_task_info beyond the last level gives 0",
            task_info_beyond,
        ),
        check(
            "parallel-info",
            Forms::Both,
            "6.0 §36.15",
            "ompt_get_parallel_info gives the region's word and size",
            parallel_info,
        ),
        check(
            "task-memory",
            Forms::Both,
            "5.0 §4.6.1.16, 6.0 §36.17",
            "ompt_get_task_memory gives an explicit task's data",
            task_memory,
        ),
        check(
            "unique-ids",
            Forms::Either,
            "5.0 §4.6.1.18, 6.0 §36.19",
            "ompt_get_unique_id gives different numbers on all threads",
            unique_ids,
        ),
        check(
            "devices",
            Forms::Either,
            "5.0 §4.6.1.17, 6.0 §36.11",
            "ompt_get_num_devices agrees with omp_get_num_devices",
            devices,
        ),
        check(
            "target-info",
            Forms::Either,
            "5.0 §4.6.1.16, 6.0 §36.18",
            "ompt_get_target_info gives 0 outside target regions",
            target_info,
        ),
        check(
            "procs",
            Forms::Either,
            "6.0 §36.7, §36.12",
            "ompt_get_num_procs and ompt_get_proc_id",
            procs,
        ),
        check(
            "places",
            Forms::Either,
            "6.0 §36.8, §36.9",
            "ompt_get_num_places and the processors of each place",
            places,
        )
        .with(&[("OMP_PLACES", "threads"), ("OMP_PROC_BIND", "close")]),
        check(
            "foreign-entry-points",
            Forms::Either,
            "6.0 §36.15, §36.16",
            "on a thread that has not met OpenMP there is no task and no region",
            foreign,
        ),
    ],
};

/// The answer of `ompt_get_task_info`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TaskInfo {
    status: i32,
    flags: u32,
    task: Word,
    parallel: Word,
    thread: i32,
}

fn task_info(level: i32) -> Option<TaskInfo> {
    let get = tool::get_task_info()?;
    let mut flags = ompt_task_flag_t::NONE;
    let (mut task, mut parallel): (*mut ompt_data_t, *mut ompt_data_t) =
        (ptr::null_mut(), ptr::null_mut());
    let mut thread = -1;
    // SAFETY: the results are writable, the frame is left out.
    let status = unsafe {
        get(
            level,
            &raw mut flags,
            &raw mut task,
            ptr::null_mut(),
            &raw mut parallel,
            &raw mut thread,
        )
    };
    let (task, parallel) = (word(task), word(parallel));
    Some(TaskInfo { status, flags: flags.0, task, parallel, thread })
}

fn need_info(level: i32) -> Result<TaskInfo, Fault> {
    match task_info(level) {
        None => missing("no ompt_get_task_info"),
        Some(info) if info.status != 2 => {
            wrong(format!("level {level}: the result is {}, not 2", info.status))
        }
        Some(info) => Ok(info),
    }
}

fn initial_word() -> Word {
    log::all().get(1).and_then(|event| event.task)
}

fn task_info_initial(form: Form) -> Verdict {
    start(form)?;
    let info = need_info(0)?;
    demand(info.flags & ompt_task_flag_t::INITIAL.0 != 0, || {
        format!("the flags are {:#x}", info.flags)
    })?;
    demand(info.task == initial_word(), || format!("the task is {}", shown(info.task)))?;
    demand(info.thread == 0, || format!("the thread number is {}", info.thread))
}

/// Runs a check in each thread of a region, and keeps the first fault.
fn in_region(
    form: Form,
    check: impl Fn(crate::construct::Member) -> Verdict + Sync,
) -> Result<Region, Fault> {
    let first = Mutex::new(Ok(()));
    let region = region(form, 2, |member| {
        let verdict = check(member);
        let mut first = first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if first.is_ok() {
            *first = verdict;
        }
    })?;
    first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
    Ok(region)
}

fn task_info_implicit(form: Form) -> Verdict {
    let seen = Mutex::new(Vec::new());
    let region = in_region(form, |member| {
        let info = need_info(0)?;
        seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(info);
        demand(info.flags & 0xff == ompt_task_flag_t::IMPLICIT.0, || {
            format!("level 0: the flags are {:#x}", info.flags)
        })?;
        demand(info.thread == member.number(), || {
            format!("level 0: the thread number is {}", info.thread)
        })?;
        if member.number() == 0 {
            let outer = need_info(1)?;
            demand(outer.task == initial_word(), || {
                format!("level 1: the task is {}", shown(outer.task))
            })?;
        }
        Ok(())
    })?;
    for info in seen.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        let task = region.by_index.get(&(info.thread as u64)).map(|events| events[0].task);
        if task != Some(info.task) || info.parallel != region.begin.parallel {
            return wrong(format!(
                "level 0: task {} and region {}",
                shown(info.task),
                shown(info.parallel)
            ));
        }
    }
    Ok(())
}

/// The view that a task has of itself.
#[derive(Clone, Copy, Debug)]
struct SeenInTask {
    info: Option<TaskInfo>,
    memory: Option<Memory>,
}

/// The first block of a task's memory, as `ompt_get_task_memory` tells it.
#[derive(Clone, Copy, Debug)]
struct Memory {
    status: i32,
    address: usize,
    size: usize,
}

static SEEN_IN_TASK: Mutex<Option<SeenInTask>> = Mutex::new(None);

fn look_in_task(_value: usize) {
    let memory = tool::get_task_memory().map(|get| {
        let mut address: *mut c_void = ptr::null_mut();
        let mut size = 0usize;
        // SAFETY: both results are writable.
        let status = unsafe { get(&raw mut address, &raw mut size, 0) };
        Memory { status, address: address.addr(), size }
    });
    *SEEN_IN_TASK.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
        Some(SeenInTask { info: task_info(0), memory });
}

fn seen_in_task(form: Form) -> Result<(Region, SeenInTask), Fault> {
    let region = region(form, 2, |member| {
        if member.number() == 0 {
            member.task(Task::default(), look_in_task, 0);
            member.taskwait();
        }
    })?;
    let seen = SEEN_IN_TASK.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    match seen {
        Some(seen) => Ok((region, seen)),
        None => missing("the task does not run"),
    }
}

fn task_info_explicit(form: Form) -> Verdict {
    let (region, seen) = seen_in_task(form)?;
    let Some(info) = seen.info else { return missing("no ompt_get_task_info") };
    let created =
        crate::recorded::only(&region.all, &[oxomp_sys::ompt::ompt_callbacks_t::TASK_CREATE]);
    demand(info.status == 2, || format!("the result is {}, not 2", info.status))?;
    demand(info.flags & 0xff == ompt_task_flag_t::EXPLICIT.0, || {
        format!("the flags are {:#x}", info.flags)
    })?;
    demand(created.first().is_some_and(|event| event.other == info.task), || {
        format!("the task is {}", shown(info.task))
    })?;
    demand(info.parallel == region.begin.parallel, || {
        format!("the region is {}", shown(info.parallel))
    })
}

fn task_memory(form: Form) -> Verdict {
    let (_, seen) = seen_in_task(form)?;
    let Some(memory) = seen.memory else { return missing("no ompt_get_task_memory") };
    if memory.address == 0 || memory.size == 0 {
        return missing("no memory for a task with private data");
    }
    demand((0..=1).contains(&memory.status) && memory.size < 1 << 20, || {
        format!("the result is {}, the size {}", memory.status, memory.size)
    })
}

fn task_info_beyond(form: Form) -> Verdict {
    start(form)?;
    match task_info(9) {
        None => missing("no ompt_get_task_info"),
        Some(info) => demand(info.status == 0, || format!("the result is {}", info.status)),
    }
}

fn parallel_info(form: Form) -> Verdict {
    let Some(get) = start(form).map(|_| tool::get_parallel_info())? else {
        return missing("no ompt_get_parallel_info");
    };
    let seen = Mutex::new(None);
    let region = in_region(form, |_| {
        let mut data: *mut ompt_data_t = ptr::null_mut();
        let mut size = 0;
        // SAFETY: both results are writable.
        let status = unsafe { get(0, &raw mut data, &raw mut size) };
        let answer = (status, word(data), size);
        *seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(answer);
        Ok(())
    })?;
    let seen = seen.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    demand(seen == Some((2, region.begin.parallel, 2)), || {
        format!("result, word and size are {seen:?}")
    })
}

fn unique_ids(form: Form) -> Verdict {
    let Some(get) = start(form).map(|_| tool::get_unique_id())? else {
        return missing("no ompt_get_unique_id");
    };
    let ids = Mutex::new(Vec::new());
    in_region(form, |_| {
        // SAFETY: the entry point may be called anywhere.
        let own: Vec<u64> = (0..1000).map(|_| unsafe { get() }).collect();
        ids.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(own);
        Ok(())
    })?;
    let ids = ids.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let different: BTreeSet<u64> = ids.iter().copied().collect();
    demand(different.len() == ids.len(), || {
        format!("{} of {} numbers are different", different.len(), ids.len())
    })
}

fn devices(form: Form) -> Verdict {
    start(form)?;
    let Some(get) = tool::get_num_devices() else { return missing("no ompt_get_num_devices") };
    let own = call!(omp_get_num_devices() -> i32);
    // SAFETY: the entry point may be called anywhere.
    let told = unsafe { get() };
    // The text does not say whether the host is one of the devices available to the program.
    demand(told == own || told == own + 1, || {
        format!("the answer is {told}, omp_get_num_devices() gives {own}")
    })
}

fn target_info(form: Form) -> Verdict {
    start(form)?;
    let Some(get) = tool::get_target_info() else { return missing("no ompt_get_target_info") };
    let (mut device, mut target, mut operation) = (0, 0, 0);
    // SAFETY: the results are writable.
    let status = unsafe { get(&raw mut device, &raw mut target, &raw mut operation) };
    demand(status == 0, || format!("the result is {status}"))
}

fn procs(form: Form) -> Verdict {
    start(form)?;
    let (Some(number), Some(current)) = (tool::get_num_procs(), tool::get_proc_id()) else {
        return missing("no ompt_get_num_procs or ompt_get_proc_id");
    };
    // SAFETY: the entry points may be called anywhere.
    let (number, current) = unsafe { (number(), current()) };
    demand(number >= 1, || format!("ompt_get_num_procs gives {number}"))?;
    demand(current >= 0, || format!("ompt_get_proc_id gives {current}"))
}

fn places(form: Form) -> Verdict {
    start(form)?;
    let (Some(number), Some(ids), Some(current)) =
        (tool::get_num_places(), tool::get_place_proc_ids(), tool::get_place_num())
    else {
        return missing("an entry point of places");
    };
    crate::construct::parallel(form, 2, |_| {});
    // SAFETY: the entry points may be called on this thread of OpenMP's.
    let (count, own) = unsafe { (number(), current()) };
    demand(count >= 1, || format!("ompt_get_num_places gives {count} with OMP_PLACES=threads"))?;
    demand((0..count).contains(&own), || {
        format!("ompt_get_place_num gives {own} on a bound thread")
    })?;
    for place in 0..count {
        let mut list = [-1; 64];
        // SAFETY: the array has as many elements.
        let size = unsafe { ids(place, 64, list.as_mut_ptr()) };
        if !(1..=64).contains(&size) || list[..size as usize].iter().any(|id| *id < 0) {
            return wrong(format!("place {place} has {size} processors: {:?}", &list[..1]));
        }
    }
    Ok(())
}

fn foreign(form: Form) -> Verdict {
    start(form)?;
    let Some(get) = tool::get_parallel_info() else {
        return missing("no ompt_get_parallel_info");
    };
    let answers = std::thread::spawn(move || {
        // SAFETY: every result may be left out.
        let parallel = unsafe { get(0, ptr::null_mut(), ptr::null_mut()) };
        (task_info(0).map(|info| info.status), parallel)
    });
    let Ok((task, parallel)) = answers.join() else { return missing("the thread failed") };
    demand(task == Some(0) && parallel == 0, || {
        format!("ompt_get_task_info gives {task:?}, ompt_get_parallel_info {parallel}")
    })
}
