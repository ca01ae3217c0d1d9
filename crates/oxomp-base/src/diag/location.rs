//! The location of a construct in the program: the compiler's source location, or an address in the
//! code.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;

use oxomp_arch::CallSite;

use super::symbol;

/// The location of a construct.
///
/// clang and flang pass the source location if they know it (`-g`). Otherwise the location is the
/// return address of the construct's call, shown as `function+offset (module)`.
#[derive(Clone, Copy, Debug)]
pub enum Location<'a> {
    /// A source location. Lines and columns count from 1; column 0 means that the column is
    /// unknown.
    Source {
        /// The name of the file as it was passed to the compiler.
        file: &'a str,
        /// The line of the directive.
        line: &'a str,
        /// The column of the directive.
        column: &'a str,
    },
    /// An address in the program's code.
    Code(*const c_void),
    /// Neither source location nor return address is known.
    Unknown,
}

impl<'a> Location<'a> {
    /// The location in the compiler's form, `;file;function;line;column;;`; otherwise that of the
    /// call at `site`.
    ///
    /// # Safety
    /// `description` is null or a C string that lives as long as the location.
    pub unsafe fn new(description: *const c_char, site: CallSite) -> Self {
        // SAFETY: `description` is null or a string that lives as long as the location
        // (`# Safety`).
        unsafe { Self::described_or_at(description, site.return_address()) }
    }

    /// The location in the compiler's form, `;file;function;line;column;;`; otherwise the address
    /// `return_address`.
    ///
    /// # Safety
    /// `description` is null or a C string that lives as long as the location.
    pub unsafe fn described_or_at(
        description: *const c_char,
        return_address: *const c_void,
    ) -> Self {
        // SAFETY: `description` is null or a string that lives as long as the location
        // (`# Safety`).
        unsafe { Self::described(description) }.unwrap_or_else(|| Self::code(return_address))
    }

    /// The return address of the call at `site`.
    #[must_use]
    pub fn at(site: CallSite) -> Self {
        Self::code(site.return_address())
    }

    fn code(address: *const c_void) -> Self {
        if address.is_null() { Location::Unknown } else { Location::Code(address) }
    }

    /// The location that the compiler describes, if it knows file and line.
    ///
    /// # Safety
    /// `description` is null or a string that lives as long as the location.
    unsafe fn described(description: *const c_char) -> Option<Self> {
        if description.is_null() {
            return None;
        }
        // SAFETY: `description` is not null here, so it is a string that lives as long as the
        // location (`# Safety`).
        let text = unsafe { CStr::from_ptr(description) }.to_str().ok()?;
        let mut fields = text.split(';').skip(1);
        let (file, _function) = (fields.next()?, fields.next()?);
        let (line, column) = (fields.next()?, fields.next().unwrap_or("0"));
        let known = !matches!(file, "" | "unknown") && !matches!(line, "" | "0");
        known.then_some(Location::Source { file, line, column })
    }

    /// The location and `: ` for the beginning of a line; empty if the location is unknown.
    #[must_use]
    pub fn prefix(&self) -> String {
        if matches!(self, Location::Unknown) { String::new() } else { format!("{self}: ") }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Location::Source { file, line, column: "" | "0" } => write!(f, "{file}:{line}"),
            Location::Source { file, line, column } => write!(f, "{file}:{line}:{column}"),
            // The return address may belong to the next function: the call lies before it.
            Location::Code(address) => match symbol::Symbol::around(address.wrapping_byte_sub(1)) {
                Some(symbol) => write!(f, "{symbol}"),
                None => write!(f, "{address:p}"),
            },
            Location::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Location;
    use core::ffi::c_char;
    use core::ptr;
    use oxomp_arch::CallSite;

    fn shown(description: *const c_char) -> String {
        // SAFETY: null or a string that lives.
        unsafe { Location::new(description, CallSite::none()) }.to_string()
    }

    #[test]
    fn compilers_describe_constructs() {
        assert_eq!(shown(c";a.c;main;12;9;;".as_ptr()), "a.c:12:9");
        assert_eq!(shown(c";d/a.f90;MAIN_;12;0;;".as_ptr()), "d/a.f90:12");
        assert_eq!(shown(c";a.c;main;12".as_ptr()), "a.c:12");
    }

    #[test]
    fn what_says_nothing_is_unknown() {
        for nothing in [c";unknown;unknown;0;0;;", c";a.c;main;0;0;;", c"", c";", c";a.c", c"\xff"]
        {
            assert_eq!(shown(nothing.as_ptr()), "unknown", "{nothing:?}");
        }
        assert_eq!(shown(ptr::null()), "unknown");
        assert_eq!(Location::Unknown.prefix(), "");
    }

    #[test]
    fn an_address_is_shown_by_function_and_module() {
        let inside = (shown as fn(*const c_char) -> String as *const u8).wrapping_add(5);
        let text = Location::Code(inside.cast()).to_string();
        assert!(text.contains("shown") && text.contains("+0x4 (oxomp_base-"), "{text}");
        assert!(Location::Code(inside.cast()).prefix().ends_with("): "));
    }

    #[test]
    fn an_address_of_nothing_is_shown_as_it_is() {
        assert_eq!(Location::Code(ptr::without_provenance(16)).to_string(), "0x10");
    }
}
