//! The accesses to a slot of `thread_slot!`.

/// The value of the calling thread's slot. Unsafe: the slot is defined.
#[doc(hidden)]
#[macro_export]
macro_rules! read_slot {
    ($symbol:literal) => {{
        let value: *mut ::core::ffi::c_void;
        ::core::arch::asm!(
            ::core::concat!("adrp {1}, :gottprel:", $symbol),
            ::core::concat!("ldr {1}, [{1}, #:gottprel_lo12:", $symbol, "]"),
            "mrs {0}, tpidr_el0",
            "ldr {0}, [{0}, {1}]",
            out(reg) value,
            out(reg) _,
            options(nostack, readonly, preserves_flags),
        );
        value
    }};
}

/// Sets the calling thread's slot to `value`. Unsafe: the slot is defined.
#[doc(hidden)]
#[macro_export]
macro_rules! write_slot {
    ($symbol:literal, $value:ident) => {
        ::core::arch::asm!(
            ::core::concat!("adrp {1}, :gottprel:", $symbol),
            ::core::concat!("ldr {1}, [{1}, #:gottprel_lo12:", $symbol, "]"),
            "mrs {2}, tpidr_el0",
            "str {0}, [{2}, {1}]",
            in(reg) $value,
            out(reg) _,
            out(reg) _,
            options(nostack, preserves_flags),
        )
    };
}
