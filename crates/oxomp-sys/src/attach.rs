//! How a tool is attached to a running process: a private interface between oxomp's runtime and
//! oxomp's command.
//!
//! The runtime exports one variable, `oxomp_attach`. The command writes a wish into it from
//! outside, by `/proc/PID/mem`, for which it needs the right to ptrace(2). Nothing waits, and
//! nothing is stopped: the wish takes effect with the next event on any thread.
//!
//! Each word has one writer. The commands write [`oxomp_attach_t::wish`], one at a time: a command
//! holds a lock (flock(2)) on `/proc/PID/mem` for as long as it lives, so the next one knows that
//! it is alone, and that a wish which it finds is that of a command which has died. The runtime
//! writes [`oxomp_attach_t::state`] and [`oxomp_attach_t::answered`]. The text belongs to the
//! command while no wish is pending and no tool starts, else to the runtime.
//!
//! | state | the runtime's next states |
//! |---|---|
//! | [`CLOSED`]: the runtime has not started yet, or has ended | open, taken |
//! | [`TAKEN`]: the program was started with a tool | closed |
//! | [`OPEN`]: there is no tool | starting, when an event finds a wish that is not answered |
//! | [`STARTING`]: a thread of the runtime's own loads the tool | attached, failed; open, if the wish was withdrawn before |
//! | [`FAILED`]: the reason says why there is no tool | as open |
//! | [`ATTACHED`]: the tool has been initialized | open, when the tool has ended; ending |
//! | [`ENDING`]: the process ends, and the tool with it | closed |
//!
//! * To attach, the command writes the text, then a wish that is neither 0 nor the number in
//!   `answered`, and then adds [`oxomp_attach_t::events`] to the word at [`oxomp_attach_t::mask`],
//!   which every construct tests. The runtime may write that word at the same time; so the command
//!   does this again as long as the wish is not answered. The first event that finds no wish to
//!   answer puts the word right.
//! * To withdraw the wish, or to make the tool leave, the command writes the wish 0.
//! * A command that dies leaves a wish that is pending, or a tool that records for nobody. The next
//!   command writes the wish 0, and waits until the state is open.
//!
//! A write to `/proc/PID/mem` is not atomic by contract. A wish that an event reads in part differs
//! from the one that it reads again, and the next event takes it.
//!
//! The tool gets the variable from the look-up function that its initializer is passed, by the
//! function [`oxomp_attach_request_t`] under the name `oxomp_attach_request`.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64};

/// The version of the interface.
pub const VERSION: u32 = 1;

/// The name of the variable.
pub const NAME: &str = "oxomp_attach";

/// The runtime has not started yet, or has ended.
pub const CLOSED: u32 = 0;
/// A tool can be attached.
pub const OPEN: u32 = 1;
/// A tool is loaded.
pub const STARTING: u32 = 2;
/// The tool has been attached.
pub const ATTACHED: u32 = 3;
/// The tool could not be attached.
pub const FAILED: u32 = 4;
/// The process ends, and the tool with it.
pub const ENDING: u32 = 5;
/// No tool can be attached, for the program was started with one.
pub const TAKEN: u32 = 6;

/// Returns the variable if the tool that calls is being attached, else null.
pub type oxomp_attach_request_t = unsafe extern "C" fn() -> *const oxomp_attach_t;

/// The bytes of a request's text.
pub const TEXT: usize = 16 << 10;
/// The bytes of a reason.
pub const REASON: usize = 512;

/// The variable. All of it is zero until the runtime is loaded.
#[repr(C)]
#[derive(Debug)]
pub struct oxomp_attach_t {
    /// [`VERSION`].
    pub version: AtomicU32,
    /// One of the states.
    pub state: AtomicU32,
    /// The number of the command's wish for a tool; 0: there is none.
    pub wish: AtomicU32,
    /// The number of the last wish that the runtime has taken.
    pub answered: AtomicU32,
    /// The set of events to which a tool listens.
    pub mask: AtomicPtr<AtomicU64>,
    /// What the command adds to the set.
    pub events: AtomicU64,
    /// C strings, one after the other, of which the first is the path of the tool's library, and
    /// the others, `NAME=value`, stand for variables of the environment; an empty one ends them.
    pub text: [AtomicU8; TEXT],
    /// Why the tool could not be attached, a C string of the runtime's or the tool's.
    pub reason: [AtomicU8; REASON],
}

impl oxomp_attach_t {
    /// The variable before the runtime is loaded.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            version: AtomicU32::new(0),
            state: AtomicU32::new(CLOSED),
            wish: AtomicU32::new(0),
            answered: AtomicU32::new(0),
            mask: AtomicPtr::new(core::ptr::null_mut()),
            events: AtomicU64::new(0),
            text: [const { AtomicU8::new(0) }; TEXT],
            reason: [const { AtomicU8::new(0) }; REASON],
        }
    }

    /// Tells why the tool cannot be attached; a reason that was told before stays. For the thread
    /// that starts the tool.
    pub fn tell(&self, reason: &str) {
        if self.reason[0].load(Relaxed) == 0 {
            let bytes = reason.bytes().take(REASON - 1).chain([0]);
            self.reason.iter().zip(bytes).for_each(|(place, byte)| place.store(byte, Relaxed));
        }
    }

    /// The strings of the text. For a caller that sees a state in which it does not change.
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
