//! The conformance report on standard output: text for people, or a line of JSON per check.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use super::check_line::{CheckLine, Finding, Result as CheckResult};
use super::examined::Examined;
use crate::failure::Failure;
use crate::messages;
use crate::output::Output;

/// The state of the report so far.
#[derive(Debug)]
pub(crate) struct Report {
    as_json: bool,
    output: Output,
    group: String,
    counts: [usize; 5],
    /// What the machine refused, with how many checks were not made for it.
    refusals: BTreeMap<String, usize>,
}

impl Report {
    pub(crate) fn new(as_json: bool) -> Self {
        Self {
            as_json,
            output: Output::default(),
            group: String::new(),
            counts: [0; 5],
            refusals: BTreeMap::new(),
        }
    }

    /// The runtime and what it says of itself.
    pub(crate) fn head(&mut self, runtime: &Path, examined: &Examined) {
        if !self.as_json {
            self.output.line(&format!("{}\n{}", runtime.display(), examined.version_line()));
            self.output.line(&format!("tools of the 2015 report: {}", examined.report_line()));
        }
    }

    pub(crate) fn line(&mut self, check: &CheckLine, result: &CheckResult) {
        self.counts[result.finding as usize] += 1;
        if result.finding == Finding::Refused {
            *self.refusals.entry(result.seen.clone()).or_default() += 1;
        }
        if self.as_json {
            self.output.line(&json(check, result));
            return;
        }
        if self.group != check.group {
            self.group.clone_from(&check.group);
            self.output.line(&format!("\n{}", check.group));
        }
        let form = check.compiler();
        let word = result.finding.word();
        self.output.line(&format!("  {word:<8} {form:<6} {} [{}]", check.title, check.clause));
        if !result.seen.is_empty() {
            self.output.line(&format!("                  {}", result.seen));
        }
    }

    /// Whether nothing is missing or wrong.
    fn is_good(&self) -> bool {
        self.count(Finding::Missing) == 0 && self.count(Finding::Wrong) == 0
    }

    /// Writes the summary. The status says whether the runtime is at fault; if not, whether
    /// checks could not be made.
    pub(crate) fn end(mut self) -> Result<ExitCode, Failure> {
        if !self.as_json {
            self.summary();
        }
        let is_good = self.is_good();
        self.output.end()?;
        let mut refusals = self.refusals.iter().map(|(reason, number)| {
            let checks = if *number == 1 { "check was" } else { "checks were" };
            format!("{number} {checks} not made: {reason}")
        });
        if !is_good {
            messages::say_all(refusals);
            return Ok(ExitCode::from(1));
        }
        match refusals.next() {
            None => Ok(ExitCode::SUCCESS),
            Some(first) => {
                messages::say_all(refusals);
                Err(Failure::own(first))
            }
        }
    }

    /// Whether further lines are written.
    pub(crate) fn goes_on(&self) -> bool {
        self.output.goes_on()
    }

    fn summary(&mut self) {
        let all: usize = self.counts.iter().sum();
        let mut line = format!(
            "\n{all} checks: {} ok, {} missing, {} wrong",
            self.count(Finding::Ok),
            self.count(Finding::Missing),
            self.count(Finding::Wrong)
        );
        for finding in [Finding::Skipped, Finding::Refused] {
            if self.count(finding) > 0 {
                line += &format!(", {} {}", self.count(finding), finding.word());
            }
        }
        self.output.line(&line);
    }

    fn count(&self, finding: Finding) -> usize {
        self.counts[finding as usize]
    }
}

fn json(check: &CheckLine, result: &CheckResult) -> String {
    let fields = [
        ("check", check.id.as_str()),
        ("compiler", check.compiler()),
        ("group", &check.group),
        ("title", &check.title),
        ("clause", &check.clause),
        ("result", result.finding.word()),
        ("seen", &result.seen),
    ];
    let fields: Vec<String> = fields
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("\"{name}\": {}", quoted(value)))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

/// A string of JSON (RFC 8259 §7).
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if u32::from(control) < 0x20 => {
                out += &format!("\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::{CheckLine, CheckResult, Finding, json, quoted};

    #[test]
    fn json_escapes_what_a_runtime_says() {
        assert_eq!(quoted("a \"b\" \\ \u{1}§"), "\"a \\\"b\\\" \\\\ \\u0001§\"");
    }

    #[test]
    fn a_line_of_json_has_no_empty_fields() {
        let check = CheckLine::parse("check\ta\teither\tG\t6.0\tt").unwrap();
        let result = CheckResult { finding: Finding::Ok, seen: String::new() };
        assert_eq!(
            json(&check, &result),
            "{\"check\": \"a\", \"group\": \"G\", \"title\": \"t\", \"clause\": \"6.0\", \
             \"result\": \"ok\"}"
        );
    }
}
