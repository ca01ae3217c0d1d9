//! The handle of an event (`omp_event_handle_t`), which programs and debuggers print: the address
//! of the task's block, and the serial number of the task among those that the block has had, in
//! bits that the address does not use.

/// The number of bits below those of the address: blocks of tasks are aligned so.
pub const LOW: u32 = 6;
/// The first bit above those of the address: user space is below 2^48 on each processor, unless a
/// program asks for more memory by an address beyond, which the runtime does not.
const HIGH: u32 = 48;
/// The number of serial numbers that a handle has room for.
pub const SERIALS: u32 = 1 << (LOW + u64::BITS - HIGH);
const ADDRESS: u64 = (1 << HIGH) - (1 << LOW);
const LOW_BITS: u64 = (1 << LOW) - 1;

/// The handle of the event of the task with this serial number in the block at `block`.
#[must_use]
pub const fn of(block: u64, serial: u32) -> u64 {
    let serial = serial as u64;
    block | (serial & LOW_BITS) | (serial >> LOW << HIGH)
}

/// The address of the block, and the serial number.
#[must_use]
pub const fn parts(handle: u64) -> (u64, u32) {
    let serial = (handle & LOW_BITS) | (handle >> HIGH << LOW);
    (handle & ADDRESS, serial as u32)
}

#[cfg(test)]
mod tests {
    use super::{SERIALS, of, parts};

    #[test]
    fn a_handle_has_both_parts() {
        for block in [0x40, 0x7fff_ffff_ffc0] {
            for serial in [0, 1, 0x3f, 0x40, SERIALS - 1] {
                assert_eq!(parts(of(block, serial)), (block, serial));
            }
        }
        assert_eq!(of(0x1000, 0), 0x1000);
    }
}
