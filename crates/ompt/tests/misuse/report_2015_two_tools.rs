//! One library is one tool of the 2015 report; it may be one of OpenMP's too.

struct One;

#[ompt::report_2015::tool]
impl ompt::report_2015::Tool for One {
    fn initialize(_: &ompt::report_2015::Initialization) -> Option<Self> {
        Some(Self)
    }
}

#[ompt::tool]
impl ompt::Tool for One {
    fn initialize(_: &ompt::Initialization) -> Option<Self> {
        Some(Self)
    }
}

ompt::ompt_tool!(One);
ompt::report_2015::ompt_tool!(One);
ompt::report_2015::ompt_tool!(One);

fn main() {}
