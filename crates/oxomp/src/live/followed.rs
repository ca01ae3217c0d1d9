//! A recording that is followed while the collector writes it.

use std::path::Path;

use oxomp_analysis::live::Live;
use oxomp_analysis::report::render_live;
use oxomp_analysis::report::units::{plural, time};
use oxomp_analysis::symbols::Symbols;
use oxomp_text::Style;
use oxomp_trace::{Follower, Look};

/// A recording, and what was last seen of it.
#[derive(Debug, Default)]
pub(super) struct Followed {
    follower: Option<Follower>,
    last: Option<Look>,
}

/// What has happened in a process.
#[derive(Debug)]
pub(super) struct View {
    /// The time of all its threads, ns.
    pub(super) total_ns: u64,
    pub(super) text: String,
}

impl Followed {
    /// What has happened since the last view; `None` if nothing new is there: the recording has
    /// just begun, or has ended.
    pub(super) fn view(
        &mut self,
        path: &Path,
        symbols: &mut Symbols,
        style: Style,
    ) -> Option<View> {
        if self.follower.is_none() {
            self.follower = Follower::open(path).ok();
        }
        let look = self.follower.as_mut()?.look().ok()??;
        let profile = match &self.last {
            Some(last) if last.tick() == look.tick() => return None,
            Some(last) => look.since(last),
            None => look.so_far(),
        };
        let live = Live::new(&profile, &look, symbols);
        let header = &live.summary.header;
        let command = header.command.first().cloned().unwrap_or_default();
        let name = command.rsplit('/').next().unwrap_or_default();
        let heading = [
            format!("{name} ({})", header.pid),
            format!(
                "{} on {}",
                plural(live.threads.len() as u64, "thread"),
                plural(header.allowed_cpus.into(), "CPU")
            ),
            format!("the last {}", time(header.wall_ns)),
            format!("recorded {}", time(look.recorded_ns())),
        ];
        let text = render_live(&live, &heading, style);
        self.last = Some(look);
        Some(View { total_ns: live.summary.budget.total_ns, text })
    }
}
