//! Environment variables that set one field of [`GlobalIcvs`] each: name, syntax and field. `env`
//! reads them by this table, and `display` shows them by it.

use super::value::{self, POLICIES, Parsed};
use super::{GlobalIcvs, Library};

/// A variable.
pub(super) struct Variable {
    /// Its name.
    pub(super) name: &'static str,
    /// Another name, which counts if the first is not set.
    pub(super) other: Option<&'static str>,
    /// Its syntax, with its field.
    pub(super) syntax: Syntax,
}

/// The syntax of a variable, and the field that has the value.
pub(super) enum Syntax {
    /// A truth value.
    Truth {
        /// The field.
        field: fn(&GlobalIcvs) -> &bool,
        /// The field, to be set.
        set: fn(&mut GlobalIcvs) -> &mut bool,
    },
    /// An integer.
    Integer {
        /// The least value that a user may give.
        least: u32,
        /// The field.
        field: fn(&GlobalIcvs) -> &u32,
        /// The field, to be set.
        set: fn(&mut GlobalIcvs) -> &mut u32,
    },
    /// One of several words.
    Word {
        /// The word of the field.
        word: fn(&GlobalIcvs) -> &'static str,
        /// Sets the field by a word.
        set: fn(&mut GlobalIcvs, &str) -> Parsed<()>,
    },
}

/// `NAME => syntax field;` or `NAME or OTHER => syntax field;` for each variable.
macro_rules! variables {
    ($($name:literal $(or $other:literal)? =>
        $syntax:ident $(($argument:expr))? $field:ident;
    )*) => {
        &[$(Variable {
            name: $name,
            other: [$(Some($other),)? None][0],
            syntax: variables!(@$syntax $(($argument))? $field),
        }),*]
    };
    (@truth $field:ident) => {
        Syntax::Truth { field: |global| &global.$field, set: |global| &mut global.$field }
    };
    (@integer ($least:expr) $field:ident) => {
        Syntax::Integer {
            least: $least,
            field: |global| &global.$field,
            set: |global| &mut global.$field,
        }
    };
    (@word ($words:expr) $field:ident) => {
        Syntax::Word {
            word: |global| value::word_of(global.$field, $words),
            set: |global, text| {
                global.$field = value::word(text, $words)?;
                Ok(())
            },
        }
    };
}

/// The variables, in the order in which they are read.
pub(super) const VARIABLES: &[Variable] = variables! {
    "KMP_LIBRARY" => word(LIBRARIES) library;
    "OMP_CANCELLATION" => truth cancel_var;
    "OMP_MAX_TASK_PRIORITY" => integer(0) max_task_priority_var;
    "OMP_NUM_TEAMS" => integer(1) nteams_var;
    "OMP_TEAMS_THREAD_LIMIT" or "OMP_TEAMS_THREAD_LIMIT_ALL" => integer(1) teams_thread_limit_var;
    "KMP_TEAMS_PROC_BIND" => word(POLICIES) kmp_teams_proc_bind;
    "KMP_DEVICE_THREAD_LIMIT" or "KMP_ALL_THREADS" => integer(1) device_thread_limit;
    "KMP_DETERMINISTIC_REDUCTION" => truth deterministic_reduction;
    "KMP_ENABLE_TASK_THROTTLING" => truth task_throttling;
    "KMP_CONSISTENCY_CHECK" => word(&[("none", false), ("all", true)]) consistency_check;
    "KMP_DUPLICATE_LIB_OK" => truth duplicate_lib_ok;
    "LIBOMP_USE_HIDDEN_HELPER_TASK" => truth use_hidden_helper_task;
    "KMP_SETTINGS" => truth settings;
    "OMP_DEBUG" => word(&[("disabled", false), ("enabled", true)]) debug_var;
    "OMP_DISPLAY_AFFINITY" => truth display_affinity_var;
    "KMP_WARNINGS" => truth warnings;
};

const LIBRARIES: &[(&str, Library)] = &[
    ("throughput", Library::Throughput),
    ("turnaround", Library::Turnaround),
    ("serial", Library::Serial),
];
