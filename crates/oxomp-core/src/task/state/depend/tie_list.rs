//! The ties of a task, in one list whose layout a debugger knows: one of them in place, more in
//! memory of their own.

use core::alloc::Layout;
use core::mem::MaybeUninit;
use core::ptr;
use core::slice;
use std::alloc;

/// A list of ties, `T` each. It stays with the block of its task, so its memory is never freed,
/// except that a longer one replaces it.
///
/// Invariant: the first `length` elements are ties, at `elsewhere` or, if that is null, in place;
/// there is room for `capacity`.
#[derive(Debug)]
#[repr(C)]
pub(in crate::task) struct TieList<T> {
    pub(super) elsewhere: *mut T,
    pub(super) length: u32,
    capacity: u32,
    pub(super) inline: MaybeUninit<T>,
}

impl<T> TieList<T> {
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
            && let Ok(layout) = Layout::array::<T>(self.capacity as usize)
        {
            // SAFETY: this function allocated it with this layout, and it holds no tie.
            unsafe { alloc::dealloc(self.elsewhere.cast(), layout) };
        }
        let list = Vec::<T>::with_capacity(count).leak();
        self.elsewhere = list.as_mut_ptr();
        self.capacity = count as u32;
    }

    /// Adds a tie, for which `reserve` has made room, and returns its address.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, tie: T) -> *const T {
        debug_assert!(self.length < self.capacity);
        // SAFETY: there is room for the element (`# Safety`).
        unsafe {
            let at = self.first_mut().add(self.length as usize);
            at.write(tie);
            self.length += 1;
            at
        }
    }

    fn first_mut(&mut self) -> *mut T {
        if self.elsewhere.is_null() { self.inline.as_mut_ptr() } else { self.elsewhere }
    }

    /// The address of the first tie.
    #[inline(always)]
    pub(in crate::task) fn as_ptr(&self) -> *const T {
        if self.elsewhere.is_null() { self.inline.as_ptr() } else { self.elsewhere }
    }

    /// The ties.
    #[inline(always)]
    pub(in crate::task) fn as_slice(&self) -> &[T] {
        // SAFETY: the elements up to `length` are ties (Invariant).
        unsafe { slice::from_raw_parts(self.as_ptr(), self.length as usize) }
    }

    /// Takes the ties out of the list, one by one, and passes each to `take`.
    #[inline(always)]
    pub(in crate::task) fn drain(&mut self, mut take: impl FnMut(T)) {
        let (first, length) = (self.as_ptr(), core::mem::take(&mut self.length));
        for index in 0..length as usize {
            // SAFETY: the element is a tie (Invariant), and the list has no ties any more.
            take(unsafe { first.add(index).read() });
        }
    }
}
