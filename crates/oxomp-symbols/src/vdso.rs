//! The code that the kernel maps into every process, by which it tells the time without a system
//! call. It is in no file, but every process of the same kernel has it, this one too.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// The loader's name of it.
pub(crate) const NAME: &str = "linux-vdso.so.1";
/// The kernel's name of its mapping.
const MAPPING: &str = "[vdso]";
/// The most bytes that it may have.
const MOST_BYTES: u64 = 1 << 20;

/// A copy of this code, as this process has it.
pub(crate) fn image() -> Option<Vec<u8>> {
    // Files that are mapped may have names that are no text.
    let mappings = fs::read("/proc/self/maps").ok()?;
    let mappings = String::from_utf8_lossy(&mappings);
    let line = mappings.lines().find(|line| line.ends_with(MAPPING))?;
    let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
    let address = |text| u64::from_str_radix(text, 16).ok();
    let (begin, end) = (address(begin)?, address(end)?);
    let length = end.checked_sub(begin).filter(|length| *length <= MOST_BYTES)?;
    let mut image = vec![0; usize::try_from(length).ok()?];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut image, begin).ok()?;
    Some(image)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use object::{Object, ObjectSymbol};
    use oxomp_prerequisites::skipped::skip;

    use super::{NAME, image};
    use crate::module::{Known, Module};

    #[test]
    fn its_functions_have_names_for_its_own_build_only() {
        let Some(image) = image() else { return skip("the kernel has no vdso") };
        let object = object::File::parse(&*image).unwrap();
        let clock = object.dynamic_symbols().find(|one| one.name() == Ok("__vdso_clock_gettime"));
        let clock = clock.or_else(|| {
            object.dynamic_symbols().find(|one| one.name() == Ok("__kernel_clock_gettime"))
        });
        let clock = clock.expect("a clock");
        let build_id = object.build_id().unwrap().unwrap().to_vec();
        let module = Module::open(Path::new(NAME), &build_id).unwrap();
        let name = clock.name().unwrap().to_owned();
        assert_eq!(module.look_up(clock.address() + 1), Known::Function(name));
        assert!(Module::open(Path::new(NAME), &[1, 2, 3]).is_none());
        assert!(Module::open(Path::new(NAME), &[]).is_none());
    }
}
