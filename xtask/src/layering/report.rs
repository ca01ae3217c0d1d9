//! What `cargo xtask layering` prints of the core.

use super::core::Core;
use super::rules::Verdict;

/// One line: files, floors, the largest circle, arrows up.
pub fn summary(core: &Core<'_>) -> String {
    let exceptions =
        core.arrows.iter().filter(|arrow| matches!(core.verdict(arrow), Verdict::Exception(_)));
    format!(
        "{} files of oxomp-core on {} floors, {} arrows, {} up by exception; largest circle: {} files",
        core.users().count(),
        core.rules.floors.len(),
        core.arrows.len(),
        exceptions.count(),
        core.circles.first().map_or(0, Vec::len)
    )
}

/// Prints each floor with its rooms, and each circle with its files.
pub fn print_floors_and_circles(core: &Core<'_>) {
    for (at, floor) in core.rules.floors.iter().enumerate().rev() {
        println!("{:2} {}: {}", at + 1, floor.name, floor.what);
        for room in floor.rooms {
            let files = core.tree.files.iter().filter(|file| {
                core.rules.room(&file.name).is_some_and(|its| its.floor == at && its.name == *room)
            });
            let lines: Vec<usize> = files.map(|file| file.lines).collect();
            let (files, lines) = (lines.len(), lines.iter().sum::<usize>());
            println!("     {room:<20} {files:3} files {lines:6} lines");
        }
    }
    for circle in &core.circles {
        println!("circle of {} files:", circle.len());
        for &file in circle {
            println!("     {}", core.name(file));
        }
    }
}

/// Prints each arrow on one line: verdict, file and line, file used, names.
pub fn print_arrows(core: &Core<'_>) {
    for arrow in &core.arrows {
        let names: Vec<&str> = arrow.names.iter().map(String::as_str).collect();
        let from = format!("{}:{}", core.name(arrow.from), arrow.line);
        let (verdict, to) = (core.verdict(arrow), core.name(arrow.to));
        println!("{verdict:<9} {from:<36} {to:<32} {}", names.join(" "));
    }
}
