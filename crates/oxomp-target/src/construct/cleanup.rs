//! What a construct leaves to do until its operations are done.

use core::ptr;
use std::sync::Arc;

use crate::device::TargetDevice;
use crate::info;
use crate::mapping::Shared;
use crate::plugin::Address;

/// Memory to free and entries to remove when all operations of the queue are done.
#[derive(Debug, Default)]
#[allow(clippy::vec_box, reason = "operations read the words at their addresses")]
pub(super) struct Cleanup {
    /// Private copies on the device.
    pub(super) copies: Vec<Address>,
    /// Entries whose last reference the construct released.
    pub(super) leaving: Vec<(usize, Arc<Shared>)>,
    /// Words that operations read; each has an address of its own.
    words: Vec<Box<usize>>,
}

impl Cleanup {
    /// Keeps a word for an operation, and returns its address.
    pub(super) fn keep(&mut self, word: usize) -> *const usize {
        let kept = Box::new(word);
        let address = ptr::from_ref(&*kept);
        self.words.push(kept);
        address
    }

    /// Does what was left. The operations of the construct's queue are done.
    pub(super) fn run(self, device: &TargetDevice) {
        for copy in self.copies {
            device.free_mapped(copy);
        }
        for (key, shared) in self.leaving {
            let allocation = {
                let mut table = device.table();
                let removed = table.remove(key, &shared);
                if let Some(entry) = &removed {
                    info::removal(device.number, entry);
                }
                removed.and_then(|entry| entry.allocation)
            };
            if let Some(allocation) = allocation {
                device.free_mapped(allocation);
            }
        }
    }
}
