//! The table of the symbols that the reference runtimes export, `crates/oxomp-abi/exports.tsv`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The table, seen from the repository's root.
pub const TABLE: &str = "crates/oxomp-abi/exports.tsv";

/// A compatibility node that only libomp has: libgomp has other nodes for the same routines.
const LIBOMP_ONLY: &str = "OMP_6.0";

/// How much a program needs a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Any normal program.
    Common,
    /// A less common construct, or one of the newer specifications.
    Rare,
    /// Legacy and internal names that no current compiler emits.
    Legacy,
    /// Not OpenMP: OpenACC and offload plug-ins.
    OutOfScope,
}

impl Tier {
    /// The name that CONFORMANCE.md uses.
    pub fn label(self) -> &'static str {
        match self {
            Self::Common => "1",
            Self::Rare => "2",
            Self::Legacy => "3",
            Self::OutOfScope => "out of scope",
        }
    }
}

/// A symbol that some reference runtime exports.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The symbol's name.
    pub name: String,
    /// Whether it is data.
    pub data: bool,
    /// How much it is needed.
    pub tier: Tier,
    /// The first libomp, of 19, 22 and 23, that has it.
    pub libomp: Option<u32>,
    /// The first libgomp, of 12 and 16, that has it.
    pub libgomp: Option<u32>,
    /// The version nodes of libgomp's programs, the oldest first; the last is the current one.
    pub nodes: Vec<String>,
}

impl Reference {
    /// The node that programs linked with libgomp today ask for.
    pub fn current_node(&self) -> Option<&str> {
        let nodes = self.nodes.iter().rev().map(String::as_str);
        self.libgomp.and(nodes.into_iter().find(|node| *node != LIBOMP_ONLY))
    }
}

/// Reads the table of the repository at `root`.
pub fn read(root: &Path) -> Result<Vec<Reference>> {
    let path = root.join(TABLE);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines()
        .enumerate()
        .skip(1)
        .map(|(index, line)| {
            parse_line(line).with_context(|| format!("{}:{}", path.display(), index + 1))
        })
        .collect()
}

fn parse_line(line: &str) -> Result<Reference> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, kind, tier, libomp, libgomp, nodes] = fields[..] else {
        bail!("{} columns instead of 6", fields.len());
    };
    let tier = match tier {
        "1" => Tier::Common,
        "2" => Tier::Rare,
        "3" => Tier::Legacy,
        "out" => Tier::OutOfScope,
        other => bail!("`{other}` is no tier"),
    };
    Ok(Reference {
        name: name.to_owned(),
        data: kind == "data",
        tier,
        libomp: version(libomp)?,
        libgomp: version(libgomp)?,
        nodes: nodes.split(' ').filter(|node| *node != "-").map(str::to_owned).collect(),
    })
}

fn version(field: &str) -> Result<Option<u32>> {
    match field {
        "-" => Ok(None),
        number => Ok(Some(number.parse().with_context(|| format!("`{number}` is no version"))?)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Tier, parse_line, read};
    use crate::workspace::root;
    use anyhow::Result;

    #[test]
    fn the_current_node_is_the_last() -> Result<()> {
        let lock = parse_line("omp_set_lock\tfunc\t1\t19\t12\tOMP_1.0 OMP_3.0")?;
        assert_eq!(lock.current_node(), Some("OMP_3.0"));
        assert_eq!(lock.tier, Tier::Common);
        let fork = parse_line("__kmpc_fork_call\tfunc\t1\t19\t-\t-")?;
        assert_eq!(fork.current_node(), None);
        Ok(())
    }

    #[test]
    fn a_bad_line_is_refused() {
        assert!(parse_line("omp_set_lock\tfunc\t1\t19\t12").is_err());
        assert!(parse_line("omp_set_lock\tfunc\t7\t19\t12\tOMP_3.0").is_err());
        assert!(parse_line("omp_set_lock\tfunc\t1\tnew\t12\tOMP_3.0").is_err());
    }

    #[test]
    fn the_tracked_table_covers_both_runtimes() -> Result<()> {
        let table = read(root())?;
        assert_eq!(table.iter().filter(|symbol| symbol.libomp.is_some()).count(), 951);
        assert_eq!(table.iter().filter(|symbol| symbol.libgomp.is_some()).count(), 493);
        Ok(())
    }
}
