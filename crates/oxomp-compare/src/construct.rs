//! The identity of a construct: its kind and its place in the program's text.

use std::fmt;

use oxomp_analysis::symbols::Place;

/// A place in the program, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The file's name without its folders.
    pub file: Option<String>,
    /// The user's function.
    pub function: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The mapped file that has the code.
    pub module: Option<String>,
    /// The code's offset in it.
    pub offset: u64,
}

impl Spot {
    /// The identity of a place that has been looked up.
    #[must_use]
    pub fn of(place: &Place) -> Self {
        let file = place.line.as_ref().map(|(path, _)| path.rsplit('/').next().unwrap_or(path));
        Self {
            file: file.map(str::to_owned),
            function: place.function_or_nearest(),
            line: place.line.as_ref().map(|(_, line)| *line),
            module: place.module.clone(),
            offset: place.offset,
        }
    }

    /// `solver.c:118`, or `module+0x…` where no line is known.
    #[must_use]
    pub fn short(&self) -> String {
        match (&self.file, self.line, &self.module) {
            (Some(file), Some(line), _) => format!("{file}:{line}"),
            (_, _, Some(module)) => format!("{module}+{:#x}", self.offset),
            _ => format!("{:#x}", self.offset),
        }
    }
}

/// The family of a construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// A parallel region.
    Region,
    /// A loop or another worksharing construct whose chunks were recorded.
    Loop,
    /// The explicit tasks of a construct.
    Tasks,
    /// A place at which threads ask for a lock.
    Lock,
    /// A barrier inside regions.
    Barrier,
    /// A construct for a device.
    Target,
    /// Code between regions.
    Serial,
}

impl Group {
    /// Every family.
    pub const ALL: [Self; 7] = [
        Self::Region,
        Self::Loop,
        Self::Tasks,
        Self::Lock,
        Self::Barrier,
        Self::Target,
        Self::Serial,
    ];

    /// One word for the family, as `--fail-on` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Loop => "loop",
            Self::Tasks => "tasks",
            Self::Lock => "lock",
            Self::Barrier => "barrier",
            Self::Target => "target",
            Self::Serial => "serial",
        }
    }

    /// The time by which constructs of the family are compared.
    #[must_use]
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Region => "wall time",
            Self::Loop | Self::Tasks => "time of all threads",
            Self::Lock => "lost time of all threads",
            Self::Barrier => "wait of all threads",
            Self::Target => "time of the threads in them",
            Self::Serial => "time",
        }
    }
}

/// The kind of a construct: two constructs of different kinds are never one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The family to which the kind belongs.
    pub group: Group,
    /// As one would write it: `critical`, `sections`. All loops are `loop`: changing the schedule
    /// does not make another construct.
    pub name: &'static str,
}

/// A construct of a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Construct {
    /// What it is.
    pub kind: Kind,
    /// Its place; `None` if the runtime did not tell, and for the start of a thread before
    /// [`Group::Serial`].
    pub spot: Option<Spot>,
    /// The region in which it was met; for [`Group::Serial`] the region that follows, `None` for
    /// the end of the thread.
    pub other: Option<Spot>,
}

impl Construct {
    /// The function, empty if it is not known.
    #[must_use]
    pub fn function(&self) -> &str {
        let spot = if self.kind.group == Group::Serial && self.spot.is_none() {
            &self.other
        } else {
            &self.spot
        };
        spot.as_ref().and_then(|spot| spot.function.as_deref()).unwrap_or_default()
    }

    /// The place in a few characters.
    #[must_use]
    pub fn place(&self) -> String {
        let short = |spot: &Option<Spot>, missing: &str| {
            spot.as_ref().map_or_else(|| missing.to_owned(), Spot::short)
        };
        if self.kind.group != Group::Serial {
            return short(&self.spot, "(unknown place)");
        }
        match (&self.spot, &self.other) {
            (None, None) => "all".to_owned(),
            (None, other) => format!("before {}", short(other, "")),
            (spot, None) => format!("after {}", short(spot, "")),
            (Some(spot), Some(other)) => match (&spot.file, other.line) {
                (file, Some(line)) if *file == other.file => format!("{}-{line}", spot.short()),
                _ => format!("{}-{}", spot.short(), other.short()),
            },
        }
    }
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function();
        let name = if self.kind.group == Group::Region { "region" } else { self.kind.name };
        match (self.kind.group, function.is_empty()) {
            (_, true) => write!(f, "the {name} {}", self.place()),
            (Group::Serial, false) => write!(f, "the {name} {} ({function})", self.place()),
            (_, false) => write!(f, "the {name} in {function} ({})", self.place()),
        }
    }
}
