//! What a planted program's file says of it.

use regex_lite::Regex;

/// What the command must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Deadlock,
    None,
    Crash,
}

/// The directives of a file.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub(crate) verdict: Verdict,
    /// Each is found in the command's text.
    pub(crate) says: Vec<Regex>,
    /// The program's output.
    pub(crate) prints: String,
    pub(crate) status: i32,
    pub(crate) signal: i32,
    pub(crate) core: bool,
}

impl Expectation {
    /// Reads the directives of `text`, the content of the file `name`.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut verdict = None;
        let mut this = Self {
            verdict: Verdict::None,
            says: Vec::new(),
            prints: String::new(),
            status: 0,
            signal: 0,
            core: false,
        };
        let directives =
            text.lines().filter_map(|line| line.trim_start_matches('!').strip_prefix("//#"));
        for line in directives {
            let wrong = || format!("{name}: `{line}` is no directive of planted programs");
            let (key, value) = line.split_once(':').ok_or_else(wrong)?;
            match (key, value) {
                ("Verdict", "deadlock") => verdict = Some(Verdict::Deadlock),
                ("Verdict", "none") => verdict = Some(Verdict::None),
                ("Verdict", "crash") => verdict = Some(Verdict::Crash),
                ("Says", pattern) => this.says.push(says(name, text, pattern)?),
                ("Prints", line) => this.prints += &format!("{line}\n"),
                ("Status", number) => this.status = number.parse().map_err(|_| wrong())?,
                ("Signal", number) => this.signal = number.parse().map_err(|_| wrong())?,
                ("Core", "yes") => this.core = true,
                _ => return Err(wrong()),
            }
        }
        this.verdict = verdict.ok_or_else(|| format!("{name}: no verdict"))?;
        Ok(this)
    }

    /// Fails unless the command's text has all that the file demands.
    pub(crate) fn check(&self, said: &str) -> Result<(), String> {
        for pattern in &self.says {
            if !pattern.is_match(said) {
                return Err(format!("nothing matches `{pattern}` in:\n{said}"));
            }
        }
        Ok(())
    }
}

/// The pattern with each `@MARK` replaced by the places of the lines that end with it.
fn says(name: &str, text: &str, pattern: &str) -> Result<Regex, String> {
    let mark = Regex::new("@[A-Z_]+").expect("a pattern");
    let mut missing = None;
    let expanded = mark.replace_all(pattern, |found: &regex_lite::Captures<'_>| {
        let end = format!("//{}", &found[0]);
        let lines: Vec<String> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.ends_with(&end))
            .map(|(number, _)| number.to_string())
            .collect();
        if lines.is_empty() {
            missing = Some(format!("{name}: no line ends with {end}"));
        }
        format!(r"{}:({})\b", regex_lite::escape(name), lines.join("|"))
    });
    if let Some(missing) = missing {
        return Err(missing);
    }
    Regex::new(&expanded).map_err(|error| format!("{name}: {error}"))
}
