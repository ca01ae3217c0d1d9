//! Outlined functions: the code addresses that begins of regions and tasks pass, and return
//! addresses.

use std::path::Path;

use addr2line::Loader;
use oxomp_testing::trace::log::{Event, Log};

/// Parts of the names that compilers give outlined functions: GCC's are alike for regions and
/// tasks. Programs that call the runtime by hand have `part` and `launch`.
const OF_REGIONS: [&str; 4] = ["_omp_fn", "omp_outlined", "omp_par", "part"];
const OF_TASKS: [&str; 4] = ["_omp_fn", "omp_task_entry", "omp_outlined", "omp_par"];
const OF_TARGETS: [&str; 3] = ["_omp_fn", "omp_task_entry", "launch"];

/// Functions whose line is not the construct's: flang's functions, and the functions of programs
/// that call the runtime by hand.
const WITHOUT_LINE: [&str; 2] = ["omp_par", "part"];

/// Checks that each `ofn` of `log` is the first address of an outlined function of `executable`,
/// and replaces it by an address with the construct's line, or by `outlined`.
///
/// # Errors
///
/// The event whose address is not an outlined function, or not an outlined function for its
/// construct.
pub(crate) fn check(log: &mut Log, executable: &Path) -> Result<(), String> {
    let loader = Loader::new(executable).map_err(|error| error.to_string())?;
    let module = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for event in &mut log.events {
        let names: &[&str] = match event.name.as_str() {
            "parallel_begin" => &OF_REGIONS,
            "task_begin" => &OF_TASKS,
            "target_task_begin" if event.get("type") == Some("target") => &OF_TARGETS,
            _ => continue,
        };
        let text = event.get("ofn").unwrap_or_default();
        // clang's code calls the function itself: it does not tell the runtime.
        if text == "null" && event.get("invoker") == Some("program") {
            continue;
        }
        // The task of a routine that copies or fills memory has no function of the program.
        if text == "null" && event.name == "target_task_begin" {
            continue;
        }
        let address = text
            .split_once("+0x")
            .filter(|(name, _)| *name == module)
            .and_then(|(_, offset)| u64::from_str_radix(offset, 16).ok());
        let Some(address) = address else { return wrong(event, "no function of the program") };
        let symbol = loader.find_symbol_info(address);
        let is_first = symbol.as_ref().is_some_and(|symbol| symbol.address() == address);
        let name = symbol.as_ref().map_or("?", |symbol| symbol.name());
        if !is_first || !names.iter().any(|part| name.contains(part)) {
            return wrong(event, &format!("not an outlined function but in {name}"));
        }
        // A return address lies behind its call, and its line is looked up before it.
        let inside = match WITHOUT_LINE.iter().any(|part| name.contains(part)) {
            true => "outlined".to_owned(),
            false => format!("{module}+{:#x}", address + 1),
        };
        event
            .keys
            .iter_mut()
            .filter(|(key, _)| key == "ofn")
            .for_each(|it| it.1.clone_from(&inside));
    }
    Ok(())
}

fn wrong(event: &Event, said: &str) -> Result<(), String> {
    Err(format!("functions: {said}:\n  > {event}\n"))
}

/// Checks that each return address of `log` lies in the code of `executable`.
///
/// # Errors
///
/// The event whose address lies elsewhere.
pub(crate) fn check_returns(log: &Log, executable: &Path) -> Result<(), String> {
    let loader = Loader::new(executable).map_err(|error| error.to_string())?;
    let text = loader.get_section_range(b".text").ok_or("the program has no code")?;
    let module = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for event in &log.events {
        let Some(codeptr) = event.get("codeptr") else { continue };
        let address = codeptr
            .split_once("+0x")
            .filter(|(name, _)| *name == module)
            .and_then(|(_, offset)| u64::from_str_radix(offset, 16).ok());
        let is_inside = address.is_some_and(|it| text.begin < it && it <= text.end);
        if !is_inside {
            return wrong(event, "the return address does not lie in the program");
        }
    }
    Ok(())
}
