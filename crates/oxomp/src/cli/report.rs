//! `oxomp report` on the command line.

use std::path::PathBuf;

use clap::Args;
use oxomp_analysis::summary::{Scope, Window};
use oxomp_export::Extent;

use crate::duration::duration;
use crate::props::{Command, DocumentKind, Format, ReportProps};

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp report oxomp-solver-1            a folder that `oxomp profile` wrote
  oxomp report oxomp-solver-1/run.oxp    one file
  oxomp report oxomp-solver-1/rank-3.oxp
                                         one rank of a parallel job; the folder compares them all
  oxomp report oxomp-solver-1 | less     the summary goes to standard output
  oxomp report oxomp-solver-1 --json     every number, in oxomp-solver-1/run.json
  oxomp report oxomp-solver-1 --json=- | jq .budget
                                         on standard output
  oxomp report oxomp-solver-1 --csv=tables
                                         tables/regions.csv, tables/threads.csv and others
  oxomp report oxomp-solver-1 --perfetto --window 1.5,2
                                         half a second of the timeline, for ui.perfetto.dev
  oxomp report oxomp-solver-1 --firefox  samples and timeline, for profiler.firefox.com
  oxomp report oxomp-solver-1 --otf2     the timeline for Vampir and the tools of Score-P, which
                                         open oxomp-solver-1/otf2/traces.otf2
  oxomp report oxomp-solver-1 --collapsed=- | flamegraph.pl --countname samples > solver.svg
                                         a flame graph of each thread; without threads:
                                         --collapsed=- | sed 's/^[^;]*;//' | flamegraph.pl
  oxomp report oxomp-solver-1 --speedscope --pprof
                                         the samples for speedscope.app, and for `pprof -http :
                                         run.pb.gz`, where -tagroot=thread or region groups them
  oxomp report oxomp-solver-1 --phase step/solve
                                         a phase that the program has marked
  oxomp report oxomp-solver-1 --window 20,30
                                         ten seconds of a run with time slices
  oxomp report --json-schema             the meaning and unit of each property of --json
  oxomp report oxomp-solver-1 --json=- | jq .between
                                         of several processes: how evenly they compute

Of a folder with several processes, such as the ranks of a parallel job, --html, --json and --csv
write the processes side by side (report.html, job.json, csv.job/; with =FILE, FILE itself) and one
output for each process (report.rank-0.html, run.rank-0.json, csv.rank-0/; FILE with `.rank-0` in
its name); on standard output comes the former alone. `--json-schema=job` prints its schema.

With an output option the summary is not printed. Each option takes the file after an equals sign
(`--json=FILE`, `-` is standard output); without it the file lies beside the recording. A file is
written under another name first: it is whole, or not there.

EXIT STATUS: 0; 125 if oxomp failed.";

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// A .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "FILE_OR_DIR", required_unless_present = "json_schema")]
    path: Option<PathBuf>,
    /// Show only this phase of the program, which markers begin and end (oxomp.h), with the phases
    /// inside it: the summary names them. It has no timeline
    #[arg(long, value_name = "NAME", conflicts_with_all = ["json_schema", "window"])]
    phase: Option<String>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Print the JSON Schema that the documents of --json follow: those of a process, that of
    /// several side by side (`job`), or that of `oxomp scale` (`scale`)
    #[arg(
        long,
        value_name = "KIND",
        conflicts_with = "path",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "process",
        value_parser = document_kind
    )]
    json_schema: Option<DocumentKind>,
}

/// One option for each output.
#[derive(Debug, Args)]
struct OutputArgs {
    /// Write one HTML file to look at and to forward [default: report.html beside the recording]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    html: Option<Option<PathBuf>>,
    /// Write every number of the summary as JSON [default: run.json beside the recording]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
    /// Write the tables of the summary as CSV, one file each, into a folder [default: csv/]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    csv: Option<Option<PathBuf>>,
    /// Write the timeline as a Perfetto trace, for ui.perfetto.dev [default: run.pftrace]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    perfetto: Option<Option<PathBuf>>,
    /// Write timeline and samples for profiler.firefox.com [default: run.firefox.json]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    firefox: Option<Option<PathBuf>>,
    /// Write the timeline as Chrome's trace JSON, which many programs read [default:
    /// run.chrome.json]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    chrome: Option<Option<PathBuf>>,
    /// Write the timeline as an OTF2 archive, for Vampir and the tools of Score-P, into a folder
    /// [default: otf2/]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    otf2: Option<Option<PathBuf>>,
    /// Write the samples as collapsed stacks, a line `thread;function;…;function count` for each
    /// call path, for flamegraph.pl and its like [default: run.collapsed]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    collapsed: Option<Option<PathBuf>>,
    /// Write the samples by thread, in ns of processor time, for speedscope.app [default:
    /// run.speedscope.json]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    speedscope: Option<Option<PathBuf>>,
    /// Write the samples and their processor time, labelled by thread and region, for pprof
    /// [default: run.pb.gz]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pprof: Option<Option<PathBuf>>,
    /// Show only this part of the run: seconds since its start. Sums need a recording with time
    /// slices (`oxomp profile --slices`), and are those of whole slices; timelines and samples need
    /// none
    #[arg(long, value_name = "FROM,TO", value_parser = window, allow_hyphen_values = true)]
    window: Option<(u64, u64)>,
    /// About how large a timeline may become; shorter slices are folded
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = size,
        default_value = "100M"
    )]
    budget: u64,
}

impl From<ReportArgs> for Command {
    fn from(args: ReportArgs) -> Self {
        match args.path {
            Some(path) => Self::Report(ReportProps {
                path,
                scope: match (args.phase, args.outputs.window) {
                    (Some(phase), _) => Scope::Phase(phase),
                    (None, Some((from_ns, to_ns))) => Scope::Window(Window { from_ns, to_ns }),
                    (None, None) => Scope::Run,
                },
                extent: Extent {
                    window: args.outputs.window.unwrap_or(Extent::default().window),
                    budget: args.outputs.budget,
                },
                outputs: args.outputs.into(),
            }),
            None => Self::JsonSchema(args.json_schema.unwrap_or(DocumentKind::Process)),
        }
    }
}

impl From<OutputArgs> for Vec<(Format, Option<PathBuf>)> {
    fn from(args: OutputArgs) -> Self {
        [
            (Format::Html, args.html),
            (Format::Json, args.json),
            (Format::Csv, args.csv),
            (Format::Perfetto, args.perfetto),
            (Format::Firefox, args.firefox),
            (Format::Chrome, args.chrome),
            (Format::Otf2, args.otf2),
            (Format::Collapsed, args.collapsed),
            (Format::Speedscope, args.speedscope),
            (Format::Pprof, args.pprof),
        ]
        .into_iter()
        .filter_map(|(format, place)| Some((format, place?)))
        .collect()
    }
}

fn document_kind(text: &str) -> Result<DocumentKind, String> {
    match text {
        "process" => Ok(DocumentKind::Process),
        "job" => Ok(DocumentKind::Job),
        "scale" => Ok(DocumentKind::Scale),
        _ => Err("none of `process`, `job` and `scale`".to_owned()),
    }
}

/// A number of bytes, with K, M or G behind it for their multiples.
fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((last, 'K' | 'k')) => (&text[..last], 1_000),
        Some((last, 'M' | 'm')) => (&text[..last], 1_000_000),
        Some((last, 'G' | 'g')) => (&text[..last], 1_000_000_000),
        _ => (text, 1),
    };
    let number: Option<u64> = number.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .filter(|size| *size >= 100_000)
        .ok_or_else(|| "not a size of at least 100K, such as 20M".to_owned())
}

/// Two moments, each in seconds or with a unit, as nanoseconds.
fn window(text: &str) -> Result<(u64, u64), String> {
    let ns = |text: &str| match text.trim().parse() {
        Ok(0.0) => Some(0),
        _ => duration(text.trim()).ok().and_then(|moment| u64::try_from(moment.as_nanos()).ok()),
    };
    let moments = text.split_once(',').and_then(|(from, to)| Some((ns(from)?, ns(to)?)));
    match moments {
        None => Err("not two times since the start, such as 1.5,2 or 500ms,2s".to_owned()),
        Some((from, to)) if from >= to => Err("the window ends before it begins".to_owned()),
        Some(moments) => Ok(moments),
    }
}
