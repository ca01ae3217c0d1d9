//! Bytecode of which each thread executes a copy of its own, in an interpreter without its lock
//! (free-threaded, 3.14 and later).
//!
//! The table of lines counts from the begin of the bytecode, so an instruction in a copy is put
//! where it is in the code object itself. A thread's copies stay as long as the thread. The array
//! that leads to them is replaced by a longer one when more threads execute the function, and an
//! earlier array may have gone when it is read: a place counts only if it lies within the bytecode.

use super::frames::Frame;
use super::layout::{Copies, Layout};
use crate::sample::memory;

/// Frames that are looked at by one call of the system.
const BATCH: usize = 64;
/// Bytes of an instruction, by which the size of bytecode is counted.
const UNIT: u64 = 2;
/// Where an array has the address of its first copy.
const FIRST: u64 = 8;

/// Puts the instructions of `frames` where they are in the code objects themselves. One whose copy
/// is not found becomes 0, which is in no bytecode.
pub(super) fn put_in_own(layout: &Layout, frames: &mut [Frame]) {
    let Some(copies) = layout.frame.copies else { return };
    for batch in frames.chunks_mut(BATCH) {
        // In the first thread all numbers are 0 as a rule.
        if batch.iter().any(|frame| frame.copy != 0) {
            put_batch(layout, copies, batch);
        }
    }
}

fn put_batch(layout: &Layout, copies: Copies, batch: &mut [Frame]) {
    let sizes = words(batch, |_, frame| frame.code.wrapping_add(layout.object.size() as u64));
    let arrays = words(batch, |_, frame| frame.code.wrapping_add(copies.all));
    let begins = words(batch, |at, frame| {
        let first = arrays[at].unwrap_or(0).wrapping_add(FIRST);
        first.wrapping_add(u64::from(frame.copy) * 8)
    });
    for (at, frame) in batch.iter_mut().enumerate().filter(|(_, frame)| frame.copy != 0) {
        let place = sizes[at].zip(begins[at]).and_then(|(size, begin)| {
            let place = frame.instruction.wrapping_sub(begin);
            (place < size.saturating_mul(UNIT)).then_some(place)
        });
        let own = frame.code.wrapping_add(layout.code.instructions);
        frame.instruction = place.map_or(0, |place| own.wrapping_add(place));
    }
}

/// The word at an address for each frame, if it is readable.
fn words(batch: &[Frame], address: impl Fn(usize, &Frame) -> u64) -> [Option<u64>; BATCH] {
    let mut addresses = [0; BATCH];
    for (at, frame) in batch.iter().enumerate() {
        addresses[at] = address(at, frame);
    }
    let mut copied = [[0; 8]; BATCH];
    let read = memory::copy_each(&addresses[..batch.len()], &mut copied);
    let mut words = [None; BATCH];
    for (at, bytes) in copied.into_iter().enumerate() {
        words[at] = (read >> at & 1 == 1).then(|| u64::from_ne_bytes(bytes));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::put_in_own;
    use crate::sample::python::frames::Frame;
    use crate::sample::python::layout::{Copies, Layout};

    /// A code object with its size, the address of its copies, and its own bytecode of 4
    /// instructions, as an interpreter without its lock has them.
    struct Code([u64; 40]);

    #[test]
    fn an_instruction_in_a_copy_is_put_in_the_code_object() {
        let mut layout = Layout::of(12, 0).unwrap();
        layout.object.kind = 24;
        layout.code.instructions = 232;
        layout.frame.copies = Some(Copies { number: 72, all: 224 });
        let address = |words: &[u64]| words.as_ptr().addr() as u64;
        let (copy, other) = ([0; 1], [0; 1]);
        let mut code = Code([0; 40]);
        let own = address(&code.0) + 232;
        let copies = [3, own, address(&copy), address(&other)];
        (code.0[4], code.0[28]) = (4, address(&copies));
        let frame = |instruction, copy| {
            let mut frame = Frame { code: address(&code.0), copy, ..Frame::default() };
            frame.instruction = instruction;
            frame
        };
        let gone = Frame { code: 8, copy: 1, ..Frame::default() };
        let mut frames = [
            frame(own + 2, 0),
            frame(address(&copy) + 6, 1),
            frame(address(&other), 2),
            frame(address(&copy) + 8, 1),
            frame(address(&copy) - 2, 1),
            gone,
        ];
        put_in_own(&layout, &mut frames);
        let places = frames.map(|frame| frame.offset(&layout));
        assert_eq!(places, [Some(2), Some(6), Some(0), None, None, None]);
    }
}
