//! Environment variables that set one field of [`GlobalIcvs`] or of [`Icvs`] each: name, syntax and
//! field. `env` reads them by this table, and `display` shows them by it.

use super::value::{self, POLICIES, Parsed, TARGET_OFFLOADS};
use super::{GlobalIcvs, Icvs, Library, allocator, kmp_schedule};

/// A variable.
pub(super) struct Variable {
    /// The name by which it is shown.
    pub(super) name: &'static str,
    /// Another name, which counts if the first is not set.
    pub(super) other: Option<&'static str>,
    /// The syntax, with the field.
    pub(super) syntax: Syntax,
}

/// The syntax of a variable, and the field that has the value.
pub(super) enum Syntax {
    /// A truth value.
    Truth {
        /// Returns the field's value.
        get: fn(&Fields<'_>) -> bool,
        /// Sets the field.
        set: fn(&mut FieldsMut<'_>, bool),
    },
    /// An integer.
    Integer {
        /// The least value that a user may give.
        least: u32,
        /// Returns the field's value.
        get: fn(&Fields<'_>) -> u32,
        /// Sets the field.
        set: fn(&mut FieldsMut<'_>, u32),
    },
    /// Any other syntax.
    Text {
        /// The form in which the value is shown.
        form: Form,
        /// Writes the field's value in the syntax.
        get: fn(&Fields<'_>) -> String,
        /// Sets the field by a value in the syntax.
        set: fn(&mut FieldsMut<'_>, &str) -> Parsed<()>,
    },
}

/// The form in which a text is shown.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// One word.
    Word,
    /// One word, in capital letters.
    Capitals,
    /// A text that may contain commas or blanks.
    List,
}

/// The fields, to be read.
pub(super) struct Fields<'a> {
    pub(super) icvs: &'a Icvs,
    pub(super) global: &'a GlobalIcvs,
}

/// The fields, to be set.
pub(super) struct FieldsMut<'a> {
    pub(super) icvs: &'a mut Icvs,
    pub(super) global: &'a mut GlobalIcvs,
}

impl FieldsMut<'_> {
    /// The same fields, to be read.
    pub(super) fn as_ref(&self) -> Fields<'_> {
        Fields { icvs: self.icvs, global: self.global }
    }
}

/// `NAME => syntax owner.field;` or `NAME or OTHER => syntax owner.field;` for each variable, where
/// the owner is `icvs` or `global`.
macro_rules! variables {
    ($($name:literal $(or $other:literal)? =>
        $syntax:ident $(($($argument:expr),+))? $owner:ident . $field:ident;
    )*) => {
        &[$(Variable {
            name: $name,
            other: [$(Some($other),)? None][0],
            syntax: variables!(@$syntax $(($($argument),+))? $owner $field),
        }),*]
    };
    (@truth $owner:ident $field:ident) => {
        Syntax::Truth {
            get: |fields| fields.$owner.$field,
            set: |fields, value| fields.$owner.$field = value,
        }
    };
    (@integer ($least:expr) $owner:ident $field:ident) => {
        Syntax::Integer {
            least: $least,
            get: |fields| fields.$owner.$field,
            set: |fields, value| fields.$owner.$field = value,
        }
    };
    (@one_of ($form:expr, $words:expr) $owner:ident $field:ident) => {
        Syntax::Text {
            form: $form,
            get: |fields| value::word_of(fields.$owner.$field, $words).to_owned(),
            set: |fields, text| {
                fields.$owner.$field = value::word(text, $words)?;
                Ok(())
            },
        }
    };
    (@parsed ($form:expr, $parse:expr) $owner:ident $field:ident) => {
        Syntax::Text {
            form: $form,
            get: |fields| fields.$owner.$field.to_string(),
            set: |fields, text| {
                fields.$owner.$field = $parse(text)?;
                Ok(())
            },
        }
    };
}

/// The variables, in the order in which they are read.
pub(super) const VARIABLES: &[Variable] = variables! {
    "KMP_LIBRARY" => one_of(Form::Word, LIBRARIES) global.library;
    "OMP_DYNAMIC" => truth icvs.dyn_var;
    "OMP_MAX_ACTIVE_LEVELS" => integer(0) icvs.max_active_levels_var;
    "OMP_THREAD_LIMIT" or "OMP_THREAD_LIMIT_ALL" => integer(1) icvs.thread_limit_var;
    "OMP_CANCELLATION" => truth global.cancel_var;
    "OMP_MAX_TASK_PRIORITY" => integer(0) global.max_task_priority_var;
    "OMP_NUM_TEAMS" => integer(1) global.nteams_var;
    "OMP_TEAMS_THREAD_LIMIT" or "OMP_TEAMS_THREAD_LIMIT_ALL"
        => integer(1) global.teams_thread_limit_var;
    "OMP_ALLOCATOR" => parsed(Form::Word, allocator::parse) global.def_allocator_var;
    "OMP_TARGET_OFFLOAD" => one_of(Form::Capitals, TARGET_OFFLOADS) global.target_offload_var;
    "KMP_SCHEDULE" => parsed(Form::List, kmp_schedule::parse) global.kmp_schedule;
    "KMP_TEAMS_PROC_BIND" => one_of(Form::Word, POLICIES) global.kmp_teams_proc_bind;
    "KMP_DEVICE_THREAD_LIMIT" or "KMP_ALL_THREADS" => integer(1) global.device_thread_limit;
    "KMP_DETERMINISTIC_REDUCTION" => truth global.deterministic_reduction;
    "KMP_ENABLE_TASK_THROTTLING" => truth global.task_throttling;
    "KMP_CONSISTENCY_CHECK"
        => one_of(Form::Word, &[("none", false), ("all", true)]) global.consistency_check;
    "KMP_DUPLICATE_LIB_OK" => truth global.duplicate_lib_ok;
    "LIBOMP_USE_HIDDEN_HELPER_TASK" => truth global.use_hidden_helper_task;
    "KMP_SETTINGS" => truth global.settings;
    "OMP_DEBUG" => one_of(Form::Word, &[("disabled", false), ("enabled", true)]) global.debug_var;
    "OMP_DISPLAY_AFFINITY" => truth global.display_affinity_var;
    "KMP_WARNINGS" => truth global.warnings;
};

const LIBRARIES: &[(&str, Library)] = &[
    ("throughput", Library::Throughput),
    ("turnaround", Library::Turnaround),
    ("serial", Library::Serial),
];
