//! Which counters a recording has: those that the user asks for and the kernel permits.

use std::{fs, io};

use oxomp_trace::counters::{Counter, MOST_COUNTERS};

use super::event::Event;
use super::processor::{self, Processor};
use super::source::{Opener, Source};
use crate::perf;

/// The word that stands for the usual counters.
const USUAL: &str = "default";

/// The usual counters. Those behind the first ones are left out, without a word, where the kernel
/// does not count them, or the processor not beside the others.
const FIRST: [&str; 5] =
    ["cycles", "instructions", processor::MEMORY_LINES, "cache-references", "cache-misses"];
const FURTHER: [&str; 3] = [processor::REMOTE_LINES, processor::HITM, "stalled-cycles-backend"];

/// The counters of a recording.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// The events that each thread counts.
    pub(crate) events: Vec<Event>,
    /// The counters that were asked for, and why some are not there.
    pub(crate) counters: Vec<Counter>,
    opener: Opener,
}

impl Choice {
    /// Chooses from the names in `list`, which commas separate; none from an empty one.
    pub(crate) fn of(list: &str, opener: Opener) -> Self {
        Self::on(list, opener, Processor::own, paranoia())
    }

    fn on(
        list: &str,
        opener: Opener,
        processor: impl Fn() -> Processor,
        paranoia: Option<i32>,
    ) -> Self {
        let mut own = Self { opener, ..Self::default() };
        let mut names: Vec<&str> = Vec::new();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let usual = FIRST.as_slice();
            names.extend(if name == USUAL { usual } else { std::slice::from_ref(&name) });
        }
        let mut wanted: Vec<(&str, bool)> = Vec::new();
        for name in names {
            if !wanted.iter().any(|(own, _)| *own == name) {
                wanted.push((name, false));
            }
        }
        if list.split(',').any(|name| name.trim() == USUAL) {
            let others = FURTHER.into_iter().filter(|name| !list.contains(name));
            wanted.extend(others.map(|name| (name, true)));
        }
        if wanted.is_empty() {
            return own;
        }
        let processor = processor();
        for (name, is_extra) in wanted {
            let event =
                event(name, processor).and_then(|event| own.admit(event, is_extra, paranoia));
            let position = own.events.len();
            match event {
                Ok(event) => {
                    own.events.push(event);
                    own.counters.push(Counter { name: name.to_owned(), position: Ok(position) });
                }
                Err(_) if is_extra => {}
                Err(why) => {
                    own.counters.push(Counter { name: name.to_owned(), position: Err(why) });
                }
            }
        }
        own
    }

    /// The event, if the calling thread can count it beside those that were admitted before.
    fn admit(&self, event: Event, is_extra: bool, paranoia: Option<i32>) -> Result<Event, String> {
        if self.events.len() == MOST_COUNTERS {
            return Err(format!("a recording has {MOST_COUNTERS} counters at most"));
        }
        let all: Vec<Event> = self.events.iter().chain([&event]).cloned().collect();
        let opened = self.open(&all).map_err(|error| refusal(&event, &error, paranoia))?;
        if is_extra && opened.groups() > 1 {
            return Err("it would take turns with the others".to_owned());
        }
        Ok(event)
    }

    /// No counter is counted, for the reason `why`.
    pub(crate) fn refuse_all(&mut self, why: &str) {
        self.events.clear();
        for counter in &mut self.counters {
            counter.position = Err(why.to_owned());
        }
    }

    /// Opens the counters of the calling thread.
    pub(crate) fn open_thread(&self) -> io::Result<Source> {
        self.open(&self.events)
    }

    fn open(&self, events: &[Event]) -> io::Result<Source> {
        Source::open(self.opener, events)
    }
}

/// The event that `name` means.
fn event(name: &str, processor: Processor) -> Result<Event, String> {
    if processor::NAMES.contains(&name) {
        let unknown = || "no event of this processor is known for it".to_owned();
        return processor.event(name).ok_or_else(unknown);
    }
    Event::of_name(name).ok_or_else(|| "no counter has this name".to_owned())
}

/// The value of kernel.perf_event_paranoid; `None` where there is none.
fn paranoia() -> Option<i32> {
    fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()
}

/// The kernel's refusal in words: the call, its error, and what helps.
pub(crate) fn refusal(event: &Event, error: &io::Error, paranoia: Option<i32>) -> String {
    let allowed = if event.in_user_code { 2 } else { 1 };
    let help = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => match paranoia {
            Some(set) if set > allowed => format!(
                "kernel.perf_event_paranoid is {set}: `sudo sysctl \
                 kernel.perf_event_paranoid={allowed}` allows it, or the capability CAP_PERFMON"
            ),
            _ => "the container's seccomp profile must allow perf_event_open".to_owned(),
        },
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) if event.kind != perf::SOFTWARE => {
            "this machine has no performance monitoring unit that counts it: a virtual machine has \
             one only if its host lends it (KVM: `-cpu host,pmu=on`)"
                .to_owned()
        }
        Some(libc::EMFILE) => {
            "the limit of open files is too low: `ulimit -n` raises it".to_owned()
        }
        Some(libc::EINVAL) => "this processor cannot count it".to_owned(),
        Some(libc::ENOSYS) => {
            "the kernel has no perf events, or the container forbids them".to_owned()
        }
        _ => return format!("perf_event_open: {}", perf::words(error)),
    };
    format!("perf_event_open: {}: {help}", perf::words(error))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Choice, refusal};
    use crate::counters::event::Event;
    use crate::counters::fake::Fake;
    use crate::counters::processor::Processor;
    use crate::counters::source::Opener;

    fn choice(
        list: &str,
        fake: Fake,
        processor: Processor,
    ) -> Vec<(String, Result<usize, String>)> {
        let own = Choice::on(list, Opener::Fake(fake), || processor, Some(2));
        own.counters.into_iter().map(|counter| (counter.name, counter.position)).collect()
    }

    #[test]
    fn the_usual_counters_are_those_of_the_processor() {
        let names = |processor| {
            let all = choice("default", Fake::Steady, processor);
            let there = all.iter().filter(|(_, position)| position.is_ok());
            there.map(|(name, _)| name.as_str().to_owned()).collect::<Vec<_>>()
        };
        let skylake = names(Processor::Intel { family: 6, model: 85 });
        assert_eq!(
            skylake,
            [
                "cycles",
                "instructions",
                "memory-lines",
                "cache-references",
                "cache-misses",
                "remote-lines",
                "hitm",
                "stalled-cycles-backend"
            ]
        );
        let old = choice("default", Fake::Steady, Processor::Amd { family: 23 });
        let why = old.iter().find(|(name, _)| name == "memory-lines").unwrap().1.clone();
        assert_eq!(why, Err("no event of this processor is known for it".to_owned()));
        assert!(!old.iter().any(|(name, _)| name == "hitm"), "nobody asked for it: {old:?}");
    }

    #[test]
    fn a_list_is_counted_in_its_order_and_says_what_is_not() {
        let all = choice("page-faults, cycels,r1c2 ,page-faults,", Fake::Steady, Processor::Other);
        let unknown = Err("no counter has this name".to_owned());
        assert_eq!(
            all,
            [
                ("page-faults".to_owned(), Ok(0)),
                ("cycels".to_owned(), unknown),
                ("r1c2".to_owned(), Ok(1)),
            ]
        );
        assert_eq!(choice("", Fake::Steady, Processor::Other), []);
        let many = (0..12).map(|number| format!("r{number}")).collect::<Vec<_>>().join(",");
        let all = choice(&many, Fake::Steady, Processor::Other);
        assert_eq!(all[9].1, Ok(9));
        assert_eq!(all[10].1, Err("a recording has 10 counters at most".to_owned()));
        let refused = choice("cycles", Fake::Refuses(libc::EACCES), Processor::Other);
        assert!(refused[0].1.as_ref().unwrap_err().contains("Permission denied"), "{refused:?}");
    }

    #[test]
    fn a_refusal_says_what_helps() {
        let of = |name: &str, errno, paranoia| {
            let event = Event::of_name(name).unwrap();
            refusal(&event, &io::Error::from_raw_os_error(errno), paranoia)
        };
        assert_eq!(
            of("cycles", libc::EACCES, Some(4)),
            "perf_event_open: Permission denied: kernel.perf_event_paranoid is 4: `sudo sysctl \
             kernel.perf_event_paranoid=2` allows it, or the capability CAP_PERFMON"
        );
        let switches = of("context-switches", libc::EACCES, Some(2));
        assert!(switches.contains("kernel.perf_event_paranoid=1"), "{switches}");
        let container = of("cycles", libc::EPERM, Some(2));
        assert!(container.contains("seccomp"), "{container}");
        assert_eq!(
            of("cycles", libc::ENOENT, Some(-1)),
            "perf_event_open: No such file or directory: this machine has no performance \
             monitoring unit that counts it: a virtual machine has one only if its host lends it \
             (KVM: `-cpu host,pmu=on`)"
        );
        assert!(of("cycles", libc::EMFILE, None).contains("ulimit -n"));
        assert_eq!(of("cycles", libc::EBUSY, None), "perf_event_open: Device or resource busy");
    }
}
