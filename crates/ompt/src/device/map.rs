//! The variables of a map event or record.

use core::ffi::{c_uint, c_void};
use core::iter::FusedIterator;
use core::slice;

use crate::{DeviceAddress, HostAddress, TargetMapFlags};

/// One variable that is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapItem {
    /// The variable's address on the host.
    pub host: HostAddress,
    /// The variable's address on the device.
    pub device: DeviceAddress,
    /// The variable's size in bytes.
    pub bytes: usize,
    /// How it is mapped.
    pub flags: TargetMapFlags,
}

/// The variables that are mapped, valid during the event. If the runtime does not pass one of the
/// arrays, the items have no address, no bytes or no flags.
#[derive(Clone, Copy, Debug)]
pub struct MapItems<'a> {
    len: usize,
    host: &'a [*mut c_void],
    device: &'a [*mut c_void],
    bytes: &'a [usize],
    flags: &'a [c_uint],
}

impl<'a> MapItems<'a> {
    /// The items behind the arguments of a callback, or the fields of a record.
    ///
    /// # Safety
    /// Each pointer is null or points to `nitems` elements that are alive for `'a`.
    pub(crate) unsafe fn from_raw(
        nitems: c_uint,
        host: *const *mut c_void,
        device: *const *mut c_void,
        bytes: *const usize,
        flags: *const c_uint,
    ) -> Self {
        /// # Safety
        /// As for [`MapItems::from_raw`].
        unsafe fn elements<'a, E>(start: *const E, length: usize) -> &'a [E] {
            match start.is_null() {
                true => &[],
                // SAFETY: as the caller promises.
                false => unsafe { slice::from_raw_parts(start, length) },
            }
        }
        let len = nitems as usize;
        // SAFETY: as the caller promises.
        unsafe {
            Self {
                len,
                host: elements(host, len),
                device: elements(device, len),
                bytes: elements(bytes, len),
                flags: elements(flags, len),
            }
        }
    }

    /// How many variables are mapped.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no variable is mapped.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The variable at an index; none beyond the last.
    pub fn get(&self, at: usize) -> Option<MapItem> {
        (at < self.len).then(|| MapItem {
            host: self.host.get(at).map_or(HostAddress::NONE, |host| HostAddress::new(*host)),
            device: self
                .device
                .get(at)
                .map_or(DeviceAddress::NONE, |device| DeviceAddress::new(*device)),
            bytes: self.bytes.get(at).copied().unwrap_or(0),
            flags: self.flags.get(at).map_or(TargetMapFlags::NONE, |flags| TargetMapFlags(*flags)),
        })
    }

    /// The variables.
    pub fn iter(&self) -> MapIter<'a> {
        MapIter { items: *self, at: 0 }
    }
}

impl<'a> IntoIterator for MapItems<'a> {
    type Item = MapItem;
    type IntoIter = MapIter<'a>;

    fn into_iter(self) -> MapIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &MapItems<'a> {
    type Item = MapItem;
    type IntoIter = MapIter<'a>;

    fn into_iter(self) -> MapIter<'a> {
        self.iter()
    }
}

/// An iterator over the variables that are mapped.
#[derive(Clone, Debug)]
pub struct MapIter<'a> {
    items: MapItems<'a>,
    at: usize,
}

impl Iterator for MapIter<'_> {
    type Item = MapItem;

    fn next(&mut self) -> Option<MapItem> {
        let item = self.items.get(self.at)?;
        self.at += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.items.len - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MapIter<'_> {}

impl FusedIterator for MapIter<'_> {}

#[cfg(test)]
mod tests {
    use core::ptr::{null, without_provenance_mut};

    use super::{MapItem, MapItems};
    use crate::{DeviceAddress, HostAddress, TargetMapFlags};

    #[test]
    fn an_array_may_be_missing() {
        let (host, bytes) = ([1, 2].map(without_provenance_mut), [8, 16]);
        // SAFETY: null pointers, and arrays of two elements.
        let items = unsafe { MapItems::from_raw(2, host.as_ptr(), null(), bytes.as_ptr(), null()) };
        assert_eq!((items.len(), items.is_empty(), items.iter().len()), (2, false, 2));
        let second = MapItem {
            host: HostAddress(2),
            device: DeviceAddress::NONE,
            bytes: 16,
            flags: TargetMapFlags::NONE,
        };
        assert_eq!(items.into_iter().nth(1), Some(second));
        assert_eq!(items.get(2), None);
        assert!(second.device.is_none() && !second.host.is_none());
    }
}
