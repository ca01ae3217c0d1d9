//! The section of source lines: files that cannot be read are counted, once, in the right number.

mod made_up;

use std::fs;

use made_up::busy;
use oxomp_analysis::report::Notes;
use oxomp_html::page;
use tempfile::TempDir;

/// The page of samples in `readable` files that are there and `missing` ones.
fn page_of(readable: usize, missing: usize) -> String {
    let folder = TempDir::new().expect("a folder");
    let mut analysis = busy();
    // Only the samples name files.
    analysis.places.iter_mut().for_each(|place| place.line = None);
    let node = analysis.calls.nodes[1].clone();
    analysis.calls.nodes.truncate(1);
    analysis.calls.nodes[0].own = 0;
    for number in 0..readable + missing {
        let path = folder.path().join(format!("part-{number}.c"));
        if number < readable {
            fs::write(&path, "int work;\n").expect("a file");
        }
        let line = Some((path.to_str().expect("a name").to_owned(), 1));
        analysis.calls.nodes.push(oxomp_analysis::calls::CallNode { line, ..node.clone() });
    }
    page(&analysis, &Notes::default())
}

/// How often the page says that more files are named, and in which words.
fn said(page: &str) -> Vec<&str> {
    let begins = page.match_indices("<p class=\"note\">And ").map(|(at, _)| &page[at..]);
    begins.map(|text| text.split_once('>').expect("a tag").1.split('<').next().unwrap()).collect()
}

#[test]
fn further_files_are_named_once_and_in_the_right_number() {
    assert_eq!(said(&page_of(2, 0)), [""; 0]);
    let one = "And 1 file more, missing or left out for want of room.";
    assert_eq!(said(&page_of(1, 1)), [one]);
    let three = "And 3 files more, missing or left out for want of room.";
    assert_eq!(said(&page_of(2, 3)), [three]);
}

#[test]
fn files_of_which_none_can_be_read_are_named_by_the_first() {
    let says = |missing| {
        let page = page_of(0, missing);
        let (_, rest) = page.split_once("part-0.c").expect("the first file");
        rest.split('<').next().expect("the sentence").to_owned()
    };
    assert_eq!([1, 2, 3].map(says), [".", " and 1 more.", " and 2 more."]);
}
