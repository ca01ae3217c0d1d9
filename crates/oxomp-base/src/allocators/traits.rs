//! The traits of an allocator (OpenMP 5.2 table 6.2, 6.0 table 8.2): read from the program's array,
//! and packed into words.

use oxomp_sys::omp::{
    omp_alloctrait_key_t as Key, omp_alloctrait_t, omp_alloctrait_value_t as Word,
};

use super::table;
use crate::icv::AllocatorHandle;

/// What an allocator does when it has no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// It takes memory of the default memory space, without traits.
    DefaultMemory,
    /// It returns null.
    Null,
    /// It ends the program.
    Abort,
    /// Another allocator allocates.
    Allocator(AllocatorHandle),
}

/// How memory is distributed over the resources of its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Partition {
    /// As the system has it: near the thread that writes first.
    Environment,
    /// Near the thread that allocates.
    Nearest,
    /// One part on each resource, of about the same size.
    Blocked,
    /// Parts of a given size on the resources in turn.
    Interleaved,
}

/// The traits that decide what an allocator does on the host.
///
/// The others are checked and have no effect here. Every thread can access all memory of the host,
/// and atomically, whatever `access`, `target_access`, `atomic_scope` and `device_access` say; the
/// memory is on no other device, whatever `preferred_device` and `pin_device` say; and no
/// allocation takes a lock, whatever `sync_hint` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// A power of two, at least `LEAST_ALIGNMENT`.
    pub alignment: usize,
    /// `pool_size`: the bytes of the pool; `u64::MAX` for no limit.
    pub pool_size: u64,
    /// `fallback`, with `fb_data`.
    pub fallback: Fallback,
    /// `pinned`: whether the memory is never swapped out.
    pub pinned: bool,
    /// `partition`.
    pub partition: Partition,
    /// `part_size`: the bytes of a part of interleaved memory; 0 for a page.
    pub part_size: usize,
}

impl Traits {
    /// The traits of an allocator for which the program gives none.
    pub const DEFAULT: Self = Traits {
        alignment: LEAST_ALIGNMENT,
        pool_size: u64::MAX,
        fallback: Fallback::DefaultMemory,
        pinned: false,
        partition: Partition::Environment,
        part_size: 0,
    };

    /// Reads the program's array. The error is the end of a sentence about the call.
    pub(super) fn read(array: &[omp_alloctrait_t]) -> Result<Self, String> {
        let mut traits = Self::DEFAULT;
        let mut fallback = Word::DEFAULT_MEM_FB;
        let mut fallback_data = None;
        for &omp_alloctrait_t { key, value } in array {
            let word = Word(value);
            let is_default = word == Word::DEFAULT;
            if !is_known(key) {
                return Err(format!("{} is no trait", key.0));
            }
            if is_default {
                // A trait that was given before goes back to its default, too.
                match key {
                    Key::ALIGNMENT => traits.alignment = Self::DEFAULT.alignment,
                    Key::POOL_SIZE => traits.pool_size = Self::DEFAULT.pool_size,
                    Key::FALLBACK => fallback = Word::DEFAULT_MEM_FB,
                    Key::FB_DATA => fallback_data = None,
                    Key::PINNED => traits.pinned = Self::DEFAULT.pinned,
                    Key::PARTITION => traits.partition = Self::DEFAULT.partition,
                    Key::PART_SIZE => traits.part_size = Self::DEFAULT.part_size,
                    _ => {}
                }
                continue;
            }
            let is_good = match key {
                Key::ALIGNMENT => {
                    traits.alignment = value.max(LEAST_ALIGNMENT);
                    value.is_power_of_two() && value <= LARGEST_ALIGNMENT
                }
                Key::POOL_SIZE => {
                    traits.pool_size = value as u64;
                    value != 0
                }
                Key::FALLBACK => {
                    fallback = word;
                    (Word::DEFAULT_MEM_FB.0..=Word::ALLOCATOR_FB.0).contains(&value)
                }
                Key::FB_DATA => {
                    fallback_data = AllocatorHandle::from_abi(value).filter(|&it| table::has(it));
                    fallback_data.is_some()
                }
                Key::PINNED => {
                    traits.pinned = word == Word::TRUE;
                    value <= Word::TRUE.0
                }
                Key::PARTITION => {
                    let partition = partition(word);
                    traits.partition = partition.unwrap_or(Partition::Environment);
                    partition.is_some()
                }
                Key::PART_SIZE => {
                    traits.part_size = value;
                    value != 0
                }
                _ => has_no_effect(key, word),
            };
            if !is_good {
                let name = key.name().unwrap_or_default().to_str().unwrap_or_default();
                return Err(format!("{value} is no value of the trait {name}"));
            }
        }
        traits.fallback = match fallback {
            Word::NULL_FB => Fallback::Null,
            Word::ABORT_FB => Fallback::Abort,
            Word::ALLOCATOR_FB => Fallback::Allocator(
                fallback_data.ok_or("omp_atv_allocator_fb needs omp_atk_fb_data")?,
            ),
            _ => Fallback::DefaultMemory,
        };
        Ok(traits)
    }

    /// Whether blocks need nothing but memory of the heap, and room in the pool.
    pub(super) fn are_simple(&self) -> bool {
        let Self { alignment, pinned, partition, .. } = *self;
        alignment == LEAST_ALIGNMENT && !pinned && partition == Partition::Environment
    }

    /// The traits but the size of the pool, in three words.
    pub(super) fn pack(&self) -> [u64; 3] {
        let (fallback, data) = match self.fallback {
            Fallback::DefaultMemory => (0, AllocatorHandle::NULL),
            Fallback::Null => (1, AllocatorHandle::NULL),
            Fallback::Abort => (2, AllocatorHandle::NULL),
            Fallback::Allocator(data) => (3, data),
        };
        let partition = (self.partition as u64) << 18;
        let form = u64::from(self.alignment.trailing_zeros())
            | fallback << 8
            | u64::from(self.pinned) << 16
            | partition;
        [form, u64::from(data.to_bits()), self.part_size as u64]
    }

    /// The traits that `pack` has packed into these words.
    pub(super) fn unpack([form, data, part_size]: [u64; 3], pool_size: u64) -> Self {
        Traits {
            alignment: 1 << (form & 63),
            pool_size,
            fallback: match form >> 8 & 3 {
                0 => Fallback::DefaultMemory,
                1 => Fallback::Null,
                2 => Fallback::Abort,
                _ => Fallback::Allocator(AllocatorHandle::from_bits(data as u32)),
            },
            pinned: form >> 16 & 1 != 0,
            partition: match form >> 18 & 3 {
                0 => Partition::Environment,
                1 => Partition::Nearest,
                2 => Partition::Blocked,
                _ => Partition::Interleaved,
            },
            part_size: part_size as usize,
        }
    }
}

/// Every block has this alignment, as the blocks of the C library's heap have.
pub const LEAST_ALIGNMENT: usize = 16;

/// No address is a multiple of more.
pub const LARGEST_ALIGNMENT: usize = 1 << 46;

fn is_known(key: Key) -> bool {
    (Key::SYNC_HINT.0..=Key::PART_SIZE.0).contains(&key.0)
}

fn partition(word: Word) -> Option<Partition> {
    match word {
        Word::ENVIRONMENT => Some(Partition::Environment),
        Word::NEAREST => Some(Partition::Nearest),
        Word::BLOCKED => Some(Partition::Blocked),
        Word::INTERLEAVED => Some(Partition::Interleaved),
        _ => None,
    }
}

/// Whether a trait that has no effect on the host may have this value. 7 is `omp_atv_all` in some
/// headers, and `omp_atv_device` in others.
fn has_no_effect(key: Key, word: Word) -> bool {
    let among = |words: &[Word]| words.contains(&word);
    match key {
        Key::SYNC_HINT => {
            among(&[Word::CONTENDED, Word::UNCONTENDED, Word::SERIALIZED, Word::PRIVATE])
        }
        Key::ACCESS | Key::DEVICE_ACCESS => among(&[
            Word::ALL,
            Word::MEMSPACE,
            Word::DEVICE,
            Word::CGROUP,
            Word::PTEAM,
            Word::THREAD,
            Word::SINGLE,
            Word::MULTIPLE,
        ]),
        Key::TARGET_ACCESS => among(&[Word::SINGLE, Word::MULTIPLE]),
        Key::ATOMIC_SCOPE => among(&[Word::ALL, Word::DEVICE]),
        // Numbers of devices.
        Key::PREFERRED_DEVICE | Key::PIN_DEVICE => i32::try_from(word.0).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fallback, Key, Partition, Traits, Word, omp_alloctrait_t};
    use crate::icv::AllocatorHandle;

    fn read(array: &[(Key, usize)]) -> Result<Traits, String> {
        let array: Vec<_> =
            array.iter().map(|&(key, value)| omp_alloctrait_t { key, value }).collect();
        Traits::read(&array)
    }

    #[test]
    fn traits_are_read_and_survive_packing() {
        let traits = read(&[
            (Key::ALIGNMENT, 256),
            (Key::POOL_SIZE, 12345),
            (Key::FALLBACK, Word::ALLOCATOR_FB.0),
            (Key::FB_DATA, 5),
            (Key::PINNED, 1),
            (Key::PARTITION, Word::BLOCKED.0),
            (Key::PART_SIZE, 1 << 40),
        ]);
        let wanted = Traits {
            alignment: 256,
            pool_size: 12345,
            fallback: Fallback::Allocator(AllocatorHandle::predefined(5)),
            pinned: true,
            partition: Partition::Blocked,
            part_size: 1 << 40,
        };
        assert_eq!(traits, Ok(wanted));
        assert_eq!(Traits::unpack(wanted.pack(), 12345), wanted);
        assert_eq!(Traits::unpack(Traits::DEFAULT.pack(), u64::MAX), Traits::DEFAULT);
        for fallback in [Fallback::Null, Fallback::Abort] {
            let traits = Traits { fallback, partition: Partition::Interleaved, ..wanted };
            assert_eq!(Traits::unpack(traits.pack(), 12345), traits);
        }
    }

    #[test]
    fn each_trait_has_a_default() {
        for key in 1..=14 {
            assert_eq!(read(&[(Key(key), usize::MAX)]), Ok(Traits::DEFAULT), "{key}");
        }
        let twice = [(Key::PINNED, 1), (Key::PINNED, usize::MAX)];
        assert_eq!(read(&twice), Ok(Traits::DEFAULT));
        assert_eq!(read(&[(Key::ALIGNMENT, 1)]), Ok(Traits::DEFAULT));
    }

    #[test]
    fn both_numbers_of_access_all_are_accepted() {
        for value in [7, 19] {
            assert_eq!(read(&[(Key::ACCESS, value)]), Ok(Traits::DEFAULT));
        }
    }

    #[test]
    fn slips_are_refused() {
        for wrong in [
            (Key(0), 1),
            (Key(15), 1),
            (Key(-1), usize::MAX),
            (Key::ALIGNMENT, 0),
            (Key::ALIGNMENT, 24),
            (Key::ALIGNMENT, 1 << 50),
            (Key::POOL_SIZE, 0),
            (Key::FALLBACK, 15),
            (Key::FALLBACK, Word::ALLOCATOR_FB.0),
            (Key::FB_DATA, 0),
            (Key::FB_DATA, 77),
            (Key::FB_DATA, 1 << 40),
            (Key::PINNED, 2),
            (Key::PARTITION, 14),
            (Key::PART_SIZE, 0),
            (Key::SYNC_HINT, 7),
            (Key::ACCESS, 3),
            (Key::TARGET_ACCESS, 1),
            (Key::ATOMIC_SCOPE, 8),
            (Key::PREFERRED_DEVICE, 1 << 31),
        ] {
            assert!(read(&[wrong]).is_err(), "{wrong:?}");
        }
        let error = read(&[(Key::ALIGNMENT, 24)]).expect_err("wrong");
        assert_eq!(error, "24 is no value of the trait omp_atk_alignment");
    }
}
