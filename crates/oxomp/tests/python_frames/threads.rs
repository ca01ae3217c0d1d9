//! Threads of Python that OpenMP does not know, or not yet.

use crate::interpreters::all;
use crate::place::Place;
use crate::tree::{Frame, has, paths};
use crate::{is_frame, line};

#[test]
fn threads_of_python_are_sampled_before_their_first_region() {
    let interpreters = all();
    if interpreters.is_empty() {
        return;
    }
    let place = Place::new();
    let (script, text) = place.script("python_threads.py", "threads.py");
    let at = |function: &str, mark: &str| -> Frame { (function.to_owned(), line(&text, mark)) };
    for interpreter in &interpreters {
        eprintln!("{interpreter}");
        let run = format!("run{}", interpreter.name);
        let program = [interpreter.path.clone(), script.clone(), place.library(), "0.4".into()];
        let document = place.profile(&run, "1000", &program, "done\n");
        let paths = paths(&document);
        let found = |wanted: &[Frame]| paths.iter().any(|path| has(path, wanted, is_frame));
        let spin = at("spin", "spin");
        assert!(found(&[at("<module>", "main"), at("region", "region")]), "{interpreter}");
        assert!(found(&[at("early_and_late", "late"), at("region", "region")]), "{interpreter}");
        assert!(found(&[at("early_and_late", "afterwards"), spin.clone()]), "{interpreter}");
        for frame in [at("alone", "alone"), at("early_and_late", "early")] {
            let wanted = [frame, spin.clone()];
            assert!(found(&wanted), "{interpreter}: {wanted:?}");
        }
    }
}
