//! The pattern of an event of OpenMP 5, as an expectation writes it.

/// A pattern: a name, and keys with their patterns.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'a> {
    /// The event's name.
    pub(crate) name: &'a str,
    keys: Vec<(&'a str, &'a str)>,
    /// ` as …`, with the labels, or nothing.
    pub(crate) labels: String,
}

impl<'a> Pattern<'a> {
    /// Reads a line.
    pub(crate) fn parse(text: &'a str) -> Self {
        let (event, labels) = match text.split_once(" as ") {
            Some((event, labels)) => (event, format!(" as {labels}")),
            None => (text, String::new()),
        };
        let mut words = event.split_whitespace();
        let name = words.next().unwrap_or_default();
        let keys = words.filter_map(|word| word.split_once('=')).collect();
        Self { name, keys, labels }
    }

    /// The pattern of a value; anything if the line does not mention it.
    pub(crate) fn get(&self, key: &str) -> &'a str {
        self.keys.iter().find(|(name, _)| *name == key).map_or("*", |(_, value)| value)
    }

    /// Whether the value has one of the flags.
    pub(crate) fn has(&self, key: &str, flag: &str) -> bool {
        self.get(key).split(',').any(|it| it == flag)
    }

    /// The region: the one around initial tasks has no identifier.
    pub(crate) fn region(&self) -> &'a str {
        match self.get("parallel") {
            "$initial" => "zero",
            region => region,
        }
    }

    /// Whether the frame of that kind is set.
    pub(crate) fn frame(&self, key: &str) -> &'static str {
        match self.get(key) {
            "*" => "*",
            "none" => "null",
            _ => "set",
        }
    }
}
