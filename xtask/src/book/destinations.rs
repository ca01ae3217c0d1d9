//! Where the links of a page lead to.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// The destinations of the links and images in `text`.
pub(super) fn destinations(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(text, options);
    let destination = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    };
    events.filter_map(destination).collect()
}

#[cfg(test)]
mod tests {
    use super::destinations;

    #[test]
    fn links_images_and_references_have_destinations_and_code_has_none() {
        let text = "[a](b.md#c) ![d](e.png)\n\n| [f] |\n|---|\n| `[g](h)` |\n\n[f]: i.md\n";
        assert_eq!(destinations(text), ["b.md#c", "e.png", "i.md"]);
        assert_eq!(destinations("```text\n[a](b)\n```\n"), [""; 0]);
    }
}
