//! The syntax of GOMP_CPU_AFFINITY and of KMP_AFFINITY's proclist: processors in the order of the
//! threads.

use super::place_list::{MOST, PlaceList, processor, too_many};
use super::value::{self, Parsed};

/// Reads GOMP_CPU_AFFINITY: processors `n`, `n-m` or `n-m:stride` between blanks or commas, in the
/// order of the threads, each a place.
pub(super) fn parse(text: &str) -> Parsed<PlaceList> {
    let mut places = Vec::new();
    for part in text.split(',') {
        let before = places.len();
        for interval in part.split_ascii_whitespace() {
            append(&mut places, interval, |number| vec![number])?;
        }
        if places.len() == before {
            return Err("nothing beside a comma".to_owned());
        }
    }
    not_empty(places)
}

/// Reads the contents of KMP_AFFINITY's proclist: `n`, `n-m` or `n-m:stride` between commas, and
/// `{…}` for several processors that are one place.
pub(super) fn parse_proclist(text: &str) -> Parsed<PlaceList> {
    let mut places = Vec::new();
    let mut rest = text;
    loop {
        if let Some(open) = rest.strip_prefix('{') {
            let (inner, after) = open.split_once('}').ok_or("a { is not closed")?;
            let mut place = Vec::new();
            for interval in inner.split(',') {
                append(&mut place, interval, |number| number)?;
            }
            places.push(place);
            rest = after;
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            append(&mut places, &rest[..end], |number| vec![number])?;
            rest = &rest[end..];
        }
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => return not_empty(places),
            None => return Err(format!("not understood from \"{}\" on", value::shortened(rest))),
        }
    }
}

/// Adds the processors of `n`, `n-m` or `n-m:stride`.
fn append<T>(list: &mut Vec<T>, interval: &str, item: impl Fn(u32) -> T) -> Parsed<()> {
    let (range, stride) = interval.split_once(':').unwrap_or((interval, "1"));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |text| processor(i64::from(value::integer(text, 0)?));
    let (first, last, stride) = (number(first)?, number(last)?, value::integer(stride, 1)?);
    if first > last {
        return Err(format!("{first} to {last} is no interval"));
    }
    list.extend((first..=last).step_by(stride as usize).map(item));
    if list.len() > MOST as usize { Err(too_many()) } else { Ok(()) }
}

fn not_empty(places: Vec<Vec<u32>>) -> Parsed<PlaceList> {
    if places.is_empty() { Err("empty".to_owned()) } else { Ok(PlaceList::Explicit(places)) }
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_proclist};

    #[test]
    fn processors_in_the_order_of_the_threads() {
        let places = |text| parse(text).map(|places| places.to_string());
        assert_eq!(places("0 3 1-2 4-15:5").as_deref(), Ok("{0},{3},{1},{2},{4},{9},{14}"));
        assert_eq!(places("1,0, 7").as_deref(), Ok("{1},{0},{7}"));
        for text in [",", "-1", "1-", "2-1", "0-4:0", "a", "0-99999", "0;1", "{0}", "1,", "1,,2"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn places_of_a_proclist() {
        let places = |text| parse_proclist(text).map(|places| places.to_string());
        assert_eq!(places("{0,1},3,4-8:2").as_deref(), Ok("{0,1},{3},{4},{6},{8}"));
        assert_eq!(places("7,{1-3,9}").as_deref(), Ok("{7},{1,2,3,9}"));
        for text in ["", ",", "{", "{}", "{0", "{0}1", "0,", "0 1", "{0,}", "{{0}}"] {
            assert!(parse_proclist(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_that_would_fill_the_memory_are_refused() {
        assert!(parse(&"0-65535 ".repeat(1000)).is_err());
    }
}
