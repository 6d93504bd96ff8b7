//! What a definition says of one version, with everything resolved: the ground for comparing definitions.

use kdissect::schema::{Field, FieldDefault, FieldType, Message};

/// A field as one version of a message has it.
#[derive(PartialEq, Debug)]
pub struct Fact {
    name: String,
    /// The type's notation, with `struct` in place of a structure's name.
    shape: String,
    nullable: bool,
    tag: Option<u32>,
    compact: bool,
    default: Option<FieldDefault>,
    inner: Vec<Fact>,
}

/// The fields that `version` of `message` has, in the order of the wire.
pub fn layout(message: &Message, version: i16) -> Vec<Fact> {
    fields_of(message, &message.fields, version)
}

fn fields_of(message: &Message, fields: &[Field], version: i16) -> Vec<Fact> {
    let mut facts = Vec::new();
    for field in fields.iter().filter(|field| field.versions.contains(version)) {
        let inner = match field.field_type.struct_name() {
            Some(_) => message.struct_fields(field).unwrap_or_default(),
            None => &[],
        };
        facts.push(Fact {
            name: field.name.to_string(),
            shape: shape(&field.field_type),
            nullable: field.nullable_versions.contains(version),
            tag: field.tag.filter(|_| field.tagged_versions.contains(version)),
            compact: field.flexible_versions.unwrap_or(message.flexible_versions).contains(version),
            default: field.default.clone(),
            inner: fields_of(message, inner, version),
        });
    }
    facts
}

/// A field's type without its structure's name, which says nothing about the wire.
pub fn shape(field_type: &FieldType) -> String {
    match field_type {
        FieldType::Struct(_) => "struct".to_owned(),
        FieldType::Array(element) => format!("[]{}", shape(element)),
        scalar => scalar.to_string(),
    }
}

/// Whether two definitions say the same in all but their docs.
pub fn same_facts(a: &Message, b: &Message) -> bool {
    let (mut a, mut b) = (a.clone(), b.clone());
    super::merge::drop_docs(&mut a);
    super::merge::drop_docs(&mut b);
    a == b
}
