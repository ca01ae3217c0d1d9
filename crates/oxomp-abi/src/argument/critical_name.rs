//! The objects that compilers emit for the names of criticals and of reductions.

use core::marker::PhantomData;
use core::ops::Deref;

use oxomp_core::mutex::critical::Critical;

/// The object of a name, of whatever size its compiler makes it (rule A5).
#[repr(transparent)]
#[derive(Debug)]
pub struct CriticalName<'a> {
    word: *mut u32,
    lives: PhantomData<&'a Critical>,
}

impl Deref for CriticalName<'_> {
    type Target = Critical;

    #[inline(always)]
    fn deref(&self) -> &Critical {
        // SAFETY: A5: four bytes or more, zero at first, which the runtime alone uses.
        unsafe { Critical::at(self.word) }
    }
}

#[cfg(test)]
mod tests {
    use super::CriticalName;
    use core::marker::PhantomData;

    #[test]
    fn a_critical_lies_in_the_object() {
        let mut object = [0_i32; 8];
        let address = object.as_mut_ptr();
        let name = CriticalName { word: address.cast(), lives: PhantomData };
        assert_eq!((&raw const *name).addr(), address.addr());
    }
}
