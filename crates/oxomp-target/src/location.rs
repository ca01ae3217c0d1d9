//! Where a construct stands in the program, and what its list items are called: strings of the
//! compiler.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use oxomp_sys::kmpc::ident_t;

use crate::sync::{read, write};
use crate::tool::CallSite;

/// The location of a construct.
#[derive(Clone, Copy, Debug, Default)]
pub struct Location<'a> {
    description: Option<&'a str>,
    site: CallSite,
}

impl<'a> Location<'a> {
    /// The location that the compiler passes.
    ///
    /// # Safety
    /// `ident` is null or a source location that lives as long as `'a`.
    #[must_use]
    pub unsafe fn new(ident: *const ident_t) -> Self {
        if ident.is_null() {
            return Self::default();
        }
        // SAFETY: not null, hence a source location (`# Safety`).
        let source = unsafe { (*ident).psource };
        // SAFETY: the string of a source location is null or a string that lives as long.
        Self { description: unsafe { text(source) }, site: CallSite::NONE }
    }

    /// The location, of a construct that the program enters by the call at `site`.
    #[must_use]
    pub fn called_at(self, site: CallSite) -> Self {
        Self { site, ..self }
    }

    /// The call by which the program enters the construct.
    #[must_use]
    pub fn site(&self) -> CallSite {
        self.site
    }

    /// The location as text that outlives the construct's library, made once for each location.
    #[must_use]
    pub fn kept(&self) -> Arc<str> {
        static KEPT: RwLock<BTreeMap<usize, Arc<str>>> = RwLock::new(BTreeMap::new());
        let key = self.description.map_or(0, |text| text.as_ptr().addr());
        if let Some(text) = read(&KEPT).get(&key) {
            return text.clone();
        }
        let text = || self.to_string().into();
        write(&KEPT).entry(key).or_insert_with(text).clone()
    }

    /// File, line and column, if the compiler knew them.
    fn parts(&self) -> Option<(&'a str, &'a str, &'a str)> {
        let mut fields = self.description?.split(';').skip(1);
        let (file, _function, line) = (fields.next()?, fields.next()?, fields.next()?);
        let column = fields.next().unwrap_or("0");
        (file != "unknown" && !file.is_empty()).then_some((file, line, column))
    }
}

/// A location as text, without the folders of its file: what information shows.
pub fn without_folders(text: &str) -> &str {
    text.rsplit('/').next().unwrap_or(text)
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            Some((file, line, column)) => write!(formatter, "{file}:{line}:{column}"),
            None => formatter.write_str("unknown:0:0"),
        }
    }
}

/// The name of a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemName(*const c_char);

// SAFETY: a string of the program, which nobody writes.
unsafe impl Send for ItemName {}

impl Default for ItemName {
    fn default() -> Self {
        Self(core::ptr::null())
    }
}

impl ItemName {
    /// The name that the compiler passes.
    ///
    /// # Safety
    /// `name` is null or a string that lives as long as the program is loaded.
    #[must_use]
    pub unsafe fn new(name: *const c_void) -> Self {
        Self(name.cast())
    }

    /// The compiler's string.
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.0.cast_mut().cast()
    }

    /// The name as it stands in the clause; none if the compiler passes none.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        // SAFETY: null or a string (`new`).
        let description = unsafe { text(self.0) }?;
        let name = match description.strip_prefix(';') {
            Some(fields) => fields.split(';').next()?,
            None => description,
        };
        (!name.is_empty() && name != "unknown").then_some(name)
    }
}

impl fmt::Display for ItemName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.get().unwrap_or("unknown"))
    }
}

/// # Safety
/// `string` is null or a string that lives as long as `'a`.
unsafe fn text<'a>(string: *const c_char) -> Option<&'a str> {
    if string.is_null() {
        return None;
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { CStr::from_ptr(string) }.to_str().ok()
}
