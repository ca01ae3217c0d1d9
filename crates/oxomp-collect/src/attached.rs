//! The request by which the collector was attached to a process that ran already: variables in the
//! place of the environment's, and the word that tells the collector to leave again.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::Ordering;
use std::{io, thread};

use ompt::{EntryPoints, Initialization};
use oxomp_sys::attach::{oxomp_attach_request_t, oxomp_attach_t};

/// The request of an attached collector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attached {
    variable: &'static oxomp_attach_t,
    /// The number of the command's wish.
    wish: u32,
    entry_points: EntryPoints,
}

/// Finds the request; `None` if the collector was loaded with the program.
pub(crate) fn find(initialization: &Initialization) -> Option<Attached> {
    // SAFETY: the type is that of the function of this name.
    let request =
        unsafe { initialization.extension::<oxomp_attach_request_t>(c"oxomp_attach_request") }?;
    // SAFETY: the function takes nothing, and returns null or the runtime's variable, which stays.
    let variable = unsafe { request().as_ref() }?;
    let wish = variable.answered.load(Ordering::Acquire);
    Some(Attached { variable, wish, entry_points: initialization.entry_points })
}

impl Attached {
    /// The variables of the request.
    fn variables(&self) -> Vec<(OsString, OsString)> {
        let texts = self.variable.strings().skip(1).map(Iterator::collect::<Vec<u8>>);
        let pair = |text: Vec<u8>| {
            let at = text.iter().position(|byte| *byte == b'=')?;
            let (name, value) = (text[..at].to_vec(), text[at + 1..].to_vec());
            Some((OsString::from_vec(name), OsString::from_vec(value)))
        };
        texts.filter_map(pair).collect()
    }

    /// Whether the command asks the collector to leave.
    pub(crate) fn is_to_leave(&self) -> bool {
        self.variable.wish.load(Ordering::Acquire) != self.wish
    }

    /// Tells the command why nothing is recorded.
    pub(crate) fn tell(&self, reason: &str) {
        self.variable.tell(reason);
    }

    /// Makes the runtime end the tool, on a thread of its own: the end waits for the helper.
    pub(crate) fn leave(&self) -> io::Result<()> {
        let entry_points = self.entry_points;
        let leaver = thread::Builder::new().name("oxomp-collect".to_owned());
        // SAFETY: the thread is in no callback, and holds no data of the tool's.
        leaver.spawn(move || unsafe { entry_points.finalize_tool() }).map(drop)
    }
}

/// Variables by name: those of the request, or of the environment.
#[derive(Debug)]
pub(crate) enum Variables {
    Environment,
    Request(Vec<(OsString, OsString)>),
}

impl Variables {
    /// The variables for a collector that was attached by this request, if by any.
    pub(crate) fn of(attached: Option<&Attached>) -> Self {
        attached.map_or(Self::Environment, |attached| Self::Request(attached.variables()))
    }

    /// The value of the variable.
    pub(crate) fn os(&self, name: &str) -> Option<OsString> {
        match self {
            Self::Environment => env::var_os(name),
            Self::Request(variables) => {
                let of_name = |(own, _): &&(OsString, OsString)| own == OsStr::new(name);
                variables.iter().find(of_name).map(|(_, value)| value.clone())
            }
        }
    }

    /// The value of the variable, if it is text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.os(name)?.into_string().ok()
    }
}
