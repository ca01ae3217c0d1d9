//! Lists of dependences, as clang and flang write them.

use core::mem::MaybeUninit;
use core::ptr;

use oxomp_core::task::{Dependence, DependenceKind};
use oxomp_sys::kmpc::{depend_flag, kmp_depend_info_t};

/// Lists as long as this need no memory of their own.
const INLINE: usize = 16;

/// The elements of the two lists of a call.
pub(super) struct Dependences {
    /// The first `count`, if there are no more than fit.
    inline: [MaybeUninit<Dependence>; INLINE],
    count: usize,
    /// All, if there are more.
    more: Vec<Dependence>,
}

impl Dependences {
    /// Reads them; elements without a known kind mean nothing.
    ///
    /// # Safety
    /// The lists have as many elements as the numbers say.
    pub(super) unsafe fn read(
        count: i32,
        list: *const kmp_depend_info_t,
        noalias_count: i32,
        noalias_list: *const kmp_depend_info_t,
    ) -> Self {
        let inline = [const { MaybeUninit::uninit() }; INLINE];
        let mut all = Dependences { inline, count: 0, more: Vec::new() };
        for (count, list) in [(count, list), (noalias_count, noalias_list)] {
            for index in 0..usize::try_from(count).unwrap_or(0) {
                // SAFETY: by contract. Of the flags only the byte is written by compilers.
                unsafe {
                    let element = list.add(index);
                    all.add((*element).base_addr, (*element).flags);
                }
            }
        }
        all
    }

    fn add(&mut self, location: isize, flags: u8) {
        // The second is how compilers said it before there was a flag.
        let kind = if flags & depend_flag::ALL_MEMORY != 0 || location == -1 {
            DependenceKind::AllMemory
        } else {
            match flags {
                depend_flag::IN => DependenceKind::In,
                depend_flag::OUT => DependenceKind::Out,
                depend_flag::INOUT => DependenceKind::Inout,
                depend_flag::MUTEXINOUTSET => DependenceKind::Mutexinoutset,
                depend_flag::INOUTSET => DependenceKind::Inoutset,
                _ => return,
            }
        };
        let location = ptr::without_provenance(location as usize);
        let dependence = Dependence { location, kind };
        if self.count == INLINE {
            let first = self.first().to_vec();
            self.more = first;
        }
        if self.count < INLINE {
            self.inline[self.count].write(dependence);
        } else {
            self.more.push(dependence);
        }
        self.count += 1;
    }

    /// Those that are in place.
    fn first(&mut self) -> &mut [Dependence] {
        let count = self.count.min(INLINE);
        // SAFETY: the first `count` have been written.
        unsafe { self.inline[..count].assume_init_mut() }
    }

    /// Uses them.
    pub(super) fn with<R>(mut self, use_them: impl FnOnce(&mut [Dependence]) -> R) -> R {
        if self.count <= INLINE { use_them(self.first()) } else { use_them(&mut self.more) }
    }
}
