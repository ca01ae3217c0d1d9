//! The environment variables that set internal control variables (OpenMP 5.2 chapter 21).
//!
//! This module reads the OMP_* variables of the constructs that this runtime has, and those KMP_*
//! and GOMP_* variables on which users of the two libraries rely. An invalid value causes one
//! warning, and the default is used. `tool` reads the variables of the tools interface earlier.

use super::hw_subset::HwSubset;
use super::table::FieldsMut;
use super::{ByDevice, GlobalIcvs, Icvs, Library, TargetOffload, value};

mod binding;
mod by_table;
mod data_environment;
mod device;
#[cfg(test)]
mod documented;
mod reader;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use device::LEAST_STACK;
pub use reader::Warning;

use reader::Reader;

/// The part of the machine to which the user restricts the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// The process uses only processors that it was given.
    pub respects_mask: bool,
    /// The name of the variable that set the subset.
    pub variable: &'static str,
    /// The value of KMP_HW_SUBSET.
    pub hw_subset: Option<HwSubset>,
}

/// The processors of the process after the restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processors {
    /// *num-procs-var*, at least 1.
    pub num_procs: u32,
    /// The number of threads that can run at once for long, at least 1 and at most `num_procs`: the
    /// default team size.
    pub concurrency: u32,
    /// The reason why the machine has no such subset; `None` if it has one, or if the user asks for
    /// none.
    pub refused: Option<String>,
}

impl Processors {
    /// `num_procs` processors, with no subset refused.
    #[must_use]
    pub fn of(num_procs: u32) -> Self {
        Self { num_procs, concurrency: num_procs, refused: None }
    }
}

/// Reads `variables`, names and values, for the processors that `machine` returns. The result has
/// the variables of the initial tasks' data environments, the global ones, and the warnings about
/// invalid values (an empty list if the user wants no warnings). Of two variables with the same
/// name the first counts, as in getenv(3).
#[must_use]
pub fn read(
    variables: &[(String, String)],
    machine: impl FnOnce(&Confinement) -> Processors,
) -> (Icvs, GlobalIcvs, Vec<Warning>) {
    read_by(&mut Reader::new(variables), machine)
}

/// Whether a variable may be one of an OpenMP runtime, by its name: all of these, and few others,
/// have `MP_` in it. A program starts sooner if the others are left alone.
pub fn is_of_openmp(name: &[u8]) -> bool {
    name.windows(3).any(|part| part == b"MP_")
}

/// The names that the runtime looks up in an empty environment.
#[cfg(test)]
pub(super) fn names_looked_up() -> std::collections::BTreeSet<String> {
    let mut reader = Reader::new(&[]);
    read_by(&mut reader, |_| Processors::of(6));
    reader.looked_up()
}

/// Reads the variables of `reader`, as [`read`] says.
fn read_by(
    reader: &mut Reader<'_>,
    machine: impl FnOnce(&Confinement) -> Processors,
) -> (Icvs, GlobalIcvs, Vec<Warning>) {
    let affinity = binding::kmp_affinity(reader);
    let confinement = binding::confinement(reader, affinity.modifiers);
    let Processors { num_procs, concurrency, refused } = machine(&confinement);
    if let Some(problem) = refused.filter(|_| affinity.modifiers.warnings) {
        reader.warn(confinement.variable, problem, "the whole machine");
    }
    let mut icvs = data_environment::data_environment(reader, concurrency.max(1));
    let mut global = GlobalIcvs::new(num_procs);
    by_table::by_table(reader, &mut FieldsMut { icvs: &mut icvs, global: &mut global });
    device::device(reader, &mut global);
    target::limits(reader, &icvs, concurrency.max(1), &mut global);
    global.hw_subset = confinement.hw_subset;
    binding::places(reader, affinity, &mut icvs, &mut global);
    if global.target_offload_var == TargetOffload::Mandatory
        && reader.value("OMP_DEFAULT_DEVICE").is_none()
    {
        icvs.default_device_var = Icvs::NO_DEFAULT_DEVICE;
    }
    // In LLVM's serial mode every region has one thread.
    if global.library == Library::Serial {
        icvs.thread_limit_var = 1;
        global.target_thread_limit = ByDevice::all(1);
    }
    let warnings = if global.warnings { reader.warnings() } else { Vec::new() };
    (icvs, global, warnings)
}

/// *target-offload-var* by the environment as it is now, for a tool that begins before the runtime
/// reads its variables.
pub fn target_offload_now() -> TargetOffload {
    let text = std::env::var("OMP_TARGET_OFFLOAD").unwrap_or_default();
    value::word(text.trim(), value::TARGET_OFFLOADS).unwrap_or(TargetOffload::Default)
}
