//! The form of single values in the log: flags, frames, bytes.

use std::ffi::CStr;

use ompt::{CancelFlags, FrameAddress, FrameFlags, ParallelFlags, TaskFlags};

pub(crate) fn frame(frame: Option<FrameAddress>) -> String {
    let Some(FrameAddress { address, flags }) = frame else { return "none".into() };
    let owner = match flags.contains(FrameFlags::APPLICATION) {
        true => "application",
        false => "runtime",
    };
    let kind = match FrameFlags(flags.0 & FrameFlags::STACKADDRESS.0) {
        FrameFlags::CFA => "cfa",
        FrameFlags::FRAMEPOINTER => "framepointer",
        FrameFlags::STACKADDRESS => "stackaddress",
        _ => "-",
    };
    format!("set:{owner},{kind}@{address:#x}")
}

pub(crate) fn parallel_flags(flags: ParallelFlags) -> String {
    let names = ParallelFlags::NAMES.iter().map(|(flag, name)| (flag.0, *name));
    flag_names(flags.0, names, "ompt_parallel_")
}

pub(crate) fn task_flags(flags: TaskFlags) -> String {
    let names = TaskFlags::NAMES.iter().map(|(flag, name)| (flag.0, *name));
    flag_names(flags.0, names, "ompt_task_")
}

pub(crate) fn cancel_flags(flags: CancelFlags) -> String {
    let names = CancelFlags::NAMES.iter().map(|(flag, name)| (flag.0, *name));
    flag_names(flags.0, names, "ompt_cancel_")
}

/// The names of the set flags, then the bits that have none.
fn flag_names(
    flags: u32,
    names: impl Iterator<Item = (u32, &'static CStr)>,
    prefix: &str,
) -> String {
    let mut rest = flags;
    let mut text = String::new();
    for (flag, name) in names.filter(|(flag, _)| flags & flag != 0) {
        rest &= !flag;
        let name = name.to_str().unwrap_or_default();
        text.push_str(name.strip_prefix(prefix).unwrap_or(name));
        text.push(',');
    }
    if rest != 0 || text.is_empty() {
        return text
            + &match rest {
                0 => "0".to_owned(),
                rest => format!("{rest:#x}"),
            };
    }
    text.pop();
    text
}

/// Bytes as one token: bytes that are not graphic ASCII, and the backslash, as `\xNN`.
pub(crate) fn graphic(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\\' => text.push_str("\\x5c"),
            byte if byte.is_ascii_graphic() => text.push((*byte).into()),
            byte => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text
}
