//! A serializer that writes a place where the summary has a site.

use oxomp_analysis::summary::SiteId;
use serde::ser::{self, Serialize, Serializer};

use super::places::Place;

/// A value that is written with places instead of sites.
#[derive(Debug)]
pub(super) struct Placed<'a, T: ?Sized> {
    pub(super) value: &'a T,
    /// The places by [`SiteId`]; `None` if a place is not known.
    pub(super) places: &'a [Option<Place>],
}

impl<T: Serialize + ?Sized> Serialize for Placed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Placing { inner: serializer, places: self.places })
    }
}

/// Hands everything to `inner` as it is, except for sites. `inner` is a serializer, or what one
/// makes for the parts of a value.
struct Placing<'a, S> {
    inner: S,
    places: &'a [Option<Place>],
}

impl<'a, S> Placing<'a, S> {
    /// The parts of a value, as `inner` takes them.
    fn parts<P, E>(self, of: impl FnOnce(S) -> Result<P, E>) -> Result<Placing<'a, P>, E> {
        Ok(Placing { inner: of(self.inner)?, places: self.places })
    }
}

/// Hands scalars on.
macro_rules! scalars {
    ($($method:ident: $scalar:ty),+ $(,)?) => {
        $(fn $method(self, value: $scalar) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        })+
    };
}

impl<'a, S: Serializer> Serializer for Placing<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Placing<'a, S::SerializeSeq>;
    type SerializeTuple = Placing<'a, S::SerializeTuple>;
    type SerializeTupleStruct = Placing<'a, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Placing<'a, S::SerializeTupleVariant>;
    type SerializeMap = Placing<'a, S::SerializeMap>;
    type SerializeStruct = Placing<'a, S::SerializeStruct>;
    type SerializeStructVariant = Placing<'a, S::SerializeStructVariant>;

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        if name != SiteId::NAME {
            let value = Placed { value, places: self.places };
            return self.inner.serialize_newtype_struct(name, &value);
        }
        let site = serde_json::to_value(value).ok().and_then(|number| number.as_u64());
        let place = site.and_then(|site| self.places.get(usize::try_from(site).ok()?)?.as_ref());
        place.serialize(self.inner)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Placed { value, places: self.places })
    }

    scalars! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_str: &str,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = Placed { value, places: self.places };
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        self.parts(|inner| inner.serialize_seq(len))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        self.parts(|inner| inner.serialize_tuple(len))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        self.parts(|inner| inner.serialize_tuple_struct(name, len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        self.parts(|inner| inner.serialize_tuple_variant(name, index, variant, len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.parts(|inner| inner.serialize_map(len))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        self.parts(|inner| inner.serialize_struct(name, len))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.parts(|inner| inner.serialize_struct_variant(name, index, variant, len))
    }
}

/// Hands the parts of values on, each as [`Placed`].
macro_rules! compounds {
    ($($compound:ident: $($method:ident($($key:ident)?)),+;)+) => {
        $(impl<C: ser::$compound> ser::$compound for Placing<'_, C> {
            type Ok = C::Ok;
            type Error = C::Error;

            $(fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), C::Error> {
                self.inner.$method($($key,)? &Placed { value, places: self.places })
            })+

            fn end(self) -> Result<C::Ok, C::Error> {
                self.inner.end()
            }
        })+
    };
}

compounds! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(key);
    SerializeStructVariant: serialize_field(key);
}

#[cfg(test)]
mod tests {
    use oxomp_analysis::summary::{Holder, SiteId};

    use super::Placed;
    use crate::json::places::{Location, Place};

    #[test]
    fn a_known_site_is_written_as_its_place_and_another_as_null() {
        let location = Location {
            label: "solver.c:118".to_owned(),
            function: None,
            file: None,
            line: Some(118),
            module: None,
        };
        let place = Place {
            id: "solver+0x11d2".to_owned(),
            location,
            module_path: None,
            build_id: None,
            offset: 0x11d2,
        };
        let places = [None, Some(place)];
        let holders = [0, 1, 2].map(|site| Holder { site: Some(SiteId(site)), blame_ns: 7 });
        let value = Placed { value: &holders, places: &places };
        let written = serde_json::to_value(&value).expect("JSON");
        assert_eq!(written[1]["place"]["label"], "solver.c:118");
        assert!(written[0]["place"].is_null() && written[2]["place"].is_null());
        assert_eq!(written[2]["blame_ns"], 7);
    }

    #[test]
    fn a_type_that_is_a_site_has_its_name() {
        let plain = serde_json::to_value(SiteId(3)).expect("JSON");
        assert_eq!(plain, 3);
        let places = [];
        let written = serde_json::to_value(Placed { value: &SiteId(3), places: &places });
        assert!(written.expect("JSON").is_null());
    }
}
