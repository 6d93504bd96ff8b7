//! What real tools print, read back. Tools that are missing are skipped with a message.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::tests::{FRAME, Random};
use super::*;

/// What the tool prints when it reads these bytes; `None` with a message if the tool is missing or fails.
pub(super) fn run(tool: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let started = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        println!("skipped, {tool} is missing");
        return None;
    };
    // Small enough for the pipe, so that nobody waits for anybody.
    assert!(input.len() < 60_000);
    let written = child.stdin.take().expect("it is piped").write_all(input);
    let output = child.wait_with_output().expect("it was started");
    if written.is_err() || !output.status.success() {
        println!("skipped, {tool} {arguments:?} does not run here");
        return None;
    }
    Some(output.stdout)
}

fn check(what: &str, output: &[u8], notation: Notation, bytes: &[u8]) {
    let shown = String::from_utf8_lossy(output);
    assert_eq!(recognise(output), Some(notation), "{what}\n{shown}");
    match decode(output, notation) {
        Ok(decoded) => assert_eq!(decoded, bytes, "{what}\n{shown}"),
        Err(error) => panic!("{what}: {error}\n{shown}"),
    }
}

/// Sends the frame and random ones through a tool that prints bytes.
fn round_trip(tool: &str, arguments: &[&str], notation: Notation) {
    let what = format!("{tool} {arguments:?}");
    let mut random = Random::new(&what);
    let mut inputs = vec![FRAME.to_vec()];
    // These two take long to start.
    let count = if matches!(tool, "python3" | "node") { 3 } else { 12 };
    inputs.extend((0..count).map(|_| random.frame()));
    for bytes in inputs {
        let Some(output) = run(tool, arguments, &bytes) else { return };
        check(&what, &output, notation, &bytes);
    }
}

#[test]
fn xxd() {
    for arguments in [
        &[][..],
        &["-u"],
        &["-g1"],
        &["-g4"],
        &["-g4", "-u"],
        &["-g16", "-c32"],
        &["-g0", "-c7"],
        &["-g3", "-c", "10"],
        &["-g1", "-c", "1"],
        &["-c", "256"],
        &["-a"],
        &["-d"],
        &["-o", "4096"],
    ] {
        round_trip("xxd", arguments, Notation::Xxd);
    }
    round_trip("xxd", &["-p"], Notation::Hex);
    round_trip("xxd", &["-p", "-u", "-c", "5"], Notation::Hex);
    round_trip("xxd", &["-i"], Notation::List);
    round_trip("xxd", &["-i", "-u"], Notation::List);
}

#[test]
fn xxd_with_the_name_of_a_file() {
    round_trip("sh", &["-c", "f=$(mktemp) && cat >$f && xxd -i $f && rm $f"], Notation::List);
}

#[test]
fn hexdump() {
    round_trip("hexdump", &["-C"], Notation::HexdumpC);
    round_trip("hexdump", &["-v", "-C"], Notation::HexdumpC);
    round_trip("hexdump", &["-v", "-e", "16/1 \"%02x \" \"\\n\""], Notation::Hex);
    for arguments in [&["-v"][..], &["-x"], &["-d"], &["-o"], &["-b"]] {
        if let Some(output) = run("hexdump", arguments, FRAME) {
            assert_eq!(recognise(&output), Some(Notation::Hexdump), "{arguments:?}");
            let error = decode(&output, Notation::Hexdump).unwrap_err();
            assert_eq!(error.line(), 1);
        }
    }
}

#[test]
fn od() {
    for arguments in [
        &["-tx1"][..],
        &["-v", "-tx1"],
        &["-A", "x", "-tx1"],
        &["-v", "-A", "d", "-tx1"],
        &["-tx1z"],
        &["-A", "x", "-tx1z"],
        &["-v", "-An", "-tx1z"],
        &["-tx1", "-w7"],
        &["-v", "-tx1z", "-w5"],
    ] {
        round_trip("od", arguments, Notation::OdHex);
    }
    round_trip("od", &["-v", "-An", "-tx1"], Notation::Hex);
    for arguments in [&[][..], &["-x"], &["-A", "x", "-x"], &["-tx4"], &["-b"], &["-tu2"]] {
        if let Some(output) = run("od", arguments, FRAME) {
            assert_eq!(recognise(&output), Some(Notation::Hexdump), "{arguments:?}");
        }
    }
}

#[test]
fn python() {
    let print = |expression: &str| format!("import sys; b = sys.stdin.buffer.read(); print({expression})");
    for (expression, notation) in [
        ("b", Notation::Escapes),
        ("bytearray(b)", Notation::Escapes),
        ("list(b)", Notation::List),
        ("b.hex()", Notation::Hex),
        ("b.hex(':')", Notation::Hex),
        ("b.hex(' ', 4)", Notation::Hex),
        ("b.hex(',')", Notation::Hex),
        ("'bytes(' + str(list(b)) + ')'", Notation::List),
        ("__import__('array').array('b', b)", Notation::List),
        ("', '.join('0x%02x' % x for x in b)", Notation::List),
        ("','.join(str(x) for x in b)", Notation::List),
        ("''.join(chr(92) + 'x%02x' % x for x in b)", Notation::Escapes),
        ("__import__('pprint').pformat(b)", Notation::Escapes),
    ] {
        round_trip("python3", &["-c", &print(expression)], notation);
    }
}

#[test]
fn node() {
    let log = |expression: &str| {
        format!(
            "require('buffer').INSPECT_MAX_BYTES = 1e6; \
             require('util').inspect.defaultOptions.maxArrayLength = null; \
             const b = require('fs').readFileSync(0); console.log({expression})"
        )
    };
    for (expression, notation) in [
        ("b", Notation::List),
        ("new Uint8Array(b)", Notation::List),
        ("new Int8Array(b)", Notation::List),
        ("Array.from(b)", Notation::List),
        ("JSON.stringify(b)", Notation::List),
        ("JSON.stringify(b, null, 2)", Notation::List),
        ("b.toString('hex')", Notation::Hex),
    ] {
        round_trip("node", &["-e", &log(expression)], notation);
    }
}

#[test]
fn node_cuts_long_buffers_short() {
    for expression in ["b", "new Uint8Array(b)"] {
        let script = format!("const b = Buffer.alloc(200, 7); console.log({expression})");
        if let Some(output) = run("node", &["-e", &script], &[]) {
            assert_eq!(recognise(&output), Some(Notation::List));
            let error = decode(&output, Notation::List).unwrap_err();
            assert!(error.message().contains("cut short"), "{error}");
        }
    }
}

#[test]
fn go() {
    const PROGRAM: &str = r#"package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

func main() {
	b, _ := io.ReadAll(os.Stdin)
	fmt.Printf("%v\x00%#v\x00%q\x00%+q\x00%x\x00% X\x00%#x\x00%# x\x00", b, b, b, b, b, b, b, b)
	fmt.Printf("%s\x00", hex.Dump(b))
	s := make([]int8, len(b))
	for i := range b {
		s[i] = int8(b[i])
	}
	fmt.Printf("%#v\x00%v", s, s)
}
"#;
    use Notation::{Escapes, Hex, HexdumpC, List};
    let folder = std::env::temp_dir().join(format!("kdissect-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (source, program) = (folder.join("main.go"), folder.join("main"));
    std::fs::write(&source, PROGRAM).expect("a temporary file");
    let paths = [program.to_string_lossy(), source.to_string_lossy()];
    let built = run("go", &["build", "-o", &paths[0], &paths[1]], &[]);
    let mut random = Random::new("go");
    let mut inputs = vec![FRAME.to_vec()];
    inputs.extend((0..20).map(|_| random.frame()));
    for bytes in inputs.into_iter().filter(|_| built.is_some()) {
        let output = run(&paths[0], &[], &bytes).expect("it was built");
        let notations = [List, List, Escapes, Escapes, Hex, Hex, Hex, List, HexdumpC, List, List];
        let parts: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
        assert_eq!(parts.len(), notations.len());
        for (part, notation) in parts.into_iter().zip(notations) {
            check("go", part, notation, &bytes);
        }
    }
    std::fs::remove_dir_all(&folder).expect("it was made above");
}

#[test]
fn rust() {
    let mut random = Random::new("rust");
    for _ in 0..50 {
        let bytes = random.frame();
        for (text, notation) in [
            (format!("{bytes:?}"), Notation::List),
            (format!("{bytes:#?}"), Notation::List),
            (format!("{bytes:#x?}"), Notation::List),
            (format!("{bytes:02x?}"), Notation::List),
            (format!("b\"{}\"", bytes.escape_ascii()), Notation::Escapes),
        ] {
            check("rust", text.as_bytes(), notation, &bytes);
        }
    }
}

#[test]
fn base64_tools() {
    let mut random = Random::new("base64");
    for _ in 0..20 {
        let bytes = random.frame();
        let Some(output) = run("base64", &[], &bytes) else { return };
        let text = String::from_utf8(output).expect("base64 is ASCII");
        assert_eq!(decode_base64(&text).as_deref(), Ok(&bytes[..]), "{text}");
        let safe = text.replace('+', "-").replace('/', "_").replace(['=', '\n'], "");
        assert_eq!(decode_base64(&safe).as_deref(), Ok(&bytes[..]), "{safe}");
    }
}
