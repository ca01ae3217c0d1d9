//! The syntax of KMP_SCHEDULE: the meaning of static and of guided in LLVM's runtime.
//!
//! `static,greedy|balanced` and `guided,iterative|analytical`, with a semicolon between them.

use super::value::{self, Parsed};

/// The meanings of static and of guided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KmpSchedule {
    /// Static without a chunk size gives ⌈n/p⌉ iterations to each of the first threads (greedy),
    /// instead of blocks that differ by at most one iteration (balanced).
    pub greedy: bool,
    /// Guided chunks by a closed formula. The runtime accepts and shows the value, which does not
    /// change its guided chunks.
    pub analytical: bool,
}

impl KmpSchedule {
    /// The default, `static,balanced;guided,iterative`.
    pub const DEFAULT: Self = Self { greedy: false, analytical: false };
}

/// Reads the variable.
pub(super) fn parse(text: &str) -> Parsed<KmpSchedule> {
    let mut schedule = KmpSchedule::DEFAULT;
    for clause in text.split(';').map(str::trim) {
        let (kind, how) = clause.split_once(',').ok_or("a kind without its meaning")?;
        match kind.trim().to_ascii_lowercase().as_str() {
            "static" => {
                schedule.greedy =
                    value::word(how.trim(), &[("greedy", true), ("balanced", false)])?;
            }
            "guided" => {
                schedule.analytical =
                    value::word(how.trim(), &[("analytical", true), ("iterative", false)])?;
            }
            _ => return Err("neither static nor guided".to_owned()),
        }
    }
    Ok(schedule)
}

/// Writes the syntax of KMP_SCHEDULE.
impl core::fmt::Display for KmpSchedule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let of_static = if self.greedy { "greedy" } else { "balanced" };
        let of_guided = if self.analytical { "analytical" } else { "iterative" };
        write!(f, "static,{of_static};guided,{of_guided}")
    }
}

#[cfg(test)]
mod tests {
    use super::{KmpSchedule, parse};

    #[test]
    fn one_kind_or_both() {
        let shown = |text| parse(text).map(|schedule| schedule.to_string());
        assert_eq!(shown("static,greedy").as_deref(), Ok("static,greedy;guided,iterative"));
        let both = " Guided , Analytical ; static,balanced ";
        assert_eq!(shown(both).as_deref(), Ok("static,balanced;guided,analytical"));
        assert_eq!(KmpSchedule::DEFAULT.to_string(), "static,balanced;guided,iterative");
    }

    #[test]
    fn slips_are_refused() {
        for text in
            ["foo", "static", "static,", "static,fair", "dynamic,greedy", "static,greedy;", ","]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
