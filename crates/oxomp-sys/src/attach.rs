//! How a tool is attached to a running process: a private interface between oxomp's runtime and
//! oxomp's command.
//!
//! The runtime exports one variable, `oxomp_attach`. The command writes a request into it from
//! outside, by `/proc/PID/mem`, for which it needs the right to ptrace(2). Nothing waits and
//! nothing is stopped: the request takes effect with the next event on any thread.
//!
//! | state | who may change it | to |
//! |---|---|---|
//! | [`CLOSED`]: the runtime has not started yet, or ends | the runtime | open, taken |
//! | [`TAKEN`]: the program was started with a tool | the runtime, as it ends | closed |
//! | [`OPEN`]: there is no tool | the command, with the text written before | requested |
//! | | the runtime, as it ends | closed |
//! | [`REQUESTED`]: the next event starts the tool | the thread of that event | starting |
//! | [`STARTING`] | that thread | attached, failed |
//! | [`ATTACHED`]: the tool has been initialized | the runtime, when the tool has ended | open, closed |
//! | | the command | leaving |
//! | [`LEAVING`]: the tool is to end itself | the runtime, when the tool has ended | open, closed |
//! | [`FAILED`]: the text says why | the command, with another text written before | requested |
//!
//! After the request the command adds [`oxomp_attach_t::events`] to the word at
//! [`oxomp_attach_t::mask`], which every construct tests: from then on constructs raise events.
//!
//! The tool gets the request from the look-up function that its initializer is passed, by the
//! function [`oxomp_attach_request_t`] under the name `oxomp_attach_request`.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64};

/// The version of the interface.
pub const VERSION: u32 = 1;

/// The name of the variable.
pub const NAME: &str = "oxomp_attach";

/// No tool can be attached yet, or any more.
pub const CLOSED: u32 = 0;
/// A tool can be attached.
pub const OPEN: u32 = 1;
/// The command asks for a tool.
pub const REQUESTED: u32 = 2;
/// A thread starts the tool.
pub const STARTING: u32 = 3;
/// The tool has been attached.
pub const ATTACHED: u32 = 4;
/// The tool could not be attached.
pub const FAILED: u32 = 5;
/// The command asks the tool to end itself.
pub const LEAVING: u32 = 6;
/// No tool can be attached, for the program was started with one.
pub const TAKEN: u32 = 7;

/// Returns the variable if the tool that calls is being attached, else null.
pub type oxomp_attach_request_t = unsafe extern "C" fn() -> *const oxomp_attach_t;

/// The bytes of a request's text.
pub const TEXT: usize = 16 << 10;

/// The variable. All of it is zero until the runtime is loaded.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_attach_t {
    /// [`VERSION`].
    pub version: AtomicU32,
    /// One of the states.
    pub state: AtomicU32,
    /// The set of events to which a tool listens.
    pub mask: AtomicPtr<AtomicU64>,
    /// What the command adds to the set.
    pub events: AtomicU64,
    /// C strings, one after the other, of which the first is the path of the tool's library, and
    /// the others, `NAME=value`, stand for variables of the environment; an empty one ends them.
    /// After a failure, the reason.
    pub text: [AtomicU8; TEXT],
}

impl oxomp_attach_t {
    /// The variable before the runtime is loaded.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            version: AtomicU32::new(0),
            state: AtomicU32::new(CLOSED),
            mask: AtomicPtr::new(core::ptr::null_mut()),
            events: AtomicU64::new(0),
            text: [const { AtomicU8::new(0) }; TEXT],
        }
    }

    /// The strings of the text. The caller has seen a state in which it does not change.
    pub fn strings(&self) -> impl Iterator<Item = impl Iterator<Item = u8>> {
        let is_end = |byte: &AtomicU8| byte.load(Relaxed) == 0;
        let strings = self.text.split(is_end).take_while(|string| !string.is_empty());
        strings.map(|string| string.iter().map(|byte| byte.load(Relaxed)))
    }
}

impl Default for oxomp_attach_t {
    fn default() -> Self {
        Self::new()
    }
}
