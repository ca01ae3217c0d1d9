//! The table of keys in the recorder's documentation is what the recorder's methods write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The keys of each event, in their order.
type Keys = BTreeMap<String, Vec<String>>;

fn source() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oxomp-recorder/src/recorder.rs");
    fs::read_to_string(path).expect("the recorder's source")
}

/// The words in the pairs of backquotes of a cell.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The first two cells of each row of the documentation's table that begins with `head`.
fn rows(source: &str, head: &str) -> Vec<(Vec<String>, String)> {
    let lines = source.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let table = lines.map_while(|line| line.strip_prefix("//! | "));
    let cells = table.filter_map(|row| row.split_once('|'));
    cells.map(|(first, second)| (quoted(first), second.to_owned())).collect()
}

/// The keys that the table tells. A row without an event goes on with the row before it.
fn documented(source: &str) -> Keys {
    let mut keys = Keys::new();
    let mut of: Vec<String> = Vec::new();
    for (events, cell) in rows(source, "//! | event | keys |") {
        let words = quoted(&cell).into_iter().next().unwrap_or_default();
        if !events.is_empty() {
            of = events;
        }
        for event in &of {
            let words = words.split_whitespace().map(str::to_owned);
            keys.entry(event.clone()).or_default().extend(words);
        }
    }
    keys
}

/// The methods of the recorder for events, by name, with their bodies.
fn methods(source: &str) -> BTreeMap<&str, &str> {
    let (_, tool) = source.split_once("\nimpl Tool for Recorder {").expect("the tool");
    let functions = tool.split("\n    fn ").skip(1);
    let named = functions.filter_map(|text| text.split_once("(&self, event: "));
    named.map(|(name, body)| (name, body.split("\n    }\n").next().unwrap_or(body))).collect()
}

/// The keys of the first `values!` in a body, each once; those of details are not among them.
fn keys_in(body: &str) -> Option<Vec<String>> {
    let (_, values) = body.split_once("values! {")?;
    let mut keys: Vec<String> = Vec::new();
    let (mut depth, mut begins, mut word) = (0, true, String::new());
    for symbol in values.chars() {
        match symbol {
            '(' | '{' | '[' => depth += 1,
            '}' if depth == 0 => break,
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => begins = true,
            ':' if begins => {
                begins = false;
                let key = std::mem::take(&mut word);
                if key != "dirty" && !keys.contains(&key) {
                    keys.push(key);
                }
            }
            _ if begins && !symbol.is_whitespace() => word.push(symbol),
            _ => {}
        }
    }
    Some(keys)
}

/// The keys that the methods write, in themselves or in the function that they call.
fn written(source: &str) -> Keys {
    let body_of = |name| Some(source.split_once(&format!("\n    fn {name}("))?.1);
    let keys = methods(source).into_iter().map(|(name, body)| {
        let called = body.split("self.").nth(1).and_then(|call| call.split('(').next());
        let of_called = || keys_in(called.and_then(body_of)?);
        (name.to_owned(), keys_in(body).or_else(of_called).expect(name))
    });
    keys.collect()
}

#[test]
fn each_event_has_a_row_with_its_keys() {
    let source = source();
    let (documented, written) = (documented(&source), written(&source));
    assert!(written.len() > 30, "{written:?}");
    for (event, keys) in &written {
        assert_eq!(documented.get(event), Some(keys), "the row of {event}");
    }
    for event in documented.keys() {
        assert!(written.contains_key(event), "{event} has a row, and no method");
    }
}

#[test]
fn each_key_has_a_meaning() {
    let source = source();
    let meanings = rows(&source, "//! | key | meaning |");
    let explained: BTreeSet<String> = meanings.into_iter().flat_map(|(keys, _)| keys).collect();
    for key in written(&source).into_values().flatten() {
        assert!(explained.contains(&key), "{key}");
    }
}
