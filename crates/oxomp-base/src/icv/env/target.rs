//! The limits on threads of target regions: those of the devices that are the host, and of regions
//! that the host executes for gcc's code.
//!
//! OpenMP 5.2 §2.2 has variables for devices: `OMP_THREAD_LIMIT_DEV_1` for device 1,
//! `OMP_THREAD_LIMIT_DEV` for those without one of their own. 6.0 adds `OMP_THREAD_LIMIT_ALL`, for
//! the host too. If the user sets none of them, these devices have the host's processors, so that
//! the host's variable counts.

use core::iter;

use super::reader::Reader;
use crate::icv::{ByDevice, GlobalIcvs, Icvs, UNLIMITED, value};

/// The suffix of variables for all devices.
const DEVICES: &str = "_DEV";
/// The suffix of variables for the host and all devices.
const ALL: &str = "_ALL";

/// Reads the limits. `icvs` are the host's variables, and `concurrency` the number of threads that
/// can run at once for long.
pub(super) fn limits(
    reader: &mut Reader<'_>,
    icvs: &Icvs,
    concurrency: u32,
    global: &mut GlobalIcvs,
) {
    let of_teams = read_values(reader, "OMP_TEAMS_THREAD_LIMIT");
    let of_threads = read_values(reader, "OMP_THREAD_LIMIT");
    // A user who asks for a number of threads wants it in target regions too.
    let levels = iter::once(&icvs.nthreads_var).chain(icvs.nthreads_deeper.as_slice());
    let wanted = levels.fold(1, |product: u32, &threads| product.saturating_mul(threads));
    let carried = GlobalIcvs::FEW_THREADS.max(concurrency).max(wanted).min(UNLIMITED);
    let of_any_team = of_teams.devices.or(of_teams.host).unwrap_or(0);
    let others = of_threads.devices.or(of_threads.host);
    let mut numbered = of_threads.numbered;
    for &(device, limit) in &of_teams.numbered {
        if others.is_none() && numbered.iter().all(|&(other, _)| other != device) {
            numbered.push((device, carried.max(limit)));
        }
    }
    let others = others.unwrap_or(carried.max(of_any_team));
    global.target_thread_limit = ByDevice { numbered, others };
    let others = of_teams.devices.unwrap_or(0);
    global.target_teams_thread_limit = ByDevice { numbered: of_teams.numbered, others };
}

/// The values that the user has given to the forms of a variable.
struct Values {
    /// For devices by their number, each with its value.
    numbered: Vec<(u32, u32)>,
    /// For the other devices.
    devices: Option<u32>,
    /// For the host.
    host: Option<u32>,
}

/// Reads the forms of the variable `name`, an integer of at least 1.
fn read_values(reader: &mut Reader<'_>, name: &str) -> Values {
    let mut positive = |name: &str| reader.read(name, "the default", |it| value::integer(it, 1));
    let devices = positive(&format!("{name}{DEVICES}"));
    let numbers = format!("{name}{DEVICES}_");
    let mut numbered = Vec::new();
    for variable in reader.names_beginning_with(&numbers) {
        match variable[numbers.len()..].parse::<u32>() {
            Ok(device) if device <= i32::MAX.cast_unsigned() => {
                let value = reader.read(variable, "the default", |it| value::integer(it, 1));
                numbered.extend(value.map(|value| (device, value)));
            }
            _ => reader.warn(variable, "its name has no device number".to_owned(), "no value"),
        }
    }
    // A bad value of these has been reported with the host's variables.
    let quiet = |name: &str| value::integer(reader.value(name)?, 1).ok();
    let devices = devices.or_else(|| quiet(&format!("{name}{ALL}")));
    Values { numbered, devices, host: quiet(name) }
}
