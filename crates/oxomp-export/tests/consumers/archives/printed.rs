//! What `otf2-print` prints of an archive.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxomp_prerequisites::Program;

/// An archive, as it was printed.
#[derive(Debug, Default)]
pub(super) struct Archive {
    /// Ticks in a second, offset, and length.
    pub(super) clock: (u64, u64, u64),
    pub(super) locations: BTreeMap<u64, Location>,
    /// The names of processes and of the devices of each, in order.
    pub(super) groups: Vec<String>,
    /// The names of communicators, in the order of their numbers.
    pub(super) communicators: Vec<String>,
    pub(super) regions: BTreeMap<u64, Region>,
    /// In the order of time.
    pub(super) events: Vec<Event>,
}

#[derive(Debug)]
pub(super) struct Location {
    pub(super) kind: String,
    /// The number of its group.
    pub(super) group: u64,
    /// The number of events that its definition tells.
    events: u64,
}

#[derive(Debug)]
pub(super) struct Region {
    pub(super) name: String,
    pub(super) role: String,
    pub(super) file: String,
    pub(super) line: u64,
}

#[derive(Debug)]
pub(super) struct Event {
    pub(super) kind: String,
    pub(super) location: u64,
    pub(super) time: u64,
    /// The values, as they were printed.
    pub(super) values: String,
}

impl Event {
    /// The number called `name`.
    pub(super) fn value(&self, name: &str) -> u64 {
        number_after(&self.values, &format!("{name}: "))
    }

    /// A task: the number of its team, the position of a thread in it, and the task's number.
    pub(super) fn task(&self) -> [u64; 3] {
        let (_, team) = self.values.split_once('<').expect("it refers to a team");
        let (team, _) = team.split_once('>').unwrap();
        [team.parse().unwrap(), self.value("Creating Thread"), self.value("Generation Number")]
    }

    /// The number of what the event refers to.
    fn reference(&self) -> u64 {
        let (_, number) = self.values.rsplit_once('<').expect("it refers to something");
        number.trim_end_matches('>').parse().unwrap()
    }
}

impl Archive {
    /// Reads the archive with that anchor.
    pub(super) fn read(anchor: &Path) -> Self {
        let mut archive = Self::default();
        for line in print(anchor, &["-G"]).lines() {
            let Some((kind, rest)) = line.split_once(char::is_whitespace) else { continue };
            let rest = rest.trim_start();
            let (number, values) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let number: Result<u64, _> = number.parse();
            match (kind, number) {
                ("CLOCK_PROPERTIES", _) => {
                    let of = |name| number_after(line, name);
                    archive.clock =
                        (of("Ticks per Seconds: "), of("Global Offset: "), of("Length: "));
                }
                ("LOCATION", Ok(number)) => {
                    let kind = word_after(values, "Type: ").to_owned();
                    let events = number_after(values, "# Events: ");
                    let (_, group) = values.rsplit_once('<').expect("it has a group");
                    let group = group.trim_end_matches('>').parse().unwrap();
                    archive.locations.insert(number, Location { kind, group, events });
                }
                ("LOCATION_GROUP", Ok(_)) => archive.groups.push(name(values)),
                ("COMM", Ok(_)) => archive.communicators.push(name(values)),
                ("REGION", Ok(number)) => {
                    archive.regions.insert(number, region(values));
                }
                _ => {}
            }
        }
        archive.events = print(anchor, &[]).lines().filter_map(event).collect();
        archive
    }

    /// Checks each location: as many events as its definition tells; times that do not decrease;
    /// regions, teams, forks and locks that end as they began, regions inside each other; and tasks
    /// with their regions inside, after which the thread goes on with the task around them.
    pub(super) fn check_events(&self) {
        for (number, location) in &self.locations {
            let own = self.events.iter().filter(|event| event.location == *number);
            let (mut count, mut time, mut open) = (0, 0, Open::default());
            for event in own {
                count += 1;
                assert!(event.time >= time, "{event:?} is before {time}");
                time = event.time;
                open.take(event);
            }
            assert!(open.0.is_empty(), "{number}: {open:?}");
            assert_eq!(count, location.events, "{number}");
        }
        let known = |event: &Event| self.locations.contains_key(&event.location);
        assert!(self.events.iter().all(known));
        for kind in ["THREAD_TASK_CREATE", "THREAD_TASK_COMPLETE"] {
            let mut seen = BTreeSet::new();
            let mut tasks = self.events.iter().filter(|event| event.kind == kind);
            assert!(tasks.all(|event| seen.insert(event.task())), "{kind} twice");
        }
    }

    /// How many events `begin` there are, and the time from each to its `end`, all together.
    pub(super) fn pairs(&self, begin: &str, end: &str) -> (u64, u64) {
        let (mut count, mut time) = (0, 0_i128);
        for event in &self.events {
            if event.kind == begin {
                count += 1;
                time -= i128::from(event.time);
            } else if event.kind == end {
                time += i128::from(event.time);
            }
        }
        (count, u64::try_from(time).unwrap())
    }

    /// How often regions of that role were entered, and the time in them.
    pub(super) fn of_role(&self, role: &str) -> (u64, u64) {
        self.entered(|region| region.role == role)
    }

    /// How often regions whose names begin so were entered, and the time in them.
    pub(super) fn named(&self, name: &str) -> (u64, u64) {
        self.entered(|region| region.name.starts_with(name))
    }

    fn entered(&self, is_wanted: impl Fn(&Region) -> bool) -> (u64, u64) {
        let (mut count, mut time) = (0, 0_i128);
        let events = self.events.iter();
        for event in events.filter(|event| matches!(event.kind.as_str(), "ENTER" | "LEAVE")) {
            if !is_wanted(&self.regions[&event.reference()]) {
                continue;
            }
            let begins = event.kind == "ENTER";
            count += u64::from(begins);
            time += if begins { -i128::from(event.time) } else { i128::from(event.time) };
        }
        (count, u64::try_from(time).unwrap())
    }
}

/// What has begun on a location and not ended, innermost last.
#[derive(Debug, Default)]
struct Open(Vec<(String, Vec<u64>)>);

impl Open {
    fn take(&mut self, event: &Event) {
        let mut begin = |kind: &str, of: Vec<u64>| self.0.push((kind.to_owned(), of));
        match event.kind.as_str() {
            "ENTER" | "THREAD_TEAM_BEGIN" => begin(&event.kind, vec![event.reference()]),
            "THREAD_FORK" => begin("THREAD_FORK", vec![]),
            "LEAVE" => self.end(event, "ENTER", vec![event.reference()]),
            "THREAD_TEAM_END" => self.end(event, "THREAD_TEAM_BEGIN", vec![event.reference()]),
            "THREAD_JOIN" => self.end(event, "THREAD_FORK", vec![]),
            "THREAD_TASK_SWITCH" => self.switch(event),
            "THREAD_TASK_COMPLETE" => {
                let last = self.0.last().map(|(kind, task)| (kind.as_str(), task.as_slice()));
                assert_eq!(last, Some(("task", &event.task()[..])), "{event:?}");
            }
            "MPI_COLLECTIVE_BEGIN" => begin("collective", vec![]),
            "MPI_COLLECTIVE_END" => self.end(event, "collective", vec![]),
            "MPI_SEND" | "MPI_RECV" => {
                let last = self.0.last().map(|(kind, _)| kind.as_str());
                assert_eq!(last, Some("ENTER"), "{event:?}: in a call");
            }
            "THREAD_TASK_CREATE" | "THREAD_ACQUIRE_LOCK" | "THREAD_RELEASE_LOCK" => {}
            other => panic!("{other}"),
        }
    }

    fn end(&mut self, event: &Event, kind: &str, of: Vec<u64>) {
        assert_eq!(self.0.pop(), Some((kind.to_owned(), of)), "{event:?}");
    }

    /// From a task, of which no region is open, to the one around it; or to one inside.
    fn switch(&mut self, event: &Event) {
        let to = event.task();
        if self.0.pop_if(|(kind, _)| kind == "task").is_some() {
            let around = self.0.iter().rev().find(|(kind, _)| kind == "task");
            let is_inside = around.is_some_and(|(_, task)| *task == to);
            assert!(is_inside || to[2] == 0, "{event:?} in {around:?}");
        } else {
            assert!(to[2] > 0, "{event:?}");
            self.0.push(("task".to_owned(), to.to_vec()));
        }
    }
}

/// What `otf2-print` prints with these options; warnings are errors.
fn print(anchor: &Path, options: &[&str]) -> String {
    let mut command = Program::Otf2Print.command();
    let output = command.arg("-Werror").args(options).arg(anchor).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// `KIND  LOCATION  TIME  VALUES`; other lines are headings.
fn event(line: &str) -> Option<Event> {
    let mut words = line.split_whitespace();
    let kind = words.next()?.to_owned();
    let (location, time) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Event { kind, location, time, values: words.collect::<Vec<_>>().join(" ") })
}

/// The name of a definition.
fn name(values: &str) -> String {
    let rest = values.split_once("Name: \"").map_or("", |(_, rest)| rest);
    rest.split_once('"').map_or("", |(name, _)| name).to_owned()
}

fn region(values: &str) -> Region {
    let text_after = |name: &str| {
        let rest = values.split_once(name).map_or("", |(_, rest)| rest);
        rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map_or("", |(text, _)| text)
    };
    Region {
        name: text_after("Name: ").to_owned(),
        role: word_after(values, "Role: ").to_owned(),
        file: text_after("File: ").to_owned(),
        line: number_after(values, "Begin: "),
    }
}

fn word_after<'a>(line: &'a str, name: &str) -> &'a str {
    let rest = line.split_once(name).unwrap_or_else(|| panic!("{name} is not in {line}")).1;
    rest.split([',', ' ']).next().unwrap_or_default()
}

fn number_after(line: &str, name: &str) -> u64 {
    let word = word_after(line, name);
    word.parse().unwrap_or_else(|_| panic!("{name}{word} is no number in {line}"))
}
