//! What the floors say of each arrow, and of each circle.

use std::fmt;

use super::floors::{Blocks, Rules};

/// Where a file lies: the number of its floor, and its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The floor, from 0.
    pub floor: usize,
    /// The room.
    pub name: &'static str,
}

/// What the rules say of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// To a floor below.
    Down,
    /// Inside the room.
    Room,
    /// To a neighbour, by this line of the pairs.
    Pair(usize),
    /// Up, by this line of the exceptions.
    Exception(usize),
    /// Up.
    Up,
    /// To a neighbour.
    Neighbour,
    /// From or to a file in no room.
    Unplaced,
}

impl Verdict {
    /// Whether the rules allow the arrow.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        matches!(self, Self::Down | Self::Room | Self::Pair(_) | Self::Exception(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Down => "down",
            Self::Room => "room",
            Self::Pair(_) => "pair",
            Self::Exception(_) => "exception",
            Self::Up => "UP",
            Self::Neighbour => "NEIGHBOUR",
            Self::Unplaced => "UNPLACED",
        })
    }
}

impl Rules {
    /// The room of `file`, a path such as `task/mod.rs`.
    #[must_use]
    pub fn room(&self, file: &str) -> Option<Room> {
        let file = file.strip_suffix(".rs").unwrap_or(file);
        let holds = |room: &str| {
            let rest = file.strip_prefix(room);
            room.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let rooms = self.floors.iter().enumerate().flat_map(|(floor, described)| {
            described.rooms.iter().map(move |&name| Room { floor, name })
        });
        rooms.filter(|room| holds(room.name)).max_by_key(|room| room.name.len())
    }

    /// What the rules say of an arrow between two files.
    #[must_use]
    pub fn verdict(&self, from: &str, to: &str) -> Verdict {
        let (Some(user), Some(used)) = (self.room(from), self.room(to)) else {
            return Verdict::Unplaced;
        };
        if user == used {
            return Verdict::Room;
        }
        if used.floor < user.floor {
            return Verdict::Down;
        }
        if used.floor > user.floor {
            let listed = self.exceptions.iter().position(|line| (line.0, line.1) == (from, to));
            return listed.map_or(Verdict::Up, Verdict::Exception);
        }
        let listed = self.pairs.iter().position(|line| (line.0, line.1) == (user.name, used.name));
        listed.map_or(Verdict::Neighbour, Verdict::Pair)
    }

    /// What is wrong with a circle of `files`; nothing if it may stay.
    #[must_use]
    pub fn objection(&self, files: &[&str]) -> Option<String> {
        let rooms: Vec<Option<Room>> = files.iter().map(|file| self.room(file)).collect();
        let only_blocks =
            rooms.iter().all(|room| room.is_some_and(|room| self.is_blocks(room.floor)));
        let one_room = rooms[0].is_some() && rooms.iter().all(|room| *room == rooms[0]);
        if only_blocks && let Some(Blocks { floor, most }) = self.blocks {
            return (files.len() > most)
                .then(|| format!("the circle of the {floor} may have {most}"));
        }
        let most = self.most_in_room;
        let outside =
            self.blocks.map_or_else(String::new, |it| format!("outside the {} ", it.floor));
        (!one_room || files.len() > most)
            .then(|| format!("{outside}a circle stays in one room, of {most} files at most"))
    }

    /// Whether this is the floor of the blocks.
    #[must_use]
    pub fn is_blocks(&self, floor: usize) -> bool {
        self.blocks.is_some_and(|blocks| self.floors[floor].name == blocks.floor)
    }
}
