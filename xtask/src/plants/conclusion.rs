//! What a profile concludes: the first change of its JSON, and the first of `oxomp advise`.

use oxomp_testing::plant::Plant;
use serde_json::Value;

use super::stated::Stated;

/// A change to try.
#[derive(Debug, PartialEq)]
pub(super) struct Change {
    /// The place and the change, or what to write.
    pub(super) text: String,
    pub(super) stated: Stated,
    /// Whether the profile says that its gains are firm.
    pub(super) is_firm: bool,
}

/// The first change in the document of a profile, if there is one.
pub(super) fn first_change(profile: &Value) -> Option<Change> {
    let advice = &profile["advice"];
    let first = advice["changes"].get(0)?;
    Some(Change {
        text: first["text"].as_str()?.to_owned(),
        stated: Stated::of_change(first)?,
        is_firm: advice["doubt"].is_null(),
    })
}

/// The first change that `oxomp advise` predicts for the construct of `plant`: another schedule of
/// its loop, or a cut-off of its tasks.
pub(super) fn first_prediction(advice: &Value, plant: &Plant) -> Option<Change> {
    let places = plant.places();
    let is_there = |one: &Value| one["place"].as_str().is_some_and(|it| is_one_of(&places, it));
    let of = |text: String, change: &Value| {
        let (gain, error) = (change["gain_ns"].as_f64()?, change["region"]["error_ns"].as_f64()?);
        Some(Change { text, stated: Stated::About(gain, error), is_firm: true })
    };
    for region in list(&advice["regions"]) {
        for one in list(&region["loops"]).filter(|one| is_there(one) || is_there(region)) {
            if let Some(first) = one["alternatives"].get(0) {
                return of(first["write"].as_str()?.to_owned(), first);
            }
        }
    }
    let cut_off = list(&advice["cut_offs"]).find(|one| is_there(one))?;
    of("cut-off".to_owned(), cut_off)
}

fn is_one_of(places: &[String], place: &str) -> bool {
    places.iter().any(|one| one == place)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use oxomp_testing::plant::Plant;
    use serde_json::json;

    use super::{Change, first_change, first_prediction};
    use crate::plants::stated::Stated;

    #[test]
    fn the_first_change_is_the_largest_and_may_be_in_doubt() {
        let document = |doubt| {
            json!({"advice": {"processors": null, "doubt": doubt, "changes": [
                {"text": "a.c:7 balance", "gain_ns": 9, "error_ns": 2},
                {"text": "b", "gain_ns": 1, "error_ns": null},
            ]}})
        };
        let first = |is_firm| {
            let (text, stated) = ("a.c:7 balance".to_owned(), Stated::About(9.0, 2.0));
            Some(Change { text, stated, is_firm })
        };
        assert_eq!(first_change(&document(None)), first(true));
        assert_eq!(first_change(&document(Some("threads lacked a processor"))), first(false));
        assert_eq!(first_change(&json!({"advice": {"changes": []}})), None);
    }

    #[test]
    fn a_prediction_is_that_of_the_planted_construct() {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let plants = Plant::all(&workspace).expect("the folder");
        let plant = plants.iter().find(|plant| plant.name == "tiny_chunks").expect("the program");
        let place = plant.places().swap_remove(0);
        let one = |place: &str, gain: u64| {
            json!({"place": place, "loops": [{"place": place, "alternatives": [
                {"write": format!("won {gain}"), "gain_ns": gain, "region": {"error_ns": 3}},
                {"write": "less", "gain_ns": 1, "region": {"error_ns": 3}},
            ]}]})
        };
        let predicted = |regions: serde_json::Value, cut_offs: serde_json::Value| {
            let advice = json!({"regions": regions, "cut_offs": cut_offs});
            first_prediction(&advice, plant).map(|change| (change.text, change.stated))
        };
        let other = one("tiny_chunks.c:1", 50);
        let found = predicted(json!([other, one(&place, 40)]), json!([]));
        assert_eq!(found, Some(("won 40".to_owned(), Stated::About(40.0, 3.0))));
        assert_eq!(predicted(json!([other]), json!([])), None);
        let cut_off = json!({"place": place, "gain_ns": 7, "region": {"ns": 9, "error_ns": 2}});
        let found = predicted(json!([other]), json!([cut_off]));
        assert_eq!(found, Some(("cut-off".to_owned(), Stated::About(7.0, 2.0))));
    }
}
