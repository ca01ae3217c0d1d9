//! The configurations of a test program: each compiler, level and value of a varied variable.

use std::path::Path;
use std::sync::Arc;

use crate::compiler::{Family, PartRecipe, Recipe};
use crate::directives::{Directives, Part};
use crate::turn::turn;

/// One configuration of one program.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name by which `cargo test` filters: `folder/file::compiler-level::VARIABLE=value`.
    pub name: String,
    /// The recipe of the executable.
    pub recipe: Recipe,
    /// The program's environment.
    pub env: Vec<(String, String)>,
    /// The directives of the program.
    pub directives: Arc<Directives>,
    /// The recorder listens, and the events must keep the rules and the expectation, if any.
    pub recorded: bool,
    /// Whether this is the run with jitter among those without.
    pub jittered: bool,
}

/// The cases of the program `source`, called `name`.
///
/// A program without an expectation of its events is run once more with each compiler, in its last
/// configuration, with the recorder; and every program once more with one of its compilers, which
/// take turns by the programs' names, in the same configuration, with jitter.
#[must_use]
pub fn expand(name: &str, source: &Path, directives: &Arc<Directives>) -> Vec<Case> {
    let mut cases = Vec::new();
    let with_jitter = match directives.compilers.as_slice() {
        _ if directives.not_jittered.is_some() => None,
        compilers => compilers.get(turn(name, compilers.len().max(1))).copied(),
    };
    for &compiler in &directives.compilers {
        for level in &directives.levels {
            for varied in combinations(&directives.vary) {
                let mut env = directives.env.clone();
                env.extend(varied.iter().cloned());
                let mut name = format!("{name}::{}{level}", compiler.name());
                for (variable, value) in &varied {
                    name += &format!("::{variable}={value}");
                }
                let recipe = recipe(source, compiler, level, directives);
                let directives = Arc::clone(directives);
                let recorded = directives.trace.is_some();
                cases.push(Case { name, recipe, env, directives, recorded, jittered: false });
            }
        }
        let Some(last) = cases.last().cloned() else { continue };
        if directives.records_apart() {
            let name = format!("{}::recorded", last.name);
            cases.push(Case { name, recorded: true, ..last.clone() });
        }
        if with_jitter == Some(compiler) {
            let name = format!("{}::jittered", last.name);
            cases.push(Case { name, jittered: true, ..last });
        }
    }
    cases
}

fn recipe(source: &Path, compiler: Family, level: &str, directives: &Directives) -> Recipe {
    let part = |&Part { compiler, ref file }: &Part| {
        PartRecipe::new(source, compiler, file, directives.flags_for(compiler))
    };
    Recipe {
        source: source.to_owned(),
        compiler,
        level: level.to_owned(),
        flags: directives.flags_for(compiler),
        parts: directives.parts.iter().map(part).collect(),
    }
}

fn combinations(vary: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    vary.iter().fold(vec![Vec::new()], |chosen, (variable, values)| {
        let extended = |one: &Vec<(String, String)>, value: &String| {
            let mut one = one.clone();
            one.push((variable.clone(), value.clone()));
            one
        };
        chosen.iter().flat_map(|one| values.iter().map(move |value| extended(one, value))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::{Case, expand};
    use crate::directives::{Source, parse};
    use std::path::Path;
    use std::sync::Arc;

    fn cases(text: &str) -> Vec<Case> {
        let Ok(Source::Test(directives)) = parse(text) else { panic!("right directives") };
        expand("a/b.c", Path::new("/t/a/b.c"), &Arc::from(directives))
    }

    #[test]
    fn each_compiler_level_and_value_is_a_case() {
        let text = "//#Opt:-O0,-O2\n//#Threads:1,2\n//#Vary:OMP_WAIT_POLICY=active|passive\n";
        let cases = cases(text);
        assert_eq!(cases.len(), 2 * (2 * 2 * 2 + 1) + 1);
        assert_eq!(cases[1].name, "a/b.c::gcc-O0::OMP_NUM_THREADS=1::OMP_WAIT_POLICY=passive");
        assert_eq!(cases[1].env[1].1, "passive");
    }

    #[test]
    fn one_configuration_of_each_compiler_is_recorded() {
        let recorded = |text: &str| {
            let cases = cases(text).into_iter().filter(|case| case.recorded && !case.jittered);
            cases.map(|case| case.name).collect::<Vec<_>>()
        };
        let twice = ["a/b.c::gcc-O2::recorded", "a/b.c::clang-O2::recorded"];
        assert_eq!(recorded(""), twice);
        assert_eq!(recorded("//#Trace\n"), ["a/b.c::gcc-O2", "a/b.c::clang-O2"]);
        assert!(recorded("//#NotRecorded:it aborts\n").is_empty());
    }

    #[test]
    fn the_last_configuration_of_one_compiler_has_jitter_once_more() {
        let jittered = |text: &str| {
            let cases = cases(text).into_iter().filter(|case| case.jittered);
            cases.map(|case| (case.name, case.recorded)).collect::<Vec<_>>()
        };
        let name = "a/b.c::COMPILER-O2::OMP_NUM_THREADS=4::jittered";
        let expected =
            |compiler: &str, recorded: bool| [(name.replace("COMPILER", compiler), recorded)];
        assert_eq!(jittered("//#Opt:-O0,-O2\n//#Threads:1,4\n"), expected("clang", false));
        assert_eq!(jittered("//#Threads:1,4\n//#Trace\n"), expected("clang", true));
        assert_eq!(jittered("//#Compilers:gcc\n//#Threads:4\n"), expected("gcc", false));
        assert!(jittered("//#NotJittered:it counts time\n").is_empty());
    }
}
