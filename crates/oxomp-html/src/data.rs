//! The data that the page's script draws, as JSON inside the page.

use serde_json::{Value, json};

use crate::flame;
use crate::timeline::Timeline;
use crate::verdict::Verdict;
use crate::view::View;

/// All of it, as the text of a `script` element that is no script.
pub(crate) fn text(view: &View<'_>, timeline: &Timeline, verdict: &Verdict) -> String {
    let threads: serde_json::Map<String, Value> = timeline
        .by_region
        .iter()
        .map(|(region, threads)| {
            let threads: Vec<Value> =
                threads.iter().map(|(number, times)| json!([number, times])).collect();
            (region.to_string(), Value::Array(threads))
        })
        .collect();
    let data = json!({
        "timeline": timeline.data(view),
        "regionThreads": threads,
        "flame": flame::data(view),
        "markdown": verdict.markdown(view),
    });
    inside_script(&data.to_string())
}

/// JSON without the characters that could end a `script` element or begin a comment in it.
pub(crate) fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::inside_script;

    #[test]
    fn nothing_ends_the_element() {
        let json = serde_json::json!({ "a": "</script><!--<script>&" }).to_string();
        let inside = inside_script(&json);
        assert!(!inside.contains(['<', '>', '&']), "{inside}");
        let read: serde_json::Value = serde_json::from_str(&inside).expect("it is JSON");
        assert_eq!(read["a"], "</script><!--<script>&");
    }
}
