//! The elements of *nthreads-var* and *bind-var* for nested levels (OpenMP 5.2 §2.5).

use core::ptr;

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_protocol::chain::Chain;

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
    #[must_use]
    pub fn interned(elements: &[u32]) -> Self {
        static KNOWN: Chain<Box<[u32]>> = Chain::new();
        if elements.is_empty() {
            return Self::NONE;
        }
        Self(KNOWN.find_or_add(|list| **list == *elements, || elements.into()))
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
