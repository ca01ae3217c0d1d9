//! The clauses of a teams construct as compiled code passes them: numbers that the program has
//! computed.

use oxomp_base::diag;

use crate::block::TeamsClauses;

/// The clauses num_teams(`lower`: `upper`) and thread_limit; 0 for a number that the construct does
/// not give. A wrong number gets a warning, and counts as 1; a lower bound above the upper one is
/// the number of teams.
pub fn clauses(lower: i32, upper: i32, thread_limit: i32) -> TeamsClauses {
    let lower = number("num_teams", lower);
    let upper = number("num_teams", upper);
    let thread_limit = number("thread_limit", thread_limit);
    if upper != 0 && lower > upper {
        let what = format_args!("the lower bound of num_teams({lower}:{upper}) is above the upper");
        diag::misuse("teams", what, &format!("the league has {lower} teams"));
    }
    TeamsClauses { lower, upper: upper.max(lower), thread_limit }
}

fn number(clause: &str, value: i32) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| {
        diag::misuse("teams", format_args!("{clause}({value}) is not positive"), "1 is used");
        1
    })
}

#[cfg(test)]
mod tests {
    use super::clauses;
    use crate::block::TeamsClauses;

    #[test]
    fn wrong_numbers_become_the_nearest_right_ones() {
        let is = |lower, upper, thread_limit| TeamsClauses { lower, upper, thread_limit };
        assert_eq!(clauses(0, 0, 0), is(0, 0, 0));
        assert_eq!(clauses(0, 4, 3), is(0, 4, 3));
        assert_eq!(clauses(2, 4, 0), is(2, 4, 0));
        assert_eq!(clauses(0, -4, -3), is(0, 1, 1));
        assert_eq!(clauses(5, 3, 0), is(5, 5, 0));
    }
}
