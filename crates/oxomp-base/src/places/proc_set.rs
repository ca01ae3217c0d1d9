//! A set of processors, in the representations of the kernel's affinity calls and of sysfs.

use core::fmt;

/// More processors than any kernel supports; a larger number is a mistake.
const MOST: u32 = 1 << 16;

/// A set of processors, by their numbers in the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcSet {
    /// Bit n % 64 of word n / 64 stands for processor n.
    words: Vec<u64>,
}

impl ProcSet {
    /// The set in which bit n % 64 of word n / 64 stands for processor n.
    pub fn from_words(words: &[u64]) -> Self {
        Self { words: words.to_vec() }
    }

    /// The words of the set, in the form of sched_setaffinity(2).
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Reads the kernel's notation, `0-3,8`; `None` if it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut set = Self::default();
        for interval in text.trim().split(',').filter(|interval| !interval.is_empty()) {
            let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            if last >= MOST {
                return None;
            }
            set.extend(first..=last);
        }
        Some(set)
    }

    /// Adds a processor.
    pub fn insert(&mut self, processor: u32) {
        let word = processor as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (processor % 64);
    }

    /// Whether the processor is in the set.
    pub fn contains(&self, processor: u32) -> bool {
        let word = self.words.get(processor as usize / 64);
        word.is_some_and(|word| word >> (processor % 64) & 1 != 0)
    }

    /// The number of processors in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no processor is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The processors, smallest first. Allocates nothing.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip((0..).step_by(64)).flat_map(|(&word, base)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| base + bit)
        })
    }
}

impl Extend<u32> for ProcSet {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, processors: T) {
        for processor in processors {
            self.insert(processor);
        }
    }
}

impl FromIterator<u32> for ProcSet {
    fn from_iter<T: IntoIterator<Item = u32>>(processors: T) -> Self {
        let mut set = Self::default();
        set.extend(processors);
        set
    }
}

/// The kernel's notation, `0-3,8`.
impl fmt::Display for ProcSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut processors = self.iter().peekable();
        let mut comma = "";
        while let Some(first) = processors.next() {
            let mut last = first;
            while let Some(next) = processors.next_if_eq(&(last + 1)) {
                last = next;
            }
            write!(f, "{comma}{first}")?;
            if last != first {
                write!(f, "-{last}")?;
            }
            comma = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ProcSet;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    #[test]
    fn the_kernels_notation() {
        for text in ["", "0", "0-3,8", "5,7,63-64", "1023-1025,65535"] {
            assert_eq!(ProcSet::parse(text).map(|set| set.to_string()).as_deref(), Some(text));
        }
        let blanks = ProcSet::parse(" 0-1,4\n").map(|set| set.to_string());
        assert_eq!(blanks.as_deref(), Some("0-1,4"));
        for text in ["a", "0-", "-1", "0-65536", "99999999999", "0x3"] {
            assert_eq!(ProcSet::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn behaves_as_a_set(processors in proptest::collection::vec(0u32..5000, 0..40)) {
            let set: ProcSet = processors.iter().copied().collect();
            let model: BTreeSet<u32> = processors.into_iter().collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(set.len(), model.len());
            prop_assert_eq!(set.is_empty(), model.is_empty());
            prop_assert!((0..6000).all(|number| set.contains(number) == model.contains(&number)));
            prop_assert_eq!(ProcSet::parse(&set.to_string()).map(|read| read.to_string()),
                Some(set.to_string()));
            prop_assert_eq!(&ProcSet::from_words(set.words()), &set);
        }

        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = ProcSet::parse(&text);
        }
    }
}
