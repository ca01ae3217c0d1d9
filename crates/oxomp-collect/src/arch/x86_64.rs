//! The time stamp counter.

use std::fs;

/// Now, in ticks.
#[inline]
pub(crate) fn counter() -> u64 {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Whether the counter runs at one rate in all states and on all processors: the processor says
/// so, and the kernel did not find otherwise.
pub(crate) fn counter_is_steady() -> bool {
    let clock =
        fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if clock.is_ok_and(|clock| matches!(clock.trim(), "hpet" | "acpi_pm" | "jiffies")) {
        return false;
    }
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |name| flags.split_whitespace().any(|flag| flag == name);
    has("constant_tsc") && has("nonstop_tsc")
}
