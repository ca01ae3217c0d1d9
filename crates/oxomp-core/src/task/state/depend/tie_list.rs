//! The ties of a task, in one list whose layout a debugger knows: one of them in place, more in
//! memory of their own.

use core::alloc::Layout;
use core::mem::MaybeUninit;
use core::ptr;
use core::slice;
use std::alloc;

use oxomp_ompd_layout::{Kind, Readable};

use super::ties::Tie;

/// A list of ties. It stays with the block of its task, so its memory is never freed, except that a
/// longer one replaces it.
///
/// Invariant: the first `length` elements are ties, at `elsewhere` or, if that is null, in place;
/// there is room for `capacity`.
#[derive(Debug)]
#[repr(C)]
pub(in crate::task) struct TieList {
    pub(super) elsewhere: *mut Tie,
    pub(super) length: u32,
    capacity: u32,
    pub(super) inline: MaybeUninit<Tie>,
}

impl Readable for Tie {
    const KIND: Kind = Kind::Structure;
}

impl TieList {
    /// A list without elements, with room for one.
    pub(super) const fn new() -> Self {
        TieList {
            elsewhere: ptr::null_mut(),
            length: 0,
            capacity: 1,
            inline: MaybeUninit::uninit(),
        }
    }

    /// Makes room for `count` ties in a list that has none.
    #[inline(always)]
    pub(super) fn reserve(&mut self, count: usize) {
        if count > self.capacity as usize {
            self.replace(count);
        }
    }

    #[cold]
    fn replace(&mut self, count: usize) {
        debug_assert!(self.length == 0);
        if !self.elsewhere.is_null()
            && let Ok(layout) = Layout::array::<Tie>(self.capacity as usize)
        {
            // SAFETY: this function allocated it with this layout, and it holds no tie.
            unsafe { alloc::dealloc(self.elsewhere.cast(), layout) };
        }
        let list = Vec::<Tie>::with_capacity(count).leak();
        self.elsewhere = list.as_mut_ptr();
        self.capacity = count as u32;
    }

    /// Adds a tie, for which `reserve` has made room, and returns its address.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, tie: Tie) -> *const Tie {
        debug_assert!(self.length < self.capacity);
        // SAFETY: there is room for the element (`# Safety`).
        unsafe {
            let at = self.first_mut().add(self.length as usize);
            at.write(tie);
            self.length += 1;
            at
        }
    }

    fn first_mut(&mut self) -> *mut Tie {
        if self.elsewhere.is_null() { self.inline.as_mut_ptr() } else { self.elsewhere }
    }

    /// The address of the first tie.
    #[inline(always)]
    pub(in crate::task) fn as_ptr(&self) -> *const Tie {
        if self.elsewhere.is_null() { self.inline.as_ptr() } else { self.elsewhere }
    }

    /// The ties.
    #[inline(always)]
    pub(in crate::task) fn as_slice(&self) -> &[Tie] {
        // SAFETY: the elements up to `length` are ties (Invariant).
        unsafe { slice::from_raw_parts(self.as_ptr(), self.length as usize) }
    }

    /// Takes the ties out of the list, one by one, and passes each to `take`.
    #[inline(always)]
    pub(in crate::task) fn drain(&mut self, mut take: impl FnMut(Tie)) {
        let (first, length) = (self.as_ptr(), core::mem::take(&mut self.length));
        for index in 0..length as usize {
            // SAFETY: the element is a tie (Invariant), and the list has none any more.
            take(unsafe { first.add(index).read() });
        }
    }
}
