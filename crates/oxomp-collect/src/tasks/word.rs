//! The data word of a task.

use super::node::{Node, WITHOUT_NODE};

/// The data word of a task whose begin and end are not noted, so that it counts as part of the task
/// or wait in which a thread executes it: a target task, or a task that a cancellation has
/// discarded.
pub(crate) const PART_OF_TASK: u64 = 3;

/// Whether a data word is that of an explicit task.
pub(crate) fn is_explicit(word: u64) -> bool {
    match Node::of_word(word) {
        Some(node) => node.is_explicit(),
        None => word & WITHOUT_NODE != 0 && word != PART_OF_TASK,
    }
}

/// The data word of a task of the construct at `code` that is only counted.
pub(crate) fn counted_word(code: u64) -> u64 {
    code << 1 | WITHOUT_NODE
}

/// The construct of a task that is only counted, by its data word.
#[inline]
pub(crate) fn counted_code(word: u64) -> Option<u64> {
    (word & WITHOUT_NODE != 0 && word > PART_OF_TASK).then_some(word >> 1)
}

/// Whether a data word is that of an explicit task that is timed and has not begun.
#[inline]
pub(crate) fn has_not_begun(word: u64) -> bool {
    Node::of_word(word).is_some_and(Node::has_not_begun)
}

#[cfg(test)]
mod tests {
    use super::{Node, PART_OF_TASK, WITHOUT_NODE, counted_code, counted_word, is_explicit};

    #[test]
    fn a_data_word_holds_its_construct() {
        for code in [0x5555_1234_5678, 2, 3] {
            let word = counted_word(code);
            assert_eq!(counted_code(word), Some(code));
            assert!(Node::of_word(word).is_none());
            assert!(is_explicit(word));
        }
        assert_eq!([WITHOUT_NODE, PART_OF_TASK].map(counted_code), [None; 2]);
        assert_eq!(counted_code(0), None);
    }
}
