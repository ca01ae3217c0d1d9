//! The containers in which LLVM's compilers put images for devices into a program: one after
//! another in a section of their own, each with a header, entries, and the images themselves.
//!
//! All numbers are little endian. What is not as the format says ends the search.

use std::ops::Range;

use object::read::ReadRef;

/// The name of the section, and its type in ELF.
pub(super) const SECTION: &[u8] = b".llvm.offloading";
pub(super) const SECTION_TYPE: u32 = 0x6fff_4c0b;

const MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];
/// Bytes of a container's header: magic, u32 version, u64 bytes of the container, u64 offset of the
/// entries, and the u64 that [`entries`] tells of.
const HEADER: u64 = 32;
/// Bytes of an entry. The image's offset and size are the last two u64.
const ENTRY: u64 = 40;
const IMAGE_OFFSET: usize = 24;
const IMAGE_SIZE: usize = 32;
/// Containers begin at multiples of this.
const ALIGNMENT: u64 = 8;
/// The most images of a program; a damaged file may claim any number.
const MOST_IMAGES: usize = 1_024;

/// Where the images of the section at `section` lie in the file `data`.
pub(super) fn images<'data>(data: impl ReadRef<'data>, section: Range<u64>) -> Vec<Range<u64>> {
    let mut images = Vec::new();
    let mut at = section.start;
    while images.len() < MOST_IMAGES {
        let Some(container) = container(data, at..section.end) else { break };
        let room = MOST_IMAGES - images.len();
        images.extend(entries(data, &container).take(room));
        let size = container.end - container.start;
        let Some(next) = size.checked_next_multiple_of(ALIGNMENT).and_then(|it| at.checked_add(it))
        else {
            break;
        };
        at = next;
    }
    images
}

/// The container with which `rest` begins.
fn container<'data>(data: impl ReadRef<'data>, rest: Range<u64>) -> Option<Range<u64>> {
    let header = bytes(data, &rest, 0, HEADER)?;
    let size = u64_at(header, 8);
    let end = rest.start.checked_add(size)?;
    (header.starts_with(&MAGIC) && size >= HEADER && end <= rest.end).then_some(rest.start..end)
}

/// The images of `container`, as far as they lie in it. Version 1 has one entry and its size in the
/// header, version 2 the number of entries; of others only the container's size is known.
fn entries<'data>(
    data: impl ReadRef<'data>,
    container: &Range<u64>,
) -> impl Iterator<Item = Range<u64>> {
    let header = bytes(data, container, 0, HEADER).unwrap_or(&[0; HEADER as usize]);
    let number = match u32_at(header, 4) {
        1 => 1,
        2 => u64_at(header, 24),
        _ => 0,
    };
    let first = u64_at(header, 16);
    let entry = move |container: &Range<u64>, number: u64| {
        let at = number.checked_mul(ENTRY)?.checked_add(first)?;
        bytes(data, container, at, ENTRY)
    };
    let container = container.clone();
    // The first entry that is not in the container ends them.
    (0..number)
        .map_while(move |number| entry(&container, number).map(|it| (it, container.clone())))
        .filter_map(|(entry, container)| {
            let begin = container.start.checked_add(u64_at(entry, IMAGE_OFFSET))?;
            let end = begin.checked_add(u64_at(entry, IMAGE_SIZE))?;
            (begin < end && end <= container.end).then_some(begin..end)
        })
}

/// The bytes `at` to `at + size` of `range`, if it has them.
fn bytes<'data>(
    data: impl ReadRef<'data>,
    range: &Range<u64>,
    at: u64,
    size: u64,
) -> Option<&'data [u8]> {
    let begin = range.start.checked_add(at)?;
    let end = begin.checked_add(size)?;
    (end <= range.end).then(|| data.read_bytes_at(begin, size).ok())?
}

/// The number at `offset`, which the callers' bytes have.
fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    let found = bytes.get(offset..).and_then(<[u8]>::first_chunk);
    found.map_or(0, |number| u32::from_le_bytes(*number))
}

/// See [`u32_at`].
fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let found = bytes.get(offset..).and_then(<[u8]>::first_chunk);
    found.map_or(0, |number| u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::{MOST_IMAGES, images};

    /// A container of `version` with these images, whose entries begin behind the header.
    fn container(version: u32, contents: &[&[u8]]) -> Vec<u8> {
        let mut entries = Vec::new();
        let mut data = Vec::new();
        let begin = 32 + 40 * contents.len();
        for image in contents {
            let place = [begin + data.len(), image.len()].map(|number| number as u64);
            entries.extend([0; 24]);
            entries.extend(place.iter().flat_map(|number| number.to_le_bytes()));
            data.extend_from_slice(image);
        }
        let size = (begin + data.len()) as u64;
        let last = if version == 1 { 40 } else { contents.len() as u64 };
        let mut bytes = vec![0x10, 0xff, 0x10, 0xad];
        bytes.extend(version.to_le_bytes());
        bytes.extend([size, 32, last].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(entries);
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    /// The images of a section with other bytes before and behind it.
    fn found(section: &[u8]) -> Vec<Vec<u8>> {
        let file = [b"12345678", section, &container(1, &[b"outside"])].concat();
        let ranges = images(file.as_slice(), 8..8 + section.len() as u64);
        let bytes = |range: std::ops::Range<u64>| &file[range.start as usize..range.end as usize];
        ranges.into_iter().map(|range| bytes(range).to_vec()).collect()
    }

    #[test]
    fn containers_follow_one_another() {
        let section = [
            container(1, &[b"one"]),
            container(2, &[b"other", b"third"]),
            // Of a version that is not known, only the size is.
            container(3, &[b"unknown"]),
            container(1, &[b"last"]),
        ];
        assert_eq!(found(&section.concat()), [&b"one"[..], b"other", b"third", b"last"]);
        assert!(found(&[]).is_empty());
    }

    #[test]
    fn what_is_no_container_ends_the_search() {
        let good = container(1, &[b"good"]);
        let changed = |at: usize, bytes: &[u8]| {
            let mut bad = container(1, &[b"bad"]);
            bad[at..at + bytes.len()].copy_from_slice(bytes);
            found(&[good.clone(), bad, good.clone()].concat())
        };
        let (all, huge) = (u64::MAX.to_le_bytes(), (1_u64 << 40).to_le_bytes());
        assert_eq!(changed(0, &[0]), [b"good"], "no magic");
        for size in [all, huge, [0; 8]] {
            assert_eq!(changed(8, &size), [b"good"], "the size of the container");
        }
        // The container's size still leads to the next one.
        for (at, what) in [(16, "the entries"), (56, "the image's begin"), (64, "its size")] {
            for value in [all, huge] {
                assert_eq!(changed(at, &value), [b"good", b"good"], "{what}");
            }
        }
        assert_eq!(changed(64, &[0; 8]), [b"good", b"good"], "an empty image");
        for length in 0..good.len() {
            let cut = found(&good[..length]);
            assert!(cut.is_empty() || cut == [b"good"], "{length}: {cut:?}");
        }
    }

    #[test]
    fn the_number_of_images_has_an_end() {
        let mut many = container(2, &[b"image"]);
        many[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(found(&many), [b"image"], "the second entry is the image, which is too short");
        let section = container(1, &[b"image"]).repeat(2 * MOST_IMAGES);
        assert_eq!(found(&section).len(), MOST_IMAGES);
    }
}
