//! Tables that can be sorted and searched, and whose rows can be opened. The script shows long ones
//! page by page.

use maud::{Markup, html};
use oxomp_analysis::report::units::time;

use crate::definitions::{term, terms};

/// A column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// The id of its definition; empty if its title says all.
    pub(crate) term: &'static str,
    pub(crate) is_number: bool,
    /// The screens on which the column is left out: 0: none, 1: telephones, 2: telephones and
    /// tablets.
    pub(crate) drop: u8,
}

impl Column {
    pub(crate) const fn text(title: &'static str) -> Self {
        Self { title, term: "", is_number: false, drop: 0 }
    }

    pub(crate) const fn number(title: &'static str, term: &'static str) -> Self {
        Self { title, term, is_number: true, drop: 0 }
    }

    pub(crate) const fn dropped(self, drop: u8) -> Self {
        Self { drop, ..self }
    }

    fn class(self) -> &'static str {
        match (self.is_number, self.drop) {
            (false, 0) => "",
            (false, 1) => "drop1",
            (false, _) => "drop2",
            (true, 0) => "n",
            (true, 1) => "n drop1",
            (true, _) => "n drop2",
        }
    }
}

/// A cell.
#[derive(Debug)]
pub(crate) struct Cell {
    content: Markup,
    /// By which its row is sorted: a number, or text.
    key: String,
    /// The class of time by which its row can be found.
    class: Option<&'static str>,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { content: html! { (text) }, key: text, class: None }
    }

    pub(crate) fn markup(content: Markup, key: impl Into<String>) -> Self {
        Self { content, key: key.into(), class: None }
    }

    /// This cell, with a class of time by which its row can be found.
    pub(crate) fn of_class(self, class: Option<&'static str>) -> Self {
        Self { class, ..self }
    }

    pub(crate) fn number(text: String, value: f64) -> Self {
        Self { content: html! { (text) }, key: value.to_string(), class: None }
    }

    /// A time.
    pub(crate) fn time(ns: u64) -> Self {
        Self::number(time(ns), ns as f64)
    }
}

/// A row.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// What opens below it.
    pub(crate) detail: Option<Markup>,
}

/// A table. The first cell of a row is its heading.
pub(crate) fn table(name: &str, columns: &[Column], rows: Vec<Row>) -> Markup {
    html! {
        div.table-box data-name=(name) {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table.sortable {
                thead { tr { @for column in columns {
                    th.(column.class()) scope="col" {
                        @if column.title.is_empty() {}
                        @else if column.term.is_empty() { span.title { (column.title) } }
                        @else { (term(column.term, column.title)) }
                    }
                } } }
                tbody { @for (number, row) in rows.into_iter().enumerate() {
                    @let opened = format!("{}-{number}", name.replace(' ', "-").to_lowercase());
                    tr.(if row.detail.is_some() { "opens" } else { "" }) {
                        @for (position, (cell, column)) in row.cells.into_iter().zip(columns).enumerate() {
                            @if position == 0 {
                                th.(column.class()) scope="row" data-key=(cell.key) {
                                    @if row.detail.is_some() {
                                        button.opener type="button" aria-expanded="false" aria-controls=(opened) {
                                            (cell.content)
                                        }
                                    } @else { (cell.content) }
                                }
                            } @else {
                                td.(column.class()) data-key=(cell.key) data-class=[cell.class] { (cell.content) }
                            }
                        }
                    }
                    @if let Some(detail) = row.detail {
                        tr.detail id=(opened) { td colspan=(columns.len()) { div.panel { (detail) } } }
                    }
                } }
            }
        }
        (terms(columns.iter().map(|column| column.term)))
        }
    }
}
