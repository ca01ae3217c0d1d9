//! The inside of a crate: its files, their arrows and circles, and what the rules say of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::breach::Breach;
use super::floors::Rules;
use super::rules::Verdict;
use super::source::arrows::{Arrow, arrows};
use super::source::circles::circles;
use super::source::tree::{File, FileId, Tree};

/// The most files of a crate without floors.
const MOST_WITHOUT_FLOORS: usize = 30;

/// A crate with the rules for its inside.
#[derive(Debug)]
pub struct Inside {
    /// The crate's name.
    pub of: String,
    /// The `src` folder.
    pub source: PathBuf,
    pub rules: Rules,
    /// The crate's modules.
    pub tree: Tree,
    /// Which file uses which.
    pub arrows: Vec<Arrow>,
    /// The files that use each other, the largest circle first.
    pub circles: Vec<Vec<FileId>>,
}

impl Inside {
    /// The crate `of` with the modules `tree`, read from `source`. `foreign` has the names of other
    /// crates' methods; a name in it tells nothing.
    pub fn new(
        of: &str,
        source: &Path,
        tree: Tree,
        foreign: &BTreeSet<String>,
        rules: Rules,
    ) -> Self {
        let arrows = arrows(&tree, foreign);
        let circles = circles(tree.files.len(), &arrows);
        Inside { of: of.to_owned(), source: source.to_path_buf(), rules, tree, arrows, circles }
    }

    /// The name of a file.
    pub fn name(&self, file: FileId) -> &str {
        &self.tree.files[file].name
    }

    /// The files that have code.
    pub fn users(&self) -> impl Iterator<Item = &str> {
        self.tree.files.iter().filter(|file| file.has_code).map(|file| file.name.as_str())
    }

    /// How many lines each file of a room has.
    pub fn lines_of(&self, floor: usize, room: &str) -> Vec<usize> {
        let is_there = |file: &&File| {
            let its = self.rules.room(&file.name);
            its.is_some_and(|its| its.floor == floor && its.name == room)
        };
        self.tree.files.iter().filter(is_there).map(|file| file.lines).collect()
    }

    /// What the rules say of `arrow`.
    pub fn verdict(&self, arrow: &Arrow) -> Verdict {
        self.rules.verdict(self.name(arrow.from), self.name(arrow.to))
    }

    /// What breaks the rules.
    pub fn check(&self) -> Vec<Breach> {
        let (table, text) = self.rules.table;
        let mut breaches = Vec::new();
        let files = self.tree.files.len();
        if self.rules.floors.len() < 2 && files > MOST_WITHOUT_FLOORS {
            let root = &self.tree.files[0].name;
            let rule = format!("{} has {files} files: give it floors in {table}", self.of);
            breaches.push(self.breach(root, 1, rule));
        }
        for file in self.users().filter(|file| self.rules.room(file).is_none()) {
            let rule = format!("`{file}` lies in no room: give it one in {table}");
            breaches.push(self.breach(file, 1, rule));
        }
        breaches.extend(self.arrows.iter().filter_map(|arrow| self.check_arrow(arrow)));
        breaches.extend(self.circles.iter().filter_map(|circle| self.check_circle(circle)));
        let verdicts = self.arrows.iter().map(|arrow| self.verdict(arrow)).collect();
        let stale = self.rules.stale(&self.users().collect::<Vec<_>>(), &verdicts);
        breaches.extend(stale.into_iter().map(|stale| Breach {
            file: table.into(),
            line: stale.line(text),
            rule: stale.message,
        }));
        breaches
    }

    fn breach(&self, file: &str, line: usize, rule: String) -> Breach {
        Breach { file: self.source.join(file), line, rule }
    }

    fn check_arrow(&self, arrow: &Arrow) -> Option<Breach> {
        let (from, to) = (self.name(arrow.from), self.name(arrow.to));
        let floor = |file: &str| {
            let floor = self.rules.room(file).map(|room| room.floor);
            floor
                .map_or_else(String::new, |at| format!("{} {}", at + 1, self.rules.floors[at].name))
        };
        let names = arrow.names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let rule = match self.verdict(arrow) {
            Verdict::Up => format!(
                "`{from}` (floor {}) uses {names} of `{to}` (floor {}): arrows go down. Move what is \
                 used below, hand it in from above, or list the two files in EXCEPTIONS with a reason",
                floor(from),
                floor(to)
            ),
            Verdict::Neighbour => format!(
                "`{from}` uses {names} of `{to}`, a neighbour on floor {}: move what both need below, \
                 or list the two rooms in PAIRS with a reason",
                floor(from)
            ),
            Verdict::Unplaced if self.rules.room(to).is_none() => {
                format!(
                    "`{from}` uses {names} of `{to}`, which lies in no room: name who defines it"
                )
            }
            _ => return None,
        };
        Some(self.breach(from, arrow.line, rule))
    }

    fn check_circle(&self, circle: &[FileId]) -> Option<Breach> {
        let files: Vec<&str> = circle.iter().map(|&file| self.name(file)).collect();
        let objection = self.rules.objection(&files)?;
        // An arrow that leads out of the blocks is the first to cut.
        let is_block = |file| {
            self.rules.room(self.name(file)).is_some_and(|room| self.rules.is_blocks(room.floor))
        };
        let inside = |arrow: &&Arrow| circle.contains(&arrow.from) && circle.contains(&arrow.to);
        let leads_out = |arrow: &&Arrow| is_block(arrow.from) && !is_block(arrow.to);
        let first = self.arrows.iter().find(|arrow| inside(arrow) && leads_out(arrow));
        let arrow = first.or_else(|| self.arrows.iter().find(inside))?;
        let rule = format!(
            "{} files use each other in a circle, here by the arrow to `{}`: {objection}. Cut arrows \
             among {}",
            files.len(),
            self.name(arrow.to),
            files.join(", ")
        );
        Some(self.breach(self.name(arrow.from), arrow.line, rule))
    }
}
