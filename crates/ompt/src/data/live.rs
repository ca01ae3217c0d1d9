//! References to the tool's data, as events and entry points show them.

use core::fmt;
use core::ops::Deref;

use super::ObjectId;

/// The tool's data of an object that lives at least as long as the callback, or the closure, that
/// it is shown to.
pub struct Live<'a, T> {
    data: &'a T,
    id: ObjectId,
}

impl<'a, T> Live<'a, T> {
    pub(crate) fn new(data: &'a T, id: ObjectId) -> Self {
        Self { data, id }
    }

    /// The data, for the whole lifetime.
    pub fn get(self) -> &'a T {
        self.data
    }

    /// The identity of the object.
    pub fn id(self) -> ObjectId {
        self.id
    }
}

impl<T> Clone for Live<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Live<'_, T> {}

impl<T> Deref for Live<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.data
    }
}

impl<T> fmt::Debug for Live<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Live").field(&self.id).finish()
    }
}
