//! The allocators that exist, their traits, and memory spaces: what *def-allocator-var* refers to.
//! No task is known here.

pub mod space;
pub mod table;
pub mod traits;

use oxomp_sys::omp::omp_alloctrait_t;

use crate::diag;
use crate::icv::{AllocatorHandle, DefAllocator, Source};
use space::Space;
use traits::Traits;

/// Creates an allocator in a memory space. The error is the end of a sentence about the call.
pub fn create(space: usize, traits: &[omp_alloctrait_t]) -> Result<AllocatorHandle, String> {
    let space = Space::find(space).ok_or_else(|| format!("{space:#x} is no memory space"))?;
    let traits = Traits::read(traits)?;
    let part = match space {
        Space::Whole(_) => None,
        Space::Part(part) => Some(part),
    };
    table::create(&traits, part).ok_or_else(|| "there is no room for an allocator".to_owned())
}

/// The allocator that OMP_ALLOCATOR describes: *def-allocator-var* of the initial tasks.
pub(crate) fn of_environment(said: &DefAllocator) -> AllocatorHandle {
    let space = match said.source {
        Source::Allocator(handle) => return handle,
        Source::Space(space) => space,
    };
    let traits: Vec<_> = said.traits.iter().map(|said| said.in_abi).collect();
    create(space, &traits).unwrap_or_else(|problem| {
        let instead = AllocatorHandle::DEFAULT_MEM;
        diag::bad_value(&format!("OMP_ALLOCATOR=\"{said}\": {problem}; using {instead}"));
        instead
    })
}
