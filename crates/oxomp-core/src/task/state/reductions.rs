//! What a taskgroup reduces for its tasks.

use core::ffi::c_void;

use smallvec::SmallVec;

use super::copies::Copies;

/// Addresses of list items.
pub type SharedItems = SmallVec<[*mut c_void; 4]>;

/// What a taskgroup reduces: copies, and where each thread of a team has begun a taskgroup with
/// variables of its own, the addresses by which its tasks ask for theirs.
#[derive(Debug)]
pub(in crate::task) struct Reductions {
    pub(in crate::task) copies: &'static Copies,
    pub(in crate::task) shared: SharedItems,
    /// Others of the same taskgroup.
    pub(in crate::task) next: Option<Box<Reductions>>,
}

impl Reductions {
    /// The calling thread's copy of the item at `data`, and the item's address in this taskgroup.
    pub(in crate::task) fn find(
        &self,
        place: usize,
        data: *mut c_void,
    ) -> Option<(*mut c_void, *mut c_void)> {
        let index = self.copies.find(data, &self.shared)?;
        Some((self.copies.begin(place, index), self.copies.shared(index, &self.shared)))
    }

    /// In the child of a fork(2): the taskgroup is the last that shares the copies.
    pub(in crate::task) fn outlive_others(&self) {
        let mut these = Some(self);
        while let Some(one) = these {
            one.copies.outlive_others();
            these = one.next.as_deref();
        }
    }
}
