//! The list that mappers push their items to, behind the handle that they pass on.

use core::ffi::c_void;
use core::{ptr, slice};

/// An item that a mapper has pushed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Component {
    pub base: *mut c_void,
    /// The first byte.
    pub begin: *mut c_void,
    /// The number of bytes.
    pub size: i64,
    /// The map type.
    pub map_type: i64,
    pub name: *mut c_void,
}

/// The list, as C++ lays out a vector: a program that calls the functions for mappers itself passes
/// a vector of its own.
#[derive(Debug)]
#[repr(C)]
pub struct Components {
    first: *mut Component,
    end: *mut Component,
    limit: *mut Component,
}

impl Default for Components {
    fn default() -> Self {
        Self { first: ptr::null_mut(), end: ptr::null_mut(), limit: ptr::null_mut() }
    }
}

impl Components {
    /// How many items a list has room for at first.
    const FIRST_CAPACITY: usize = 8;

    /// Appends an item.
    pub fn push(&mut self, component: Component) {
        if self.end == self.limit {
            self.grow();
        }
        // SAFETY: there is room behind the last item.
        unsafe {
            self.end.write(component);
            self.end = self.end.add(1);
        }
    }

    /// Moves the items to twice the room.
    fn grow(&mut self) {
        let count = self.items().len();
        let capacity = (2 * count).max(Self::FIRST_CAPACITY);
        let bytes = capacity * size_of::<Component>();
        // SAFETY: null or memory of malloc, from which C++ takes memory, too.
        let memory = unsafe { libc::realloc(self.first.cast(), bytes) }.cast::<Component>();
        if memory.is_null() {
            crate::report::error("the host has no memory for the items of a mapper");
            std::process::abort();
        }
        // SAFETY: the memory has room for `capacity` items, and `count` is no larger.
        let (end, limit) = unsafe { (memory.add(count), memory.add(capacity)) };
        (self.first, self.end, self.limit) = (memory, end, limit);
    }

    #[must_use]
    pub fn items(&self) -> &[Component] {
        if self.first.is_null() {
            return &[];
        }
        let bytes = self.end.addr() - self.first.addr();
        // SAFETY: the items stand from `first` to `end`.
        unsafe { slice::from_raw_parts(self.first, bytes / size_of::<Component>()) }
    }
}

impl Drop for Components {
    fn drop(&mut self) {
        // SAFETY: null or memory of `grow`.
        unsafe { libc::free(self.first.cast()) };
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::{Component, Components};

    #[test]
    fn items_keep_their_order_when_the_list_grows() {
        let mut list = Components::default();
        assert!(list.items().is_empty());
        for size in 0..100 {
            let none = ptr::null_mut();
            list.push(Component { base: none, begin: none, size, map_type: 1, name: none });
        }
        assert!(list.items().iter().map(|item| item.size).eq(0..100));
    }

    #[test]
    fn the_list_has_the_form_of_a_vector() {
        assert_eq!((size_of::<Components>(), size_of::<Component>()), (24, 40));
    }
}
