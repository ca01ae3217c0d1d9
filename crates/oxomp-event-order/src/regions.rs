//! Regions and their implicit tasks.

use oxomp_sys::ompt::ompt_task_flag_t;

use crate::event::{Event, Object};
use crate::history::{Kind, Region, Task};
use crate::rule::Rule;
use crate::run::{Run, shown};

/// Begins a region.
pub(crate) fn begin(run: &mut Run<'_>, event: &Event) {
    let around = run.history.region_of(event.task);
    let is_league = event.is_of_league();
    let region = Region {
        encountering: Some(event.task),
        under: run.stack(event.thread).to_vec(),
        is_league,
        begun: run.at,
        level: around.map_or(0, |region| region.level) + usize::from(!is_league),
        active_level: around.map_or(0, |region| region.active_level),
        ..Region::default()
    };
    let begun = region.begun;
    if let Some(before) = run.history.regions.insert(event.parallel, region) {
        run.say_of(Rule::ParallelBegin, "a region begins twice", &[begun, before.begun]);
    }
}

/// Ends a region.
pub(crate) fn end(run: &mut Run<'_>, event: &Event) {
    let at = run.at;
    let region = run.history.regions.get_mut(&event.parallel);
    let Some(region) = region.filter(|region| !region.is_initial) else {
        return run.say(Rule::ParallelEnd, "the end of a region that has not begun");
    };
    if let Some(before) = region.ended.replace(at) {
        return run.say_of(Rule::ParallelEnd, "a region ends twice", &[at, before]);
    }
    let primary = region.implicit.get(&0).and_then(|task| run.history.tasks.get(task));
    let is_over = primary.is_some_and(|task| task.over.is_some());
    if region.is_league != event.is_of_league() {
        run.say(Rule::ParallelEndAgrees, "the end has other flags than the begin");
    } else if !is_over {
        run.say(Rule::ParallelEndAgrees, "a region ends before its primary thread's task");
    }
}

/// Begins an implicit or an initial task.
pub(crate) fn enter(run: &mut Run<'_>, event: &Event) {
    let (name, region) = (event.task, event.parallel);
    let at = run.at;
    let is_initial = event.task_flags().contains(ompt_task_flag_t::INITIAL);
    let known = run.history.regions.get(&region);
    let is_outermost = is_initial && known.is_none_or(|known| known.is_initial);
    let is_known = known.is_some();
    let thread = run.threads.entry(event.thread).or_default();
    let is_target = thread.stack.last().is_some_and(|task| {
        let task = run.history.tasks.get(task);
        task.is_some_and(|task| task.has(ompt_task_flag_t::TARGET))
    });
    let kind = match (is_outermost, is_initial) {
        (true, _) if is_target => Kind::Target,
        (true, _) => Kind::Root,
        (false, true) => Kind::Initial(event.index),
        (false, false) => Kind::Implicit(event.index),
    };
    let under = thread.stack.clone();
    thread.stack.push(name);
    if kind == Kind::Root {
        run.history.roots.push(name);
        if !under.is_empty() {
            run.say(Rule::InitialTask, "a second initial task of a thread");
        }
    }
    let task = Task::new(kind, region, event, at);
    if let Some(before) = run.history.tasks.insert(name, task) {
        let events = [at, before.begun];
        run.say_of(Rule::ImplicitTask, "an implicit task begins twice", &events);
    }
    if is_outermost {
        let encountering = under.last().copied();
        let around = Region { is_initial: true, encountering, under, ..Region::default() };
        run.history.regions.insert(region, around);
        if is_known {
            run.say(Rule::InitialTask, "a second initial task of a region");
        }
        if (event.index, event.count) != (1, 1) {
            let said = "an initial task has the number 1 and the parallelism 1";
            run.say(Rule::InitialTask, said);
        }
    }
    join(run, event, is_outermost, is_initial);
}

/// Adds an implicit task to its region.
fn join(run: &mut Run<'_>, event: &Event, is_outermost: bool, is_initial: bool) {
    let (index, size) = (event.index, event.count);
    let region = run.history.regions.get_mut(&event.parallel);
    let Some(region) = region.filter(|region| region.is_initial == is_outermost) else {
        return run.say(Rule::ImplicitTask, "an implicit task of a region that has not begun");
    };
    let is_first = region.implicit.is_empty();
    let mut said = Vec::new();
    if !is_outermost {
        if index >= size {
            said.push(format!("the number {index} in a team of {size}"));
        }
        if region.ended.is_some() {
            said.push("an implicit task begins after its region's end".to_owned());
        }
        if region.is_league != is_initial {
            let around = if region.is_league { "a league" } else { "a team" };
            said.push(format!("a task with the flags {} in {around}", event.task_flags()));
        }
        if !is_first && region.size != size {
            said.push(format!("another task of the region said {}", region.size));
        }
    }
    region.size = size;
    if is_first && size > 1 && !is_initial {
        region.active_level += 1;
    }
    if region.implicit.insert(index, event.task).is_some() {
        said.push("two tasks of a region have one number".to_owned());
    }
    said.into_iter().for_each(|said| run.say(Rule::ImplicitTask, said));
}

/// Ends an implicit or an initial task.
pub(crate) fn leave(run: &mut Run<'_>, event: &Event) {
    let at = run.at;
    let popped = run.threads.entry(event.thread).or_default().stack.pop();
    if popped != Some(event.task) {
        let said = format!("the end of {}; the thread executes {}", event.task, shown(popped));
        run.say(Rule::ImplicitTaskEnd, said);
    }
    let mut said = Vec::new();
    if let Some(task) = run.history.tasks.get_mut(&event.task) {
        task.over = Some(at);
        let index = match task.kind {
            Kind::Initial(index) | Kind::Implicit(index) => index,
            Kind::Root | Kind::Target | Kind::Explicit => 1,
        };
        if (event.index, event.task_flags()) != (index, task.flags) {
            said.push("number or flags differ from those of the begin");
        }
    }
    if event.count != 0 {
        said.push("actual_parallelism is 0 at an end");
    }
    if event.parallel != Object::Null {
        said.push("parallel_data is NULL at an end");
    }
    said.into_iter().for_each(|said| run.say(Rule::ImplicitTaskEndAgrees, said));
}

/// Checks that every region has ended, and has all of its implicit tasks.
pub(crate) fn at_end(run: &mut Run<'_>) {
    let mut found = Vec::new();
    for (name, region) in run.history.regions.iter().filter(|(_, region)| !region.is_initial) {
        let numbers: Vec<u64> = region.implicit.keys().copied().collect();
        if region.ended.is_none() {
            found.push((format!("the region {name} has no end"), region.begun));
        }
        if numbers.is_empty() || !numbers.iter().copied().eq(0..region.size) {
            let said =
                format!("the region {name} of {} has the implicit tasks {numbers:?}", region.size);
            found.push((said, region.begun));
        }
    }
    found.into_iter().for_each(|(said, begun)| run.say_of(Rule::Team, said, &[begun]));
}
