//! What `cargo xtask layering` prints of a crate's inside.

use super::inside::Inside;
use super::rules::Verdict;
use super::source::arrows::Arrow;

/// One line: crates, files, arrows, arrows up, the largest circle.
pub fn summary(insides: &[Inside]) -> String {
    let exceptions = |inside: &Inside| {
        let up = |arrow: &&Arrow| matches!(inside.verdict(arrow), Verdict::Exception(_));
        inside.arrows.iter().filter(up).count()
    };
    let largest = insides.iter().max_by_key(|inside| inside.circles.first().map_or(0, Vec::len));
    let largest = largest.and_then(|inside| Some((inside.circles.first()?.len(), &inside.of)));
    format!(
        "{} crates, {} with floors, {} files, {} arrows, {} up by exception; largest circle: {}",
        insides.len(),
        insides.iter().filter(|inside| inside.rules.floors.len() > 1).count(),
        insides.iter().map(|inside| inside.users().count()).sum::<usize>(),
        insides.iter().map(|inside| inside.arrows.len()).sum::<usize>(),
        insides.iter().map(exceptions).sum::<usize>(),
        largest.map_or_else(|| "none".to_owned(), |(files, of)| format!("{files} files of {of}"))
    )
}

/// Prints each floor of a crate with its rooms, and each circle with its files.
pub fn print_floors_and_circles(inside: &Inside) {
    println!("{}: {} files, {} arrows", inside.of, inside.users().count(), inside.arrows.len());
    for (at, floor) in inside.rules.floors.iter().enumerate().rev() {
        println!("{:2} {}: {}", at + 1, floor.name, floor.what);
        for room in floor.rooms.iter().filter(|room| !room.is_empty()) {
            let lines = inside.lines_of(at, room);
            let (files, lines) = (lines.len(), lines.iter().sum::<usize>());
            println!("     {room:<20} {files:3} files {lines:6} lines");
        }
    }
    for circle in &inside.circles {
        println!("circle of {} files:", circle.len());
        for &file in circle {
            println!("     {}", inside.name(file));
        }
    }
}

/// Prints each arrow on one line: verdict, file and line, file used, names.
pub fn print_arrows(inside: &Inside) {
    for arrow in &inside.arrows {
        let names: Vec<&str> = arrow.names.iter().map(String::as_str).collect();
        let from = format!("{}:{}", inside.name(arrow.from), arrow.line);
        let (verdict, to) = (inside.verdict(arrow), inside.name(arrow.to));
        println!("{verdict:<9} {from:<36} {to:<32} {}", names.join(" "));
    }
}
