//! The citations in the comments of a Rust file.
//!
//! A comment cites a benchmark by its name in backticks at the beginning of a parenthesis:
//! ``(`barrier`, 2 threads)``, ``(`lock`, `critical_with_work`)``. Other things are named like that
//! too, so a name counts
//!
//! - in the comment of a constant, unless it belongs to an interface such as `omp_`;
//! - elsewhere if a figure or conditions follow it, as in ``(`memory`: 200,000 tasks)``, or if it
//!   consists of several words and is a benchmark's name, or appears nowhere in the code.

/// Names that begin so are of OpenMP's or a compiler's interface.
const INTERFACES: [&str; 7] = ["omp_", "ompt_", "ompd_", "kmp_", "kmpc", "gomp_", "__"];

/// The words of the lines that are not comments.
pub(super) fn words_of_code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| comment(line).is_none());
    code.flat_map(|line| line.split(|c: char| !is_of_name(c))).filter(|word| !word.is_empty())
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim())
}

/// The names that comments in `text` cite, each with the name of what the comment is about.
/// `is_word` tells of a name of several words whether it is a benchmark's name, or does not occur
/// in the code.
pub(super) fn citations_in(text: &str, is_word: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = comment(line) else { continue };
        let mut paragraph = first.to_owned();
        while let Some(more) = lines.peek().and_then(|line| comment(line)) {
            paragraph.push(' ');
            paragraph.push_str(more);
            lines.next();
        }
        let about = lines.clone().find(|line| !line.trim_start().starts_with("#["));
        let item = Item::of(about.unwrap_or_default());
        for (name, rest) in parenthesised(&paragraph) {
            let is_interface = INTERFACES.iter().any(|prefix| name.starts_with(prefix));
            let is_cited =
                item.is_constant || is_figure(rest) || name.contains('_') && is_word(name);
            if is_cited && !is_interface {
                found.push((name.to_owned(), item.name.clone()));
            }
        }
    }
    found
}

/// The names in backticks that begin a parenthesis, each with what follows the last of them.
fn parenthesised(paragraph: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in paragraph.match_indices("(`") {
        let mut rest = &paragraph[at + 1..];
        let mut names = Vec::new();
        while let Some((name, after)) =
            rest.strip_prefix('`').and_then(|inside| inside.split_once('`'))
        {
            names.push(name);
            rest = after;
            let Some(next) = after.strip_prefix(", ").filter(|next| next.starts_with('`')) else {
                break;
            };
            rest = next;
        }
        let rest = rest.split(')').next().unwrap_or_default();
        found.extend(names.into_iter().map(|name| (name, rest)));
    }
    found.retain(|(name, _)| !name.is_empty() && name.chars().all(is_of_name));
    found
}

/// Whether the text after a name is a figure, or names conditions.
fn is_figure(rest: &str) -> bool {
    let text = rest.trim_start_matches([',', ':', ' ']);
    let is_number = rest != text && text.starts_with(|c: char| c.is_ascii_digit());
    is_number || text.starts_with("rows") || text.starts_with("with ") && text.contains("threads")
}

/// The item that follows a comment.
struct Item {
    name: String,
    is_constant: bool,
}

impl Item {
    fn of(line: &str) -> Self {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words =
            words.filter(|word| !matches!(*word, "" | "pub" | "crate" | "super" | "in"));
        let first = words.next().unwrap_or_default();
        let is_keyword =
            matches!(first, "const" | "static" | "fn" | "struct" | "enum" | "type" | "mod");
        let name = if is_keyword { words.next().unwrap_or_default() } else { first };
        Self {
            name: name.to_owned(),
            is_constant: matches!(first, "const" | "static") && name != "fn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::citations_in;

    fn names(text: &str) -> Vec<String> {
        let is_word = |name: &str| name != "make_room";
        citations_in(text, is_word)
            .into_iter()
            .map(|(name, item)| format!("{name} {item}"))
            .collect()
    }

    #[test]
    fn a_constant_cites_whatever_its_comment_names() {
        let text = "
            /// Few enough, about 10 µs
            /// (`lock`, `critical_with_work`).
            #[cfg(not(loom))]
            pub(crate) const TRIES: u32 = 60;";
        assert_eq!(names(text), ["lock TRIES", "critical_with_work TRIES"]);
        assert_eq!(names("/// (`omp_get_num_threads`)\nconst A: u32 = 1;"), [""; 0]);
    }

    #[test]
    fn another_item_cites_what_has_a_figure() {
        let text =
            "/// Queued nowhere (`memory`: 200,000 tasks in 2 MB).\npub(super) fn throttle() {}";
        assert_eq!(names(text), ["memory throttle"]);
        assert_eq!(
            names("/// Late (`neighbour` rows: a process).\nshares: bool,"),
            ["neighbour shares"]
        );
        assert_eq!(
            names("/// Free (`lock` with more threads than processors).\nfn a() {}"),
            ["lock a"]
        );
        assert_eq!(
            names("/// Kept (`taskgroup_reduction`).\nstruct Spare;"),
            ["taskgroup_reduction Spare"]
        );
    }

    #[test]
    fn names_of_code_are_not_cited() {
        for text in [
            "/// How it runs (`parallel`).\nfn a() {}",
            "/// Replaced between regions (`make_room`).\nfn a() {}",
            "/// Asked by `barrier`, 2 threads.\nconst A: u32 = 1;",
            "let a = 1; // (`lock`, 2 threads)",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }
}
