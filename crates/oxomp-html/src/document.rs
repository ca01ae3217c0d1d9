//! What the documents have in common: policy, style sheet, data, script.
//!
//! Each script is one function around all of its files, by concept, so that no name leaves it.

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// The style sheet, by concept.
const STYLE: &str = concat!(
    include_str!("../assets/colours.css"),
    include_str!("../assets/page.css"),
    include_str!("../assets/tables.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/scale.css"),
    include_str!("../assets/narrow.css"),
    include_str!("../assets/print.css"),
);

/// The script of the page of a profile.
pub(crate) const PROFILE_SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../assets/format.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/copy.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/open.js"),
    include_str!("../assets/tooltip.js"),
    include_str!("../assets/terms.js"),
    include_str!("../assets/lane.js"),
    include_str!("../assets/ticks.js"),
    include_str!("../assets/bands.js"),
    include_str!("../assets/timeline.js"),
    include_str!("../assets/gestures.js"),
    include_str!("../assets/parallelism.js"),
    include_str!("../assets/region_threads.js"),
    include_str!("../assets/flame.js"),
    include_str!("../assets/main.js"),
    "})();\n",
);

/// The script of pages that compare processes: they have tables and no pictures.
pub(crate) const JOB_SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../assets/format.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/copy.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/tooltip.js"),
    include_str!("../assets/terms.js"),
    include_str!("../assets/job.js"),
    "})();\n",
);

/// The script of pages that compare several numbers of threads, whose pictures need no script.
pub(crate) const SCALE_SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../assets/format.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/copy.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/open.js"),
    include_str!("../assets/tooltip.js"),
    include_str!("../assets/terms.js"),
    include_str!("../assets/scale.js"),
    "})();\n",
);

/// What pages have in common: policy, style sheet, ways to the sections, data, script.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    /// For the title.
    pub(crate) program: &'a str,
    /// Above the ways to the sections.
    pub(crate) head: Markup,
    /// Ids and names of the sections; the first is the verdict.
    pub(crate) sections: &'a [(&'a str, &'a str)],
    pub(crate) content: Markup,
    /// JSON that may stand in a `script` element.
    pub(crate) data: &'a str,
    pub(crate) script: &'a str,
}

impl Frame<'_> {
    pub(crate) fn render(self) -> String {
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            hash(STYLE),
            hash(self.script)
        );
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    meta name="color-scheme" content="light dark";
                    title { (self.program) " · oxomp profile" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#verdict" { "to the verdict" }
                    (self.head)
                    nav.sections aria-label="Sections" { ul {
                        @for (id, name) in self.sections { li { a href={ "#" (id) } { (name) } } }
                    } }
                    main { (self.content) }
                    div #tooltip role="status" hidden {}
                    script #data type="application/json" { (PreEscaped(self.data)) }
                    script { (PreEscaped(self.script)) }
                }
            }
        }
        .into_string()
    }
}

/// How a policy names inline text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::{JOB_SCRIPT, PROFILE_SCRIPT, SCALE_SCRIPT, STYLE};

    #[test]
    fn nothing_is_fetched_and_nothing_ends_its_element() {
        for text in [PROFILE_SCRIPT, JOB_SCRIPT, SCALE_SCRIPT, STYLE] {
            assert!(!text.contains("</"), "an end tag");
            for word in ["http:", "https:", "url(", "@import", "fetch(", "eval(", "innerHTML"] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
