//! `oxomp paths` on the command line.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::part::Part;
use crate::props::PathsProps;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp paths                            where everything lies, and what is missing
  LD_LIBRARY_PATH=$(oxomp paths lib) ./solver
                                         the program on oxomp's runtime, without `oxomp run`
  lib=$(oxomp paths lib); gcc -fopenmp -I$(oxomp paths include) -L$lib -Wl,-rpath,$lib solver.c
                                         built so that it always runs on oxomp's runtime
  OMP_TOOL_LIBRARIES=$(oxomp paths multiplexer) OXOMP_MULTIPLEX_TOOLS=./a.so:./b.so ./solver
                                         two tools side by side, on any runtime
  cmake -B build -Doxomp_DIR=$(oxomp paths cmake)
                                         find_package(oxomp) without installing it into the system
  PKG_CONFIG_PATH=$(oxomp paths pkgconfig) pkg-config --cflags --libs oxomp

With a word it prints one path and nothing else. The folders are beside the one that holds the
command: lib and include, or, where other packages have libraries too, lib/oxomp (in Debian
/usr/lib/<machine>/oxomp) and include/oxomp. With OXOMP_HOME=DIR they are looked for below DIR.

EXIT STATUS: 0; 125 if the part that is asked for is missing. Without a word always 0.";

#[derive(Debug, Args)]
pub(super) struct PathsArgs {
    /// Print only the path of this part
    #[arg(value_name = "PART", value_parser = part())]
    part: Option<Part>,
}

/// Takes the name of a part.
fn part() -> impl TypedValueParser<Value = Part> {
    let names = Part::ALL.map(|part| PossibleValue::new(part.name()).help(part.what()));
    PossibleValuesParser::new(names)
        .map(|name| Part::named(&name).expect("the parser accepts names of parts only"))
}

impl From<PathsArgs> for PathsProps {
    fn from(args: PathsArgs) -> Self {
        Self { part: args.part }
    }
}
