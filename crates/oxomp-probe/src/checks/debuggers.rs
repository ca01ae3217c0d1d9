//! OMPD: what a debugger finds in the runtime, and in the library that the runtime names.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use oxomp_sys::ompd::{ompd_rc_t, ompd_word_t};

use super::check::{Forms, Group, check};
use crate::construct::Form;
use crate::ompd;
use crate::runtime::{Library, call, symbol};
use crate::verdict::{Fault, Verdict, demand, missing, wrong};

pub(super) const GROUP: Group = Group {
    title: "Debuggers",
    checks: &[
        check(
            "ompd-locations",
            Forms::Either,
            "5.2 §20.2.2, §20.2.3, 6.0 §38.3.2, §38.3.3",
            "ompd_dll_locations names libraries, and ompd_dll_locations_valid is there",
            locations,
        )
        .with(ENABLED),
        check(
            "ompd-library",
            Forms::Either,
            "5.2 §20.2.2, §20.5, 6.0 §38.3.2",
            "a library of ompd_dll_locations loads, and has every function of OMPD",
            library,
        )
        .with(ENABLED),
        check(
            "ompd-version",
            Forms::Either,
            "5.2 §20.5.1, 6.0 §41.1",
            "the library tells its version, and that of OMPD, before it is initialized",
            version,
        )
        .with(ENABLED),
    ],
};

const ENABLED: &[(&str, &str)] = &[("OMP_DEBUG", "enabled")];

/// The names of all functions of an OMPD library.
macro_rules! names {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

oxomp_sys::ompd_functions!(names);

/// Of those, the ones that OpenMP 5.2 has added.
const SINCE_5_2: [&str; 2] = ["ompd_get_device_from_thread", "ompd_get_device_thread_id_kinds"];

fn locations(_form: Form) -> Verdict {
    call!(omp_get_max_threads() -> i32);
    named().map(drop)
}

/// The libraries that the runtime names once it has started.
fn named() -> Result<Vec<String>, Fault> {
    for name in [c"ompd_dll_locations", c"ompd_dll_locations_valid"] {
        if symbol(name).is_none() {
            return missing(format!("the runtime exports no {}", name.to_string_lossy()));
        }
    }
    let libraries = ompd::libraries();
    if libraries.is_empty() {
        return missing("ompd_dll_locations names no library, with OMP_DEBUG=enabled");
    }
    Ok(libraries)
}

/// The first of them that the loader takes.
fn loaded() -> Result<Library, Fault> {
    call!(omp_get_max_threads() -> i32);
    let mut reasons = Vec::new();
    for name in named()? {
        match Library::open(&CString::new(name).unwrap_or_default(), false) {
            Ok(library) => return Ok(library),
            Err(reason) => reasons.push(reason),
        }
    }
    wrong(reasons.join("; "))
}

fn library(_form: Form) -> Verdict {
    let library = loaded()?;
    let lacks =
        |name: &&&str| CString::new(**name).is_ok_and(|name| library.symbol(&name).is_none());
    let lacking: Vec<&str> = NAMES.iter().filter(lacks).copied().collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let is_older = lacking.iter().all(|name| SINCE_5_2.contains(name));
    let since = if is_older { ", of OpenMP 5.2" } else { "" };
    missing(format!("the library has no {}{since}", lacking.join(", ")))
}

fn version(_form: Form) -> Verdict {
    type Number = unsafe extern "C" fn(*mut ompd_word_t) -> ompd_rc_t;
    type Text = unsafe extern "C" fn(*mut *const c_char) -> ompd_rc_t;
    let library = loaded()?;
    // SAFETY: the types of the functions of these names.
    let functions = unsafe {
        (
            library.function::<Number>(c"ompd_get_api_version"),
            library.function::<Text>(c"ompd_get_version_string"),
        )
    };
    let (Some(number), Some(text)) = functions else {
        return missing("the library lacks ompd_get_api_version or ompd_get_version_string");
    };
    let mut api: ompd_word_t = 0;
    // SAFETY: `api` is writable.
    let code = unsafe { number(&raw mut api) };
    demand(code == ompd_rc_t::OK, || format!("ompd_get_api_version gives {}", code.0))?;
    demand([201_811, 202_011, 202_111, 202_411].contains(&api), || {
        format!("ompd_get_api_version tells {api}, the _OPENMP of no version with OMPD")
    })?;
    let mut string: *const c_char = ptr::null();
    // SAFETY: `string` is writable.
    let code = unsafe { text(&raw mut string) };
    demand(code == ompd_rc_t::OK, || format!("ompd_get_version_string gives {}", code.0))?;
    // SAFETY: not null, so a C string of the library.
    let is_told = !string.is_null() && !unsafe { CStr::from_ptr(string) }.is_empty();
    demand(is_told, || "ompd_get_version_string tells nothing".to_owned())
}
