//! The elements of *nthreads-var* and *bind-var* for nested levels (OpenMP 5.2 §2.5).

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Acquire};

use oxomp_ompd_layout::{Kind, Readable};

/// The elements of a list variable for nesting levels below the present one.
///
/// Lists come from the environment and from clauses, and are never freed. Two are equal if they are
/// the same elements of the same list.
#[derive(Clone, Copy, Debug)]
pub struct Deeper<T: 'static>(&'static [T]);

impl<T> Deeper<T> {
    /// No element: the present value holds for all nested levels.
    pub const NONE: Self = Self(&[]);

    pub(super) fn new(elements: Vec<T>) -> Self {
        if elements.is_empty() { Self::NONE } else { Self(Vec::leak(elements)) }
    }

    /// The first element, and the remaining ones.
    #[inline]
    pub(super) fn split(self) -> Option<(&'static T, Self)> {
        self.0.split_first().map(|(first, deeper)| (first, Self(deeper)))
    }

    /// The elements, outermost first.
    #[must_use]
    pub fn as_slice(self) -> &'static [T] {
        self.0
    }
}

impl Deeper<u32> {
    /// The list for the elements of a clause. Equal lists are stored once and never freed: programs
    /// have few.
    ///
    /// The lists are in a chain that only grows, without a lock, which the child of a fork(2) could
    /// inherit locked.
    #[must_use]
    #[expect(unsafe_code, reason = "the chain's links are raw pointers, since they are atomic")]
    pub fn interned(elements: &[u32]) -> Self {
        struct Known {
            list: &'static [u32],
            next: Option<&'static Known>,
        }
        static LAST: AtomicPtr<Known> = AtomicPtr::new(ptr::null_mut());
        if elements.is_empty() {
            return Self::NONE;
        }
        // Acquire: pairs with the AcqRel of the thread that added the list.
        let mut last = LAST.load(Acquire);
        loop {
            // SAFETY: the pointer is null or comes from a leaked box, below.
            let next = unsafe { last.as_ref() };
            let mut chain = core::iter::successors(next, |known| known.next);
            if let Some(known) = chain.find(|known| known.list == elements) {
                return Self(known.list);
            }
            let list: &'static [u32] = Vec::leak(elements.to_vec());
            let new = Box::leak(Box::new(Known { list, next }));
            match LAST.compare_exchange(last, new, AcqRel, Acquire) {
                Ok(_) => return Self(list),
                // The list that another thread has added may be an equal one.
                Err(other) => last = other,
            }
        }
    }
}

impl<T> PartialEq for Deeper<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && (self.0.is_empty() || ptr::eq(self.0, other.0))
    }
}

impl<T> Eq for Deeper<T> {}

impl<T> Readable for Deeper<T> {
    const KIND: Kind = Kind::Slice { element: size_of::<T>() as u16 };
}

/// Checks that a slice reference has the address first, then the length, as `Readable` promises.
#[expect(unsafe_code, reason = "the parts of a slice are looked at while compiling")]
const _: () = {
    #[repr(C)]
    struct Parts {
        address: *const u8,
        length: usize,
    }
    // SAFETY: the sizes are equal, and `Parts` may have any address and length. In the other order
    // the address would become an integer, which the compiler rejects in a constant.
    let parts = unsafe { core::mem::transmute::<Deeper<u8>, Parts>(Deeper(&[1, 2, 3])) };
    assert!(parts.length == 3 && !parts.address.is_null());
};
