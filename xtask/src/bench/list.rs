//! `cargo xtask bench --list`: every name, its description, and its citations.

use std::fmt::Write;

use super::catalogue::Catalogue;
use super::citations::Citation;
use super::setting::SETTINGS;

pub(super) fn page(catalogue: &Catalogue, citations: &[Citation]) -> String {
    let mut page = String::new();
    for family in catalogue.families() {
        let _ = writeln!(page, "{family}");
        cite(&mut page, "  ", family, citations);
        for benchmark in catalogue.family(family) {
            let (name, unit, about) = (&benchmark.name, &benchmark.unit, &benchmark.about);
            let _ = writeln!(page, "  {name:<25} {unit:<16} {about}");
            cite(&mut page, "    ", name, citations);
        }
    }
    let _ = writeln!(page, "settings");
    for setting in &SETTINGS {
        let _ = writeln!(page, "  {:<25} {}", setting.name, setting.about);
        let _ = writeln!(page, "    runs {}", setting.benchmarks.join(", "));
        cite(&mut page, "    ", setting.name, citations);
    }
    page
}

fn cite(page: &mut String, indent: &str, name: &str, citations: &[Citation]) {
    for citation in citations.iter().filter(|citation| citation.name == name) {
        let _ = writeln!(page, "{indent}cited by {} in {}", citation.item, citation.file.display());
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::page;
    use crate::bench::catalogue::{Benchmark, Catalogue};
    use crate::bench::citations::Citation;

    #[test]
    fn a_benchmark_has_its_citations_below_it() {
        let benchmark = Benchmark {
            name: "barrier".to_owned(),
            unit: "ns/barrier".to_owned(),
            about: "a barrier of the team".to_owned(),
            family: "synchronisation".to_owned(),
        };
        let citation = Citation {
            name: "barrier".to_owned(),
            item: "FAN_IN".to_owned(),
            file: PathBuf::from("core/src/barrier/mod.rs"),
        };
        let page = page(&Catalogue(vec![benchmark]), &[citation]);
        let lines: Vec<&str> = page.lines().take(3).map(str::trim_start).collect();
        assert_eq!(lines[0], "synchronisation");
        assert!(lines[1].starts_with("barrier ") && lines[1].ends_with("a barrier of the team"));
        assert_eq!(lines[2], "cited by FAN_IN in core/src/barrier/mod.rs");
    }
}
