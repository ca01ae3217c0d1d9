//! The syntax of OMP_ALLOCATOR (OpenMP 5.2 §21.5.1): the initial *def-allocator-var*.
//!
//! The value is a predefined allocator, or a predefined memory space with the traits of an
//! allocator in it.

use oxomp_sys::omp::{
    omp_alloctrait_key_t as Key, omp_alloctrait_t, omp_alloctrait_value_t as Word,
};

use super::AllocatorHandle;
use super::value::{self, Parsed};

/// The value of the variable, checked against the names and values of the specification (5.2 tables
/// 6.1 to 6.3, and those that 6.0 adds), and kept as written, without blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefAllocator {
    /// The predefined allocator, if there are no traits; otherwise the predefined memory space.
    pub name: &'static str,
    /// What the name stands for.
    pub source: Source,
    /// The traits, in their order.
    pub traits: Vec<Trait>,
}

/// What the default allocator is, or is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A predefined allocator.
    Allocator(AllocatorHandle),
    /// A predefined memory space, with its `omp_memspace_handle_t`.
    Space(usize),
}

/// A trait of the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// The trait's name in the specification.
    name: &'static str,
    /// The trait's value as the user has written it.
    text: String,
    /// Name and value in the form of the program's array for `omp_init_allocator`.
    pub in_abi: omp_alloctrait_t,
}

impl DefAllocator {
    /// The default allocator.
    pub const DEFAULT: Self = Self {
        name: "omp_default_mem_alloc",
        source: Source::Allocator(AllocatorHandle::DEFAULT_MEM),
        traits: Vec::new(),
    };
}

const ALLOCATORS: [(&str, u32); 8] = [
    ("omp_default_mem_alloc", 1),
    ("omp_large_cap_mem_alloc", 2),
    ("omp_const_mem_alloc", 3),
    ("omp_high_bw_mem_alloc", 4),
    ("omp_low_lat_mem_alloc", 5),
    ("omp_cgroup_mem_alloc", 6),
    ("omp_pteam_mem_alloc", 7),
    ("omp_thread_mem_alloc", 8),
];

const SPACES: [(&str, u32); 5] = [
    ("omp_default_mem_space", 0),
    ("omp_large_cap_mem_space", 1),
    ("omp_const_mem_space", 2),
    ("omp_high_bw_mem_space", 3),
    ("omp_low_lat_mem_space", 4),
];

/// The allowed values of a trait.
enum Values {
    Words(&'static [(&'static str, Word)]),
    PowerOfTwo,
    Positive,
    Natural,
    Boolean,
    Allocator,
}

const TRAITS: [(&str, Key, Values); 13] = [
    (
        "sync_hint",
        Key::SYNC_HINT,
        Values::Words(&[
            ("contended", Word::CONTENDED),
            ("uncontended", Word::UNCONTENDED),
            ("serialized", Word::SERIALIZED),
            ("sequential", Word::SERIALIZED),
            ("private", Word::PRIVATE),
        ]),
    ),
    ("alignment", Key::ALIGNMENT, Values::PowerOfTwo),
    (
        "access",
        Key::ACCESS,
        Values::Words(&[
            ("all", Word::ALL),
            ("memspace", Word::MEMSPACE),
            ("device", Word::DEVICE),
            ("cgroup", Word::CGROUP),
            ("pteam", Word::PTEAM),
            ("thread", Word::THREAD),
        ]),
    ),
    ("pool_size", Key::POOL_SIZE, Values::Positive),
    (
        "fallback",
        Key::FALLBACK,
        Values::Words(&[
            ("default_mem_fb", Word::DEFAULT_MEM_FB),
            ("null_fb", Word::NULL_FB),
            ("abort_fb", Word::ABORT_FB),
            ("allocator_fb", Word::ALLOCATOR_FB),
        ]),
    ),
    ("fb_data", Key::FB_DATA, Values::Allocator),
    ("pinned", Key::PINNED, Values::Boolean),
    (
        "partition",
        Key::PARTITION,
        Values::Words(&[
            ("environment", Word::ENVIRONMENT),
            ("nearest", Word::NEAREST),
            ("blocked", Word::BLOCKED),
            ("interleaved", Word::INTERLEAVED),
        ]),
    ),
    ("pin_device", Key::PIN_DEVICE, Values::Natural),
    ("preferred_device", Key::PREFERRED_DEVICE, Values::Natural),
    (
        "target_access",
        Key::TARGET_ACCESS,
        Values::Words(&[("single", Word::SINGLE), ("multiple", Word::MULTIPLE)]),
    ),
    (
        "atomic_scope",
        Key::ATOMIC_SCOPE,
        Values::Words(&[("all", Word::ALL), ("device", Word::DEVICE)]),
    ),
    ("part_size", Key::PART_SIZE, Values::Positive),
];

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<DefAllocator> {
    if let Some((name, number)) = known(&ALLOCATORS, text) {
        let source = Source::Allocator(AllocatorHandle::predefined(number));
        return Ok(DefAllocator { name, source, traits: Vec::new() });
    }
    let (space, list) = match text.split_once(':') {
        Some((space, list)) => (space, Some(list)),
        None => (text, None),
    };
    let (name, number) = known(&SPACES, space).ok_or("neither an allocator nor a memory space")?;
    let traits = list.map_or(Ok(Vec::new()), |list| list.split(',').map(one_trait).collect());
    let said = DefAllocator { name, source: Source::Space(number as usize), traits: traits? };
    let falls_back = |&Trait { in_abi, .. }: &Trait| {
        in_abi.key == Key::FALLBACK && in_abi.value == Word::ALLOCATOR_FB.0
    };
    let has_data = said.traits.iter().any(|said| said.in_abi.key == Key::FB_DATA);
    if said.traits.iter().any(falls_back) && !has_data {
        return Err("fallback=allocator_fb without fb_data".to_owned());
    }
    Ok(said)
}

fn known(names: &[(&'static str, u32)], text: &str) -> Option<(&'static str, u32)> {
    names.iter().copied().find(|(name, _)| name.eq_ignore_ascii_case(text.trim()))
}

/// `trait=value`
fn one_trait(text: &str) -> Parsed<Trait> {
    let (name, value) = text.split_once('=').ok_or("a trait without a value")?;
    let (name, text) = (name.trim(), value.trim());
    let (name, key, values) = TRAITS
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("{} is no trait of an allocator", value::shortened(name)))?;
    let value = match values {
        Values::Words(words) => {
            words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, word)| word.0)
        }
        Values::PowerOfTwo => number(text).filter(|size| size.is_power_of_two()),
        Values::Positive => number(text).filter(|&size| size > 0),
        Values::Natural => number(text),
        Values::Boolean => value::boolean(text).ok().map(usize::from),
        Values::Allocator => known(&ALLOCATORS, text).map(|(_, number)| number as usize),
    };
    let value = value
        .ok_or_else(|| format!("{} is no value of the trait {name}", value::shortened(text)))?;
    Ok(Trait { name, text: text.to_owned(), in_abi: omp_alloctrait_t { key: *key, value } })
}

/// A size or number in the value, at most as large as memory can be.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&number: &usize| isize::try_from(number).is_ok())
}

/// Writes the syntax of OMP_ALLOCATOR.
impl core::fmt::Display for DefAllocator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)?;
        for (index, Trait { name, text, .. }) in self.traits.iter().enumerate() {
            write!(f, "{}{name}={text}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AllocatorHandle, Source, parse};

    #[test]
    fn allocators_and_memory_spaces_with_traits() {
        for text in [
            "omp_default_mem_alloc",
            "omp_thread_mem_alloc",
            "omp_default_mem_space",
            "omp_large_cap_mem_space:alignment=16,pinned=true",
            "omp_high_bw_mem_space:pool_size=1048576,fallback=allocator_fb,fb_data=omp_low_lat_mem_alloc",
            "omp_const_mem_space:sync_hint=serialized,access=pteam,partition=nearest",
            "omp_low_lat_mem_space:part_size=4096,target_access=single,atomic_scope=device",
        ] {
            assert_eq!(parse(text).map(|said| said.to_string()).as_deref(), Ok(text));
        }
        let spaced = parse("OMP_LOW_LAT_MEM_SPACE : Pinned = 1").map(|said| said.to_string());
        assert_eq!(spaced.as_deref(), Ok("omp_low_lat_mem_space:pinned=1"));
    }

    #[test]
    fn names_and_traits_have_the_values_of_the_headers() {
        let said =
            parse("omp_high_bw_mem_space:pinned=on,fb_data=omp_thread_mem_alloc,part_size=7")
                .expect("valid");
        let values: Vec<_> =
            said.traits.iter().map(|said| (said.in_abi.key.0, said.in_abi.value)).collect();
        assert_eq!((said.source, &values[..]), (Source::Space(3), &[(7, 1), (6, 8), (14, 7)][..]));
        let said = parse("omp_cgroup_mem_alloc").expect("valid");
        assert_eq!(said.source, Source::Allocator(AllocatorHandle::predefined(6)));
    }

    #[test]
    fn slips_are_refused() {
        for text in [
            "111",
            "1",
            "omp_default_mem_alloc_xyz",
            "omp_null_allocator",
            "omp_default_mem_alloc:pinned=true",
            "omp_default_mem_space:",
            "omp_default_mem_space:foo=1",
            "omp_default_mem_space:pinned",
            "omp_default_mem_space:pinned=maybe",
            "omp_default_mem_space:alignment=3",
            "omp_default_mem_space:alignment=16,",
            "omp_default_mem_space:pool_size=0",
            "omp_default_mem_space:access=",
            "omp_default_mem_space:fb_data=omp_null_allocator",
            "omp_default_mem_space:fallback=allocator_fb",
            "omp_default_mem_space:pool_size=18446744073709551615",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
