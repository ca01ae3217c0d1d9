//! The text of CONFORMANCE.md.

use std::collections::BTreeMap;
use std::fmt::Write;

use oxomp_build::exports::{Reference, Tier};
use oxomp_sys::ompt::{EventRow, Raised};

use super::coverage::Coverage;
use super::events::ENTRY_POINTS;
use super::family::family;
use super::offload;
use super::ompd::{self, Ompd};
use super::probe::Answers;
use super::report_2015::{self, Report};
use super::state::State;

const HEAD: &str = "\
# Conformance

Made by `cargo xtask matrix` from the runtime as built and from its test programs; not edited.

Each symbol that LLVM's libomp (19, 22, 23) or GCC's libgomp (12, 16) exports, and each event of
OMPT. *implemented*: bound at every version node that programs ask for. *partial*: at some of them.
*untested*: implemented, but no test program makes a compiler call it. *absent*: a
program that calls it ends with the loader's message, which names it. The test is the first one, by name, whose object
imports the symbol or whose expected trace demands the event. Tiers: 1 any normal program; 2 less
common constructs and newer specifications; 3 legacy and internal names. Those that stand in no
header and reach into libomp's own data stay absent: `__kmp_…`, `kmp_a_debug` to `kmp_f_debug`,
`kmp_diag`, `kmp_mutex_impl_info`, `kmp_target_sync_cb` and `kmp_threadprivate_insert…`.

The tables are those of x86-64, where every test runs. On aarch64 the tests run in an emulator:
[docs/src/aarch64.md](docs/src/aarch64.md) says which pass, and which cannot run there. The routines
for numbers of 80 bits (`__kmpc_atomic_float10_…`, `…_cmplx10_…`) do not exist there.

";

const EVENTS_HEAD: &str = "\
## OMPT events

A row for each event and compiler: *clang* stands for flang too, *gcc* for gfortran. *Raised* says
for which occurrences in that compiler's programs the runtime raises the event, and the test is the
first one by name. The answer is that of `ompt_set_callback`, which is the same for every program.
The rows *on devices* are those of libomptarget.so, which raises its events itself; the answer holds
where the program has it: clang's loads it, gcc's gets it with the first image for which a plug-in
of libgomp is installed. Where nothing is raised, *always* is the answer that OpenMP demands of every
runtime (5.1 §4.2.4, 6.0 §32.2.4).

| event | compiler | raised | answer | test |
|---|---|---|---|---|
";

fn raised_label(raised: Raised) -> &'static str {
    match raised {
        Raised::Always => "always",
        Raised::Sometimes => "sometimes",
        Raised::Never => "never",
    }
}

/// Writes the page.
pub(crate) fn render(
    references: &[Reference],
    state: impl Fn(&Reference) -> State,
    coverage: &Coverage,
    answers: &Answers,
    report: &Report,
    ompd: &Ompd,
) -> String {
    let mut families: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    let inside = references.iter().filter(|reference| reference.tier != Tier::OutOfScope);
    for reference in inside.filter(|reference| reference.libomp.or(reference.libgomp).is_some()) {
        let test = coverage.of_symbol(&reference.name);
        let row = Row { reference, state: state(reference), test };
        families.entry(family(&reference.name)).or_default().push(row);
    }
    let mut page = HEAD.to_owned();
    summary(&mut page, &families);
    events(&mut page, coverage, answers);
    report_2015::write(&mut page, report);
    ompd::write(&mut page, ompd);
    for (name, rows) in &families {
        symbols(&mut page, name, rows);
    }
    out_of_scope(&mut page, references);
    page
}

struct Row<'a> {
    reference: &'a Reference,
    state: State,
    test: Option<&'a str>,
}

impl Row<'_> {
    fn label(&self) -> &'static str {
        match (self.state, self.test) {
            (State::Implemented, Some(_)) => "implemented",
            (State::Implemented, None) => "untested",
            (State::Partial, _) => "partial",
            (State::Absent, _) => "absent",
        }
    }
}

fn summary(page: &mut String, families: &BTreeMap<&str, Vec<Row<'_>>>) {
    page.push_str("## Summary\n\n| symbols | implemented | untested | partial | absent |\n");
    page.push_str("|---|---|---|---|---|\n");
    let all = || families.values().flatten();
    for tier in [Tier::Common, Tier::Rare, Tier::Legacy] {
        let rows: Vec<&Row<'_>> = all().filter(|row| row.reference.tier == tier).collect();
        line(page, &format!("tier {}", tier.label()), &rows);
    }
    line(page, "all", &all().collect::<Vec<_>>());
    for (name, rows) in families {
        line(page, name, &rows.iter().collect::<Vec<_>>());
    }
    page.push('\n');
}

fn line(page: &mut String, name: &str, rows: &[&Row<'_>]) {
    let count = |label: &str| rows.iter().filter(|row| row.label() == label).count();
    let labels = ["implemented", "untested", "partial", "absent"].map(count);
    let [implemented, untested, partial, absent] = labels;
    let _ = writeln!(page, "| {name} | {implemented} | {untested} | {partial} | {absent} |");
}

fn events(page: &mut String, coverage: &Coverage, answers: &Answers) {
    page.push_str(EVENTS_HEAD);
    for row in EventRow::ALL {
        let answer = answers.events.get(row.name).map_or("none", String::as_str);
        for (family, raised) in [("clang", row.clang), ("gcc", row.gcc)] {
            let test = coverage.events().of(row.name, family).unwrap_or("");
            let (event, raised) = (row.name, raised_label(raised));
            let _ = writeln!(
                page,
                "| `ompt_callback_{event}` | {family} | {raised} | {answer} | {test} |"
            );
        }
        let tests = [offload::test_of(row.name), offload::test_of_gcc(row.name)];
        for (family, test) in ["clang", "gcc"].into_iter().zip(tests) {
            let Some(test) = test else { continue };
            let _ = writeln!(
                page,
                "| `ompt_callback_{}` | {family}, on devices | always | always | {test} |",
                row.name
            );
        }
    }
    page.push_str("\n## OMPT entry points\n\nThe look-up answers:\n\n");
    page.push_str("| entry point | answer |\n|---|---|\n");
    for name in ENTRY_POINTS {
        let name = format!("ompt_{name}");
        let answer = answers.entry_points.get(&name).map_or("none", String::as_str);
        let _ = writeln!(page, "| `{name}` | {answer} |");
    }
    page.push('\n');
}

fn symbols(page: &mut String, name: &str, rows: &[Row<'_>]) {
    let _ = writeln!(page, "## {name}\n");
    page.push_str("| symbol | libomp since | libgomp since | tier | state | test |\n");
    page.push_str("|---|---|---|---|---|---|\n");
    let version = |first: Option<u32>| first.map_or_else(|| "-".to_owned(), |v| v.to_string());
    for row in rows {
        let reference = row.reference;
        let test = if row.state == State::Absent { None } else { row.test };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} |",
            reference.name,
            version(reference.libomp),
            version(reference.libgomp),
            reference.tier.label(),
            row.label(),
            test.unwrap_or("")
        );
    }
    page.push('\n');
}

/// What libgomp's plug-ins call for reverse offload.
const REVERSE_OFFLOAD: &str = "GOMP_PLUGIN_target_rev";

fn out_of_scope(page: &mut String, references: &[Reference]) {
    let names: Vec<&str> = references
        .iter()
        .filter(|reference| reference.tier == Tier::OutOfScope)
        .map(|reference| reference.name.as_str())
        .collect();
    let _ = writeln!(
        page,
        "## Out of scope\n\n{} names of libgomp belong to OpenACC, and one to reverse offload (plug-ins \
         from gcc 13 on). Their version nodes are there, so that the loader accepts a program; the \
         names are absent.",
        names.len() - usize::from(names.contains(&REVERSE_OFFLOAD))
    );
}

#[cfg(test)]
mod tests {
    use super::{Reference, State, Tier, render};

    fn reference(name: &str, tier: Tier) -> Reference {
        Reference {
            name: name.to_owned(),
            data: false,
            tier,
            libomp: Some(19),
            libgomp: None,
            nodes: Vec::new(),
        }
    }

    #[test]
    fn an_implemented_symbol_without_a_test_is_called_untested() {
        let references =
            [reference("__kmpc_fork_call", Tier::Common), reference("acc_init", Tier::OutOfScope)];
        let (coverage, answers, report, ompd) = Default::default();
        let page = render(&references, |_| State::Implemented, &coverage, &answers, &report, &ompd);
        assert!(page.contains("| `__kmpc_fork_call` | 19 | - | 1 | untested |  |"), "{page}");
        assert!(page.contains("| tier 1 | 0 | 1 | 0 | 0 |"));
        assert!(page.contains("1 names of libgomp belong to OpenACC"));
        assert!(!page.contains("`acc_init`"));
    }
}
