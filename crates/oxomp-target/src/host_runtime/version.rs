//! Which version of the private interface between oxomp's two libraries the host runtime has.

use core::ffi::c_void;
use core::ptr::NonNull;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::connection::{RUNTIME_VERSION, VERSION};

use crate::{loader, report};

/// What a host runtime has of the private interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    /// The version of this library.
    Same,
    /// Another version, or none: the runtime is an oxomp of another time.
    Other(Option<u32>),
    /// Nothing: the runtime is not oxomp.
    Nothing,
}

impl Interface {
    /// The interface of the runtime that the loader finds by a handle, and an address in the
    /// runtime's file if the runtime is oxomp.
    ///
    /// # Safety
    /// A handle of the loader.
    pub(super) unsafe fn of(library: *mut c_void) -> (Self, Option<NonNull<c_void>>) {
        // SAFETY: a handle (`# Safety`). libomp's variable of that name has this type in all
        // versions, and no thread writes it; of the other variable, which every oxomp has for
        // debuggers, only the address is used.
        unsafe {
            let word: Option<NonNull<u32>> = loader::symbol(library, RUNTIME_VERSION);
            let layout: Option<NonNull<c_void>> = loader::symbol(library, c"oxomp_ompd_layout");
            let version = word.map(|word| word.read());
            (Self::new(version, layout.is_some()), word.map(NonNull::cast).or(layout))
        }
    }

    fn new(version: Option<u32>, is_oxomp: bool) -> Self {
        match version {
            Some(VERSION) => Self::Same,
            None if !is_oxomp => Self::Nothing,
            other => Self::Other(other),
        }
    }

    /// Tells the user of a libomp of another version at `address`, once.
    pub(super) fn warn(self, address: Option<NonNull<c_void>>) {
        static HAS_WARNED: AtomicBool = AtomicBool::new(false);
        let Self::Other(version) = self else { return };
        // Relaxed: only the difference counts.
        if !HAS_WARNED.swap(true, Relaxed) {
            let own = loader::file_of((&raw const HAS_WARNED).addr());
            let other = loader::file_of(address.map_or(0, |it| it.addr().get()));
            report::warn(&mixed_pair(&own, &other, version));
        }
    }
}

/// The line about a libomptarget and a libomp whose interfaces differ.
fn mixed_pair(own: &str, other: &str, version: Option<u32>) -> String {
    let version = match version {
        Some(version) => format!("has version {version}"),
        None => "has none".to_owned(),
    };
    format!(
        "{own} has version {VERSION} of oxomp's private interface and {other} {version}: they work \
         together as with LLVM's libraries, so target regions are not initial tasks, and tools miss \
         some events of devices; install both libraries of one release of oxomp"
    )
}

#[cfg(test)]
mod tests {
    use super::{Interface, VERSION, mixed_pair};

    #[test]
    fn only_an_oxomp_of_the_same_version_has_the_interface() {
        assert_eq!(Interface::new(Some(VERSION), true), Interface::Same);
        assert_eq!(Interface::new(Some(VERSION + 1), true), Interface::Other(Some(VERSION + 1)));
        assert_eq!(Interface::new(None, true), Interface::Other(None));
        assert_eq!(Interface::new(None, false), Interface::Nothing);
    }

    #[test]
    fn the_line_names_both_files_and_versions() {
        let line = mixed_pair("/a/libomptarget.so.22.1", "/b/libomp.so.5", Some(7));
        let own = format!("/a/libomptarget.so.22.1 has version {VERSION} of");
        assert!(line.starts_with(&own), "{line}");
        assert!(line.contains(" and /b/libomp.so.5 has version 7: "), "{line}");
        assert!(!line.contains('\n'), "{line}");
        assert!(mixed_pair("a", "b", None).contains(" and b has none: "));
    }
}
