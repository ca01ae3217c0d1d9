//! The names of the folders of excerpts.

use super::followed::Reason;

/// Characters of a function's name in that of a folder.
const LONGEST: usize = 40;

/// `2-relax`: the number of the excerpt, and what it is for; of a rank, its number before that.
pub(super) fn folder_name(rank: Option<u32>, number: u32, reason: &Reason) -> String {
    let what = match reason {
        Reason::Asked => "asked",
        Reason::ByProgram => "flush",
        Reason::Slow(slow) => slow.place.function.as_deref().unwrap_or("region"),
    };
    let is_plain = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
    let what: String = what.chars().map(|one| if is_plain(one) { one } else { '_' }).collect();
    let what: String = what.chars().take(LONGEST).collect();
    let rank = rank.map_or(String::new(), |rank| format!("rank-{rank}-"));
    format!("{rank}{number}-{what}")
}

#[cfg(test)]
mod tests {
    use super::{Reason, folder_name};

    #[test]
    fn a_folder_says_what_it_is_for() {
        assert_eq!(folder_name(None, 3, &Reason::Asked), "3-asked");
        assert_eq!(folder_name(Some(7), 1, &Reason::ByProgram), "rank-7-1-flush");
    }
}
