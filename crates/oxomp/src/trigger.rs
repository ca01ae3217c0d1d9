//! What makes the last seconds be written: `region=relax>2s`.

use std::str::FromStr;
use std::time::Duration;

use oxomp_analysis::symbols::Place;

use crate::duration::duration;

/// A region that takes longer than a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trigger {
    /// The region's function, source file, or `FILE:LINE`; `None`: every region.
    name: Option<String>,
    limit: Duration,
}

impl Trigger {
    /// Regions that do not take longer are not meant.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether a region at `place` that took `ns` is meant.
    pub(crate) fn is_met(&self, place: &Place, ns: u64) -> bool {
        let is_long = u128::from(ns) > self.limit.as_nanos();
        is_long && self.name.as_deref().is_none_or(|name| is_named(place, name))
    }
}

/// Whether `name` is the function of a place, its source file, or file and line.
fn is_named(place: &Place, name: &str) -> bool {
    let function = place.function.as_deref().unwrap_or_default();
    if function == name || last_part(function) == name {
        return true;
    }
    let Some((path, line)) = &place.line else { return false };
    let file = path.rsplit('/').next().unwrap_or(path);
    [path, file].into_iter().any(|file| file == name || format!("{file}:{line}") == name)
}

/// The name of a function without its namespaces, classes and template's arguments.
fn last_part(function: &str) -> &str {
    let (mut depth, mut begin, mut end) = (0_u32, 0, function.len());
    for (at, letter) in function.char_indices() {
        match letter {
            '<' | '(' | '{' => {
                end = if depth == 0 && end == function.len() { at } else { end };
                depth += 1;
            }
            '>' | ')' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => (begin, end) = (at + 1, function.len()),
            _ => {}
        }
    }
    &function[begin..end.max(begin)]
}

impl FromStr for Trigger {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "not of the form region>2s or region=NAME>2s";
        // A function's name may have the sign, too: operator>.
        let (what, limit) = text.rsplit_once('>').ok_or(form)?;
        let limit = duration(limit.trim())?;
        let name = match what.trim().split_once('=') {
            None if what.trim() == "region" => None,
            Some((kind, name)) if kind.trim() == "region" && !name.trim().is_empty() => {
                Some(name.trim().to_owned())
            }
            _ => return Err(form.to_owned()),
        };
        Ok(Self { name, limit })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use oxomp_analysis::symbols::Place;

    use super::Trigger;

    fn trigger(text: &str) -> Result<Trigger, String> {
        text.parse()
    }

    #[test]
    fn a_trigger_is_a_region_and_a_limit() {
        let limit = Duration::from_secs(2);
        let relax = Some("relax".to_owned());
        assert_eq!(trigger("region=relax>2s"), Ok(Trigger { name: relax, limit }));
        assert_eq!(trigger("region > 2"), Ok(Trigger { name: None, limit }));
        let name = Some("operator>".to_owned());
        let limit = Duration::from_millis(500);
        assert_eq!(trigger("region=operator>>500ms"), Ok(Trigger { name, limit }));
        for text in ["relax>2s", "region=relax", "region=>2s", "region>fast", "barrier=a>1s", ""] {
            assert!(trigger(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_function_may_be_named_without_what_is_around_it() {
        for (function, name) in [
            ("ns::v1::plain", "plain"),
            ("m::relax", "relax"),
            ("ns::S<std::vector<int, std::allocator<int> > >::go", "go"),
            ("ns::apply<ns::S<int>>(int, ns::T)", "apply"),
            ("main::{lambda(double)#1}::run", "run"),
            ("plain", "plain"),
            ("", ""),
        ] {
            assert_eq!(super::last_part(function), name, "{function}");
        }
    }

    #[test]
    fn a_region_has_several_names() {
        let place = Place {
            function: Some("relax".to_owned()),
            line: Some(("/src/solver.c".to_owned(), 12)),
            module: None,
            offset: 0,
            behind: None,
            body: None,
        };
        let is_met = |text: &str, ns| trigger(text).expect("a trigger").is_met(&place, ns);
        for name in ["relax", "solver.c", "solver.c:12", "/src/solver.c", "/src/solver.c:12"] {
            assert!(is_met(&format!("region={name}>1s"), 1_000_000_001), "{name}");
        }
        assert!(!is_met("region=relax>1s", 1_000_000_000));
        assert!(
            !is_met("region=solve>1s", 9_000_000_000)
                && !is_met("region=solver.c:13>1s", 9_000_000_000)
        );
        assert!(is_met("region>1s", 2_000_000_000));
    }
}
