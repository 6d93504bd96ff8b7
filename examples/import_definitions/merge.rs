//! Merges the definition of a newer release into ours, so that every version that either speaks is there.

use kdissect::schema::{CommonStruct, Field, Message, Versions};

use super::facts;

/// Which versions come from where.
struct Sources {
    /// The versions of the definition that we had.
    ours: Versions,
    /// The versions that are taken from the newer release.
    theirs: Versions,
    /// Both together.
    all: Versions,
}

/// Empties the docs of all fields.
pub fn drop_docs(message: &mut Message) {
    fn drop_from(fields: &mut [Field]) {
        for field in fields {
            field.about = "".into();
            drop_from(&mut field.fields);
        }
    }
    message.about = "".into();
    drop_from(&mut message.fields);
    for common in &mut message.common_structs {
        drop_from(&mut common.fields);
    }
}

/// The definition with every version of `ours` and `theirs`.
///
/// A version that both have is laid out as `theirs` says, unless it is unstable there and stable in ours. Docs are
/// ours.
///
/// # Errors
/// If the result would not say of each version what its source said.
pub fn merge(ours: &Message, theirs: &Message) -> Result<Message, String> {
    let mut theirs = theirs.clone();
    theirs.about.clone_from(&ours.about);
    if ours.kind != theirs.kind {
        // The notation itself changed its mind about what this is; versions are then not comparable.
        keep_docs(&mut theirs.fields, &ours.fields);
        return Ok(theirs);
    }
    let mut taken = theirs.valid_versions;
    let stable_in_ours = ours.valid_versions.contains(taken.high())
        && !(ours.latest_version_unstable && ours.valid_versions.high() == taken.high());
    if theirs.latest_version_unstable && stable_in_ours {
        taken = Versions::new(taken.low(), taken.high() - 1);
    }
    let all = cover(ours.valid_versions, taken);
    let sources = Sources { ours: ours.valid_versions, theirs: taken, all };
    let top_is_theirs = taken.contains(all.high());

    let mut merged = Message {
        valid_versions: all,
        latest_version_unstable: if top_is_theirs {
            theirs.latest_version_unstable
        } else {
            ours.latest_version_unstable
        },
        deprecated_versions: sources.combine(ours.deprecated_versions, theirs.deprecated_versions)?,
        flexible_versions: sources.combine(ours.flexible_versions, theirs.flexible_versions)?,
        fields: Vec::new(),
        common_structs: Vec::new(),
        ..theirs.clone()
    };
    merged.fields = sources.fields(ours, &ours.fields, &theirs, &theirs.fields)?;
    merged.common_structs = sources.common_structs(ours, &theirs)?;
    drop_unused_structs(&mut merged);
    for version in all.iter() {
        let source = if taken.contains(version) { &theirs } else { ours };
        if facts::layout(source, version) != facts::layout(&merged, version) {
            return Err(format!("{} v{version}: the merged definition differs from its source", merged.name));
        }
    }
    Ok(merged)
}

/// Drops the common structures that no field refers to any more.
fn drop_unused_structs(message: &mut Message) {
    fn names<'f>(fields: &'f [Field], used: &mut Vec<&'f str>) {
        for field in fields {
            used.extend(field.field_type.struct_name());
            names(&field.fields, used);
        }
    }
    loop {
        let mut used = Vec::new();
        names(&message.fields, &mut used);
        for common in &message.common_structs {
            names(&common.fields, &mut used);
        }
        let unused = message.common_structs.iter().position(|common| !used.contains(&common.name.as_str()));
        match unused {
            Some(unused) => drop(message.common_structs.remove(unused)),
            None => return,
        }
    }
}

fn cover(a: Versions, b: Versions) -> Versions {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => Versions::new(a.low().min(b.low()), a.high().max(b.high())),
    }
}

/// Gives `fields` the docs of the same fields in `documented`.
fn keep_docs(fields: &mut [Field], documented: &[Field]) {
    for field in fields {
        if let Some(known) = documented.iter().find(|known| known.name == field.name) {
            field.about.clone_from(&known.about);
            keep_docs(&mut field.fields, &known.fields);
        }
    }
}

/// Whether two fields are one field in two releases.
fn same_field(a: &Field, b: &Field) -> bool {
    a.name == b.name && facts::shape(&a.field_type) == facts::shape(&b.field_type)
}

impl Sources {
    /// The range that says `theirs` for their versions and `ours` for the others.
    fn combine(&self, ours: Versions, theirs: Versions) -> Result<Versions, String> {
        let wanted: Vec<i16> = self
            .all
            .iter()
            .filter(|version| {
                if self.theirs.contains(*version) {
                    theirs.contains(*version)
                } else {
                    self.ours.contains(*version) && ours.contains(*version)
                }
            })
            .collect();
        let is_wanted = |range: Versions| self.all.iter().all(|v| range.contains(v) == wanted.contains(&v));
        // Their spelling first, then ours, then the plainest one.
        if let Some(range) = [theirs, ours].into_iter().find(|range| is_wanted(*range)) {
            return Ok(range);
        }
        let (Some(low), Some(high)) = (wanted.first(), wanted.last()) else { return Ok(Versions::NONE) };
        let open = *high == self.all.high() && (theirs.is_open() || ours.is_open());
        let range = Versions::new(*low, if open { Versions::OPEN } else { *high });
        if is_wanted(range) { Ok(range) } else { Err(format!("versions {wanted:?} are no range")) }
    }

    fn fields(
        &self,
        our_message: &Message,
        ours: &[Field],
        their_message: &Message,
        theirs: &[Field],
    ) -> Result<Vec<Field>, String> {
        let mut merged = Vec::new();
        let mut next = 0;
        for field in theirs {
            let found = ours[next..].iter().position(|known| same_field(known, field));
            let Some(found) = found.map(|skipped| next + skipped) else {
                let versions = self.combine(Versions::NONE, field.versions)?;
                if !versions.is_empty() {
                    merged.push(Field { versions, ..field.clone() });
                }
                continue;
            };
            for old in &ours[next..found] {
                self.keep_old(old, &mut merged)?;
            }
            merged.push(self.field(our_message, &ours[found], their_message, field)?);
            next = found + 1;
        }
        for old in &ours[next..] {
            self.keep_old(old, &mut merged)?;
        }
        Ok(merged)
    }

    /// Keeps a field of ours that the newer release dropped, for the versions that are ours alone.
    fn keep_old(&self, old: &Field, merged: &mut Vec<Field>) -> Result<(), String> {
        let versions = self.combine(old.versions, Versions::NONE)?;
        if !versions.is_empty() {
            merged.push(Field { versions, ..old.clone() });
        }
        Ok(())
    }

    fn field(
        &self,
        our_message: &Message,
        ours: &Field,
        their_message: &Message,
        theirs: &Field,
    ) -> Result<Field, String> {
        let inner = if theirs.fields.is_empty() {
            // A scalar, or a common structure, which is merged by itself.
            Vec::new()
        } else {
            let our_inner = our_message.struct_fields(ours).unwrap_or_default();
            self.fields(our_message, our_inner, their_message, &theirs.fields)?
        };
        let flexible = match (ours.flexible_versions, theirs.flexible_versions) {
            (None, None) => None,
            (ours, theirs) => {
                let whole =
                    |own: Option<Versions>, message: &Message| own.unwrap_or(message.flexible_versions);
                Some(self.combine(whole(ours, our_message), whole(theirs, their_message))?)
            }
        };
        Ok(Field {
            versions: self.combine(ours.versions, theirs.versions)?,
            nullable_versions: self.combine(ours.nullable_versions, theirs.nullable_versions)?,
            tagged_versions: self.combine(ours.tagged_versions, theirs.tagged_versions)?,
            flexible_versions: flexible,
            about: ours.about.clone(),
            fields: inner,
            ..theirs.clone()
        })
    }

    fn common_structs(&self, ours: &Message, theirs: &Message) -> Result<Vec<CommonStruct>, String> {
        let mut merged = Vec::new();
        for common in &theirs.common_structs {
            let known = ours.common_structs.iter().find(|known| known.name == common.name);
            let (our_versions, our_fields) = match known {
                Some(known) => (known.versions, known.fields.as_slice()),
                None => (common.versions, inline_fields(&ours.fields, &common.name).unwrap_or_default()),
            };
            merged.push(CommonStruct {
                name: common.name.clone(),
                versions: self.combine(our_versions, common.versions)?,
                fields: self.fields(ours, our_fields, theirs, &common.fields)?,
            });
        }
        for known in &ours.common_structs {
            let gone = !theirs.common_structs.iter().any(|common| common.name == known.name);
            if gone && inline_fields(&theirs.fields, &known.name).is_none() {
                merged.push(known.clone());
            }
        }
        Ok(merged)
    }
}

/// The fields of a structure that was defined in place and became a common one.
fn inline_fields<'f>(fields: &'f [Field], name: &str) -> Option<&'f [Field]> {
    fields.iter().find_map(|field| {
        if field.field_type.struct_name() == Some(name) && !field.fields.is_empty() {
            return Some(field.fields.as_slice());
        }
        inline_fields(&field.fields, name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kdissect::schema::read_message;

    fn message(valid: &str, extra: &str, fields: &str) -> Message {
        let text = format!(
            r#"{{ "apiKey": 3, "type": "request", "name": "ThingRequest", "validVersions": "{valid}",
                "flexibleVersions": "4+", {extra} "fields": [ {fields} ] }}"#
        );
        read_message("Thing.json", &text).unwrap()
    }

    fn versions(merged: &Message) -> Vec<(String, String)> {
        merged.fields.iter().map(|field| (field.name.to_string(), field.versions.to_string())).collect()
    }

    #[test]
    fn versions_that_were_dropped_keep_their_fields_and_docs() {
        let ours = message(
            "0-4",
            r#""about": "For a test.","#,
            r#"{ "name": "Old", "type": "int32", "versions": "0-1", "about": "Ours." },
               { "name": "Name", "type": "string", "versions": "0+", "about": "Ours too." }"#,
        );
        let theirs = message(
            "2-5",
            r#""about": "Theirs as well.","#,
            r#"{ "name": "Name", "type": "string", "versions": "0+", "nullableVersions": "5+", "about": "Theirs." },
               { "name": "New", "type": "bool", "versions": "5+", "about": "Theirs too." }"#,
        );
        let mut theirs = theirs;
        drop_docs(&mut theirs);
        let merged = merge(&ours, &theirs).unwrap();
        assert_eq!(merged.valid_versions.to_string(), "0-5");
        let expected = [("Name", "0+"), ("New", "5+"), ("Old", "0-1")];
        let mut found = versions(&merged);
        found.sort();
        assert_eq!(found, expected.map(|(name, range)| (name.to_owned(), range.to_owned())));
        let doc = |name: &str| merged.fields.iter().find(|field| &*field.name == name).unwrap().about.clone();
        assert_eq!((&*doc("Name"), &*doc("Old"), &*doc("New")), ("Ours too.", "Ours.", ""));
        assert_eq!(&*merged.about, "For a test.");
    }

    #[test]
    fn a_field_of_another_type_is_another_field() {
        let ours = message("0-3", "", r#"{ "name": "Id", "type": "int32", "versions": "0+" }"#);
        let theirs = message("2-4", "", r#"{ "name": "Id", "type": "int64", "versions": "0+" }"#);
        let merged = merge(&ours, &theirs).unwrap();
        let types: Vec<(String, String)> = merged
            .fields
            .iter()
            .map(|field| (field.field_type.to_string(), field.versions.to_string()))
            .collect();
        assert_eq!(types.len(), 2);
        assert!(types.contains(&("int32".to_owned(), "0-1".to_owned())), "{types:?}");
        assert!(types.contains(&("int64".to_owned(), "2+".to_owned())), "{types:?}");
    }

    #[test]
    fn an_unstable_version_gives_way_to_a_stable_one() {
        let stable = message("0-4", "", r#"{ "name": "Id", "type": "int32", "versions": "0+" }"#);
        let unstable = message(
            "2-4",
            r#""latestVersionUnstable": true,"#,
            r#"{ "name": "Id", "type": "int32", "versions": "0+" }, { "name": "Maybe", "type": "bool", "versions": "4+" }"#,
        );
        assert_eq!(versions(&merge(&stable, &unstable).unwrap()), versions(&stable));
        // The other way round the newer release counts, and is then stable.
        let merged = merge(&unstable, &stable).unwrap();
        assert_eq!(versions(&merged), [("Id".to_owned(), "0+".to_owned())]);
        assert!(!merged.latest_version_unstable);
    }

    #[test]
    fn importing_the_same_again_changes_nothing() {
        let one = message(
            "0-4",
            "",
            r#"{ "name": "Parts", "type": "[]Part", "versions": "0+",
                 "fields": [ { "name": "Index", "type": "int32", "versions": "0+", "about": "Ours." } ] }"#,
        );
        let merged = merge(&one, &one).unwrap();
        assert_eq!(merged, one);
        let text = crate::write::definition_text(&merged);
        assert_eq!(read_message("again", &text).unwrap(), one);
    }
}
