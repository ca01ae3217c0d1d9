//! Descriptors of task reductions, as gcc writes them.

use core::ffi::c_void;
use core::iter;
use core::ptr::{self, NonNull};

use oxomp_core::Thread;
use oxomp_core::task::Copies;
use oxomp_sys::gomp::gomp_reduction_word as word;

/// `uintptr_t *`: the list items of a task reduction, and room for the runtime's answers (rule
/// A10).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Descriptor(NonNull<usize>);

impl Descriptor {
    fn word(self, index: usize) -> usize {
        // SAFETY: A10: a word of the descriptor, which holds a value.
        unsafe { self.0.add(index).read() }
    }

    /// The descriptors of the construct, this one first.
    pub(super) fn chain(self) -> impl Iterator<Item = Descriptor> {
        iter::successors(Some(self), |one| {
            let next = ptr::with_exposed_provenance_mut::<usize>(one.word(word::NEXT));
            NonNull::new(next).map(Descriptor)
        })
    }

    /// The addresses of its items, and the offsets of their copies.
    pub(super) fn items(self) -> impl ExactSizeIterator<Item = (*mut c_void, usize)> {
        (0..self.word(word::COUNT)).map(move |index| {
            let at = word::ITEMS + index * word::ITEM_WORDS;
            (ptr::with_exposed_provenance_mut(self.word(at)), self.word(at + 1))
        })
    }

    /// Copies of the items for each thread of a team; the last of `sharers` taskgroups frees them.
    pub(super) fn make(self, thread: &Thread, threads: u32, sharers: u32) -> &'static Copies {
        Copies::of_program(thread, self.items(), self.word(word::BYTES), threads, sharers)
    }

    /// Tells the program where the copies are.
    pub(super) fn publish(self, copies: &'static Copies) {
        // SAFETY: A10: two words for the runtime to write.
        unsafe {
            self.0.add(word::BASE).write(copies.parts().expose_provenance());
            self.0.add(word::RUNTIME).write(ptr::from_ref(copies).expose_provenance());
        }
    }

    /// Gives back the copies that were published, when the program has combined them.
    pub(super) fn free_copies(self, thread: &Thread) {
        let copies = ptr::with_exposed_provenance::<Copies>(self.word(word::RUNTIME));
        // SAFETY: A10: `publish` wrote the word, and the program uses the copies no more.
        unsafe { (*copies).free(thread) };
    }
}

#[cfg(test)]
mod tests {
    use super::Descriptor;
    use core::ptr::NonNull;

    #[test]
    fn a_descriptor_lists_its_items_and_the_next_one() {
        let mut last = [0_usize; 7];
        let next = last.as_mut_ptr().expose_provenance();
        let mut words = [2, 24, 8, usize::MAX, next, 0, 0, 0x1000, 0, 0, 0x2000, 16, 0];
        let descriptor = Descriptor(NonNull::from(&mut words).cast::<usize>());
        let items: Vec<_> = descriptor.items().map(|(item, at)| (item.addr(), at)).collect();
        assert_eq!(items, [(0x1000, 0), (0x2000, 16)]);
        let counts: Vec<_> = descriptor.chain().map(|one| one.items().count()).collect();
        assert_eq!(counts, [2, 0]);
    }
}
