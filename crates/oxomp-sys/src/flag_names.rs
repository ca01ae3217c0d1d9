//! Sets of flags as text.

use core::ffi::CStr;
use core::fmt;

/// Writes the names of the flags in `value`, separated by `|`: without the prefix that all names
/// have, with a number at the end for bits without a name. The empty set is `none`.
///
/// Of two flags that overlap the larger one counts; a flag with the value 0 stands for the absence
/// of the one that follows it.
pub(crate) fn write(
    f: &mut fmt::Formatter<'_>,
    value: u32,
    names: impl Iterator<Item = (u32, &'static CStr)> + Clone,
) -> fmt::Result {
    let prefix = common_prefix(names.clone().map(|(_, name)| name.to_bytes()));
    let is_set = |flag: u32| flag != 0 && value & flag == flag;
    let mut rest = value;
    let mut separator = "";
    let mut names_left = names.clone();
    while let Some((flag, name)) = names_left.next() {
        let is_printed = match flag {
            0 => names_left.clone().next().is_some_and(|(next, _)| value & next != next),
            flag => {
                let larger = |other: u32| other != flag && other & flag == flag && is_set(other);
                is_set(flag) && !names.clone().any(|(other, _)| larger(other))
            }
        };
        if is_printed {
            rest &= !flag;
            let name = name.to_str().unwrap_or_default();
            write!(f, "{separator}{}", name.get(prefix..).unwrap_or(name))?;
            separator = "|";
        }
    }
    match (rest, separator) {
        (0, "") => f.write_str("none"),
        (0, _) => Ok(()),
        (rest, separator) => write!(f, "{separator}{rest:#x}"),
    }
}

/// The length of the part that all names begin with, up to its last underscore.
fn common_prefix(mut names: impl Iterator<Item = &'static [u8]>) -> usize {
    let Some(first) = names.next() else { return 0 };
    let common = names.fold(first.len(), |length, name| {
        first.iter().zip(name).take(length).take_while(|(one, other)| one == other).count()
    });
    first[..common].iter().rposition(|byte| *byte == b'_').map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use crate::omp::omp_sync_hint_t;
    use crate::ompt::{ompt_frame_flag_t, ompt_target_map_flag_t, ompt_task_flag_t};

    #[test]
    fn flags_have_their_names() {
        let flags = ompt_task_flag_t::IMPLICIT | ompt_task_flag_t::UNDEFERRED;
        assert_eq!(flags.to_string(), "implicit|undeferred");
        assert_eq!(std::format!("{:?}", ompt_task_flag_t(0x4000_0104)), "explicit|mergeable|0x100");
        assert_eq!(ompt_task_flag_t::NONE.to_string(), "none");
        assert_eq!(ompt_target_map_flag_t(0x21).to_string(), "to|implicit");
        assert_eq!(omp_sync_hint_t(6).to_string(), "contended|nonspeculative");
    }

    #[test]
    fn the_kind_of_a_frame_is_one_name() {
        let names = [(0x31, "application|stackaddress"), (0x20, "runtime|framepointer")];
        for (value, text) in names {
            assert_eq!(ompt_frame_flag_t(value).to_string(), text);
        }
    }
}
