//! Memory spaces and allocators of devices (OpenMP 6.0 §27.1, §27.2). This runtime allocates the
//! host's memory only: a set of devices other than just the host gets the null memory space.

use core::ffi::c_int;

use oxomp_base::allocators::space::{DEFAULT, NULL_OR_DEFAULT};
use oxomp_base::icv::AllocatorHandle;

/// The memory space of these devices that is of the same kind as a predefined one; `host` is the
/// host's device number. The null memory space if there is no such memory, no such device, or no
/// such kind.
#[must_use]
pub fn devices_memspace(devices: &[c_int], host: c_int, space: usize) -> usize {
    let is_host = |&device: &c_int| device == host || device == -1;
    let is_predefined = matches!(space, 1..=5 | DEFAULT);
    if is_predefined && !devices.is_empty() && devices.iter().all(is_host) {
        space
    } else {
        NULL_OR_DEFAULT
    }
}

/// The allocator with default traits in the memory space of `devices_memspace`; the null allocator
/// if that is the null memory space.
#[must_use]
pub fn devices_allocator(devices: &[c_int], host: c_int, space: usize) -> AllocatorHandle {
    AllocatorHandle::of_space(devices_memspace(devices, host, space))
}

#[cfg(test)]
mod tests {
    use super::{devices_allocator, devices_memspace};

    #[test]
    fn the_host_has_the_predefined_spaces_and_other_devices_none() {
        for space in [1, 2, 3, 4, 99] {
            assert_eq!(devices_memspace(&[2], 2, space), space);
            assert_eq!(devices_memspace(&[-1, 2], 2, space), space);
            for none in [&[][..], &[0], &[2, 0], &[3], &[-2]] {
                assert_eq!(devices_memspace(none, 2, space), 0, "{none:?}");
                assert_eq!(devices_allocator(none, 2, space).to_abi(), 0, "{none:?}");
            }
        }
        for wrong in [0, 6, 98, 1 << 40] {
            assert_eq!(devices_memspace(&[2], 2, wrong), 0);
        }
        let allocators =
            [99, 1, 2, 3, 4, 5].map(|space| devices_allocator(&[0], 0, space).to_abi());
        assert_eq!(allocators, [1, 2, 3, 4, 5, 6]);
    }
}
