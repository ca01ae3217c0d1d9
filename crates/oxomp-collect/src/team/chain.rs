//! The longest chain of work of several tasks: when a thread writes it anew.

/// A longest chain that other threads read is written anew if it is longer by this number of ticks:
/// each time, all who read it wait for the cache line.
const TELLING_TICKS: u64 = 1 << 14;
/// Or if it is longer by what it has grown since the last wait, divided by this.
const TELLING_PART: u64 = 32;

/// Whether a chain of `path` is worth writing where threads read `told` as the longest one; chains
/// have grown since `since`.
#[inline]
pub(crate) fn is_worth_telling(path: u64, told: u64, since: u64) -> bool {
    if path <= told {
        return false;
    }
    let more = path - told.max(since).min(path);
    more >= TELLING_TICKS || more * TELLING_PART >= path.saturating_sub(since)
}

#[cfg(test)]
mod tests {
    use super::{TELLING_TICKS, is_worth_telling};

    #[test]
    fn a_chain_that_is_barely_longer_is_not_written() {
        assert!(is_worth_telling(100, 0, 0), "the first");
        assert!(!is_worth_telling(100, 100, 0), "not longer");
        assert!(!is_worth_telling(3201, 3200, 0), "by less than its part");
        assert!(is_worth_telling(3400, 3200, 0));
        assert!(is_worth_telling(1 << 40, (1 << 40) - TELLING_TICKS, 0), "long by itself");
        let since = 1 << 30;
        assert!(is_worth_telling(since + 100, since - 5000, since), "the first since the wait");
        assert!(is_worth_telling(since + 110, since + 100, since), "a part since the wait");
    }
}
