//! The explanation of a situation as text for people.
//!
//! The same situation gives the same text.

mod tree;
mod verdict;
mod words;

#[cfg(test)]
mod tests;

use oxomp_text::{Page, Style};

use crate::graph::{Deadlock, Graph};
use crate::situation::{Labels, Situation};
use words::Words;

/// The explanation of `situation`: the sentences of the verdict, a title, then the tree.
#[must_use]
pub fn render(verdict: &[String], title: &str, situation: &Situation, style: Style) -> String {
    let graph = Graph::new(situation);
    let labels = Labels::new(situation);
    let words = Words { situation, graph: &graph, labels: &labels };
    let is_deadlock = !graph.stuck().is_empty();
    let mut page = Page::new(style);
    for sentence in verdict {
        match is_deadlock {
            true => page.alarm(sentence, 0),
            false => page.paragraph(sentence, 0),
        }
    }
    page.heading(title);
    tree::write(&mut page, &words);
    page.finish()
}

/// The verdict: one or two sentences.
#[must_use]
pub fn verdict(situation: &Situation) -> Vec<String> {
    let graph = Graph::new(situation);
    let labels = Labels::new(situation);
    let words = Words { situation, graph: &graph, labels: &labels };
    sentences(&words, &graph.deadlocks())
}

fn sentences(words: &Words<'_>, deadlocks: &[Deadlock]) -> Vec<String> {
    match deadlocks.is_empty() {
        true => vec![verdict::no_deadlock(words)],
        false => verdict::deadlocks(words, deadlocks),
    }
}
