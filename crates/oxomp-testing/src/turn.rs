//! Whose turn it is, where each of many programs is tested with one of several things.

/// The number below `count`, of things that take turns, which falls to the program or test `name`:
/// the same one in each run. `count` is not 0.
#[must_use]
pub fn turn(name: &str, count: usize) -> usize {
    name.bytes().map(usize::from).sum::<usize>() % count
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn each_has_its_turn() {
        assert_eq!(["a", "b", "c", "d"].map(|name| turn(name, 2)), [1, 0, 1, 0]);
        assert_eq!(turn("barrier/many.c", 1), 0);
    }
}
