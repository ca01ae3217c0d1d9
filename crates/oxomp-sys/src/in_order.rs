//! The order of rows in a table of events.

/// The rows, an array, in the order of their events' numbers. Tables have them by their callbacks.
macro_rules! in_order {
    ($rows:expr) => {{
        let mut rows = $rows;
        let mut sorted = 1;
        while sorted < rows.len() {
            let mut at = sorted;
            while at > 0 && rows[at - 1].event.0 > rows[at].event.0 {
                rows.swap(at - 1, at);
                at -= 1;
            }
            sorted += 1;
        }
        rows
    }};
}
