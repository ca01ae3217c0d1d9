//! The syntax of the values of environment variables (OpenMP 5.2 chapter 21).
//!
//! All values are case-insensitive, and blanks around a value or an element are ignored. An error
//! is the end of a sentence that begins with the variable.

use core::time::Duration;

use super::{Blocktime, DisplayEnv, ProcBind, Schedule, ScheduleKind, ScheduleModifier};
use super::{TargetOffload, WaitPolicy};

/// "Unlimited" for numbers of threads and levels, and the result of
/// `omp_get_supported_active_levels`.
pub const UNLIMITED: u32 = i32::MAX.cast_unsigned();

/// A parsed element, or the problem with it.
pub(super) type Parsed<T> = Result<T, String>;

/// A text of the user, shortened to fit a message of one line.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    let plain = |symbol: char| if symbol.is_control() { '?' } else { symbol };
    let mut short: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

/// An integer from `least` to `i32::MAX`.
pub(super) fn integer(text: &str, least: u32) -> Parsed<u32> {
    let wrong = || match least {
        0 => "not a non-negative integer".to_owned(),
        1 => "not a positive integer".to_owned(),
        _ => format!("not an integer of at least {least}"),
    };
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    match digits.parse::<i32>() {
        Ok(number) if number.unsigned_abs() >= least => Ok(number.unsigned_abs()),
        Ok(_) => Err(wrong()),
        Err(_) => Err(format!("more than {}", i32::MAX)),
    }
}

/// A truth value, Fortran's notation included.
pub(super) fn boolean(text: &str) -> Parsed<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | ".true." | "t" | ".t." | "yes" | "on" | "1" => Ok(true),
        "false" | ".false." | "f" | ".f." | "no" | "off" | "0" => Ok(false),
        _ => Err("neither true nor false".to_owned()),
    }
}

/// One of `words`.
pub(super) fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Parsed<T> {
    words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))
        .map(|&(_, value)| value)
        .ok_or_else(|| {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            format!("not one of {}", names.join(", "))
        })
}

/// The first of `words` that stands for `value`; empty if there is none.
pub(super) fn word_of<T: Copy + PartialEq>(value: T, words: &[(&'static str, T)]) -> &'static str {
    words.iter().find(|(_, it)| *it == value).map_or("", |(word, _)| word)
}

/// The policies of OMP_PROC_BIND and KMP_TEAMS_PROC_BIND.
pub(super) const POLICIES: &[(&str, ProcBind)] = &[
    ("primary", ProcBind::Primary),
    ("master", ProcBind::Primary),
    ("close", ProcBind::Close),
    ("spread", ProcBind::Spread),
];

/// The values of OMP_WAIT_POLICY.
pub(super) const WAIT_POLICIES: &[(&str, WaitPolicy)] =
    &[("active", WaitPolicy::Active), ("passive", WaitPolicy::Passive)];

/// The values of OMP_TARGET_OFFLOAD.
pub(super) const TARGET_OFFLOADS: &[(&str, TargetOffload)] = &[
    ("default", TargetOffload::Default),
    ("mandatory", TargetOffload::Mandatory),
    ("disabled", TargetOffload::Disabled),
];

/// Elements between commas, at least one.
pub(super) fn list<T>(text: &str, element: impl Fn(&str) -> Parsed<T>) -> Parsed<(T, Vec<T>)> {
    let mut elements = text.split(',').map(|text| element(text.trim()));
    let first = elements.next().unwrap_or_else(|| Err("empty".to_owned()))?;
    Ok((first, elements.collect::<Parsed<Vec<T>>>()?))
}

/// A size in bytes: a number and one of the units B, K, M, G, T; K without a unit.
pub(super) fn size(text: &str) -> Parsed<usize> {
    let end = text.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "b" => 0,
        "" | "k" | "kb" => 10,
        "m" | "mb" => 20,
        "g" | "gb" => 30,
        "t" | "tb" => 40,
        _ => return Err("not a number with unit B, K, M, G or T".to_owned()),
    };
    if digits.is_empty() {
        return Err("not a number with unit B, K, M, G or T".to_owned());
    }
    digits
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .filter(|&bytes| isize::try_from(bytes).is_ok())
        .ok_or_else(|| "more than the address space".to_owned())
}

/// A blocktime: a number of milliseconds, a number with a unit, or infinite.
pub(super) fn blocktime(text: &str) -> Parsed<Blocktime> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "infinite" | "infinity") {
        return Ok(Blocktime::Infinite);
    }
    let end = lower.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(lower.len());
    let (digits, unit) = lower.split_at(end);
    let number = u64::from(integer(digits, 0)?);
    match unit.trim() {
        "" | "ms" if number == u64::from(UNLIMITED) => Ok(Blocktime::Infinite),
        "" | "ms" => Ok(Blocktime::For(Duration::from_millis(number))),
        "us" => Ok(Blocktime::For(Duration::from_micros(number))),
        "s" => Ok(Blocktime::For(Duration::from_secs(number))),
        _ => Err("not a number with unit us, ms or s, nor infinite".to_owned()),
    }
}

/// A spin count: the number of polls before a thread sleeps, with an optional unit of k, M, G or T,
/// or infinite.
///
/// A poll with its pause hint takes about 10 ns (`machine_pause`).
pub(super) fn spin_count(text: &str) -> Parsed<Blocktime> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "infinite" | "infinity") {
        return Ok(Blocktime::Infinite);
    }
    let end = lower.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(lower.len());
    let (digits, unit) = lower.split_at(end);
    let factor = match unit.trim() {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "g" => 1_000_000_000,
        "t" => 1_000_000_000_000,
        _ => return Err("not a number with unit k, M, G or T, nor infinite".to_owned()),
    };
    let count: u64 = digits.parse().map_err(|_| "not a non-negative integer".to_owned())?;
    Ok(Blocktime::For(Duration::from_nanos(count.saturating_mul(factor).saturating_mul(10))))
}

/// A value of OMP_DISPLAY_ENV: a truth value or verbose.
pub(super) fn display_env(text: &str) -> Parsed<DisplayEnv> {
    if text.eq_ignore_ascii_case("verbose") {
        return Ok(DisplayEnv::Verbose);
    }
    match boolean(text) {
        Ok(true) => Ok(DisplayEnv::Yes),
        Ok(false) => Ok(DisplayEnv::No),
        Err(_) => Err("not one of true, false, verbose".to_owned()),
    }
}

/// A schedule, `[modifier:]kind[,chunk]`. With an invalid chunk size the kind still counts, and the
/// second result is the problem.
pub(super) fn schedule(text: &str) -> Parsed<(Schedule, Option<String>)> {
    const MODIFIERS: [(&str, ScheduleModifier); 2] = [
        ("monotonic", ScheduleModifier::Monotonic),
        ("nonmonotonic", ScheduleModifier::Nonmonotonic),
    ];
    // The last two are LLVM's. The dynamic schedule of this runtime steals, so it also stands for
    // LLVM's static_steal.
    const KINDS: [(&str, ScheduleKind); 6] = [
        ("static", ScheduleKind::Static),
        ("dynamic", ScheduleKind::Dynamic),
        ("guided", ScheduleKind::Guided),
        ("auto", ScheduleKind::Auto),
        ("trapezoidal", ScheduleKind::Trapezoidal),
        ("static_steal", ScheduleKind::Dynamic),
    ];
    let (modifier, rest) = match text.split_once(':') {
        Some((modifier, rest)) => (word(modifier.trim(), &MODIFIERS)?, rest),
        None => (ScheduleModifier::Unspecified, text),
    };
    let (kind, chunk) = match rest.split_once(',') {
        Some((kind, chunk)) => (kind, Some(chunk.trim())),
        None => (rest, None),
    };
    let kind = word(kind.trim(), &KINDS[..4])
        .or_else(|wrong| word(kind.trim(), &KINDS[4..]).map_err(|_| wrong))?;
    let chunk = match chunk {
        None => Ok(0),
        Some(_) if kind == ScheduleKind::Auto => Err("auto has no chunk size".to_owned()),
        Some(chunk) => integer(chunk, 1).map_err(|wrong| format!("the chunk size is {wrong}")),
    };
    let (chunk, wrong) = match chunk {
        Ok(chunk) => (chunk, None),
        Err(wrong) => (0, Some(wrong)),
    };
    Ok((Schedule::new(kind, modifier, chunk.cast_signed()), wrong))
}

/// A value of OMP_PROC_BIND: true, false, or a list of policies.
pub(super) fn proc_bind(text: &str) -> Parsed<(ProcBind, Vec<ProcBind>)> {
    match boolean(text) {
        Ok(true) => Ok((ProcBind::True, Vec::new())),
        Ok(false) => Ok((ProcBind::False, Vec::new())),
        Err(_) => list(text, |element| word(element, POLICIES))
            .map_err(|_| "neither true, false nor a list of primary, close, spread".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn what_is_shown_of_a_text_fits_a_line() {
        assert_eq!(shortened("a b\u{fffd}"), "a b\u{fffd}");
        assert_eq!(shortened("a\nb\u{7}"), "a?b?");
        assert_eq!(shortened(&"x".repeat(1 << 20)), format!("{}...", "x".repeat(80)));
        assert_eq!(shortened(&"x".repeat(80)), "x".repeat(80));
    }
}
