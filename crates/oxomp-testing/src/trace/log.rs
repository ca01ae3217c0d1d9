//! The recorder's log: one line per OMPT event, in the order they happened in the whole program.

use std::fmt;

/// Everything a recorder wrote about one run.
#[derive(Debug, Default)]
pub struct Log {
    /// The events in global order.
    pub events: Vec<Event>,
    /// The answers of `ompt_set_callback`, by the event's name.
    pub callbacks: Vec<(String, String)>,
    /// Entry points that the runtime does not have.
    pub missing_entry_points: Vec<String>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The event's number in the run.
    pub seq: u64,
    /// The thread it happened on, numbered by first appearance.
    pub thread: usize,
    /// The event's name, such as `parallel_begin`.
    pub name: String,
    /// The event's arguments in the recorder's order.
    pub keys: Vec<(String, String)>,
    /// The answers of the entry points inside the callback.
    pub details: Vec<Detail>,
}

/// An entry point's answer at the point of the program at which an event happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The entry point, as in `task_info`.
    pub name: String,
    /// The keys and values of its answer.
    pub keys: Vec<(String, String)>,
}

impl Event {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        find(&self.keys, key)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} thread={} {}", self.seq, self.thread, self.name)?;
        let shown = self.keys.iter().filter(|(key, _)| key != "time");
        shown.into_iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// The value of `key` in a list of pairs.
#[must_use]
pub fn find<'a>(keys: &'a [(String, String)], key: &str) -> Option<&'a str> {
    keys.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Reads a log.
///
/// # Errors
///
/// Names the line that is not of the format, or says that the log is incomplete.
pub fn parse(text: &str) -> Result<Log, String> {
    let mut log = Log::default();
    let mut end = None;
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let said = |what: &str| format!("line {} of the log: {what}: {line}", index + 1);
        match words.as_slice() {
            [] => {}
            ["#", "end", totals @ ..] => end = Some(pairs(totals).ok_or_else(|| said("no pairs"))?),
            ["#", "set_callback", event, result] => {
                log.callbacks.push(((*event).to_owned(), (*result).to_owned()));
            }
            ["#", "entry_point_missing", name] => log.missing_entry_points.push((*name).to_owned()),
            ["#", ..] => {}
            ["+", name, keys @ ..] => {
                let keys = pairs(keys).ok_or_else(|| said("no pairs"))?;
                let event = log.events.last_mut().ok_or_else(|| said("a detail of no event"))?;
                event.details.push(Detail { name: (*name).to_owned(), keys });
            }
            [seq, thread, name, keys @ ..] => {
                let seq = seq.parse().map_err(|_| said("no sequence number"))?;
                let thread = thread.strip_prefix("thread=").and_then(|number| number.parse().ok());
                log.events.push(Event {
                    seq,
                    thread: thread.ok_or_else(|| said("no thread"))?,
                    name: (*name).to_owned(),
                    keys: pairs(keys).ok_or_else(|| said("no pairs"))?,
                    details: Vec::new(),
                });
            }
            _ => return Err(said("not an event")),
        }
    }
    complete(&log, end.as_deref())?;
    Ok(log)
}

fn complete(log: &Log, end: Option<&[(String, String)]>) -> Result<(), String> {
    let Some(end) = end else {
        return Err("the log is cut off: the tool was not finalized".to_owned());
    };
    if find(end, "dropped") != Some("0") {
        return Err("the recorder had to drop events: raise OXOMP_RECORD_CAPACITY".to_owned());
    }
    if find(end, "events").and_then(|events| events.parse().ok()) != Some(log.events.len()) {
        return Err("the log has not as many events as it says".to_owned());
    }
    match log.events.windows(2).find(|pair| pair[0].seq >= pair[1].seq) {
        Some(pair) => Err(format!("events out of order: {} before {}", pair[0].seq, pair[1].seq)),
        None => Ok(()),
    }
}

fn pairs(words: &[&str]) -> Option<Vec<(String, String)>> {
    words
        .iter()
        .map(|word| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{find, parse};

    const TEXT: &str = "\
# recorder 1
# runtime some\\x20name
# entry_point_missing ompt_get_task_memory
# set_callback work always
0 thread=0 thread_begin type=initial state=overhead wait=- time=10
7 thread=1 work type=loop_static endpoint=begin count=8 state=work_parallel wait=- time=20
+ parallel_info level=0 result=2 parallel=p1 size=1
# end events=2 dropped=0
";

    #[test]
    fn headers_events_and_details_are_read() {
        let log = parse(TEXT).expect("a right log");
        assert_eq!(log.callbacks, [("work".to_owned(), "always".to_owned())]);
        assert_eq!(log.missing_entry_points, ["ompt_get_task_memory"]);
        let event = &log.events[1];
        assert_eq!((event.seq, event.thread, event.name.as_str()), (7, 1, "work"));
        assert_eq!(event.get("count"), Some("8"));
        assert_eq!(event.details[0].name, "parallel_info");
        assert_eq!(find(&event.details[0].keys, "parallel"), Some("p1"));
    }

    #[test]
    fn an_incomplete_log_is_refused() {
        for (from, to, wanted) in [
            ("# end events=2 dropped=0\n", "", "cut off"),
            ("dropped=0", "dropped=4", "drop"),
            ("events=2", "events=3", "as many"),
            ("7 thread", "0 thread", "out of order"),
            ("thread=1", "thread=x", "no thread"),
            ("count=8", "count", "no pairs"),
        ] {
            let error = parse(&TEXT.replace(from, to)).expect_err(from);
            assert!(error.contains(wanted), "{error}");
        }
    }
}
