//! Pages of APIs: that of DescribeTransactions is the documentation's to the letter, and those of all APIs and versions render, as
//! text and as HTML that is well-formed and has every line of the tree.

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{folded, samples};
use kdissect::render::api_page::{ApiPage, DEFINITION_HEADING, default_version, write_text};
use kdissect::render::html::write_html;
use kdissect::render::region::Region;
use kdissect::render::tree_text::write_tree;
use kdissect::render::{Docs, Options, Theme};
use kdissect::schema::Catalogue;
use kdissect::tree::Severity;

fn kdissect(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kdissect")).args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = kdissect(arguments);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).unwrap()
}

/// The page of a version, or of the default one.
fn page<'c>(catalogue: &'c Catalogue, name: &str, version: Option<i16>) -> ApiPage<'c> {
    let api = catalogue.find_api(name).unwrap();
    let version = version.or_else(|| default_version(catalogue, api)).unwrap();
    ApiPage::new(catalogue, api, version).unwrap()
}

fn html(page: &ApiPage<'_>) -> String {
    let mut out = Vec::new();
    write_html(&mut out, page).unwrap();
    String::from_utf8(out).unwrap()
}

fn text(page: &ApiPage<'_>) -> String {
    let mut out = Vec::new();
    write_text(&mut out, page, &Options::default(), &Theme::plain()).unwrap();
    String::from_utf8(out).unwrap()
}

/// What the documentation lost of a byte row is left out of ours: all but the offset.
fn without_bytes(line: &str) -> &str {
    let is_row = line.get(..6).is_some_and(|start| {
        start.ends_with("  ") && start[..4].bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    if is_row { &line[..4] } else { line }
}

#[test]
fn the_page_of_describe_transactions_is_the_documentation_to_the_letter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation/DescribeTransactions.txt");
    let documentation = fs::read_to_string(path).unwrap();
    // The documentation ran the names of the legend together.
    let names: Vec<&str> = Region::ALL.iter().map(|region| region.name()).collect();
    let (run_together, legend) = (names.concat(), names.join(" "));
    assert_eq!(documentation.lines().filter(|line| *line == run_together).count(), 1);
    let expected = folded(&documentation.replace(&run_together, &legend));

    for arguments in
        [&["page", "DescribeTransactions"][..], &["page", "65", "--api-version", "0", "--color", "never"]]
    {
        let page = printed(arguments);
        let rows = page.lines().filter(|line| without_bytes(line) != *line).count();
        assert_eq!(rows, 2 + 4);
        let found: Vec<&str> = page.lines().map(without_bytes).collect();
        assert_eq!(folded(&found.join("\n")), expected);
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let coloured = printed(&["page", "Fetch", "--color", "always"]);
    let mut plain = String::new();
    for (index, piece) in coloured.split("\u{1b}[").enumerate() {
        plain.push_str(if index == 0 { piece } else { piece.split_once('m').unwrap().1 });
    }
    assert_ne!(coloured, plain);
    assert_eq!(plain, printed(&["page", "Fetch"]));
}

#[test]
fn every_page_renders_as_text_and_as_html() {
    let catalogue = Catalogue::embedded();
    let mut pages = 0;
    for api in catalogue.apis() {
        for version in api.versions.iter() {
            let page = ApiPage::new(&catalogue, api, version).unwrap();
            let what = format!("{} v{version}", api.name);
            let (text, html) = (text(&page), html(&page));
            check_well_formed(&html).unwrap_or_else(|problem| panic!("{what}: {problem}"));
            let mut trees = outlines(&html).into_iter();
            for specimen in page.specimens() {
                assert_ne!(specimen.tree.severity(), Some(Severity::Malformed), "{what}");
                let mut tree = Vec::new();
                let options = Options { docs: Docs::None, full_values: true, ..Options::default() };
                write_tree(&mut tree, page.view(specimen), &options, &Theme::plain()).unwrap();
                let tree = String::from_utf8(tree).unwrap();
                let lines: Vec<&str> =
                    tree.lines().map(|line| line.trim_start_matches(['|', '+', '-', ' '])).collect();
                let outline = trees.next().unwrap();
                assert_eq!(outline.len(), lines.len(), "{what}");
                for (shown, line) in outline.iter().zip(lines) {
                    assert!(shown.starts_with(line), "{what}: {shown:?} and {line:?}");
                }
                assert!(text.contains(specimen.definition.trim_end()), "{what}");
                assert!(html.contains(&format!("{} bytes on the wire", specimen.bytes.len())), "{what}");
            }
            assert_eq!(text.matches(DEFINITION_HEADING).count(), 2, "{what}");
            pages += 1;
        }
    }
    assert_eq!(pages, catalogue.apis().map(|api| api.versions.iter().count()).sum::<usize>());
    println!("{pages} pages");
}

/// A line without bytes of its own, such as a bit of attributes, lights those of the field that it is about.
#[test]
fn every_line_that_can_be_pointed_at_lights_bytes() {
    let catalogue = Catalogue::embedded();
    for api in ["Produce", "Fetch", "DescribeTransactions"] {
        let html = html(&page(&catalogue, api, None));
        let lit: Vec<&str> = html
            .split(") .f")
            .skip(1)
            .map(|rest| &rest[..rest.find(|letter: char| !letter.is_ascii_digit()).unwrap()])
            .collect();
        assert!(lit.len() > 10);
        for line in lit {
            assert!(html.contains(&format!(" f{line} ")), "no byte for line {line} of {api}");
        }
    }
}

/// The lines of each outline, without markup.
fn outlines(html: &str) -> Vec<Vec<String>> {
    html.split("<ul class=\"tree\"")
        .skip(1)
        .map(|rest| {
            let outline = rest.split_once("\n</ul>").unwrap().0;
            outline
                .split("tabindex=\"0\">")
                .skip(1)
                .map(|line| plain(line.split_once("</div>").unwrap().0))
                .collect()
        })
        .collect()
}

/// Content without tags and entities.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for (index, piece) in html.split('<').enumerate() {
        text.push_str(if index == 0 { piece } else { piece.split_once('>').unwrap().1 });
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))
}

/// Checks that every tag is closed in its place, attributes are quoted, entities are known, ids are unique, and what links and labels
/// refer to is there.
fn check_well_formed(html: &str) -> Result<(), String> {
    let mut rest = html.strip_prefix("<!DOCTYPE html>\n").ok_or("no doctype")?;
    let (mut open, mut ids, mut references) = (Vec::new(), HashSet::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        check_entities(&rest[..at])?;
        let (tag, after) = rest[at + 1..].split_once('>').ok_or("a tag without end")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if name.is_empty()
            || !name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        {
            return Err(format!("no name of a tag: {name:?}"));
        }
        for (key, value) in read_attributes(attributes)? {
            check_entities(value)?;
            match key {
                "id" if !ids.insert(value) => return Err(format!("id {value} twice")),
                "aria-labelledby" => references.push(value),
                "href" => references.push(value.strip_prefix('#').ok_or("a link out of the page")?),
                "src" => return Err(format!("src={value}: the page is to be one file")),
                _ => {}
            }
        }
        match name {
            "meta" => {}
            // What is in these is no markup.
            "style" | "script" => {
                let end = format!("</{name}>");
                let (content, after) = rest.split_once(&end).ok_or("no end of style or script")?;
                if content.contains("http") || content.contains("url(") || content.contains("@import") {
                    return Err(format!("{name} refers to something outside of the page"));
                }
                rest = after;
            }
            _ => open.push(name),
        }
    }
    check_entities(rest)?;
    if !open.is_empty() {
        return Err(format!("not closed: {open:?}"));
    }
    match references.iter().find(|reference| !ids.contains(*reference)) {
        Some(lost) => Err(format!("no id {lost}")),
        None => Ok(()),
    }
}

fn read_attributes(mut text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut attributes = Vec::new();
    while !text.trim().is_empty() {
        text = text.trim_start();
        if let Some(after) = text.strip_prefix("open") {
            text = after;
            continue;
        }
        let (key, after) = text.split_once("=\"").ok_or_else(|| format!("no quoted attribute: {text}"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("no end of {key}"))?;
        attributes.push((key, value));
        text = after;
    }
    Ok(attributes)
}

fn check_entities(text: &str) -> Result<(), String> {
    let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    let lost = text.split('&').skip(1).find(|after| !known.iter().any(|entity| after.starts_with(entity)));
    lost.map_or(Ok(()), |after| {
        Err(format!("a bare & before {:?}", after.chars().take(20).collect::<String>()))
    })
}

#[test]
fn what_is_not_well_formed_is_found() {
    for broken in [
        "<p>a",
        "<p>a</b></p>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<p id=a></p>",
        "<p>a & b</p>",
        "<a href=\"#b\">b</a>",
        "<img src=\"b\">",
        "a < b",
    ] {
        assert!(check_well_formed(&format!("<!DOCTYPE html>\n{broken}")).is_err(), "{broken}");
    }
    assert_eq!(check_well_formed("<!DOCTYPE html>\n<p id=\"a\">a &amp; <a href=\"#a\">b</a></p>"), Ok(()));
}

#[test]
fn introductions_say_what_holds() {
    let catalogue = Catalogue::embedded();
    let introduction = |name, version| page(&catalogue, name, version).introduction;
    let sizes = "Sizes below include the leading int32 size prefix.";
    let made = "This page encodes the smallest legal instance of the request and the response";
    assert_eq!(
        introduction("Heartbeat", Some(4)),
        format!(
            "{made}: numeric fields are zero, and strings are empty. Fields that may be null are not null. Version 4 is a flexible \
             version, so every struct is terminated by a uvarint tagged-field count and strings carry compact length-plus-one \
             prefixes. {sizes}"
        )
    );
    assert_eq!(
        introduction("Heartbeat", Some(0)),
        format!(
            "{made}: numeric fields are zero, and strings are empty. Version 0 is not a flexible version, so no struct has a \
             tagged-field count and strings carry int16 length prefixes. {sizes}"
        )
    );
    let whole = "numeric fields are zero, strings and byte arrays are empty, every array carries exactly one sample element, and any \
                 records field holds one empty 61-byte RecordBatch v2.";
    assert_eq!(
        introduction("ControlledShutdown", Some(0)),
        format!(
            "{made}: {whole} Version 0 is not a flexible version, so no struct has a tagged-field count, strings carry int16 length \
             prefixes, and arrays carry int32 ones. The request has header v0, not v1: ControlledShutdown v0 has no client id. {sizes}"
        )
    );
    assert_eq!(
        introduction("Produce", Some(2)),
        format!(
            "{made}: {whole} Fields that may be null are not null. Version 2 is not a flexible version, so no struct has a tagged-field count, strings carry int16 length \
             prefixes, and records fields and arrays carry int32 ones. A request whose Acks is 0 gets no response, and the one \
             below is such a request; the response below answers one with another Acks. Kafka calls this version deprecated. {sizes}"
        )
    );
    let versions = introduction("ApiVersions", None);
    let header = "The response has header v0, not v1: ApiVersions responses keep v0 in every version, so that any client can read them.";
    assert!(versions.contains(header), "{versions}");
    assert!(
        versions.contains("A response with error code 35 (UNSUPPORTED_VERSION) comes in version 0: "),
        "{versions}"
    );
    let oldest = introduction("ApiVersions", Some(0));
    assert!(oldest.contains("The request's body has no fields."), "{oldest}");
    assert!(!oldest.contains("header"), "{oldest}");
}

#[test]
fn the_newest_stable_version_is_shown() {
    let catalogue = Catalogue::embedded();
    let version = |name| default_version(&catalogue, catalogue.find_api(name).unwrap());
    assert_eq!((version("DescribeTransactions"), version("Fetch")), (Some(0), Some(18)));
    // The newest of this one is not stable.
    assert_eq!(
        (version("InitProducerId"), catalogue.find_api("InitProducerId").unwrap().versions.high()),
        (Some(5), 6)
    );
    let unstable = page(&catalogue, "InitProducerId", Some(6)).introduction;
    assert!(
        unstable.contains("This version is not stable yet: a later release may still change it."),
        "{unstable}"
    );
}

#[test]
fn definitions_that_a_user_brings_have_pages() {
    let mut catalogue = Catalogue::embedded();
    let request = r#"{ "apiKey": 900, "type": "request", "name": "PingRequest", "validVersions": "0-1", "flexibleVersions": "1+",
        // Kafka's files have comments.
        "fields": [ { "name": "Note", "type": "string", "versions": "0+", "about": "</pre><script>alert('&')</script>" } ] }"#;
    let response = r#"{ "apiKey": 900, "type": "response", "name": "PingResponse", "validVersions": "1", "flexibleVersions": "none",
        "fields": [ { "name": "Raw", "type": "bytes", "versions": "0+" } ] }"#;
    let files = [("a".to_owned(), request.to_owned()), ("b".to_owned(), response.to_owned())];
    catalogue.overlay(&files).unwrap();
    let page = page(&catalogue, "Ping", None);
    let html = html(&page);
    check_well_formed(&html).unwrap();
    assert_eq!(html.matches("<script>").count(), 1);
    assert_eq!(
        page.introduction,
        "This page encodes the smallest legal instance of the request and the response: strings and byte arrays are empty. \
         Version 1 of the request is a flexible version, so every struct is terminated by a uvarint tagged-field count and strings \
         carry compact length-plus-one prefixes. Version 1 of the response is not a flexible version, so no struct has a \
         tagged-field count and byte arrays carry int32 length prefixes. Sizes below include the leading int32 size prefix."
    );
    let fact = |name| page.facts.iter().find(|fact| fact.0 == name).map(|fact| fact.1.as_str());
    assert_eq!(fact("Flexible versions"), Some("req 1+, resp none"));
    assert_eq!((fact("Request versions"), fact("Response versions")), (Some("0-1"), Some("1")));
    assert_eq!(fact("Headers"), Some("req v2, resp v0"));
    assert!(text(&page).contains(request) && text(&page).contains(response));
    // Version 0 has no response.
    assert!(ApiPage::new(&catalogue, catalogue.find_api("Ping").unwrap(), 0).is_none());
}

#[test]
fn the_sample_page_is_what_the_program_makes() {
    let made = printed(&["page", "DescribeTransactions", "--format", "html"]);
    let sample = fs::read_to_string(samples().join("describe_transactions.html")).unwrap();
    assert!(
        made == sample,
        "samples/README.md says how to make samples/describe_transactions.html again; look at it before you commit it"
    );
}

#[test]
fn a_page_goes_to_a_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("heartbeat.html");
    let path = file.to_str().unwrap();
    assert_eq!(printed(&["page", "Heartbeat", "--format", "html", "-o", path]), "");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        printed(&["page", "heartbeat", "--format", "html", "-o", "-"])
    );
    let lost = folder.join("no such folder/page.txt");
    let output = kdissect(&["page", "Heartbeat", "-o", lost.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("kdissect: {}: ", lost.display())), "{error}");
}
