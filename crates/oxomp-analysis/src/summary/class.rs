//! The classes of threads' time, and the budget that they form.

use std::fmt;

use serde::{Serialize, Serializer};

use super::written::as_one;

/// Where the threads' time went.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Budget {
    /// Sum of the lifetimes of all threads that OpenMP knew, ns.
    pub total_ns: u64,
    /// The threads' time by class, all threads together, ns.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
    /// Sum of the classes / `total_ns`: 1.0 when every nanosecond has its class.
    pub accounted: f64,
    /// Useful and serial time / (`threads` · `recorded_ns`), from 0 to 1.
    pub parallel_efficiency: f64,
    /// Useful and serial time / `recorded_ns`: threads that did useful work on average.
    pub average_concurrency: f64,
}

impl Budget {
    /// Nanoseconds of `class`.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        self.by_class[class as usize]
    }

    /// What threads worked: user code in regions, which is useful work, and outside of them, which
    /// is serial work, ns. Efficiency and concurrency are of this sum.
    #[must_use]
    pub fn work_ns(&self) -> u64 {
        self.class_ns(Class::Useful).saturating_add(self.class_ns(Class::Serial))
    }

    /// [`Budget::total_ns`] without pauses: shares of the threads' time are shares of this.
    #[must_use]
    pub fn recorded_ns(&self) -> u64 {
        self.total_ns.saturating_sub(self.class_ns(Class::Paused))
    }
}

/// Declares [`Class`] from one table: the definition, the variant, the key and the name of each.
macro_rules! classes {
    ($($(#[doc = $definition:literal])+ $class:ident: $key:literal, $name:literal;)+) => {
        /// The class of a thread's time.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Class {
            $($(#[doc = $definition])+ $class,)+
        }

        impl Class {
            /// Every class, in the order of [`Budget::by_class`].
            pub const ALL: [Class; Class::COUNT] = [$(Class::$class),+];

            /// Number of classes.
            pub const COUNT: usize = [$($key),+].len();

            /// The name of the class for programs: of a category of time, of a colour.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Class::$class => $key),+ }
            }

            /// The name of the class's time in nanoseconds, for programs: [`Class::key`] and `_ns`.
            #[must_use]
            pub const fn key_ns(self) -> &'static str {
                match self { $(Class::$class => concat!($key, "_ns")),+ }
            }

            /// A short English name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Class::$class => $name),+ }
            }

            /// The definition, in plain words.
            #[must_use]
            pub fn definition(self) -> &'static str {
                // The comment's lines begin with a space each.
                match self { $(Class::$class => concat!($($definition),+).trim_start()),+ }
            }
        }
    };
}

// The comments are the definitions that users read: [`Class::definition`].
classes! {
    /// User code inside a parallel region, explicit tasks included.
    Useful: "useful", "useful work";
    /// User code of an initial thread outside every region, while the other threads have nothing
    /// to do.
    Serial: "serial", "serial work";
    /// An initial thread outside every region that neither computed nor lacked a processor: it
    /// waited for input, a child or another thread.
    SerialWait: "serial_wait", "waiting in serial code";
    /// User code inside a region that neither computed nor lacked a processor: it waited in a
    /// system call (a lock that is not OpenMP's, input, a sleep), or for a page of memory.
    Blocked: "blocked", "blocked in regions";
    /// Waiting at a barrier, that at a region's end included, for threads that had not arrived
    /// yet.
    Imbalance: "imbalance", "load imbalance";
    /// At a barrier that all threads had reached: the barrier's own cost.
    Barrier: "barrier", "barriers themselves";
    /// Waiting for a lock, critical, ordered or atomic, or for another iteration of a loop (ordered
    /// with sink).
    Mutex: "mutex", "locks & criticals";
    /// Waiting in taskwait or at the end of a taskgroup; tasks that the thread executed meanwhile
    /// are useful work.
    Taskwait: "taskwait", "waiting for tasks";
    /// At a barrier while tasks of the team were under way: none of them was ready for the thread.
    Starved: "starved", "too few ready tasks";
    /// Handing out chunks of loops: an estimate by samples, or, of loops with few samples, a bound,
    /// since events show only the time from one chunk to the next.
    Dispatch: "dispatch", "handing out chunks";
    /// User code without a processor, which the system gave to another thread, and waiting at the
    /// end of regions for a thread to which that happened.
    Scheduler: "scheduler", "without a processor";
    /// Starting and ending regions: from the fork until the thread's own start, and from the
    /// release of the last barrier until the join.
    ForkJoin: "fork_join", "fork/join";
    /// A worker without work while no region ran at all.
    SerialIdle: "serial_idle", "idle in serial code";
    /// A worker without work while a region ran to which it did not belong.
    SpareIdle: "spare_idle", "idle beside a smaller team";
    /// The program had paused the recording. Shares are those of the recorded time.
    Paused: "paused", "not recorded (paused)";
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Nanoseconds per class, in [`Class::ALL`]'s order, which are written under [`Class::key_ns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes(pub [u64; Class::COUNT]);

impl Serialize for Classes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Class::ALL.map(Class::key_ns).into_iter().zip(self.0))
    }
}

impl From<&[u64; Class::COUNT]> for Classes {
    fn from(by_class: &[u64; Class::COUNT]) -> Self {
        Self(*by_class)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Classes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Classes".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let properties = Class::ALL.map(|class| {
            let mut time = u64::json_schema(generator);
            time.insert("description".into(), format!("{} In ns.", class.definition()).into());
            (class.key_ns(), time)
        });
        schemars::json_schema!({
            "description": "Time by class. The classes do not overlap.",
            "type": "object",
            "properties": std::collections::BTreeMap::from(properties),
            "required": Class::ALL.map(Class::key_ns),
        })
    }
}

/// The part of the threads' recorded time that is useful and serial work, from 0 to 1.
#[must_use]
pub fn work_share(by_class: &[u64; Class::COUNT]) -> f64 {
    share_of(by_class, Class::Useful) + share_of(by_class, Class::Serial)
}

/// The class that took most of the threads' time beside work, with its part of their recorded time;
/// `None` below a hundredth.
#[must_use]
pub fn most_lost(by_class: &[u64; Class::COUNT]) -> Option<(Class, f64)> {
    let is_loss = |class: &Class| !matches!(class, Class::Useful | Class::Serial | Class::Paused);
    let classes = Class::ALL.into_iter().filter(is_loss);
    let most = classes.max_by_key(|class| by_class[*class as usize])?;
    Some((most, share_of(by_class, most))).filter(|(_, share)| *share >= 0.01)
}

/// The part of the threads' recorded time.
fn share_of(by_class: &[u64; Class::COUNT], class: Class) -> f64 {
    let recorded = Class::ALL.into_iter().filter(|class| *class != Class::Paused);
    let all: u64 = recorded.map(|class| by_class[class as usize]).sum();
    if all == 0 { 0.0 } else { by_class[class as usize] as f64 / all as f64 }
}

/// A thread that OpenMP knew.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thread {
    /// Number of the thread in the order of appearance, from 0.
    pub number: u32,
    /// The system's thread id; 0 if the thread's begin was not recorded.
    pub tid: u32,
    /// True for an initial thread: the program's first, or a foreign one that met OpenMP.
    pub initial: bool,
    /// First event of the thread, ns since the start of the process.
    pub begin_ns: u64,
    /// End of the thread or of the recording, ns since the start of the process.
    pub end_ns: u64,
    /// The thread's time by class, ns; the classes sum to `end_ns - begin_ns`.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
    /// The thread's time in MPI's functions, ns, which the classes do not tell from that in user
    /// code; null if the process called none, or if they were not timed.
    pub mpi_ns: Option<u64>,
}
