//! Explains a process or a core file: `look PID`, `look CORE`.

use std::path::Path;
use std::time::Duration;

use oxomp_explain::Snapshot;
use oxomp_inspect::Image;
use oxomp_text::Style;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let subject = std::env::args().nth(1).ok_or("which process?")?;
    let snapshot = match subject.parse::<i32>() {
        Ok(pid) => {
            let earlier = Snapshot::take(&Image::stop(pid)?);
            std::thread::sleep(Duration::from_millis(50));
            let mut snapshot = Snapshot::take(&Image::stop(pid)?);
            snapshot.settle(&earlier);
            snapshot
        }
        Err(_) => Snapshot::take(&Image::core(Path::new(&subject), None)?),
    };
    print!("{}", snapshot.text(Style::plain()));
    Ok(())
}
