//! What the program takes from its libraries, by the dynamic section of its file.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::with_exposed_provenance;
use core::slice;

use libc::{Elf64_Phdr, Elf64_Sym};

/// An entry of a dynamic section (`Elf64_Dyn`).
#[repr(C)]
#[derive(Clone, Copy)]
struct Entry {
    tag: i64,
    value: usize,
}

const DT_NULL: i64 = 0;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// The symbols of an object that others define, and their names.
struct Imports<'a> {
    symbols: &'a [Elf64_Sym],
    names: *const c_char,
}

impl Imports<'_> {
    /// Those of the object at `base` with these program headers; `None` without the tables that
    /// every linker of today writes.
    ///
    /// # Safety
    /// A loaded object, which stays loaded.
    unsafe fn of(base: usize, headers: &[Elf64_Phdr]) -> Option<Self> {
        let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
        let first = with_exposed_provenance::<Entry>(base.wrapping_add(dynamic.p_vaddr as usize));
        // The loader adds the base to the addresses, where it may write.
        let at = |value: usize| if value < base { value.wrapping_add(base) } else { value };
        let find = |tag| {
            // SAFETY: the dynamic section of a loaded object (`# Safety`) ends with DT_NULL.
            let entries = (0..).map(|index| unsafe { *first.add(index) });
            let mut entries = entries.take_while(|entry| entry.tag != DT_NULL);
            entries.find(|entry| entry.tag == tag).map(|entry| at(entry.value))
        };
        let [symbols, names, hash] = [find(DT_SYMTAB)?, find(DT_STRTAB)?, find(DT_GNU_HASH)?];
        // SAFETY: the table begins with the number of its buckets and the index of the first symbol
        // that the object defines; the symbols before it are those of others.
        unsafe {
            let defined = *with_exposed_provenance::<u32>(hash).add(1);
            let symbols = with_exposed_provenance::<Elf64_Sym>(symbols);
            Some(Self {
                symbols: slice::from_raw_parts(symbols, defined as usize),
                names: with_exposed_provenance(names),
            })
        }
    }

    fn have(&self, name: &CStr) -> bool {
        self.symbols.iter().skip(1).any(|symbol| {
            // SAFETY: the offset of a string in the object's table of names.
            let text = unsafe { CStr::from_ptr(self.names.add(symbol.st_name as usize)) };
            text == name
        })
    }
}

/// Whether the program refers to a function or variable of that name in its libraries.
pub fn program_imports(name: &CStr) -> bool {
    /// The name, and the answer.
    struct Question<'a>(&'a CStr, bool);
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _bytes: usize,
        question: *mut c_void,
    ) -> c_int {
        // SAFETY: the C library passes its own structure, whose headers live as long as the object,
        // and `question` as it was given. The first object is the program, which is never unloaded.
        unsafe {
            let question = &mut *question.cast::<Question<'_>>();
            if !(*info).dlpi_phdr.is_null() {
                let headers =
                    slice::from_raw_parts((*info).dlpi_phdr, usize::from((*info).dlpi_phnum));
                let imports = Imports::of((*info).dlpi_addr as usize, headers);
                question.1 = imports.is_some_and(|imports| imports.have(question.0));
            }
        }
        1
    }
    let mut question = Question(name, false);
    // SAFETY: `look` changes the question during the call only.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut question).cast()) };
    question.1
}

#[cfg(test)]
mod tests {
    use super::program_imports;

    #[test]
    fn a_test_takes_the_c_librarys_functions_and_no_others() {
        assert!(program_imports(c"dl_iterate_phdr"));
        assert!(!program_imports(c"GOMP_offload_register_ver"));
        assert!(!program_imports(c""), "a name that only the first, empty symbol has");
    }
}
