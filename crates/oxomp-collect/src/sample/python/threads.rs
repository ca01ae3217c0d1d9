//! The states that the interpreter has for a thread, in the lists that other threads change.

use super::layout::Layout;
use crate::sample::stack::Reader;

/// Interpreters, and threads of all of them, that are looked at.
const MOST_INTERPRETERS: usize = 64;
const MOST_THREADS: usize = 4096;
/// States of one thread: it has one for each interpreter that it has entered.
pub(super) const STATES: usize = 4;

/// The state that a walk of the thread has found last.
#[derive(Debug, Default)]
pub(super) struct Known {
    state: u64,
    interpreter: u64,
}

/// The states of the thread whose pthread_self is `thread`; 0 in places that are not used.
pub(super) fn states(
    reader: &mut Reader,
    layout: &Layout,
    known: &mut Known,
    thread: u64,
) -> [u64; STATES] {
    let mut found = [0; STATES];
    look(reader, layout, known, thread, &mut found);
    found
}

/// Fills `found`; `None` at the end of a list, or where something is not what it should be.
fn look(
    reader: &mut Reader,
    layout: &Layout,
    known: &mut Known,
    thread: u64,
    found: &mut [u64; STATES],
) -> Option<()> {
    let first = reader.word(layout.interpreters).ok().filter(|&first| first != 0)?;
    let is_alone = field(reader, first, layout.next_interpreter)? == 0;
    if is_alone && known.interpreter == first && is_still(reader, layout, known, thread) {
        found[0] = known.state;
        return Some(());
    }
    let mut count = 0;
    for_each_state(reader, layout, first, |reader, interpreter, state| {
        if field(reader, state, layout.thread)? != thread {
            return Some(Step::Next);
        }
        found[count] = state;
        count += 1;
        *known = Known { state, interpreter };
        // A thread has one state for an interpreter, as a rule.
        Some(if count == STATES { Step::End } else { Step::NextInterpreter })
    })
}

/// What is looked at after a state.
enum Step {
    Next,
    NextInterpreter,
    End,
}

/// Calls `act` with each state of each interpreter from `first` on; `None` where something is not
/// what it should be.
fn for_each_state(
    reader: &mut Reader,
    layout: &Layout,
    first: u64,
    mut act: impl FnMut(&mut Reader, u64, u64) -> Option<Step>,
) -> Option<()> {
    let (mut interpreter, mut left) = (first, MOST_THREADS);
    for _ in 0..MOST_INTERPRETERS {
        if interpreter == 0 {
            break;
        }
        let mut state = field(reader, interpreter, layout.threads)?;
        while state != 0 && left > 0 {
            left -= 1;
            if field(reader, state, layout.interpreter)? != interpreter {
                break;
            }
            match act(reader, interpreter, state)? {
                Step::Next => state = field(reader, state, layout.next_thread)?,
                Step::NextInterpreter => break,
                Step::End => return Some(()),
            }
        }
        interpreter = field(reader, interpreter, layout.next_interpreter)?;
    }
    Some(())
}

/// Whether the state that was found last is the thread's. It may be that of a thread which has
/// ended: the next one often has the same pthread_self, and memory that is free keeps what was in
/// it. So the state must be in the list.
fn is_still(reader: &mut Reader, layout: &Layout, known: &Known, thread: u64) -> bool {
    let Known { state, interpreter } = *known;
    state != 0
        && field(reader, state, layout.thread) == Some(thread)
        && field(reader, state, layout.interpreter) == Some(interpreter)
        && match field(reader, state, layout.previous_thread) {
            Some(0) => field(reader, interpreter, layout.threads) == Some(state),
            Some(previous) => field(reader, previous, layout.next_thread) == Some(state),
            None => false,
        }
}

/// The word at an offset in a structure.
fn field(reader: &mut Reader, structure: u64, offset: u64) -> Option<u64> {
    reader.word(structure.wrapping_add(offset)).ok()
}
