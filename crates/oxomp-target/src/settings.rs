//! The environment: what is printed.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32};

use crate::report;

/// What is printed, a bit each; the numbers are those of LLVM's variable.
pub mod info_bit {
    /// The list items of each construct.
    pub const ARGUMENTS: u32 = 0x01;
    /// List items that are present already.
    pub const PRESENT: u32 = 0x02;
    /// The mapping table after each construct, and when one fails.
    pub const TABLES: u32 = 0x04;
    /// Entries that come and go.
    pub const CHANGES: u32 = 0x08;
    /// Kernels.
    pub const KERNELS: u32 = 0x10;
    /// Transfers.
    pub const TRANSFERS: u32 = 0x20;
}

/// What is printed; set once from the environment, or by the program.
static INFO: AtomicU32 = AtomicU32::new(0);

/// Whether what `bit` stands for is printed.
#[inline]
pub fn prints(bit: u32) -> bool {
    INFO.load(Relaxed) & bit != 0
}

/// Sets what is printed.
pub fn set_info(bits: u32) {
    INFO.store(bits, Relaxed);
}

/// Reads `OXOMP_TARGET_INFO`, or else `LIBOMPTARGET_INFO`, once.
pub fn read_environment() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.swap(true, Relaxed) {
        return;
    }
    for name in ["OXOMP_TARGET_INFO", "LIBOMPTARGET_INFO"] {
        let Ok(value) = std::env::var(name) else { continue };
        match parse_info(&value) {
            Some(bits) => {
                // What the program has set meanwhile stays.
                let _ = INFO.compare_exchange(0, bits, Relaxed, Relaxed);
                break;
            }
            None => report::warn(&format!(
                "{name}={value} is not understood; a number is expected, -1 for everything"
            )),
        }
    }
}

/// A number in decimal, or in hexadecimal after `0x`; a negative one is everything.
fn parse_info(value: &str) -> Option<u32> {
    let value = value.trim();
    if let Some(digits) = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).ok();
    }
    value.parse::<i64>().ok().map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::parse_info;

    #[test]
    fn information_is_a_number() {
        assert_eq!(parse_info(" 33 "), Some(33));
        assert_eq!(parse_info("-1"), Some(u32::MAX));
        assert_eq!(parse_info("0x30"), Some(0x30));
        assert_eq!(parse_info("all"), None);
    }
}
