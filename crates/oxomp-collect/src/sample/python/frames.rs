//! The frames of a thread's Python functions, the innermost first, each with the place on the
//! native stack of the call of the evaluator that executes it.

use super::layout::{Chain, FrameLayout, Instruction, Layout};
use super::threads::{Known, STATES, states};
use crate::sample::stack::Reader;

/// Frames that are kept: the innermost ones.
pub(super) const MOST: usize = 512;
/// Frames that are looked at for the mark of those that are kept.
const MOST_STEPS: usize = 1 << 14;

/// A function under way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    /// The address of its code object.
    pub(super) code: u64,
    /// Its instruction, as the frame tells it.
    pub(super) instruction: u64,
    /// The number of the copy of the bytecode that it executes.
    pub(super) copy: u32,
    /// An address in the native frame of the evaluator that executes it; 0: not known.
    pub(super) mark: u64,
}

/// The frames of one walk. Zeros are valid.
#[derive(Debug)]
pub(crate) struct Frames {
    known: Known,
    pub(super) frames: [Frame; MOST],
    pub(super) count: usize,
    /// Whether the outermost frame is among them.
    pub(super) is_whole: bool,
    marks: [u64; MOST],
}

impl Frame {
    /// The offset of the instruction in the bytecode of the code object, in bytes.
    pub(super) fn offset(&self, layout: &Layout) -> Option<u32> {
        match layout.frame.instruction {
            Instruction::Index { unit, .. } => {
                // Negative before the first instruction.
                let index = (self.instruction as u32).cast_signed();
                u32::try_from(index).ok()?.checked_mul(unit)
            }
            Instruction::Address { .. } => {
                let begin = self.code.wrapping_add(layout.code.instructions);
                u32::try_from(self.instruction.wrapping_sub(begin)).ok()
            }
        }
    }
}

impl Frames {
    /// Reads the frames of the thread whose pthread_self is `thread`, which does not run.
    pub(super) fn read(&mut self, reader: &mut Reader, layout: &Layout, thread: u64) {
        (self.count, self.is_whole) = (0, true);
        let states: [u64; STATES] = states(reader, layout, &mut self.known, thread);
        let mut interpreters = 0;
        for state in states.into_iter().filter(|&state| state != 0) {
            interpreters += 1;
            let before = self.count;
            if self.read_state(reader, layout, state).is_none() {
                self.is_whole = false;
            }
            if self.count == before {
                interpreters -= 1;
            }
        }
        // Frames of several interpreters are on one native stack. Those of one call have one mark,
        // and keep their order.
        if interpreters > 1 {
            let frames = &mut self.frames[..self.count];
            insert_in_order(frames);
        }
    }

    fn read_state(&mut self, reader: &mut Reader, layout: &Layout, state: u64) -> Option<()> {
        match layout.chain {
            Chain::Unmarked { frame } => {
                let first = reader.word(state.wrapping_add(frame)).ok()?;
                self.follow(reader, layout, first)
            }
            Chain::Marked { frame, mark, previous } => {
                let begin = self.count;
                let first = reader.word(state.wrapping_add(frame)).ok()?;
                let mark = reader.word(state.wrapping_add(mark)).ok()?;
                let is_whole = self.follow(reader, layout, first).is_some();
                let marks = self.marks(reader, mark, previous);
                let frames = &mut self.frames[begin..self.count];
                // A call that has just begun has no frame yet. The outermost ones belong together.
                let begun = match marks {
                    Some(marks) if is_whole => marks.saturating_sub(frames.len()),
                    _ => 0,
                };
                for (frame, mark) in frames.iter_mut().zip(&self.marks[begun..]) {
                    frame.mark = *mark;
                }
                is_whole.then_some(())
            }
            Chain::Entries { mark, frame, previous, is_entry } => {
                let mut mark = reader.word(state.wrapping_add(mark)).ok()?;
                for _ in 0..MOST {
                    let outer = reader.word(mark.wrapping_add(previous)).ok()?;
                    // The outermost mark is the state's own, and has no frame.
                    if outer == 0 {
                        return Some(());
                    }
                    let first = reader.word(mark.wrapping_add(frame)).ok()?;
                    self.follow_entry(reader, &layout.frame, first, mark, is_entry)?;
                    mark = outer;
                }
                None
            }
            Chain::Frames { mark, frame, owner, on_stack } => {
                let at = match mark {
                    0 => state,
                    mark => reader.word(state.wrapping_add(mark)).ok()?,
                };
                let first = reader.word(at.wrapping_add(frame)).ok()?;
                self.follow_marks(reader, &layout.frame, first, (owner, on_stack))
            }
        }
    }

    /// Follows frames that are objects, each executed by a call of its own.
    fn follow(&mut self, reader: &mut Reader, layout: &Layout, first: u64) -> Option<()> {
        let mut at = first;
        while at != 0 {
            self.push(reader, &layout.frame, at, 0)?;
            at = reader.word(at.wrapping_add(layout.frame.previous)).ok()?;
        }
        Some(())
    }

    /// Follows the frames of one call, whose mark is known, up to the one with which it began.
    fn follow_entry(
        &mut self,
        reader: &mut Reader,
        layout: &FrameLayout,
        first: u64,
        mark: u64,
        is_entry: u64,
    ) -> Option<()> {
        let mut at = first;
        while at != 0 {
            self.push(reader, layout, at, mark)?;
            if byte(reader, at.wrapping_add(is_entry))? != 0 {
                break;
            }
            at = reader.word(at.wrapping_add(layout.previous)).ok()?;
        }
        Some(())
    }

    /// Follows frames among which those of calls' marks are.
    fn follow_marks(
        &mut self,
        reader: &mut Reader,
        layout: &FrameLayout,
        first: u64,
        (owner, on_stack): (u64, u8),
    ) -> Option<()> {
        let (mut at, mut begin) = (first, self.count);
        for _ in 0..MOST_STEPS {
            if at == 0 {
                return Some(());
            }
            if byte(reader, at.wrapping_add(owner))? >= on_stack {
                for frame in &mut self.frames[begin..self.count] {
                    frame.mark = at;
                }
                begin = self.count;
                if begin == MOST {
                    return None;
                }
            } else if self.count < MOST {
                self.push(reader, layout, at, 0)?;
            }
            // Without room for further frames, the mark of those that are kept is still to come.
            at = reader.word(at.wrapping_add(layout.previous)).ok()?;
        }
        None
    }

    fn push(
        &mut self,
        reader: &mut Reader,
        layout: &FrameLayout,
        at: u64,
        mark: u64,
    ) -> Option<()> {
        let place = self.frames.get_mut(self.count)?;
        let code = reader.word(at.wrapping_add(layout.code)).ok()? & !layout.tags;
        let copy = match layout.copies {
            Some(copies) => half(reader, at.wrapping_add(copies.number))?,
            None => 0,
        };
        let instruction = match layout.instruction {
            Instruction::Index { at: place, .. } => half(reader, at.wrapping_add(place))?.into(),
            Instruction::Address { at: place } => reader.word(at.wrapping_add(place)).ok()?,
        };
        *place = Frame { code, instruction, copy, mark };
        self.count += 1;
        Some(())
    }

    /// Keeps the marks of calls, but for the outermost one, which is the state's own; returns how
    /// many there are, or `None` if there are more, or not all can be read.
    fn marks(&mut self, reader: &mut Reader, first: u64, previous: u64) -> Option<usize> {
        self.marks = [0; MOST];
        let mut mark = first;
        for number in 0..MOST {
            let outer = reader.word(mark.wrapping_add(previous)).ok()?;
            if outer == 0 {
                return Some(number);
            }
            self.marks[number] = mark;
            mark = outer;
        }
        None
    }
}

/// Puts frames in the order of their marks, those with the same mark in the order in which they
/// are.
fn insert_in_order(frames: &mut [Frame]) {
    for at in 1..frames.len() {
        let place = frames[..at].partition_point(|frame| frame.mark <= frames[at].mark);
        frames[place..=at].rotate_right(1);
    }
}

/// The four bytes at `address`, which is a multiple of 4.
fn half(reader: &mut Reader, address: u64) -> Option<u32> {
    let word = reader.word(address & !7).ok()?;
    Some((word >> ((address & 7) * 8)) as u32)
}

fn byte(reader: &mut Reader, address: u64) -> Option<u8> {
    let word = reader.word(address & !7).ok()?;
    Some((word >> ((address & 7) * 8)) as u8)
}

#[cfg(test)]
mod tests {
    use super::{Frame, insert_in_order};

    #[test]
    fn frames_of_one_call_keep_their_order() {
        let frame = |(code, mark)| Frame { code, mark, ..Frame::default() };
        let mut frames = [(1, 50), (2, 50), (3, 90), (4, 20), (5, 60), (6, 60)].map(frame);
        insert_in_order(&mut frames);
        assert_eq!(frames.map(|frame| frame.code), [4, 1, 2, 5, 6, 3]);
    }
}
