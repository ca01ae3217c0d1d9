//! The citations of benchmarks in the sources of the crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::comments::{citations_in, words_of_code};
use crate::files::{files_below, is_rust};

/// A place that cites a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    /// The benchmark, family or setting.
    pub(super) name: String,
    /// The item that the comment documents: usually a constant.
    pub(super) item: String,
    /// The file, below the folder of the crates.
    pub(super) file: PathBuf,
}

/// The citations in all crates, in the order of the files. `is_known`: there is such a benchmark.
pub(super) fn read(root: &Path, is_known: impl Fn(&str) -> bool) -> Result<Vec<Citation>> {
    let crates = root.join("crates");
    let is_source =
        |path: &Path| is_rust(path) && path.components().any(|part| part.as_os_str() == "src");
    let files = files_below(&crates, is_source)?;
    let mut texts = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        texts.push((path.strip_prefix(&crates)?.to_path_buf(), text));
    }
    let in_code: BTreeSet<&str> = texts.iter().flat_map(|(_, text)| words_of_code(text)).collect();
    let found = texts.iter().flat_map(|(file, text)| {
        let is_word = |name: &str| is_known(name) || !in_code.contains(name);
        let found = citations_in(text, is_word);
        found.into_iter().map(|(name, item)| Citation { name, item, file: file.clone() })
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read;
    use crate::bench::catalogue::Catalogue;
    use crate::bench::setting;

    #[test]
    fn every_cited_benchmark_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let catalogue = Catalogue::read(root).expect("the tables are readable");
        let families = catalogue.families();
        let exists = |name: &str| {
            catalogue.find(name).is_some()
                || families.contains(&name)
                || setting::find(name).is_some()
        };
        let citations = read(root, exists).expect("the sources are readable");
        let fan_in = citations.iter().find(|it| it.item == "FAN_IN").expect("FAN_IN cites one");
        assert_eq!(fan_in.name, "barrier");
        let missing: Vec<_> = citations.iter().filter(|it| !exists(&it.name)).collect();
        assert!(missing.is_empty(), "no such benchmark in bench/: {missing:#?}");
    }
}
