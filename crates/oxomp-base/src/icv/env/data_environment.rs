//! The variables of data environments.

use super::reader::Reader;
use crate::icv::{Deeper, Icvs, UNLIMITED, value};

/// Reads the variables that the table does not have. Those of the table are read afterwards.
pub(super) fn data_environment(reader: &mut Reader<'_>, num_procs: u32) -> Icvs {
    let mut icvs = Icvs::new(num_procs);
    let positive = |text: &str| value::integer(text, 1);
    let list = reader.read("OMP_NUM_THREADS", icvs.nthreads_var, |text| {
        value::list(text, positive).map_err(|_| "not a list of positive integers".to_owned())
    });
    if let Some((first, deeper)) = list {
        icvs.nthreads_var = first;
        icvs.nthreads_is_set = true;
        icvs.nthreads_deeper = Deeper::new(deeper);
    }
    if let Some((first, deeper)) = reader.read("OMP_PROC_BIND", "false", value::proc_bind) {
        icvs.bind_var = first;
        icvs.bind_deeper = Deeper::new(deeper);
    }
    icvs.max_active_levels_var = max_active_levels(reader, &icvs);
    match reader.read("OMP_SCHEDULE", icvs.run_sched_var, value::schedule) {
        Some((schedule, None)) => icvs.run_sched_var = schedule,
        Some((schedule, Some(problem))) => {
            reader.warn("OMP_SCHEDULE", problem, schedule);
            icvs.run_sched_var = schedule;
        }
        None => {}
    }
    let mut default_device = 0;
    reader.integer("OMP_DEFAULT_DEVICE", 0, &mut default_device);
    icvs.default_device_var = default_device.cast_signed();
    icvs
}

/// OpenMP 5.2 §2.4: a list of more than one element in OMP_NUM_THREADS or OMP_PROC_BIND allows as
/// many active levels as there can be, unless OMP_NESTED says otherwise, or OMP_MAX_ACTIVE_LEVELS,
/// which is in the table.
fn max_active_levels(reader: &mut Reader<'_>, icvs: &Icvs) -> u32 {
    let lists =
        !icvs.nthreads_deeper.as_slice().is_empty() || !icvs.bind_deeper.as_slice().is_empty();
    let nested = reader.read("OMP_NESTED", lists, value::boolean).unwrap_or(lists);
    if nested { UNLIMITED } else { 1 }
}
