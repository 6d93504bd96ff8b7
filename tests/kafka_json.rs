//! Bodies as JSON are what Kafka's own converters make of the same bytes.
//!
//! Kafka 4.4.0 is asked through a small Java program. Where Java or its jars are missing the test says so and ends. Left out are
//! what Kafka's converters cannot say: unknown tags, and the bytes of records, of which they only say how many there are.

mod common;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::all_messages;
use kdissect::input::json_records::records_from_json;
use kdissect::render::View;
use kdissect::render::json::write_json;
use kdissect::schema::Catalogue;
use kdissect::tree::Tree;
use kdissect::wire::encode::encode;
use kdissect::wire::plan::{Body, Plan, Step};
use kdissect::wire::value::{Struct, TaggedValue, Value};
use kdissect::wire::{Decoder, Frame, default, instance};
use serde_json::Value as Json;

/// What Kafka's converters need: group, artifact and the version that is fetched if none is there.
const JARS: [(&str, &str, &str); 5] = [
    ("org.apache.kafka", "kafka-clients", "4.4.0"),
    ("org.slf4j", "slf4j-api", "1.7.36"),
    ("com.fasterxml.jackson.core", "jackson-databind", "2.10.5"),
    ("com.fasterxml.jackson.core", "jackson-core", "2.10.5"),
    ("com.fasterxml.jackson.core", "jackson-annotations", "2.10.5"),
];

/// The class path, or why there is none.
fn class_path() -> Result<String, String> {
    let runs = |program: &str| Command::new(program).arg("-version").output().is_ok();
    // Without javac it is no JDK, and java does not run a source file.
    if !runs("java") || !runs("javac") {
        return Err("there is no JDK".to_owned());
    }
    let home = std::env::home_dir().ok_or("there is no home directory")?;
    let mut paths = Vec::new();
    for (group, artifact, version) in JARS {
        let jar = |home: &Path| -> PathBuf {
            let folder = group.replace('.', "/");
            home.join(format!(".m2/repository/{folder}/{artifact}/{version}/{artifact}-{version}.jar"))
        };
        let path = jar(&home);
        if !path.is_file() {
            let artifact = format!("-Dartifact={group}:{artifact}:{version}");
            // Whether that worked is seen by the jar; it does not without a network.
            let _ = Command::new("mvn").args(["-q", "-B", "dependency:get", &artifact]).output();
        }
        if !path.is_file() {
            return Err(format!("there is no {}", path.display()));
        }
        paths.push(path.display().to_string());
    }
    Ok(paths.join(if cfg!(windows) { ";" } else { ":" }))
}

/// Drops tagged fields that Kafka's converters leave out: unknown ones, and those that have their default.
struct Pruner<'p>(&'p Plan);

impl Pruner<'_> {
    fn structure(&self, body: &Body, value: &mut Struct) {
        for (step, field) in self.0.steps_of(body).iter().zip(&mut value.fields) {
            self.value(step, field);
        }
        value.tagged.retain_mut(|(tag, value)| {
            let field = self.0.tagged_of(body).iter().find(|field| field.tag == *tag);
            let (Some(field), TaggedValue::Known(value)) = (field, value) else { return false };
            self.value(&field.step, value);
            *value != default::value(self.0, &field.step)
        });
    }

    fn value(&self, step: &Step, value: &mut Value) {
        match value {
            Value::Struct(value) => self.structure(&self.0.bodies[usize::from(step.target)], value),
            Value::Array(elements) => {
                let element = self.0.arrays[usize::from(step.target)].element;
                elements.iter_mut().for_each(|value| self.value(&element, value));
            }
            _ => {}
        }
    }
}

/// Puts the number of bytes in place of our records, where Kafka's JSON has that.
fn count_records(ours: &mut Json, kafkas: &Json) {
    match (ours, kafkas) {
        (Json::Object(ours), Json::Object(kafkas)) => {
            for key in kafkas.keys() {
                let records = key.strip_suffix("SizeInBytes").and_then(|name| ours.remove(name));
                if let Some(records) = records {
                    let size = (!records.is_null()).then(|| records_from_json(&records, key).unwrap().len());
                    ours.insert(key.clone(), size.into());
                }
            }
            for (key, value) in ours {
                count_records(value, kafkas.get(key).unwrap_or(&Json::Null));
            }
        }
        (Json::Array(ours), Json::Array(kafkas)) => {
            ours.iter_mut().zip(kafkas).for_each(|(ours, kafkas)| count_records(ours, kafkas));
        }
        _ => {}
    }
}

#[test]
fn bodies_are_as_kafkas_converters_write_them() {
    let class_path = match class_path() {
        Ok(class_path) => class_path,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let seed = common::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    let catalogue = Catalogue::embedded();
    let mut decoder = Decoder::new(&catalogue);
    let (mut questions, mut answers) = (String::new(), Vec::new());
    for message in all_messages(&catalogue) {
        let (direction, key, version) = message;
        let (_, plan) = common::plans(&mut decoder, message);
        for round in 0..6 {
            let mut body =
                if round == 0 { instance::smallest(&plan) } else { instance::random(&plan, &mut random) };
            Pruner(&plan).structure(&plan.bodies[0], &mut body);
            let frame = common::make_frame(&mut decoder, message, &body, 0, "");
            let mut tree = Tree::new();
            let heading = common::decode(&mut decoder, message, &frame, &mut tree);
            if heading.api_version != Some(version) {
                // A random error code made it look like the answer of an older broker.
                continue;
            }
            let frame = Frame { bytes: &frame, sized: true };
            let view = View::new(&tree, frame, &heading, &catalogue).with_secrets(true);
            let mut json = Vec::new();
            write_json(&mut json, view, &[]).unwrap();
            let mut json: Json = serde_json::from_slice(&json).unwrap();
            answers.push((format!("{} v{version}", plan.name), json["body"].take()));

            let mut bytes = Vec::new();
            encode(&plan, &body, &mut bytes).unwrap();
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            questions.push_str(&format!("{} {key} {version} {hex}\n", direction.word()));
        }
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kafka_json_questions.txt");
    fs::write(&path, questions).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kafka/JsonConvert.java");
    let output = Command::new("java")
        .args(["-cp", &class_path])
        .arg(program)
        .stdin(File::open(&path).unwrap())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), answers.len());
    let (mut compared, mut gone) = (0, 0);
    for ((what, mut ours), line) in answers.into_iter().zip(lines) {
        if line == "unsupported" {
            gone += 1;
            continue;
        }
        let kafkas: Json = serde_json::from_str(line).unwrap();
        count_records(&mut ours, &kafkas);
        assert_eq!(ours, kafkas, "{what}");
        compared += 1;
    }
    println!("{compared} bodies compared, {gone} of versions that Kafka 4.4.0 does not have");
    assert!(compared > 3000);
}
