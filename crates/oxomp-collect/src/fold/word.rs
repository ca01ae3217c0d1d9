//! The data word of a parallel region.

use crate::team::Team;

/// The meaning of a parallel region's data word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    /// A region of which nothing is kept: inside one that is only counted, or nested too deeply for
    /// a team.
    Hidden,
    Team(&'static Team),
    /// A region that is only counted.
    Counted(&'static Team),
}

/// Set beside a team's address if the region is only counted.
const COUNTED: u64 = 1;

impl Word {
    pub(crate) fn encode(self) -> u64 {
        match self {
            Self::Hidden => 0,
            Self::Team(team) => address(team),
            Self::Counted(team) => address(team) | COUNTED,
        }
    }

    #[inline]
    pub(crate) fn decode(word: u64) -> Self {
        let place = std::ptr::with_exposed_provenance::<Team>((word & !COUNTED) as usize);
        // SAFETY: other words are 0 or addresses of teams, which are never freed.
        let Some(team) = (unsafe { place.as_ref::<'static>() }) else { return Self::Hidden };
        if word & COUNTED == 0 { Self::Team(team) } else { Self::Counted(team) }
    }
}

fn address(team: &'static Team) -> u64 {
    std::ptr::from_ref(team).expose_provenance() as u64
}
