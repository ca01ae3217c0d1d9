//! Compares the events of a thread with the expected sequence.

use crate::trace::language::Step;
use crate::trace::log::Event;
use crate::trace::value::{Bindings, Lines};

/// A thread's events recognized.
#[derive(Debug)]
pub struct Recognized<'a> {
    /// The names bound, this thread's own included.
    pub bindings: Bindings,
    /// Labelled events.
    pub labelled: Vec<(&'a str, u64)>,
}

/// How far the recognition got, and why it got no further.
#[derive(Debug, Default)]
pub struct Obstacle {
    /// Events recognized before.
    pub position: usize,
    /// The expected events, by line of the expectation, each with the reason why the event is not
    /// it.
    pub expected: Vec<(usize, String)>,
}

/// A place in the search.
#[derive(Clone)]
struct State<'a> {
    step: usize,
    position: usize,
    bindings: Bindings,
    labelled: Vec<(&'a str, u64)>,
}

/// Recognizes `events` by `steps`, beginning with the names in `bindings`.
///
/// # Errors
///
/// The obstacle that lies farthest.
pub fn recognize<'a>(
    steps: &'a [Step],
    events: &[&Event],
    bindings: &Bindings,
    lines: &dyn Lines,
) -> Result<Recognized<'a>, Obstacle> {
    let mut farthest = Obstacle::default();
    let begin = State { step: 0, position: 0, bindings: bindings.clone(), labelled: Vec::new() };
    let mut open = vec![begin];
    while let Some(mut state) = open.pop() {
        match steps.get(state.step) {
            Some(Step::Jump(target)) => {
                state.step = *target;
                open.push(state);
            }
            Some(Step::Split(first, second)) => {
                open.push(State { step: *second, ..state.clone() });
                state.step = *first;
                open.push(state);
            }
            Some(Step::Forget(names)) => {
                names.iter().for_each(|name| state.bindings.forget(name));
                state.step += 1;
                open.push(state);
            }
            Some(Step::Event(pattern)) => {
                let Some(event) = events.get(state.position) else {
                    farthest.note(state.position, pattern.line, "the thread has no more events");
                    continue;
                };
                let mut bound = state.bindings.clone();
                let mismatch = pattern
                    .mismatch(event, &mut |wanted, value| wanted.fits(value, &mut bound, lines));
                if let Some(reason) = mismatch {
                    farthest.note(state.position, pattern.line, &reason);
                    continue;
                }
                state.labelled.extend(pattern.labels.iter().map(|name| (name.as_str(), event.seq)));
                state.bindings = bound;
                state.step += 1;
                state.position += 1;
                open.push(state);
            }
            None if state.position == events.len() => {
                return Ok(Recognized { bindings: state.bindings, labelled: state.labelled });
            }
            None => farthest.note(state.position, 0, "nothing more was expected"),
        }
    }
    Err(farthest)
}

impl Obstacle {
    fn note(&mut self, position: usize, line: usize, reason: &str) {
        if position > self.position {
            self.position = position;
            self.expected.clear();
        }
        let noted = (line, reason.to_owned());
        if position == self.position && !self.expected.contains(&noted) {
            self.expected.push(noted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bindings, Obstacle, recognize};
    use crate::trace::language::parse;
    use crate::trace::log;
    use crate::trace::value::tests::Named;

    /// `steps` and `events` are separated by `;`, an event is a name and pairs.
    fn attempt(steps: &str, events: &str) -> Result<Bindings, Obstacle> {
        let text = format!("primary {{;{steps};}}");
        let lines: Vec<_> = (0..).zip(text.split(';').map(|line| line.trim().to_owned())).collect();
        let expectation = parse(&lines).expect("a right expectation");
        let events: Vec<&str> =
            events.split(';').map(str::trim).filter(|e| !e.is_empty()).collect();
        let mut text: String = events
            .iter()
            .zip(0..)
            .map(|(event, seq)| format!("{seq} thread=0 {event}\n"))
            .collect();
        text += &format!("# end events={} dropped=0\n", events.len());
        let log = log::parse(&text).expect("a right log");
        let events: Vec<_> = log.events.iter().collect();
        recognize(&expectation.roles[0].steps, &events, &Bindings::default(), &Named)
            .map(|recognized| recognized.bindings)
    }

    #[test]
    fn a_sequence_must_be_complete_and_nothing_else() {
        assert!(attempt("a x=1; b", "a x=1; b").is_ok());
        assert!(attempt("a x=1; b", "a x=1").is_err());
        let obstacle = attempt("a x=1; b", "a x=1; b; c").expect_err("one too many");
        assert_eq!(obstacle.position, 2);
        let obstacle = attempt("a x=1; b", "a x=1; c").expect_err("another one");
        assert_eq!(obstacle.expected, [(2, "it is c".to_owned())]);
    }

    #[test]
    fn values_must_fit_and_all_be_mentioned() {
        let obstacle = attempt("a x=1", "a x=2").expect_err("another value");
        assert_eq!(obstacle.expected[0].1, "x is 2");
        assert!(attempt("a x=1", "a x=1 y=2").is_err());
        assert!(attempt("a x=1 ..", "a x=1 y=2").is_ok());
        assert!(attempt("a x=1", "a x=1 time=2 state=idle").is_ok());
        assert!(attempt("a state=busy", "a state=idle").is_err());
    }

    #[test]
    fn many_binds_anew_in_each_turn() {
        let steps = "many {; b t=%t; e t=%t; }; end";
        assert!(attempt(steps, "end").is_ok());
        assert!(attempt(steps, "b t=t1; e t=t1; b t=t2; e t=t2; end").is_ok());
        assert!(attempt(steps, "b t=t1; e t=t2; end").is_err());
    }

    #[test]
    fn maybe_and_either() {
        assert!(attempt("maybe {; a; }; b", "b").is_ok());
        assert!(attempt("maybe {; a; }; b", "a; b").is_ok());
        let steps = "either {; a x=1; b; } or {; a x=1; c; } or {; d; }; end";
        assert!(attempt(steps, "a x=1; b; end").is_ok());
        assert!(attempt(steps, "a x=1; c; end").is_ok());
        assert!(attempt(steps, "d; end").is_ok());
        assert!(attempt(steps, "a x=1; d; end").is_err());
    }

    #[test]
    fn names_hold_across_events() {
        let bindings = attempt("a p=$p; b p=$p q=%q", "a p=p1; b p=p1 q=p2").expect("fits");
        assert_eq!(bindings.get("%q"), Some("p2"));
        assert!(attempt("a p=$p; b p=$p q=%q", "a p=p1; b p=p1 q=p1").is_err());
    }
}
