//! The documents of a scale, each to its place.

use std::io::{self, Write};
use std::path::Path;

use oxomp_export::json;
use oxomp_html::scale_page;
use oxomp_scale::Scale;

use crate::document::{
    PRODUCER, VERSION, is_standard_output, on_standard_output, say_wrote, write_file,
};
use crate::failure::Failure;
use crate::progress::show_while;
use crate::props::{ScaleProps, ScaleSubject};

/// Refuses places that cannot take a document, before the program runs in vain.
pub(super) fn check(props: &ScaleProps) -> Result<(), Failure> {
    let places = [("--json", &props.json), ("--html", &props.html)];
    let named = places.iter().filter_map(|(option, place)| Some((option, place.as_deref()?)));
    let mut streams = 0;
    for (option, place) in named {
        if is_standard_output(Some(place)) {
            streams += 1;
            if matches!(props.subject, ScaleSubject::Program { .. }) {
                return Err(Failure::own(format!(
                    "{option} -: standard output is the program's; name a file, or write it later: \
                     `oxomp scale {option}=- DIR`"
                )));
            }
            continue;
        }
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        if place.is_dir() || !folder.is_none_or(Path::is_dir) {
            let why = if place.is_dir() { "is a folder" } else { "its folder does not exist" };
            return Err(Failure::own(format!("{option} {}: {why}", place.display())));
        }
    }
    if streams > 1 {
        return Err(Failure::own("standard output takes one document: name a file for the other"));
    }
    Ok(())
}

/// Writes the documents that `props` names.
pub(super) fn write_all(scale: &Scale, props: &ScaleProps) -> Result<(), Failure> {
    if let Some(place) = &props.json {
        write(place, |out| json::write_scale(scale, PRODUCER, out))?;
    }
    if let Some(place) = &props.html {
        write(place, |out| out.write_all(scale_page(scale, VERSION).as_bytes()))?;
    }
    Ok(())
}

fn write(place: &Path, document: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_standard_output(Some(place)) {
        return on_standard_output(|out| document(out)).map(|_| ());
    }
    let what = format!("writing {}", place.display());
    let (size, ()) = show_while(&what, || write_file(place, |out| document(out)))?;
    say_wrote(place, size, None);
    Ok(())
}
