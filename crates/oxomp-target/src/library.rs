//! The executables and shared objects that offload: their images and entries, from registration to
//! unregistration.

use core::ffi::c_void;
use core::slice;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::offload::{__tgt_bin_desc, requires_flag};

use crate::entry::{self, OffloadEntry};
use crate::loader::file_of;
use crate::location::kept;
use crate::plugin::{Image, Plugin, Verdict};
use crate::report;

/// A library that has registered.
#[derive(Debug)]
pub struct Library {
    /// A number that no other registration has: a library that is opened later may have the same
    /// descriptor.
    pub number: u64,
    /// The address of the descriptor that the library passed.
    pub descriptor: usize,
    /// The images, for one architecture each.
    pub images: Vec<Image<'static>>,
    /// For each plug-in the index of the first image that fits its devices.
    pub fitting: Vec<Option<usize>>,
    /// The library's offload entries, which have counterparts in the images.
    pub entries: Vec<OffloadEntry<'static>>,
}

/// A number that no other registration has.
fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only the difference counts.
    NEXT.fetch_add(1, Relaxed)
}

impl Library {
    /// The library of a descriptor.
    ///
    /// # Safety
    /// The linker wrapper made the descriptor, and its library stays loaded until
    /// [`crate::offload::Offload::unregister`]; the `'static` of the fields ends there.
    #[must_use]
    pub unsafe fn read(descriptor: *const __tgt_bin_desc) -> Option<Self> {
        // SAFETY: null or a descriptor (`# Safety`).
        let table = unsafe { descriptor.as_ref() }?;
        let count = usize::try_from(table.num_device_images).unwrap_or(0);
        let images = (0..count)
            .map(|index| {
                // SAFETY: the descriptor has `count` images.
                let image = unsafe { &*table.device_images.add(index) };
                let bytes = image.image_end.addr().saturating_sub(image.image_start.addr());
                // SAFETY: the bytes of an image stand between its start and its end.
                Image::Bytes(unsafe { bytes_at(image.image_start, bytes) })
            })
            .collect();
        // SAFETY: the descriptor's entries.
        let entries = unsafe { entry::read(table.host_entries_begin, table.host_entries_end) };
        Some(Self::new(descriptor.addr(), images, entries))
    }

    /// A library with these images and entries, which has registered with the descriptor at that
    /// address.
    #[must_use]
    pub fn new(
        descriptor: usize,
        images: Vec<Image<'static>>,
        entries: Vec<OffloadEntry<'static>>,
    ) -> Self {
        Self { number: next_number(), descriptor, images, fitting: Vec::new(), entries }
    }

    /// Lets each plug-in examine the images, and warns of damaged ones.
    pub(crate) fn examine(&mut self, plugins: &[Box<dyn Plugin>]) {
        for plugin in plugins {
            let fits = |(index, &image): (usize, &Image<'_>)| match plugin.examine(image) {
                Verdict::Fits => Some(index),
                Verdict::Foreign => None,
                Verdict::Damaged(why) => {
                    let file = file_of(self.descriptor);
                    report::warn(&format!(
                        "{file}: its image {} of {} is damaged and not used: {why}",
                        index + 1,
                        self.images.len()
                    ));
                    None
                }
            };
            let fitting = self.images.iter().enumerate().find_map(fits);
            self.fitting.push(fitting);
        }
    }

    /// Replaces the names of the entries by copies that outlive the library.
    pub(crate) fn keep_names(&mut self) {
        for entry in &mut self.entries {
            match entry {
                OffloadEntry::Kernel { name, .. }
                | OffloadEntry::Variable { name, .. }
                | OffloadEntry::IndirectFunction { name, .. } => *name = kept(name),
                OffloadEntry::LinkedVariable { .. } | OffloadEntry::Requires(_) => {}
            }
        }
    }

    /// The requirements of the library's compilation units, as bits.
    pub fn requires(&self) -> impl Iterator<Item = u64> {
        self.entries.iter().filter_map(|entry| match entry {
            OffloadEntry::Requires(bits) => Some(*bits),
            _ => None,
        })
    }
}

/// The clause of the requires directive in which units disagree: `earlier` has the bits of the
/// earlier units, 0 without such a unit, and `bits` those of a new one.
pub(crate) fn disagreement(earlier: u64, bits: u64) -> Option<&'static str> {
    let agreed = [
        (requires_flag::REVERSE_OFFLOAD, "reverse_offload"),
        (requires_flag::UNIFIED_ADDRESS, "unified_address"),
        (requires_flag::UNIFIED_SHARED_MEMORY, "unified_shared_memory"),
    ];
    let differs = |&&(bit, _): &&(u64, _)| earlier != 0 && (earlier ^ bits) & bit != 0;
    agreed.iter().find(differs).map(|&(_, clause)| clause)
}

/// # Safety
/// `first` is the first of `bytes` bytes, or `bytes` is 0.
unsafe fn bytes_at(first: *const c_void, bytes: usize) -> &'static [u8] {
    if first.is_null() || bytes == 0 {
        return &[];
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { slice::from_raw_parts(first.cast(), bytes) }
}

#[cfg(test)]
mod tests {
    use super::disagreement;

    #[test]
    fn units_agree_in_what_concerns_all_of_them() {
        assert_eq!(disagreement(0, 8), None, "the first unit decides");
        assert_eq!(disagreement(1, 1), None);
        assert_eq!(disagreement(8, 8 | 16), None, "dynamic allocators concern one unit");
        assert_eq!(disagreement(1, 2), Some("reverse_offload"));
        assert_eq!(disagreement(8, 1), Some("unified_shared_memory"));
        assert_eq!(disagreement(1 | 4, 8), Some("unified_address"));
    }
}
