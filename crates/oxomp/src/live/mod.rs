//! What a program does while it is recorded, shown again and again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oxomp_analysis::symbols::Symbols;

use crate::data_folder::DataFolder;

mod beside;
mod followed;
mod screen;

pub(crate) use beside::Beside;
use followed::Followed;
pub(crate) use screen::Screen;

/// A display of the recordings in a folder.
#[derive(Debug)]
pub(crate) struct Display {
    folder: PathBuf,
    interval: Duration,
    due: Instant,
    recordings: BTreeMap<PathBuf, Followed>,
    symbols: Symbols,
    screen: Screen,
}

impl Display {
    /// Shows what happens in each `interval` from now on.
    pub(crate) fn of(folder: &Path, interval: Duration, screen: Screen) -> Self {
        Self {
            folder: folder.to_owned(),
            interval,
            due: Instant::now() + interval,
            recordings: BTreeMap::new(),
            symbols: Symbols::new(),
            screen,
        }
    }

    /// Shows what has happened since the last time, if its time has come. Returns whether something
    /// was shown.
    ///
    /// # Errors
    ///
    /// If the text cannot be written.
    pub(crate) fn show_if_due(&mut self) -> io::Result<bool> {
        let now = Instant::now();
        if now < self.due {
            return Ok(false);
        }
        // A view that takes longer than the interval does not make the next ones follow at once.
        self.due = (self.due + self.interval).max(now);
        let style = self.screen.style();
        // A folder or file that cannot be read now may be read the next time.
        let files = DataFolder::open(&self.folder).profiles().unwrap_or_default();
        let mut views = Vec::new();
        for path in files {
            let followed = self.recordings.entry(path.clone()).or_default();
            views.extend(followed.view(&path, &mut self.symbols, style));
        }
        if views.is_empty() {
            return Ok(false);
        }
        views.sort_by_key(|view| std::cmp::Reverse(view.total_ns));
        let texts: Vec<String> = views.into_iter().map(|view| view.text).collect();
        self.screen.show(&texts.join("\n")).map(|()| true)
    }
}
