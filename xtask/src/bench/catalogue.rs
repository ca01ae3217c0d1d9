//! The benchmarks that there are: the tables in the C files of `bench/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The folder of the benchmarks, below the repository's root.
pub(super) const FOLDER: &str = "bench";

/// The file that every program is linked with; it has no benchmarks.
pub(super) const HARNESS: &str = "bench";

/// The family whose figures do not depend on a runtime.
const MACHINE: &str = "machine";

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Benchmark {
    pub(super) name: String,
    /// The unit of its figures: `ns/…` or `KB`.
    pub(super) unit: String,
    /// A description of what it measures.
    pub(super) about: String,
    /// The name of its file: benchmarks of one family are one program.
    pub(super) family: String,
}

impl Benchmark {
    /// Whether every runtime gives the same figure.
    pub(super) fn is_of_machine(&self) -> bool {
        self.family == MACHINE
    }
}

/// All benchmarks, by family.
#[derive(Debug)]
pub(super) struct Catalogue(pub(super) Vec<Benchmark>);

impl Catalogue {
    /// Reads the tables.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let folder = root.join(FOLDER);
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
        files.sort();
        let mut all = Vec::new();
        for path in files {
            let family = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if family == HARNESS {
                continue;
            }
            let benchmarks = table_of(&family, &fs::read_to_string(&path)?);
            ensure!(!benchmarks.is_empty(), "{} has no table of benchmarks", path.display());
            all.extend(benchmarks);
        }
        Ok(Self(all))
    }

    /// The benchmark of this name.
    pub(super) fn find(&self, name: &str) -> Option<&Benchmark> {
        self.0.iter().find(|benchmark| benchmark.name == name)
    }

    /// The benchmarks of this family.
    pub(super) fn family<'a>(&'a self, family: &'a str) -> impl Iterator<Item = &'a Benchmark> {
        self.0.iter().filter(move |benchmark| benchmark.family == family)
    }

    /// The families, in the order of their files.
    pub(super) fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = self.0.iter().map(|it| it.family.as_str()).collect();
        families.dedup();
        families
    }
}

/// The entries of the array `benchmarks` in `source`: each begins with three strings.
fn table_of(family: &str, source: &str) -> Vec<Benchmark> {
    let table = source.split_once("benchmarks[] = {").map_or("", |(_, table)| table);
    let entry = |text: &str| {
        let mut strings = text.split('"').step_by(2).map(str::to_owned);
        Some(Benchmark {
            name: strings.next()?,
            unit: strings.next()?,
            about: strings.next()?,
            family: family.to_owned(),
        })
    };
    table.split("{\"").skip(1).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{Catalogue, table_of};
    use crate::bench::setting::SETTINGS;

    fn catalogue() -> Catalogue {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        Catalogue::read(root).expect("the tables are readable")
    }

    #[test]
    fn an_entry_begins_with_three_strings() {
        let source = r#"
            const struct benchmark benchmarks[] = {
                {"one", "ns/loop", "a loop", one, no_work},
                {"two", "KB",
                 "tasks, many", two, no_work, 1000},
                {0},
            };"#;
        let table = table_of("loops", source);
        let texts: Vec<_> =
            table.iter().map(|it| [it.name.as_str(), &it.unit, &it.about, &it.family]).collect();
        assert_eq!(
            texts,
            [["one", "ns/loop", "a loop", "loops"], ["two", "KB", "tasks, many", "loops"]]
        );
    }

    #[test]
    fn every_entry_is_whole() {
        for benchmark in &catalogue().0 {
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(benchmark.name.chars().all(is_name), "{benchmark:?}");
            assert!(benchmark.unit == "KB" || benchmark.unit.starts_with("ns/"), "{benchmark:?}");
            assert!(!benchmark.unit.contains(' '), "a unit is one word: {benchmark:?}");
            assert!(benchmark.about.len() > 5, "{benchmark:?}");
        }
    }

    #[test]
    fn a_name_means_one_thing() {
        let catalogue = catalogue();
        let mut seen = BTreeSet::new();
        let benchmarks = catalogue.0.iter().map(|it| it.name.as_str());
        let settings = SETTINGS.iter().map(|setting| setting.name);
        for name in benchmarks.chain(catalogue.families()).chain(settings) {
            assert!(seen.insert(name.to_owned()), "`{name}` is there twice");
        }
    }
}
