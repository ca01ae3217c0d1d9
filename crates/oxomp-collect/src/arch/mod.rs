//! What depends on the processor: the tick counter, the thread-local slots, registers.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{
    NativeUnwinder, call_on_stack, counter, counter_is_steady, frame_pointer, general_registers,
    prefetch, registers_at, registers_here, registers_of, sampler_slot, set_sampler_slot,
    set_thread_slot, signal_bytes, thread_slot, with_frame_pointer,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{
    NativeUnwinder, call_on_stack, counter, counter_is_steady, frame_pointer, general_registers,
    prefetch, registers_at, registers_here, registers_of, sampler_slot, set_sampler_slot,
    set_thread_slot, signal_bytes, thread_slot, with_frame_pointer,
};
