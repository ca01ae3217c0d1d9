//! The code of a region inside another whose call left no return address in the program.
//!
//! A compiler may jump to the runtime at the end of an outlined function. The runtime then tells
//! the address of the outer call, its own code, or none, which would make the inner region's sums
//! those of the outer one. So such a region is named by the outer region's code and the number of
//! jumps: bits 56 to 61, which no address of user code has on a supported processor. A region that
//! recurses is told at the outer region's address too; readers give it the outer region's name,
//! since the outlined function jumps to no other.

const SHIFT: u32 = 56;
const MOST: u64 = (1 << 6) - 1;

/// The code of a region that was entered by a jump at the end of the region of code `outer`. At
/// depth 63 it is `outer` itself.
#[must_use]
pub const fn inside(outer: u64) -> u64 {
    let (code, jumps) = parts(outer);
    let jumps = if jumps < MOST { jumps + 1 } else { jumps };
    code | jumps << SHIFT
}

/// The code address, and the number of jumps from there inwards.
#[must_use]
pub const fn parts(code: u64) -> (u64, u64) {
    let jumps = code >> SHIFT & MOST;
    (code & !(MOST << SHIFT), jumps)
}

#[cfg(test)]
mod tests {
    use super::{inside, parts};

    #[test]
    fn jumps_are_counted_and_addresses_stay() {
        let address = 0x0000_7fff_1234_5678;
        assert_eq!(parts(address), (address, 0));
        assert_eq!(parts(inside(address)), (address, 1));
        assert_eq!(parts(inside(inside(address))), (address, 2));
        let deep = (0..100).fold(address, |code, _| inside(code));
        assert_eq!(parts(deep), (address, 63));
        // The code and a flag fit into a word.
        assert_eq!(deep << 1 >> 1, deep);
    }
}
