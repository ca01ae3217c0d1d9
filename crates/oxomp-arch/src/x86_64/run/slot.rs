//! The accesses to a slot of `thread_slot!`.

/// The value of the calling thread's slot. Unsafe: the slot is defined.
#[doc(hidden)]
#[macro_export]
macro_rules! read_slot {
    ($symbol:literal) => {{
        let value: *mut ::core::ffi::c_void;
        ::core::arch::asm!(
            ::core::concat!("mov {0}, qword ptr [rip + ", $symbol, "@GOTTPOFF]"),
            "mov {0}, qword ptr fs:[{0}]",
            out(reg) value,
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
            ::core::concat!("mov {1}, qword ptr [rip + ", $symbol, "@GOTTPOFF]"),
            "mov qword ptr fs:[{1}], {0}",
            in(reg) $value,
            out(reg) _,
            options(nostack, preserves_flags),
        )
    };
}
