//! One run of the program, recorded.

use std::fs;
use std::io::{Write, stderr};

use oxomp_trace::Rank;

use crate::bandwidth;
use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::flight::{ENDED, Flight};
use crate::launch::{Ended, Launch};
use crate::live::Beside;
use crate::locate::Installation;
use crate::messages::{say, say_all};
use crate::mpi_calls::MpiCalls;
use crate::part::Part;
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::program::{Kind, Program};
use crate::props::ProfileProps;
use crate::ranks;
use crate::runtime_choice::{Choice, Means, choose};
use crate::signals::usr1_requests;
use crate::slicing::Slicing;
use crate::terminal::style_of;
use crate::user_tools::{Company, UserTools};
use crate::variables::Variables;
use crate::verbose::{say_decision, say_detail, say_mapped};
use crate::watch::Watch;

/// Runs the program once. The summary is printed unless the run is one of several.
pub(crate) fn profile_once(props: &ProfileProps) -> Result<Ended, Failure> {
    let rank = Rank::of_process();
    profile_rank(props, rank.as_ref()).map_err(|failure| failure.of_rank(rank.as_ref()))
}

fn profile_rank(props: &ProfileProps, rank: Option<&Rank>) -> Result<Ended, Failure> {
    let speaker = rank.map_or(String::new(), |rank| format!("rank {}: ", rank.number));
    let program = Program::find(&props.program[0])?;
    let installation = Installation::find()?;
    let mut variables = Variables::new();
    let choice = choose(props.runtime, &program, &installation, &mut variables)?;
    let tools = UserTools::find(&program, choice.loader.as_ref());
    let company = tools.add_collector(&installation, &mut variables)?;
    match &company {
        Company::Behind => say(format_args!(
            "{speaker}{}: contains an OMPT tool, which runtimes run before every other; nothing \
             will be recorded unless it declines (build the program without it, or as a library)",
            program.path.display()
        )),
        Company::InsteadOf(file) => say(format_args!(
            "{speaker}{}: contains a tool of the 2015 report, which does not run while the \
             program is profiled: a runtime runs tools of one interface",
            file.display()
        )),
        Company::Alone | Company::Beside(_) => {}
    }
    let loader = choice.loader.as_ref();
    let mpi = MpiCalls::time(&program, loader, rank, &installation, &mut variables)?;
    let folder = DataFolder::create(props.output.as_deref(), &program.short_name(), rank)?;
    folder.check_room().inspect_err(|_| folder.discard_if_empty())?;
    variables.set("OMP_TOOL", "enabled");
    variables.set("OXOMP_TOOL", "profile");
    for (name, value) in &props.variables {
        variables.set(name, value);
    }
    if let Some(hz) = props.hz {
        variables.set("OXOMP_HZ", hz.to_string());
    }
    if let Some(list) = &props.counters {
        bandwidth::ask_for_counters(list, &mut variables);
    }
    let flight = props.last.as_ref().map(|last| Flight::new(last, &folder, rank));
    if let Some(flight) = &flight {
        flight.make()?;
        flight.set(&mut variables);
    }
    let recordings = flight.as_ref().map_or(folder.path(), Flight::ring).to_owned();
    variables.set("OXOMP_OUT", &recordings);
    let asked = flight.as_ref().map(|_| usr1_requests()).transpose();
    let asked = asked.map_err(|error| Failure::no_signals(&error))?;
    // The first rank shows what it does, for all.
    let live = props.live.filter(|_| rank.is_none_or(|rank| rank.number == 0));
    if live.is_some() || props.slices.is_some() {
        variables.set("OXOMP_LIVE", "1");
    }

    let runtime = installation.place(Part::Runtime)?.path;
    if props.verbose {
        variables.set("OXOMP_VERBOSE", "1");
        say_decision(&program, &choice, &runtime, &variables);
        say_detail("tools", &company.to_string());
        say_detail("calls of MPI", &mpi.to_string());
    }
    let launch = Launch { program: &program, words: &props.program, variables: &variables };
    let launched = launch.run(|pid| {
        let watch = || Watch::start(pid, move |pid, file| say_mapped(pid, file, &runtime));
        let display = live.map(|interval| Beside::start(recordings, interval));
        let following = flight.clone().zip(asked).map(|(flight, asked)| flight.start(asked));
        let slicing = props.slices.map(|length| Slicing::start(folder.clone(), length));
        (props.verbose.then(watch), display, following, slicing)
    });
    let (ended, (watch, display, following, slicing)) = launched.inspect_err(|_| {
        flight.iter().for_each(Flight::discard);
        folder.discard_if_empty();
    })?;
    if let Some(watch) = watch {
        watch.stop();
    }
    if let Some(display) = display {
        display.stop();
    }
    if let Some(following) = following {
        following.finish(&match ended.by_signal() {
            Some(signal) => format!("the program was {signal}"),
            None => ENDED.to_owned(),
        });
    }
    if let Some(slicing) = slicing {
        slicing.finish();
    }
    if props.verbose
        && let Some(signal) = ended.by_signal()
    {
        say_detail("ended", &signal);
    }
    // The program's exit status counts: a report that fails does not change it.
    let run = Ran {
        program: &program,
        choice: &choice,
        company: &company,
        ended,
        is_one_of_several: props.repeat.is_some(),
    };
    let shown = match rank {
        Some(rank) => show_rank(&run, rank, &folder),
        None => show(&run, &folder),
    };
    if let Err(failure) = shown {
        say(format_args!("{speaker}{failure}"));
    }
    Ok(ended)
}

/// A program that has run.
struct Ran<'a> {
    program: &'a Program,
    choice: &'a Choice,
    company: &'a Company,
    ended: Ended,
    is_one_of_several: bool,
}

impl Ran<'_> {
    fn notes(&self) -> RunNotes {
        RunNotes {
            runtime_origin: Some(self.choice.means.to_string()),
            ended: self.ended.by_signal(),
            ..RunNotes::default()
        }
    }
}

fn show_rank(ran: &Ran<'_>, rank: &Rank, folder: &DataFolder) -> Result<(), Failure> {
    let shown = ranks::show(rank, folder, ran.ended, ran.notes());
    if shown.is_err() {
        folder.leave_mark("without a report");
    }
    if shown? {
        return Ok(());
    }
    folder.discard_if_empty();
    Err(Failure::own(nothing_recorded(ran)))
}

fn show(ran: &Ran<'_>, folder: &DataFolder) -> Result<(), Failure> {
    let mut run = RunProfiles::read(&folder.profiles()?);
    say_all(&run.unreadable);
    run.remove_idle();
    run.name_files(folder);
    run.keep_names();
    let notes = RunNotes {
        warnings: ranks::warnings(folder),
        folder: Some(folder.path().to_owned()),
        ..ran.notes()
    };
    match run.render(&notes, style_of(&stderr())) {
        Some(text) => {
            for path in &run.unbegun {
                say(format_args!("{}: the recording did not begin", shown(path)));
            }
            if ran.is_one_of_several {
                return Ok(());
            }
            // If standard error is closed, the summary is lost; the data stays.
            stderr().lock().write_all(text.as_bytes()).ok();
            if run.busiest_idle().is_some() {
                say(no_region(ran, "only hot code was recorded"));
            }
            Ok(())
        }
        None if !run.unbegun.is_empty() => {
            for path in &run.unbegun {
                fs::remove_file(path).ok();
            }
            folder.discard_if_empty();
            Err(Failure::own(format!(
                "no profile: the recording to {} could not begin",
                shown(folder.path())
            )))
        }
        None if run.unreadable.is_empty() => {
            folder.discard_if_empty();
            Err(Failure::own(nothing_recorded(ran)))
        }
        None => {
            Err(Failure::own(format!("nothing recorded in {} can be read", shown(folder.path()))))
        }
    }
}

/// Why the run left no profile, as far as it can be told, and what to look at.
fn nothing_recorded(ran: &Ran<'_>) -> String {
    no_region(ran, "no profile")
}

/// That the program ran no region, with `what` follows from that before it, and what to look at.
fn no_region(ran: &Ran<'_>, what: &str) -> String {
    let &Ran { program, choice, company, ended, .. } = ran;
    let name = program.path.display();
    let mut text = match ended.by_signal() {
        Some(signal) => format!(
            "{what}: {name} was {signal} before its first parallel region on a runtime that \
             tools can watch"
        ),
        None => {
            format!("{what}: {name} ran no parallel region on a runtime that tools can watch")
        }
    };
    text.push_str("\n  Check that");
    let mut check = |line: &str| {
        text.push_str("\n  - ");
        text.push_str(line);
    };
    match (&program.kind, choice.means) {
        (Kind::Elf(elf), Means::Keep) if elf.is_static => {
            check("it is linked dynamically: no tool can be loaded into a static program");
        }
        (_, Means::Keep) => {
            check(
                "its runtime has OMPT: libomp and libiomp5 do, libgomp does not (leave `--runtime auto`)",
            );
            check(
                "it has more than target constructs, for which libomp alone starts no tool \
                 (`--runtime oxomp`)",
            );
        }
        (_, Means::LibraryPath) => check("it reaches a parallel region"),
        (_, Means::Preload) => {
            check("it, or what it starts, is compiled with -fopenmp and reaches a parallel region");
        }
    }
    check("no line of oxomp's above says that nothing is recorded");
    if *company == Company::Behind {
        check("the tool in the program declined");
    }
    check("`oxomp run -v` shows oxomp's runtime in the process");
    text
}
