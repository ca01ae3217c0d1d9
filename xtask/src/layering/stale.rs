//! Lines of the tables of floors that nothing needs, so that the tables do not rot.

use std::collections::BTreeSet;

use super::floors::Rules;
use super::rules::Verdict;

/// A line of the tables that nothing needs.
#[derive(Clone, Debug)]
pub struct Stale {
    /// The constant that it stands in.
    pub table: &'static str,
    /// The first text of the line, by which `line` finds it.
    pub text: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Stale {
    /// The number of this line in `source`, the file with the tables, from 1; 1 if it is not there.
    #[must_use]
    pub fn line(&self, source: &str) -> usize {
        let (table, text) = (format!("const {}", self.table), format!("\"{}\"", self.text));
        let mut lines = source.lines().enumerate().skip_while(|(_, line)| !line.contains(&table));
        lines.find(|(_, line)| line.contains(&text)).map_or(1, |(at, _)| at + 1)
    }
}

impl Rules {
    /// The lines of the tables that nothing needs, given the files and the verdicts on all arrows.
    #[must_use]
    pub fn stale(&self, files: &[&str], verdicts: &BTreeSet<Verdict>) -> Vec<Stale> {
        let used: BTreeSet<&str> =
            files.iter().filter_map(|file| self.room(file)).map(|room| room.name).collect();
        let rooms = self.floors.iter().flat_map(|floor| floor.rooms.iter().copied());
        let mut stale: Vec<Stale> = rooms
            .filter(|room| !room.is_empty() && !used.contains(room))
            .map(|room| Stale {
                table: "FLOORS",
                text: room,
                message: format!("no file lies in room `{room}`: remove it, or correct its path"),
            })
            .collect();
        let tables = [
            ("PAIRS", "pair", self.pairs, Verdict::Pair as fn(usize) -> Verdict),
            ("EXCEPTIONS", "exception", self.exceptions, Verdict::Exception),
        ];
        for (table, word, lines, verdict) in tables {
            for (at, &(from, to, _)) in lines.iter().enumerate() {
                if !verdicts.contains(&verdict(at)) {
                    let message = format!("no file needs the {word} `{from}` → `{to}`: remove it");
                    stale.push(Stale { table, text: from, message });
                }
            }
        }
        stale
    }
}
