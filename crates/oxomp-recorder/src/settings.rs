//! The recorder's environment variables.

use std::env;
use std::path::PathBuf;
use std::process;

use ompt::{Event, EventSet, report_2015};

/// The events that are registered unless the user names others.
const DEFAULT: EventSet = EventSet::HOST.union(EventSet::of(&[
    Event::DEVICE_INITIALIZE,
    Event::DEVICE_FINALIZE,
    Event::DEVICE_LOAD,
    Event::TARGET_EMI,
    Event::TARGET_DATA_OP_EMI,
    Event::TARGET_SUBMIT_EMI,
]));

/// The events that OpenMP 5.1 has replaced: a tool registers one event of each pair.
const REPLACED: EventSet =
    EventSet::of(&[Event::TARGET, Event::TARGET_DATA_OP, Event::TARGET_SUBMIT]);

/// The interface by which the recorder listens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interface {
    /// The interface of OpenMP 5.0 to 6.0.
    OpenMp,
    /// The interface of the 2015 report.
    Report2015,
}

impl Interface {
    /// Reads `OXOMP_RECORD_INTERFACE`. The error names the variable.
    pub(crate) fn from_env() -> Result<Self, String> {
        match variable("OXOMP_RECORD_INTERFACE")?.as_deref() {
            None => Ok(Self::OpenMp),
            Some("2015") => Ok(Self::Report2015),
            Some(other) => {
                Err(format!("OXOMP_RECORD_INTERFACE: '{other}' is no interface; 2015 is one"))
            }
        }
    }
}

/// The events that may be registered, of one interface.
pub(crate) trait Events: Sized {
    /// The events that are registered unless the user names others.
    const DEFAULT: Self;

    /// The events of these names, separated by commas. The error names the variable.
    fn named(names: &str) -> Result<Self, String>;
}

impl Events for EventSet {
    const DEFAULT: Self = DEFAULT;

    fn named(names: &str) -> Result<Self, String> {
        let recorded = DEFAULT.union(REPLACED);
        find_all(names, |name| Event::from_name(name).filter(|event| recorded.contains(*event)))
    }
}

impl Events for report_2015::EventSet {
    const DEFAULT: Self = report_2015::EventSet::ALL;

    fn named(names: &str) -> Result<Self, String> {
        find_all(names, report_2015::Event::from_name)
    }
}

/// The recorder's settings: its file, the events to register, the records per thread.
#[derive(Clone, Debug)]
pub(crate) struct Settings<E> {
    /// The log's file; `None` for stderr.
    pub(crate) file: Option<PathBuf>,
    /// The events to register.
    pub(crate) events: E,
    /// Records per thread.
    pub(crate) capacity: usize,
}

impl<E: Events> Settings<E> {
    /// Reads the environment. The error names the variable.
    pub(crate) fn from_env() -> Result<Self, String> {
        Ok(Self {
            file: variable("OXOMP_RECORD")?.map(PathBuf::from),
            events: match variable("OXOMP_RECORD_EVENTS")? {
                None => E::DEFAULT,
                Some(names) => E::named(&names)?,
            },
            capacity: match variable("OXOMP_RECORD_CAPACITY")? {
                None => 1 << 18,
                Some(number) => capacity(&number)?,
            },
        })
    }

    /// The file to write in this process, which may be a forked child of the one that started.
    pub(crate) fn file_for_process(&self, started_in: u32) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        let name = file.to_string_lossy();
        let process = process::id();
        Some(match (name.contains("%p"), process == started_in) {
            (true, _) => name.replace("%p", &process.to_string()).into(),
            (false, true) => file.clone(),
            (false, false) => format!("{name}.{process}").into(),
        })
    }
}

/// The variable's value; an empty one counts as undefined.
fn variable(name: &str) -> Result<Option<String>, String> {
    match env::var(name) {
        Ok(value) if value.is_empty() => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name}: the value is not UTF-8")),
    }
}

fn find_all<E, S: FromIterator<E>>(
    names: &str,
    find: impl Fn(&str) -> Option<E>,
) -> Result<S, String> {
    let find = |name: &str| {
        find(name)
            .ok_or_else(|| format!("OXOMP_RECORD_EVENTS: no recorded event is named '{name}'"))
    };
    names.split(',').map(str::trim).map(find).collect()
}

fn capacity(number: &str) -> Result<usize, String> {
    match number.parse() {
        Ok(capacity) if capacity > 0 && capacity <= 1 << 28 => Ok(capacity),
        _ => {
            Err(format!("OXOMP_RECORD_CAPACITY: '{number}' is not a number from 1 to {}", 1 << 28))
        }
    }
}
