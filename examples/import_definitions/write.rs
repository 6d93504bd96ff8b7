//! Writes a definition in Kafka's notation, always in the same shape, so that changes are easy to read.

use kdissect::schema::{Field, FieldDefault, Message, Versions};

/// Lines are wrapped before they get longer than this.
const WIDTH: usize = 118;

/// The text of the definition file for `message`.
pub fn definition_text(message: &Message) -> String {
    let mut out = String::from("{\n");
    let mut line = |key: &str, value: String| out.push_str(&format!("  {}: {value},\n", quoted(key)));
    if let Some(key) = message.api_key {
        line("apiKey", key.to_string());
    }
    line("type", quoted(message.kind.word()));
    if !message.listeners.is_empty() {
        let names: Vec<String> = message.listeners.iter().map(|name| quoted(name)).collect();
        line("listeners", format!("[{}]", names.join(", ")));
    }
    line("name", quoted(&message.name));
    if !message.about.is_empty() {
        line("about", quoted(&message.about));
    }
    line("validVersions", versions(message.valid_versions));
    if !message.deprecated_versions.is_empty() {
        line("deprecatedVersions", versions(message.deprecated_versions));
    }
    line("flexibleVersions", versions(message.flexible_versions));
    if message.latest_version_unstable {
        line("latestVersionUnstable", "true".to_owned());
    }
    out.push_str("  \"fields\": ");
    fields(&mut out, &message.fields, 2);
    if !message.common_structs.is_empty() {
        out.push_str(",\n  \"commonStructs\": [");
        for (index, common) in message.common_structs.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            let (name, range) = (quoted(&common.name), versions(common.versions));
            out.push_str(&format!("    {{ \"name\": {name}, \"versions\": {range},\n      \"fields\": "));
            fields(&mut out, &common.fields, 6);
            out.push_str(" }");
        }
        out.push_str("\n  ]");
    }
    out.push_str("\n}\n");
    out
}

fn fields(out: &mut String, list: &[Field], indent: usize) {
    if list.is_empty() {
        out.push_str("[]");
        return;
    }
    out.push('[');
    for (index, field) in list.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        write_field(out, field, indent + 2);
    }
    out.push_str(&format!("\n{:indent$}]", ""));
}

fn write_field(out: &mut String, field: &Field, indent: usize) {
    let mut facts: Vec<String> = Vec::new();
    let mut fact = |key: &str, value: String| facts.push(format!("{}: {value}", quoted(key)));
    fact("name", quoted(&field.name));
    fact("type", quoted(&field.field_type.to_string()));
    fact("versions", versions(field.versions));
    if !field.nullable_versions.is_empty() {
        fact("nullableVersions", versions(field.nullable_versions));
    }
    if let Some(tag) = field.tag {
        fact("taggedVersions", versions(field.tagged_versions));
        fact("tag", tag.to_string());
    }
    if let Some(flexible) = field.flexible_versions {
        fact("flexibleVersions", versions(flexible));
    }
    match &field.default {
        Some(FieldDefault::Text(text)) => fact("default", quoted(text)),
        Some(FieldDefault::Bare(text)) => fact("default", text.clone()),
        None => {}
    }
    if field.ignorable {
        fact("ignorable", "true".to_owned());
    }
    if let Some(entity) = &field.entity_type {
        fact("entityType", quoted(entity));
    }
    if field.map_key {
        fact("mapKey", "true".to_owned());
    }
    if field.zero_copy {
        fact("zeroCopy", "true".to_owned());
    }
    out.push_str(&format!("{:indent$}{{ ", ""));
    let mut column = indent + 2;
    for (index, fact) in facts.iter().enumerate() {
        if index > 0 {
            out.push(',');
            if column + fact.len() + 3 > WIDTH {
                out.push_str(&format!("\n{:indent$}  ", ""));
                column = indent + 2;
            } else {
                out.push(' ');
                column += 2;
            }
        }
        out.push_str(fact);
        column += fact.len();
    }
    if !field.about.is_empty() {
        out.push_str(&format!(",\n{:indent$}  \"about\": {}", "", quoted(&field.about)));
    }
    if !field.fields.is_empty() {
        out.push_str(&format!(",\n{:indent$}  \"fields\": ", ""));
        fields(out, &field.fields, indent + 2);
    }
    out.push_str(" }");
}

fn versions(range: Versions) -> String {
    quoted(&range.to_string())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
