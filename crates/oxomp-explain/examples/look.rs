//! Explains a process: `look PID`.

use std::time::Duration;

use oxomp_explain::Snapshot;
use oxomp_inspect::Image;
use oxomp_text::Style;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pid: i32 = std::env::args().nth(1).ok_or("which process?")?.parse()?;
    let earlier = Snapshot::take(&Image::stop(pid)?);
    std::thread::sleep(Duration::from_millis(50));
    let mut snapshot = Snapshot::take(&Image::stop(pid)?);
    snapshot.settle(&earlier);
    print!("{}", snapshot.text(Style::plain()));
    Ok(())
}
