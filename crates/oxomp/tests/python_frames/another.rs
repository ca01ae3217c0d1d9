//! Interpreters within the interpreter: a thread's functions are those of all interpreters that it
//! is in, in the order in which they called each other.

use crate::interpreters::all;
use crate::place::Place;
use crate::tree::{Frame, has, paths};
use crate::{is_frame, line};

#[test]
fn call_paths_go_through_interpreters_within_interpreters() {
    let interpreters = all();
    if interpreters.is_empty() {
        return;
    }
    let place = Place::new();
    let (script, text) = place.script("python_interpreters.py", "interpreters.py");
    let at = |function: &str, mark: &str| -> Frame { (function.to_owned(), line(&text, mark)) };
    for interpreter in &interpreters {
        eprintln!("{interpreter}");
        let run = format!("run{}", interpreter.name);
        let program = [interpreter.path.clone(), script.clone(), place.library(), "0.15".into()];
        let document = place.profile(&run, "1000", &program, "done\n");
        let paths = paths(&document);
        let outside = [at("everything", "everything_another"), at("run_in_another", "another")];
        let inside = at("<module>", "inside");
        let begins = [
            ("main", at("<module>", "main")),
            (
                "a thread",
                (if interpreter.version.minor < 11 { "run" } else { "Thread.run" }.to_owned(), 0),
            ),
        ];
        let ends = [
            vec![at("inside", "inside_region"), at("region", "region"), ("work".to_owned(), 0)],
            vec![at("inside", "inside_spin"), at("spin", "spin")],
        ];
        for (title, begin) in &begins {
            for end in &ends {
                let before = [std::slice::from_ref(begin), &outside].concat();
                let wanted = [before, vec![inside.clone()], end.clone()].concat();
                let found = paths.iter().any(|path| has(path, &wanted, is_frame));
                assert!(found, "{interpreter}: {wanted:?} in {title}");
            }
        }
        let is_in_order = |path: &Vec<Frame>| {
            let place = |wanted: &Frame| path.iter().position(|frame| frame == wanted);
            place(&inside).is_none_or(|inner| place(&outside[1]).is_some_and(|outer| outer < inner))
        };
        // The path of a region's thread may begin in the region.
        let complete = paths.iter().filter(|path| path.iter().any(|frame| frame.0 == "<module>"));
        assert!(complete.into_iter().all(is_in_order), "{interpreter}");
    }
}
