//! The frames of tasks: which are set where, and their order on the stack, which grows down.

use oxomp_sys::ompt::{
    ompt_callbacks_t, ompt_frame_flag_t, ompt_frame_t, ompt_sync_region_t, ompt_task_flag_t,
};

use crate::event::{Event, Object};
use crate::history::Kind;
use crate::rule::Rule;
use crate::run::Run;

/// Checks in all frames of an event that a task's enter frame lies below the frame of the runtime
/// that called the task's code. A function of the program that executes a task in place is both.
pub(crate) fn order(run: &mut Run<'_>, event: &Event) {
    let answers = event.tasks.iter().map(|level| level.frame);
    for frame in answers.chain(event.frame) {
        let are_set = !frame.exit_frame.is_none() && !frame.enter_frame.is_none();
        let is_apart = is_programs(frame.exit_frame_flags) || is_below(frame);
        if are_set && !is_apart {
            let said =
                format!("enter_frame {} is not below the runtime's exit_frame", enter(frame));
            run.say(Rule::FrameOrder, said);
        }
    }
}

/// Checks the frames that an event shows.
pub(crate) fn check(run: &mut Run<'_>, event: &Event) {
    if !run.applies(&[Rule::Frame]) {
        return;
    }
    match event.code {
        ompt_callbacks_t::PARALLEL_BEGIN | ompt_callbacks_t::TASK_CREATE => {
            one(run, event.task, event.frame.unwrap_or(ompt_frame_t::NONE), 0);
        }
        ompt_callbacks_t::CONTROL_TOOL => levels(run, event),
        _ => {}
    }
}

/// Checks the frames of a task that is inside the runtime.
fn one(run: &mut Run<'_>, task: Object, frame: ompt_frame_t, level: usize) {
    let Some(record) = run.history.tasks.get(&task) else { return };
    // The initial task of a native thread is called by no runtime.
    let has_exit = !matches!(record.kind, Kind::Root);
    let is_target = record.has(ompt_task_flag_t::TARGET);
    // An implicit task whose code is over has no frame any more, in the barrier at its end.
    let is_closing = matches!(record.kind, Kind::Implicit(_))
        && run
            .open_on(record.thread)
            .any(|kind| kind == ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL);
    if is_closing && frame.exit_frame.is_none() && frame.enter_frame.is_none() {
        return;
    }
    if frame.exit_frame.is_none() == has_exit {
        run.say(Rule::Frame, format!("exit_frame at level {level} is {}", exit(frame)));
    }
    let flags = frame.enter_frame_flags;
    // The task has called the runtime by a jump, as its last call, and has left its own frame.
    let has_jumped = flags.contains(ompt_frame_flag_t::STACKADDRESS) && is_below(frame);
    let is_right = match frame.enter_frame.is_none() {
        // The code of a target task is the runtime's.
        true => is_target,
        false => is_programs(flags) || has_jumped,
    };
    if !is_right {
        run.say(Rule::Frame, format!("enter_frame at level {level} is {}", enter(frame)));
    }
}

fn levels(run: &mut Run<'_>, event: &Event) {
    let depth = run.stack(event.thread).len();
    let mut last = 0;
    for (level, answer) in event.tasks.iter().enumerate() {
        let frame = answer.frame;
        one(run, answer.task, frame, level);
        // What was called earlier lies above.
        let both = [(frame.enter_frame.value, enter(frame)), (frame.exit_frame.value, exit(frame))];
        for (address, shown) in both.into_iter().filter(|(address, _)| *address != 0) {
            if level < depth && address < last {
                let said = format!("the frame {shown} of level {level} lies below an inner one");
                run.say(Rule::Frame, said);
            }
            last = address;
        }
    }
}

fn is_programs(flags: ompt_frame_flag_t) -> bool {
    flags.contains(ompt_frame_flag_t::APPLICATION)
}

fn is_below(frame: ompt_frame_t) -> bool {
    !frame.exit_frame.is_none() && frame.enter_frame.value < frame.exit_frame.value
}

fn exit(frame: ompt_frame_t) -> String {
    shown(frame.exit_frame.value, frame.exit_frame_flags)
}

fn enter(frame: ompt_frame_t) -> String {
    shown(frame.enter_frame.value, frame.enter_frame_flags)
}

fn shown(address: u64, flags: ompt_frame_flag_t) -> String {
    if address == 0 {
        return "none".to_owned();
    }
    format!("set:{}@{address:#x}", flags.to_string().replace('|', ","))
}

#[cfg(test)]
mod tests {
    use oxomp_sys::ompt::{ompt_callbacks_t, ompt_data_t, ompt_frame_flag_t, ompt_frame_t};

    use crate::event::Event;
    use crate::judge::judge;
    use crate::rule::Rule;

    #[test]
    fn the_enter_frame_is_below_the_runtimes_exit_frame() {
        let runtime = ompt_frame_flag_t::RUNTIME;
        let program = ompt_frame_flag_t::APPLICATION;
        for (owner, exit, enter, is_misplaced) in [
            (runtime, 0x7f20, 0x7f20, true),
            (runtime, 0x7f20, 0x7f30, true),
            (runtime, 0x7f20, 0x7f10, false),
            (program, 0x7f20, 0x7f20, false),
            (runtime, 0, 0x7f20, false),
            (runtime, 0x7f20, 0, false),
        ] {
            let frame = ompt_frame_t {
                exit_frame: ompt_data_t { value: exit },
                enter_frame: ompt_data_t { value: enter },
                exit_frame_flags: owner | ompt_frame_flag_t::FRAMEPOINTER,
                enter_frame_flags: program | ompt_frame_flag_t::FRAMEPOINTER,
            };
            let mut event = Event::new(0, ompt_callbacks_t::PARALLEL_BEGIN);
            event.frame = Some(frame);
            let (_, found) = judge(&[event], &[Rule::FrameOrder]);
            assert_eq!(!found.is_empty(), is_misplaced, "{frame:?}");
        }
    }
}
