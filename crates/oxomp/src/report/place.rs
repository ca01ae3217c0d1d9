//! The place of each output: its name, and where it lies.

use std::iter;
use std::path::{Path, PathBuf};

use oxomp_analysis::report::OUTSIDE_PHASES;
use oxomp_analysis::summary::{Scope, Window};

use crate::props::Format;

/// The stem of a recording's name that is not repeated in the names of outputs.
const SINGLE: &str = "run";
/// Why a stream takes no tables and no archive.
pub(super) const NEEDS_FOLDER: &str = "several files need a folder: --csv=DIR, --otf2=DIR";

impl Format {
    /// The option that asks for the output.
    pub(super) fn option(self) -> &'static str {
        match self {
            Format::Html => "--html",
            Format::Json => "--json",
            Format::Csv => "--csv",
            Format::Perfetto => "--perfetto",
            Format::Firefox => "--firefox",
            Format::Chrome => "--chrome",
            Format::Otf2 => "--otf2",
            Format::Collapsed => "--collapsed",
            Format::Speedscope => "--speedscope",
            Format::Pprof => "--pprof",
        }
    }

    /// Whether the output has sums, which a part of the run has for itself.
    fn has_sums(self) -> bool {
        matches!(self, Self::Html | Self::Json | Self::Csv)
    }

    /// What of the run is read for the output: of a window, outputs without sums leave out
    /// themselves what is not in it.
    pub(super) fn scope_of(self, scope: &Scope) -> &Scope {
        match scope {
            Scope::Window(_) if !self.has_sums() => &Scope::Run,
            _ => scope,
        }
    }

    /// Whether the output has nothing but the timeline.
    pub(super) fn is_timeline(self) -> bool {
        matches!(self, Self::Perfetto | Self::Chrome | Self::Otf2)
    }

    /// The output's name for a part of the recording `stem.oxp`.
    fn name_of(self, stem: &str, scope: &Scope) -> String {
        let mut number = if stem == SINGLE { String::new() } else { format!(".{stem}") };
        number.push_str(&part_of_name(scope));
        match self {
            Format::Html => format!("report{number}.html"),
            Format::Json => format!("run{number}.json"),
            Format::Csv => format!("csv{number}"),
            Format::Perfetto => format!("run{number}.pftrace"),
            Format::Firefox => format!("run{number}.firefox.json"),
            Format::Chrome => format!("run{number}.chrome.json"),
            Format::Otf2 => format!("otf2{number}"),
            Format::Collapsed => format!("run{number}.collapsed"),
            Format::Speedscope => format!("run{number}.speedscope.json"),
            Format::Pprof => format!("run{number}.pb.gz"),
        }
    }
}

/// What the names of outputs of a part of the run have before their ending.
pub(super) fn part_of_name(scope: &Scope) -> String {
    match scope {
        Scope::Run => String::new(),
        // That of the time outside of all phases is empty.
        Scope::Phase(path) if path.is_empty() => plain(OUTSIDE_PHASES),
        Scope::Phase(path) => plain(path),
        Scope::Window(Window { from_ns, to_ns }) => {
            let seconds = |ns: u64| ns as f64 / 1e9;
            format!(".{}-{}s", seconds(*from_ns), seconds(*to_ns))
        }
    }
}

/// A part of a name that stands for `name`.
fn plain(name: &str) -> String {
    let is_plain = |one: char| one.is_alphanumeric() || one == '_';
    let plain = |one: char| if is_plain(one) { one } else { '-' };
    iter::once('.').chain(name.chars().map(plain)).collect()
}

/// The place of an output of a part of the run: the one that the user names, with the recording's
/// name before its ending where there are `several` recordings, else one beside the recording.
pub(super) fn place_of(
    format: Format,
    named: Option<&Path>,
    (recording, scope): (&Path, &Scope),
    several: bool,
) -> PathBuf {
    let stem = recording.file_stem().unwrap_or_default().to_string_lossy();
    match named {
        None => recording.with_file_name(format.name_of(&stem, scope)),
        Some(named) if !several => named.to_owned(),
        Some(named) => {
            let name = named.file_name().unwrap_or_default().to_string_lossy();
            named.with_file_name(match name.split_once('.') {
                Some((name, ending)) if !name.is_empty() => format!("{name}.{stem}.{ending}"),
                _ => format!("{name}.{stem}"),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use oxomp_analysis::summary::{Scope, Window};

    use super::place_of;
    use crate::props::Format;

    #[test]
    fn outputs_lie_beside_the_recording_or_where_the_user_says() {
        let of = |named: Option<&str>, recording: &str, several| {
            let recording = (Path::new(recording), &Scope::Run);
            let place = place_of(Format::Json, named.map(Path::new), recording, several);
            place.display().to_string()
        };
        assert_eq!(of(None, "data/run.oxp", false), "data/run.json");
        assert_eq!(of(None, "data/4711.oxp", true), "data/run.4711.json");
        assert_eq!(of(Some("x/a.json"), "data/run.oxp", false), "x/a.json");
        assert_eq!(of(Some("x/a.b.json"), "data/12.oxp", true), "x/a.12.b.json");
        assert_eq!(of(Some("a"), "data/12.oxp", true), "a.12");
        let of_part = |format, scope: &Scope| {
            place_of(format, None, (Path::new("data/run.oxp"), scope), false)
        };
        let phase = Scope::Phase("step/a b".to_owned());
        assert_eq!(of_part(Format::Json, &phase), Path::new("data/run.step-a-b.json"));
        let outside = of_part(Format::Html, &Scope::Phase(String::new()));
        assert_eq!(outside, Path::new("data/report.outside-of-phases.html"));
        let window = Scope::Window(Window { from_ns: 1_500_000_000, to_ns: 2_000_000_000 });
        assert_eq!(of_part(Format::Json, &window), Path::new("data/run.1.5-2s.json"));
    }
}
