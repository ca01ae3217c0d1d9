//! Where a construct stands in the program, and what its list items are called: strings of the
//! compiler.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::ops::ControlFlow;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxomp_sys::kmpc::ident_t;

use crate::call_site::CallSite;
use crate::sync::{Child, Mutex, Visit, lock};

statics! {
    /// The locations that outlive their libraries, by the compiler's text. A thread may have taken
    /// the lock of a mapping table before.
    static TEXTS: Mutex<BTreeMap<Box<str>, Arc<str>>> = Mutex::new(BTreeMap::new());
    /// The names that outlive their libraries. A thread may have taken the lock of the libraries or
    /// of a mapping table before.
    static STRINGS: Mutex<BTreeSet<&'static CStr>> = Mutex::new(BTreeSet::new());
}

/// Calls `visit` with each lock (`fork`).
pub(crate) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    let (texts, strings): (&Mutex<_>, &Mutex<_>) = (&TEXTS, &STRINGS);
    visit(texts)?;
    visit(strings)
}

/// In the child of a fork. A collection that is not whole is emptied: the strings themselves stay
/// where they are.
pub(crate) fn after_fork(child: &Child) {
    TEXTS.after_fork(child, BTreeMap::new);
    STRINGS.after_fork(child, BTreeSet::new);
}

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

    /// The same location, of a construct that the program enters by the call at `site`.
    #[must_use]
    pub fn called_at(self, site: CallSite) -> Self {
        Self { site, ..self }
    }

    /// The call by which the program enters the construct.
    #[must_use]
    pub fn site(&self) -> CallSite {
        self.site
    }

    /// The location as text that outlives the construct's library, made once for each location. The
    /// key is the compiler's text and not the address of the text: a library that is opened later
    /// may have another text at that address.
    #[must_use]
    pub fn kept(&self) -> Arc<str> {
        let key = self.description.unwrap_or_default();
        let mut texts = lock(&TEXTS);
        if let Some(text) = texts.get(key) {
            return text.clone();
        }
        texts.entry(key.into()).or_insert_with(|| self.to_string().into()).clone()
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
    /// `name` is null or a string that lives as long as the name is used.
    #[must_use]
    pub unsafe fn new(name: *const c_void) -> Self {
        Self(name.cast())
    }

    /// The same name, as a string that outlives the library.
    #[must_use]
    pub fn kept(self) -> Self {
        if self.0.is_null() {
            return self;
        }
        // SAFETY: a string (`new`).
        Self(kept(unsafe { CStr::from_ptr(self.0) }).as_ptr())
    }

    /// The compiler's string.
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.0.cast_mut().cast()
    }

    /// The name as it stands in the clause; `None` if the compiler passes no name.
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

/// The same string, kept for the rest of the process. There is one string for each text, so their
/// number is bounded by the texts in the libraries that the process ever opens.
pub(crate) fn kept(string: &CStr) -> &'static CStr {
    let mut strings = lock(&STRINGS);
    if let Some(kept) = strings.get(string) {
        return kept;
    }
    let kept: &'static CStr = Box::leak(string.into());
    strings.insert(kept);
    kept
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

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use std::ffi::CString;

    use super::{ItemName, Location};
    use oxomp_sys::kmpc::{ident_flag_t, ident_t};

    fn location(text: &CString) -> Location<'_> {
        let psource = text.as_ptr();
        let flags = ident_flag_t::KMPC;
        let ident = ident_t { reserved_1: 0, flags, reserved_2: 0, reserved_3: 0, psource };
        // SAFETY: the string lives as long as the location.
        unsafe { Location::new(&raw const ident) }
    }

    #[test]
    fn a_text_is_kept_for_itself_and_not_for_its_address() {
        let mut text = CString::new(";a.c;f;1;2;;").expect("no null character");
        assert_eq!(&*location(&text).kept(), "a.c:1:2");
        let place = text.as_ptr();
        let mut bytes = text.into_bytes_with_nul();
        bytes[1] = b'b';
        text = CString::from_vec_with_nul(bytes).expect("one null character");
        assert_eq!(text.as_ptr(), place, "another text at the same address");
        assert_eq!(&*location(&text).kept(), "b.c:1:2");
    }

    #[test]
    fn a_kept_name_outlives_the_string() {
        let string = CString::new(";values;a.c;1;2;;").expect("no null character");
        // SAFETY: the string lives as long as the name.
        let name = unsafe { ItemName::new(string.as_ptr().cast()) };
        let kept = name.kept();
        assert_ne!(kept.as_ptr(), name.as_ptr());
        assert_eq!(kept, name.kept(), "one for each text");
        drop(string);
        assert_eq!(kept.get(), Some("values"));
        assert_eq!(ItemName::default().kept(), ItemName::default());
    }
}
