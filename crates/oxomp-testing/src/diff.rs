//! The lines in which two outputs differ.

/// Lines of each text shown around the first difference.
const CONTEXT: usize = 3;

/// The first difference of two texts with some lines around it, or `None` if they are equal.
#[must_use]
pub fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let old: Vec<&str> = expected.lines().collect();
    let new: Vec<&str> = found.lines().collect();
    let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut shown = format!("the first difference is in line {}:\n", common + 1);
    for line in &old[common.saturating_sub(CONTEXT)..common] {
        shown += &format!("    {line}\n");
    }
    for (mark, lines) in [('-', &old), ('+', &new)] {
        for line in lines.iter().skip(common).take(CONTEXT) {
            shown += &format!("  {mark} {line}\n");
        }
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    }

    #[test]
    fn the_first_different_line_is_shown_with_context() {
        let shown = first_difference("a\nb\nc\n", "a\nx\n").expect("they differ");
        assert_eq!(shown, "the first difference is in line 2:\n    a\n  - b\n  - c\n  + x\n");
    }
}
