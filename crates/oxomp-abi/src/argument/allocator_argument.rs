//! Handles of allocators under the Fortran names that two conventions share.

use core::ptr;

use oxomp_core::allocator;

/// A handle of an allocator, by value as LLVM's library takes it, or the address of a variable that
/// holds one, as gfortran passes it to a library that it was linked with under LLVM's node (rule
/// A25). A handle is a number smaller than a page, or it is the handle of an allocator that exists
/// or has existed.
#[repr(transparent)]
#[derive(Debug)]
pub struct AllocatorArgument(usize);

impl AllocatorArgument {
    /// The handle, which is the argument or stands in the variable at that address.
    pub fn get(&self) -> usize {
        const FIRST_PAGE: usize = 4096;
        if self.0 < FIRST_PAGE || !self.0.is_multiple_of(8) || allocator::has_existed(self.0) {
            return self.0;
        }
        // SAFETY: A25: the value is not a handle, so it is the address of a variable of the caller.
        unsafe { ptr::with_exposed_provenance::<usize>(self.0).read() }
    }
}

#[cfg(test)]
mod tests {
    use super::AllocatorArgument;
    use oxomp_core::allocator;

    #[test]
    fn handles_come_by_value_and_by_reference() {
        // A handle whose low bits are 0, as those of an aligned address are.
        let others: Vec<_> = (0..8).map(|_| allocator::create(0, &[]).to_abi()).collect();
        let created = others.iter().copied().find(|handle| handle.is_multiple_of(8));
        let created = created.expect("consecutive slots");
        for handle in [0, 1, 8, created] {
            assert_eq!(AllocatorArgument(handle).get(), handle);
            let variable = &raw const handle;
            assert_eq!(AllocatorArgument(variable.expose_provenance()).get(), handle);
        }
        allocator::destroy(created);
    }
}
