//! A slot of the calling thread: one pointer of initial-exec TLS.

/// Defines a slot of eight bytes that each thread has, null at first, and the functions that read
/// and write it for the calling thread: `symbol`, the function that reads, the function that
/// writes.
///
/// Reading such a slot is two loads or a few instructions more, where a `thread_local!` of a shared
/// object is a call. A library that is loaded late takes the eight bytes of the static TLS surplus.
#[macro_export]
macro_rules! thread_slot {
    (
        $symbol:literal;
        $(#[$about_read:meta])* $read_visibility:vis fn $read:ident;
        $(#[$about_write:meta])* $write_visibility:vis fn $write:ident;
    ) => {
        ::core::arch::global_asm!(
            ::core::concat!(".pushsection .tbss.", $symbol, ",\"awT\",@nobits"),
            ::core::concat!(".hidden ", $symbol),
            ::core::concat!(".globl ", $symbol),
            ::core::concat!(".type ", $symbol, ",@object"),
            ::core::concat!(".size ", $symbol, ",8"),
            ".p2align 3",
            ::core::concat!($symbol, ":"),
            ".zero 8",
            ".popsection",
        );

        $(#[$about_read])*
        #[inline(always)]
        $read_visibility fn $read() -> *mut ::core::ffi::c_void {
            // SAFETY: reads the slot defined above, whose offset is in the GOT entry that the
            // linker makes.
            unsafe { $crate::read_slot!($symbol) }
        }

        $(#[$about_write])*
        #[inline(always)]
        $write_visibility fn $write(value: *mut ::core::ffi::c_void) {
            // SAFETY: writes the slot defined above, whose offset is in the GOT entry that the
            // linker makes.
            unsafe { $crate::write_slot!($symbol, value) }
        }
    };
}
