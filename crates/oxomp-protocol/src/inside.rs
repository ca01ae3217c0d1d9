//! Where the words of a protocol lie inside of its types, for debuggers, which read them from
//! outside of the process.

use core::marker::PhantomData;

/// The place of a field of type `F` inside of an `S`.
#[derive(Debug)]
pub struct Inside<S, F> {
    offset: usize,
    types: PhantomData<fn(&S) -> &F>,
}

impl<S, F> Inside<S, F> {
    /// The field `offset` bytes into an `S`, which `access` shows.
    pub(crate) const fn new(offset: usize, access: fn(&S) -> &F) -> Self {
        let _ = access;
        assert!(offset + size_of::<F>() <= size_of::<S>());
        Inside { offset, types: PhantomData }
    }

    /// Bytes from the beginning of the `S`.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// The place of a field of `Self`.
macro_rules! inside {
    ($field:tt) => {
        $crate::inside::Inside::new(core::mem::offset_of!(Self, $field), |it| &it.$field)
    };
}

pub(crate) use inside;
