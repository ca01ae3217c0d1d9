//! The rule for the frames of a task: the exit frame, the runtime's, which called the task's code,
//! lies outside of the frames of this code; the enter frame is the innermost of these.

/// The enter frame among `keys`, if it does not lie below the runtime's exit frame.
pub(super) fn misplaced(keys: &[(String, String)]) -> Option<&str> {
    let find = |name: &str| keys.iter().find(|(key, _)| key == name).map(|(_, value)| &**value);
    let (exit, enter) = (find("exit_frame")?, find("enter_frame")?);
    // A function of the program that executes the task in place is both.
    let is_runtimes = exit.starts_with("set:runtime,");
    (is_runtimes && address(enter)? >= address(exit)?).then_some(enter)
}

fn address(frame: &str) -> Option<u64> {
    let (_, digits) = frame.split_once("@0x")?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::misplaced;

    #[test]
    fn the_enter_frame_is_below_the_runtimes_exit_frame() {
        for (exit, enter, is_misplaced) in [
            ("set:runtime,framepointer@0x7f20", "set:application,framepointer@0x7f20", true),
            ("set:runtime,framepointer@0x7f20", "set:application,framepointer@0x7f30", true),
            ("set:runtime,framepointer@0x7f20", "set:application,stackaddress@0x7f10", false),
            ("set:application,framepointer@0x7f20", "set:application,framepointer@0x7f20", false),
            ("none", "set:application,framepointer@0x7f20", false),
            ("set:runtime,framepointer@0x7f20", "none", false),
        ] {
            let keys = [("exit_frame", exit), ("enter_frame", enter)]
                .map(|(key, value)| (key.to_owned(), value.to_owned()));
            assert_eq!(misplaced(&keys).is_some(), is_misplaced, "{keys:?}");
        }
    }
}
