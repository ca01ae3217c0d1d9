//! What a construct leaves to do until its operations are done.

use core::ptr;
use std::ops::Range;
use std::sync::Arc;

use crate::device::TargetDevice;
use crate::info;
use crate::mapping::Shared;
use crate::plugin::Address;
use crate::tool::Scope;

/// Memory to free and entries to remove when all operations of the queue are done.
#[derive(Debug, Default)]
#[allow(clippy::vec_box, reason = "operations read the words at their addresses")]
pub(super) struct Cleanup {
    /// Private copies on the device.
    pub(super) copies: Vec<PrivateCopy>,
    /// Entries whose last reference the construct released.
    pub(super) leaving: Vec<(usize, Arc<Shared>)>,
    /// Words that operations read; each has an address of its own.
    words: Vec<Box<usize>>,
}

/// A private copy on the device.
#[derive(Debug)]
pub(super) struct PrivateCopy {
    /// The original on the host.
    pub(super) host: Range<usize>,
    /// The copy.
    pub(super) device: Address,
    /// The allocation that contains the copy.
    pub(super) allocation: Address,
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
    pub(super) fn run(self, device: &'static TargetDevice, scope: &Scope) {
        for PrivateCopy { host, device: copy, allocation } in self.copies {
            let _operation = scope.deletion(device, host.start, copy, host.len());
            device.free_mapped(allocation);
        }
        for (key, shared) in self.leaving {
            let Some(entry) = device.table().remove(key, &shared) else { continue };
            drop(info::removal(device.number, &entry));
            if let Some(allocation) = entry.allocation {
                let (host, address) = (entry.host, entry.device);
                let _operation = scope.deletion(device, host.start, address, host.len());
                device.free_mapped(allocation);
            }
        }
    }
}
