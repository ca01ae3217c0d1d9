//! The language of expectations, after [`mod@crate::trace::expand`]: roles, sequences, constraints.

use crate::trace::expand::Line;
use crate::trace::log::{Detail, Event};
use crate::trace::value::ValuePattern;

/// Keys of an event that an expectation may leave out.
const OPTIONAL: [&str; 3] = ["state", "wait", "time"];

/// The expectation of a program's events.
#[derive(Debug, Default)]
pub struct Expectation {
    /// The expected events of each kind of thread.
    pub roles: Vec<Role>,
    /// All events with the first label happen before all with the second.
    pub orders: Vec<Order>,
    /// How many events fit a pattern, in all threads together.
    pub totals: Vec<Total>,
    /// The expected answers of `ompt_set_callback`.
    pub callbacks: Vec<(usize, String, String)>,
}

/// The expected events of threads of one kind.
#[derive(Debug)]
pub struct Role {
    /// The line it begins in.
    pub line: usize,
    /// The kind of thread.
    pub kind: RoleKind,
    /// How many threads, at least and at most.
    pub count: (usize, usize),
    /// The program that recognizes the thread's events.
    pub steps: Vec<Step>,
}

/// The kind of thread that a role is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleKind {
    /// The thread whose events come first.
    Primary,
    /// Threads of the runtime.
    Worker,
    /// Other threads of the program.
    Root,
}

/// One instruction of a recognizer.
#[derive(Debug)]
pub enum Step {
    /// The next event must fit.
    Event(EventPattern),
    /// Continue at either place.
    Split(usize, usize),
    /// Continue at that place.
    Jump(usize),
    /// These names are free again: a new turn begins.
    Forget(Vec<String>),
}

/// The pattern of one event.
#[derive(Debug, Clone)]
pub struct EventPattern {
    /// The line it stands in.
    pub line: usize,
    /// The event's name.
    pub name: String,
    /// The patterns of its values.
    pub keys: Vec<(String, ValuePattern)>,
    /// Whether keys that are not mentioned are not compared.
    pub open: bool,
    /// The patterns of the entry points' answers; `None` if the answers are not compared.
    pub details: Vec<DetailPattern>,
    /// Names for constraints.
    pub labels: Vec<String>,
}

/// The pattern of an entry point's answer.
#[derive(Debug, Clone)]
pub struct DetailPattern {
    /// The entry point.
    pub name: String,
    /// The patterns of its values; other keys are not compared.
    pub keys: Vec<(String, ValuePattern)>,
}

/// A constraint between threads.
#[derive(Debug)]
pub struct Order {
    /// The line it stands in.
    pub line: usize,
    /// The earlier events.
    pub before: String,
    /// The later events.
    pub after: String,
    /// Whether the specification leaves the order open, and oxomp guarantees it.
    pub prompt: bool,
}

/// A constraint on a number of events.
#[derive(Debug)]
pub struct Total {
    /// The number of events.
    pub count: usize,
    /// The pattern of the events that are counted.
    pub pattern: EventPattern,
}

/// Reads an expanded expectation.
///
/// # Errors
///
/// Names the line and its error.
pub fn parse(lines: &[Line]) -> Result<Expectation, String> {
    let mut expectation = Expectation::default();
    let mut reader = Reader { lines, next: 0 };
    while let Some((line, text)) = reader.take() {
        let said = |what: &str| format!("line {line}: {text}: {what}");
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [kind, rest @ .., "{"] => {
                let (kind, count) = role(kind, rest).ok_or_else(|| said("no such role"))?;
                let mut steps = Vec::new();
                reader.sequence(&mut steps)?;
                expectation.roles.push(Role { line, kind, count, steps });
            }
            [word @ ("order" | "prompt"), before, "<", after] => expectation.orders.push(Order {
                line,
                before: (*before).to_owned(),
                after: (*after).to_owned(),
                prompt: *word == "prompt",
            }),
            ["total", count, event @ ..] => expectation.totals.push(Total {
                count: count.parse().map_err(|_| said("not a number"))?,
                pattern: event_pattern(line, event).map_err(|error| said(&error))?,
            }),
            ["callback", name, result] => {
                expectation.callbacks.push((line, (*name).to_owned(), (*result).to_owned()));
            }
            _ => return Err(said("not a statement here")),
        }
    }
    let labels: Vec<&str> = expectation.labels().collect();
    for order in &expectation.orders {
        for name in [&order.before, &order.after] {
            if !labels.contains(&name.as_str()) {
                return Err(format!("line {}: no event is labelled {name}", order.line));
            }
        }
    }
    Ok(expectation)
}

impl Expectation {
    /// The marks that code addresses are compared with.
    pub fn marks(&self) -> impl Iterator<Item = &str> {
        let events = self.events().chain(self.totals.iter().map(|total| &total.pattern));
        events.flat_map(|event| event.keys.iter().flat_map(|(_, value)| value.marks()))
    }

    fn labels(&self) -> impl Iterator<Item = &str> {
        self.events().flat_map(|event| event.labels.iter().map(String::as_str))
    }

    fn events(&self) -> impl Iterator<Item = &EventPattern> {
        self.roles.iter().flat_map(|role| &role.steps).filter_map(|step| match step {
            Step::Event(pattern) => Some(pattern),
            _ => None,
        })
    }
}

fn role(kind: &str, rest: &[&str]) -> Option<(RoleKind, (usize, usize))> {
    let kind = match kind {
        "primary" if rest.is_empty() => return Some((RoleKind::Primary, (1, 1))),
        "worker" => RoleKind::Worker,
        "root" => RoleKind::Root,
        _ => return None,
    };
    let [count] = rest else { return None };
    let (least, most) = count.split_once('-').unwrap_or((count, count));
    Some((kind, (least.parse().ok()?, most.parse().ok()?)))
}

struct Reader<'a> {
    lines: &'a [Line],
    next: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self) -> Option<(usize, &'a str)> {
        let (line, text) = self.lines.get(self.next)?;
        self.next += 1;
        Some((*line, text))
    }

    /// Reads statements up to the closing brace and returns that line.
    fn sequence(&mut self, steps: &mut Vec<Step>) -> Result<(usize, &'a str), String> {
        while let Some((line, text)) = self.take() {
            let said = |what: &str| format!("line {line}: {text}: {what}");
            let words: Vec<&str> = text.split_whitespace().collect();
            match words.as_slice() {
                ["}", ..] => return Ok((line, text)),
                ["many", "{"] => self.repeated(steps, line)?,
                ["maybe", "{"] => {
                    let split = reserve(steps);
                    self.sequence(steps)?;
                    steps[split] = Step::Split(split + 1, steps.len());
                }
                ["either", "{"] => self.alternatives(steps)?,
                ["+", name, keys @ ..] => {
                    let Some(Step::Event(event)) = steps.last_mut() else {
                        return Err(said("a detail of no event"));
                    };
                    let keys = pairs(keys).map_err(|error| said(&error))?;
                    event.details.push(DetailPattern { name: (*name).to_owned(), keys });
                }
                event => steps
                    .push(Step::Event(event_pattern(line, event).map_err(|error| said(&error))?)),
            }
        }
        Err("a block of the expectation has no closing brace".to_owned())
    }

    fn repeated(&mut self, steps: &mut Vec<Step>, line: usize) -> Result<(), String> {
        let split = reserve(steps);
        let forget = reserve(steps);
        self.sequence(steps)?;
        if !steps[forget..].iter().any(|step| matches!(step, Step::Event(_))) {
            return Err(format!("line {line}: nothing to repeat"));
        }
        let bound_before = locals(&steps[..split]);
        let mut fresh = locals(&steps[forget..]);
        fresh.retain(|name| !bound_before.contains(name));
        steps[forget] = Step::Forget(fresh);
        steps.push(Step::Jump(split));
        steps[split] = Step::Split(split + 1, steps.len());
        Ok(())
    }

    fn alternatives(&mut self, steps: &mut Vec<Step>) -> Result<(), String> {
        let mut jumps = Vec::new();
        loop {
            let split = reserve(steps);
            let (_, end) = self.sequence(steps)?;
            jumps.push(reserve(steps));
            steps[split] = if end == "}" {
                Step::Jump(split + 1)
            } else {
                Step::Split(split + 1, steps.len())
            };
            if end == "}" {
                break;
            }
            if end.split_whitespace().ne(["}", "or", "{"]) {
                return Err(format!("{end}: write `}} or {{` between alternatives"));
            }
        }
        let end = steps.len();
        for jump in jumps {
            steps[jump] = Step::Jump(end);
        }
        Ok(())
    }
}

/// Makes room for a step that is known later.
fn reserve(steps: &mut Vec<Step>) -> usize {
    steps.push(Step::Forget(Vec::new()));
    steps.len() - 1
}

fn locals(steps: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for step in steps {
        if let Step::Event(event) = step {
            let details = event.details.iter().flat_map(|detail| &detail.keys);
            for (_, value) in event.keys.iter().chain(details) {
                names.extend(value.locals().map(str::to_owned));
            }
        }
    }
    names
}

fn event_pattern(line: usize, words: &[&str]) -> Result<EventPattern, String> {
    let (words, labels) = match words.iter().position(|word| *word == "as") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let (open, words) = match words {
        [event @ .., ".."] => (true, event),
        event => (false, event),
    };
    let [name, keys @ ..] = words else { return Err("no event".to_owned()) };
    let (name, keys) = ((*name).to_owned(), pairs(keys)?);
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    Ok(EventPattern { line, name, keys, open, details: Vec::new(), labels })
}

fn pairs(words: &[&str]) -> Result<Vec<(String, ValuePattern)>, String> {
    let pair = |word: &&str| match word.split_once('=') {
        Some((key, value)) => Ok((key.to_owned(), ValuePattern::parse(value))),
        None => Err(format!("{word} is not of the form key=value")),
    };
    words.iter().map(pair).collect()
}

impl EventPattern {
    /// Why `event` is not the one expected, or `None` if it is, with its values bound.
    pub fn mismatch(
        &self,
        event: &Event,
        fits: &mut dyn FnMut(&ValuePattern, &str) -> bool,
    ) -> Option<String> {
        if event.name != self.name {
            return Some(format!("it is {}", event.name));
        }
        for (key, pattern) in &self.keys {
            match event.get(key) {
                None => return Some(format!("it has no {key}")),
                Some(value) if !fits(pattern, value) => return Some(format!("{key} is {value}")),
                Some(_) => {}
            }
        }
        let mentioned = |key: &str| self.keys.iter().any(|(name, _)| name == key);
        let forgotten =
            |(key, _): &&(String, String)| !mentioned(key) && !OPTIONAL.contains(&key.as_str());
        if let Some((key, _)) = event.keys.iter().find(forgotten)
            && !self.open
        {
            return Some(format!("{key} is not mentioned (end the line with `..` if on purpose)"));
        }
        // In the log's order: each line is compared with the details after the one that fitted the
        // line before.
        let mut details = event.details.iter();
        self.details.iter().find_map(|wanted| {
            let answers = details.any(|found| wanted.fits(found, fits));
            (!answers).then(|| format!("no {} answered as expected", wanted.name))
        })
    }
}

impl DetailPattern {
    fn fits(&self, found: &Detail, fits: &mut dyn FnMut(&ValuePattern, &str) -> bool) -> bool {
        let value = |key: &str| crate::trace::log::find(&found.keys, key);
        found.name == self.name
            && self.keys.iter().all(|(key, wanted)| value(key).is_some_and(|v| fits(wanted, v)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Expectation, Line, RoleKind, parse};

    fn parsed(text: &str) -> Result<Expectation, String> {
        let lines: Vec<Line> = (1..).zip(text.lines().map(|line| line.trim().to_owned())).collect();
        parse(&lines)
    }

    #[test]
    fn roles_constraints_and_totals_are_read() {
        let expectation = parsed(
            "primary {\n begin a=1 as x\n}\nworker 2-3 {\n end .. as y\n}\norder x < y\n\
             prompt y < x\ntotal 2 begin ..\ncallback work always",
        )
        .expect("right");
        assert_eq!(expectation.roles[0].kind, RoleKind::Primary);
        assert_eq!(expectation.roles[1].count, (2, 3));
        assert!(!expectation.orders[0].prompt && expectation.orders[1].prompt);
        assert_eq!(expectation.totals[0].count, 2);
        assert_eq!(expectation.callbacks[0].1, "work");
    }

    #[test]
    fn mistakes_name_the_line() {
        for (text, wanted) in [
            ("primary {\n begin", "no closing brace"),
            ("boss {\n}", "no such role"),
            ("worker {\n}", "no such role"),
            ("primary {\n begin x\n}", "line 2: begin x: x is not of the form"),
            ("order a < b", "no event is labelled a"),
            ("primary {\n many {\n }\n}", "nothing to repeat"),
            ("primary {\n + task_info level=0\n}", "a detail of no event"),
            ("primary {\n either {\n a\n } else {\n }\n}", "between alternatives"),
            ("begin a=1", "not a statement here"),
        ] {
            let error = parsed(text).expect_err(text);
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
