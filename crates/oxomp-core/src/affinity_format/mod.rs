//! The affinity format (OMP_AFFINITY_FORMAT), and when threads display their affinity (OpenMP 5.2
//! §18.3, §21.2.5-6).

mod displayed;

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::ffi::CString;
use std::io::Write;

use oxomp_base::places::ProcSet;
use oxomp_base::word::Word;
use oxomp_base::{os, settings};
use oxomp_protocol::chain::Chain;
use oxomp_protocol::lock::Guarded;

use crate::block::{Alone, IdleTeam, Team, Thread};
use crate::ompd::process::show_affinity_format;

use displayed::Displayed;
pub(crate) use displayed::LastDisplayed;

/// A field of a format (OpenMP 5.2 table 21.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    TeamNum,
    NumTeams,
    NestingLevel,
    ThreadNum,
    NumThreads,
    AncestorTnum,
    Host,
    ProcessId,
    NativeThreadId,
    ThreadAffinity,
}

/// Short name, long name, field.
const FIELDS: [(u8, &[u8], Field); 10] = [
    (b't', b"team_num", Field::TeamNum),
    (b'T', b"num_teams", Field::NumTeams),
    (b'L', b"nesting_level", Field::NestingLevel),
    (b'n', b"thread_num", Field::ThreadNum),
    (b'N', b"num_threads", Field::NumThreads),
    (b'a', b"ancestor_tnum", Field::AncestorTnum),
    (b'H', b"host", Field::Host),
    (b'P', b"process_id", Field::ProcessId),
    (b'i', b"native_thread_id", Field::NativeThreadId),
    (b'A', b"thread_affinity", Field::ThreadAffinity),
];

/// The value of a field: a number can be padded with zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Number(i64),
    Text(Vec<u8>),
}

/// The largest width of a field; a larger one is reduced to this.
const WIDEST: usize = 4096;

/// The length of a description beyond which the rest of the format is ignored.
const LONGEST: usize = 1 << 20;

/// `%[[[0].]width]type`, without the percent sign.
struct Specification {
    zeros: bool,
    right: bool,
    width: usize,
    /// `None` if there is no such field.
    field: Option<Field>,
}

/// Reads a specification, and returns the rest of the text.
fn specification(text: &[u8]) -> (Specification, &[u8]) {
    let (zero, text) = skip(text, b'0');
    let (right, mut text) = skip(text, b'.');
    let mut width = 0_usize;
    while let [digit @ b'0'..=b'9', rest @ ..] = text {
        width = (width * 10 + usize::from(digit - b'0')).min(WIDEST);
        text = rest;
    }
    let (field, rest) = field(text);
    (Specification { zeros: zero && right, right, width, field }, rest)
}

fn skip(text: &[u8], byte: u8) -> (bool, &[u8]) {
    match text {
        [first, rest @ ..] if *first == byte => (true, rest),
        _ => (false, text),
    }
}

fn field(text: &[u8]) -> (Option<Field>, &[u8]) {
    match text {
        [] => (None, text),
        [b'{', rest @ ..] => {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let length = rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len());
            let (name, rest) = rest.split_at(length);
            let (closed, rest) = skip(rest, b'}');
            let known = FIELDS.iter().find(|(_, long, _)| closed && *long == name);
            (known.map(|(_, _, field)| *field), rest)
        }
        [letter, rest @ ..] => {
            let known = FIELDS.iter().find(|(short, _, _)| short == letter);
            (known.map(|(_, _, field)| *field), rest)
        }
    }
}

/// Expands `format`: replaces each field's specification by its value.
fn expand(format: &[u8], mut value: impl FnMut(Field) -> Value) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = format;
    while let [byte, after @ ..] = rest {
        rest = after;
        if text.len() >= LONGEST {
            break;
        }
        if *byte != b'%' {
            text.push(*byte);
            continue;
        }
        if let (true, after) = skip(rest, b'%') {
            text.push(b'%');
            rest = after;
            continue;
        }
        let (specification, after) = specification(rest);
        rest = after;
        let value = match specification.field {
            Some(field) => value(field),
            None => Value::Text(b"undefined".to_vec()),
        };
        put(&mut text, &specification, &value);
    }
    text
}

fn put(text: &mut Vec<u8>, specification: &Specification, value: &Value) {
    let &Specification { zeros, right, width, .. } = specification;
    // Writing to a vector does not fail.
    let _ = match value {
        Value::Number(number) if zeros => write!(text, "{number:0width$}"),
        Value::Number(number) if right => write!(text, "{number:width$}"),
        Value::Number(number) => write!(text, "{number:<width$}"),
        Value::Text(words) => {
            let blanks = std::iter::repeat_n(b' ', width.saturating_sub(words.len()));
            if right {
                text.extend(blanks);
                text.extend_from_slice(words);
            } else {
                text.extend_from_slice(words);
                text.extend(blanks);
            }
            Ok(())
        }
    };
}

/// The value of a field for the calling thread.
fn value_of(field: Field, thread: &Thread) -> Value {
    let task = thread.implicit_task();
    let team = task.team();
    Value::Number(match field {
        Field::TeamNum => team.team_num().into(),
        Field::NumTeams => team.num_teams().into(),
        Field::NestingLevel => team.level().into(),
        Field::ThreadNum => task.thread_num().into(),
        Field::NumThreads => team.size().into(),
        // The region around an initial task does not count as an ancestor of it.
        Field::AncestorTnum => match team.parent() {
            Some(task) if !team.is_of_league() && team.level() != 0 => task.thread_num().into(),
            _ => -1,
        },
        Field::ProcessId => os::process_id().into(),
        Field::NativeThreadId => os::thread_id().into(),
        Field::Host => return Value::Text(os::host_name()),
        Field::ThreadAffinity => {
            let processors = ProcSet::from_words(os::affinity(&mut [0; 1024]));
            return Value::Text(list(&processors).into_bytes());
        }
    })
}

/// Processors as libomp lists them: three or more in a row are an interval.
fn list(processors: &ProcSet) -> String {
    let mut text = String::new();
    let mut processors = processors.iter().peekable();
    while let Some(first) = processors.next() {
        let mut last = first;
        while let Some(next) = processors.next_if_eq(&(last + 1)) {
            last = next;
        }
        if !text.is_empty() {
            text.push(',');
        }
        text += &match last - first {
            0 => format!("{first}"),
            1 => format!("{first},{last}"),
            _ => format!("{first}-{last}"),
        };
    }
    text
}

/// The formats that the program has set. Equal formats are stored once and never freed: programs
/// have few.
static FORMATS: Chain<Format> = Chain::new();

/// *affinity-format-var*, if the program has set it.
static CURRENT: Word<Option<&Format>> = Word::<Option<&Format>>::empty();

/// Held by the thread that changes *affinity-format-var*, which a debugger reads elsewhere.
static CHANGING: Guarded<()> = Guarded::new(());

type Format = Box<[u8]>;

/// In the child of a fork(2): the format is what the word says. A thread that is gone may have been
/// changing it, and not have shown it to debuggers.
pub(crate) fn after_fork_in_child(alone: &Alone) {
    CHANGING.forget((), alone);
    CURRENT.get().inspect(|format| show_affinity_format(format));
}

/// Sets *affinity-format-var*.
pub fn set(format: &[u8]) {
    let format = FORMATS.find_or_add(|known| **known == *format, || format.into());
    CHANGING.with(|()| {
        CURRENT.set(Some(format));
        show_affinity_format(format);
    });
}

/// *affinity-format-var*.
pub fn get() -> Vec<u8> {
    match CURRENT.get() {
        Some(format) => format.to_vec(),
        None => settings::get().globals.affinity_format_var.clone().into_bytes(),
    }
}

/// The affinity of the calling thread in the form of `format`, or of *affinity-format-var* if
/// `format` is empty.
pub fn capture(thread: &Thread, format: &[u8]) -> Vec<u8> {
    let default = if format.is_empty() { get() } else { Vec::new() };
    let format = if format.is_empty() { &default } else { format };
    expand(format, |field| value_of(field, thread))
}

/// Prints the affinity of the calling thread, as `capture` returns it, on a line of standard
/// output.
pub fn display(thread: &Thread, format: &[u8]) {
    let mut line = capture(thread, format);
    line.retain(|&byte| byte != 0);
    let Ok(line) = CString::new(line) else { return };
    // Written through the C library's buffer, so that the line is in order with the program's own
    // output.
    os::print_line(&line);
}

/// *display-affinity-var*; false before the environment has been read.
static DISPLAY_AFFINITY: AtomicBool = AtomicBool::new(false);

/// Sets *display-affinity-var*, before the first region.
pub(crate) fn set_display(display: bool) {
    DISPLAY_AFFINITY.store(display, Relaxed);
}

/// Whether regions display the affinity of their threads.
#[inline(always)]
pub(crate) fn is_displayed() -> bool {
    DISPLAY_AFFINITY.load(Relaxed)
}

/// Whether the threads of the region for which the team is prepared display their affinity: they do
/// if the affinity of one of them has changed. Called by the primary thread `thread`.
#[cold]
pub(crate) fn is_new(idle: &mut IdleTeam, thread: &'static Thread) -> bool {
    let team = idle.team();
    idle.members().take(team.size() as usize).any(|member| {
        let primary = (member.thread_num() == 0).then(|| thread.shared());
        let now = Displayed { level: team.level(), size: team.size(), place: member.place() };
        let thread = primary.or_else(|| member.thread.get());
        thread.is_some_and(|thread| !thread.displayed().is(now))
    })
}

/// Displays the affinity of the calling thread, which has begun a region of `team`, if the threads
/// of this region do.
#[cold]
pub(crate) fn show(team: &Team, thread: &Thread) {
    if !team.displays_affinity() {
        return;
    }
    let place = thread.implicit_task().place();
    let now = Displayed { level: team.level(), size: team.size(), place };
    thread.displayed.set(now);
    display(thread, &[]);
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, Field, ProcSet, Value, expand, list};
    use proptest::prelude::{any, prop_assert, proptest};

    fn value(field: Field) -> Value {
        match field {
            Field::Host => Value::Text(b"node7".to_vec()),
            Field::ThreadAffinity => Value::Text(b"0-3".to_vec()),
            Field::AncestorTnum => Value::Number(-1),
            Field::NumThreads => Value::Number(16),
            _ => Value::Number(3),
        }
    }

    fn expanded(format: &str) -> String {
        String::from_utf8(expand(format.as_bytes(), value)).expect("text")
    }

    #[test]
    fn each_field_has_a_short_and_a_long_name() {
        for (short, long, _) in FIELDS {
            let long = format!("%{{{}}}", String::from_utf8_lossy(long));
            assert_eq!(expanded(&format!("%{}", char::from(short))), expanded(&long));
            assert_ne!(expanded(&long), "undefined");
        }
    }

    #[test]
    fn width_justification_and_zeros() {
        assert_eq!(expanded("<%5n>"), "<3    >");
        assert_eq!(expanded("<%.5n>"), "<    3>");
        assert_eq!(expanded("<%0.5n>"), "<00003>");
        assert_eq!(expanded("<%05n>"), "<3    >");
        assert_eq!(expanded("<%0.4a>"), "<-001>");
        assert_eq!(expanded("<%8H>"), "<node7   >");
        assert_eq!(expanded("<%.8{host}>"), "<   node7>");
        assert_eq!(expanded("<%0.8H>"), "<   node7>");
        assert_eq!(expanded("<%1N>"), "<16>");
        assert_eq!(expanded("%0.99999999999999999999n").len(), super::WIDEST);
    }

    #[test]
    fn what_is_no_field_is_undefined() {
        for format in ["%X", "%{foobar}", "%", "%5", "%0.", "%{", "%{}", "%{host", "%{Host}"] {
            assert_eq!(expanded(format).trim_end(), "undefined", "{format}");
        }
        assert_eq!(expanded("%{bad|%n"), "undefined|3");
        assert_eq!(expanded("<%12X>"), "<undefined   >");
    }

    #[test]
    fn other_text_stays() {
        assert_eq!(expanded("100%% of {%A} on %H\u{e9}"), "100% of {0-3} on node7\u{e9}");
        assert_eq!(expanded(""), "");
    }

    #[test]
    fn a_description_has_an_end() {
        let length = expanded(&"%4096n".repeat(10_000)).len();
        assert!((super::LONGEST..super::LONGEST + super::WIDEST).contains(&length));
    }

    #[test]
    fn lists_of_processors() {
        let list_of = |text| list(&ProcSet::parse(text).expect("processors"));
        assert_eq!(list_of("0-1"), "0,1");
        assert_eq!(list_of("0-2,5,7-8"), "0-2,5,7,8");
        assert_eq!(list_of(""), "");
    }

    proptest! {
        #[test]
        fn no_format_fails(format in any::<Vec<u8>>()) {
            let text = expand(&format, value);
            prop_assert!(format.contains(&b'%') || text == format);
        }
    }
}
