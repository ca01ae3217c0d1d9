//! A line of the conformance report.

use super::probe::Outcome;

/// A check as the probe lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckLine {
    pub(crate) id: String,
    /// `clang`, `gcc`, or `either`: whose calls are made.
    pub(crate) form: String,
    pub(crate) group: String,
    pub(crate) clause: String,
    pub(crate) title: String,
}

/// The finding of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    Ok,
    Missing,
    Wrong,
    Skipped,
    /// By the machine, not by the runtime.
    Refused,
}

/// The finding of a check, and a sentence on what was seen, empty if all is well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Result {
    pub(crate) finding: Finding,
    pub(crate) seen: String,
}

impl CheckLine {
    /// Reads a line of the probe's list.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut words = line.split('\t').map(str::to_owned);
        if words.next()? != "check" {
            return None;
        }
        let (id, form, group) = (words.next()?, words.next()?, words.next()?);
        Some(Self { id, form, group, clause: words.next()?, title: words.next()? })
    }

    /// The compiler whose calls are made; empty if both compilers make the same calls.
    pub(crate) fn compiler(&self) -> &str {
        if self.form == "either" { "" } else { &self.form }
    }

    /// Whether its name or its group contains `text`, in whatever case.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.id.to_lowercase().contains(&text) || self.group.to_lowercase().contains(&text)
    }
}

impl Finding {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::Wrong => "wrong",
            Self::Skipped => "skipped",
            Self::Refused => "refused",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Ok, Self::Missing, Self::Wrong, Self::Skipped, Self::Refused]
            .into_iter()
            .find(|finding| finding.word() == word)
    }
}

impl Result {
    /// The last verdict that the process told; its end if that was not its own.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let ended_well = matches!(outcome, Outcome::Exited(status, _) if status.success());
        let told = outcome.lines().filter_map(parse_verdict).last();
        match told {
            Some(result) if ended_well || result.finding != Finding::Ok => result,
            _ => Self { finding: Finding::Wrong, seen: format!("the process {}", outcome.end()) },
        }
    }
}

fn parse_verdict(line: &str) -> Option<Result> {
    let mut words = line.split('\t');
    if words.next()? != "verdict" {
        return None;
    }
    let finding = Finding::from_word(words.next()?)?;
    Some(Result { finding, seen: words.next().unwrap_or_default().to_owned() })
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    use super::{CheckLine, Finding, Outcome, Result};

    fn exited(status: i32, text: &str) -> Result {
        Result::of(&Outcome::Exited(ExitStatus::from_raw(status), text.to_owned()))
    }

    #[test]
    fn a_line_of_the_list_is_read() {
        let line = "check\tlock-hint\teither\tMutual exclusion\t6.0 §28.1\tthe hint";
        let check = CheckLine::parse(line).unwrap();
        assert_eq!((check.id.as_str(), check.clause.as_str()), ("lock-hint", "6.0 §28.1"));
        assert!(check.matches("EXCLUSION") && check.matches("lock") && !check.matches("task"));
        assert_eq!(CheckLine::parse("OMP: Info #277"), None);
    }

    #[test]
    fn the_last_verdict_counts_among_a_runtimes_own_output() {
        let text = "OMP: Warning\nverdict\tmissing\tno finalizer\nnoise\nverdict\tok\t\n";
        assert_eq!(exited(0, text).finding, Finding::Ok);
    }

    #[test]
    fn a_crash_after_a_good_verdict_is_a_finding_that_names_the_signal() {
        let result = exited(11, "verdict\tok\t\n");
        assert_eq!(result.finding, Finding::Wrong);
        assert_eq!(result.seen, "the process dies by SIGSEGV");
    }

    #[test]
    fn a_process_without_a_verdict_is_wrong() {
        assert_eq!(exited(0, "").finding, Finding::Wrong);
        let hung = Result::of(&Outcome::TookTooLong(Duration::from_secs(15)));
        assert!(hung.seen.contains("hangs"), "{}", hung.seen);
    }
}
