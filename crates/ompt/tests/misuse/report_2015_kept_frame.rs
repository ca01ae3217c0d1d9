//! A frame is gone when the callback returns.

use ompt::report_2015::{Frame, TaskBegin};

fn keep(event: &TaskBegin<'_>) -> Option<Frame<'static>> {
    event.parent_frame
}

fn main() {}
