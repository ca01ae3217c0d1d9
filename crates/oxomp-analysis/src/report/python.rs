//! The lines of Python that led to regions.

use super::names::{Names, file_name};
use super::table::{Align, Column, Fit, Table, write_table};
use crate::summary::{PythonCall, Region, Summary};
use oxomp_text::Page;

/// Regions shown: as many as the table of regions has.
const SHOWN: usize = 10;

const COLUMNS: [Column; 4] = [
    Column { title: "", align: Align::Right, fit: Fit::Fixed },
    Column { title: "region", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "called by", align: Align::Left, fit: Fit::CutStart(20) },
    Column { title: "from", align: Align::Left, fit: Fit::CutStart(20) },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut table = Table::new(&COLUMNS);
    for (number, region) in (1_u32..).zip(summary.regions.iter().take(SHOWN)) {
        if let Some((called, from)) = callers(region) {
            let place = names.short(region.site);
            table.row(vec![number.to_string(), place, called, from.unwrap_or_default()]);
        }
    }
    if !table.is_empty() {
        write_table(page, "Python code that led to the regions", &table);
    }
}

/// The innermost function of Python that led to the region, and, if that is of a package, the
/// innermost one of the user's; `None` if there is none.
#[must_use]
pub fn callers(region: &Region) -> Option<(String, Option<String>)> {
    let called = region.python.first()?;
    let users = region.python.iter().find(|call| call.is_users()).filter(|call| *call != called);
    Some((text(called), users.map(text)))
}

/// The function and the line, as `train train.py:12`.
fn text(call: &PythonCall) -> String {
    format!("{} {}:{}", call.function, file_name(&call.file), call.line)
}

#[cfg(test)]
mod tests {
    use super::callers;
    use crate::summary::{PythonCall, Region};

    #[test]
    fn the_users_own_line_stands_beside_that_of_a_package() {
        let call = |function: &str, file: &str, line| PythonCall {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
        };
        let package = call("KMeans.fit", "/opt/lib/python3.12/site-packages/sklearn/k.py", 7);
        let own = call("main", "/home/me/train.py", 3);
        let of = |python| callers(&Region { python, ..Region::default() });
        let both = of(vec![package, own.clone()]);
        assert_eq!(
            both,
            Some(("KMeans.fit k.py:7".to_owned(), Some("main train.py:3".to_owned())))
        );
        assert_eq!(of(vec![own]), Some(("main train.py:3".to_owned(), None)));
        assert_eq!(of(Vec::new()), None);
    }
}
