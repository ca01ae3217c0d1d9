//! A word is gone when its region is.

use std::sync::Mutex;

use ompt::{DataWord, Initialization, ParallelBegin, Tool};

struct Keeper {
    words: Mutex<Vec<&'static DataWord>>,
}

#[ompt::tool]
impl Tool for Keeper {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self { words: Mutex::default() })
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        if let Some(word) = event.parallel {
            self.words.lock().unwrap().push(word);
        }
    }
}

fn main() {}
