//! The stacks of threads, as samples show them.

use std::collections::BTreeMap;

use oxomp_arch::read::samples::STACK_POINTER;
use oxomp_trace::Profile;

/// Bytes of the initial thread's stack: nothing else lies so near.
const STACK: u64 = 8 << 20;
/// Bytes below the stack pointer that belong to the stack.
const RED_ZONE: u64 = 128;

/// The stacks of threads, as far as samples show them.
pub(super) struct Stacks {
    /// By the system's id of the thread.
    seen: BTreeMap<u32, Stack>,
}

/// A thread's stack: the lowest and the highest stack pointer, and when one was seen.
#[derive(Debug, Clone, Copy)]
struct Stack {
    lowest: u64,
    highest: u64,
    seen_ns: u64,
}

impl Stack {
    /// Whether `address` is on the stack. What is wider is the stacks of a thread with several, as
    /// coroutines have, and what lies between.
    fn holds(&self, address: u64) -> bool {
        let Self { lowest, highest, .. } = *self;
        highest - lowest <= STACK && (lowest.saturating_sub(RED_ZONE)..=highest).contains(&address)
    }
}

impl Stacks {
    pub(super) fn new(profile: &Profile) -> Self {
        let clock = profile.clock();
        let mut seen = BTreeMap::<u32, Stack>::new();
        for sample in profile.calls.iter().flat_map(|calls| &calls.registers) {
            let pointer = sample.registers[STACK_POINTER];
            let first = Stack { lowest: pointer, highest: pointer, seen_ns: clock.ns(sample.tick) };
            let stack = seen.entry(sample.tid).or_insert(first);
            stack.lowest = stack.lowest.min(pointer);
            stack.highest = stack.highest.max(pointer);
        }
        // Nothing lies right above the stack of the initial thread.
        if let Some(stack) = seen.get_mut(&profile.header.pid) {
            stack.highest = stack.lowest.saturating_add(STACK);
        }
        Self { seen }
    }

    /// The system's id of the thread on whose stack `address` is, and a time at which it lived.
    pub(super) fn of(&self, address: u64) -> Option<(u32, u64)> {
        let mut own = self.seen.iter().filter(|(_, stack)| stack.holds(address));
        let (&tid, stack) = own.next()?;
        own.next().is_none().then_some((tid, stack.seen_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::{Stack, Stacks};

    /// By thread: lowest, highest, and when seen.
    fn stacks(seen: [(u32, (u64, u64, u64)); 2]) -> Stacks {
        let stack = |(tid, (lowest, highest, seen_ns))| (tid, Stack { lowest, highest, seen_ns });
        Stacks { seen: seen.map(stack).into() }
    }

    #[test]
    fn an_address_is_on_a_stack_that_was_seen_around_it() {
        let stacks = stacks([(7, (0x1000, 0x2000, 1)), (8, (0x9000, 0x9000, 2))]);
        assert_eq!(stacks.of(0x1800), Some((7, 1)));
        assert_eq!(stacks.of(0x8fc0), Some((8, 2)), "below the pointer of a leaf function");
        assert_eq!((stacks.of(0x2001), stacks.of(0x800)), (None, None));
    }

    #[test]
    fn a_stack_that_two_threads_had_is_nobodys() {
        let stacks = stacks([(7, (0x1000, 0x2000, 1)), (8, (0x1800, 0x2800, 2))]);
        assert_eq!(stacks.of(0x1900), None);
    }
}
