//! The call tree of a document.

use serde_json::Value;

/// A frame: its function and its line.
pub(crate) type Frame = (String, u64);

/// The path to each frame, the outermost frame first.
pub(crate) fn paths(document: &Value) -> Vec<Vec<Frame>> {
    let nodes = document["calls"]["nodes"].as_array().expect("nodes");
    let frame = |node: &Value| {
        let function = node["function"].as_str().unwrap_or_default().to_owned();
        (function, node["line"].as_u64().unwrap_or(0))
    };
    let mut paths: Vec<Vec<Frame>> = Vec::new();
    for node in nodes {
        let mut path =
            node["caller"].as_u64().map_or_else(Vec::new, |at| paths[at as usize].clone());
        path.push(frame(node));
        paths.push(path);
    }
    paths
}

/// Whether the path has `frames` in this order, by `is_frame`.
pub(crate) fn has(
    path: &[Frame],
    frames: &[Frame],
    is_frame: impl Fn(&Frame, &Frame) -> bool,
) -> bool {
    let mut rest = path.iter();
    frames.iter().all(|frame| rest.any(|one| is_frame(one, frame)))
}
