//! A new recording by `tests/kafka/record.sh`, in a folder of its own that goes again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A folder that is removed with all that is in it.
pub struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("dump_tool_{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left is below cargo's own folder and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Records, or says why that cannot be done here.
pub fn record() -> Result<Folder, String> {
    // Without javac it is no JDK, and java does not run a source file.
    for program in ["bash", "java", "javac", "mvn"] {
        let found =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return Err(format!("there is no {program}"));
        }
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kafka");
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // What scripts put there goes with the folder, whatever happens to them.
    let mut script = Command::new("bash");
    script.arg(scripts.join("classpath.sh")).env("TMPDIR", folder.path());
    let answer = run(script, folder.path(), Duration::from_secs(60));
    if !answer.succeeded() {
        let reason = answer.err.lines().find(|line| line.contains("ERROR")).unwrap_or("it took too long");
        return Err(format!("Maven has no Kafka for us: {reason}"));
    }
    let mut script = Command::new("bash");
    script.arg(scripts.join("record.sh")).arg(path("recorded"));
    script.env("TMPDIR", folder.path()).env("KAFKA_CLASSPATH", answer.out.trim());
    let answer = run(script, folder.path(), Duration::from_secs(180));
    assert!(answer.succeeded(), "record.sh: {:?}\n{}{}", answer.status, answer.out, answer.err);
    Ok(folder)
}

/// How a script ended.
struct Answer {
    /// `None` if it took too long.
    status: Option<ExitStatus>,
    out: String,
    err: String,
}

impl Answer {
    fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// Runs a script. What it says goes to files, since nobody reads from pipes meanwhile.
fn run(mut script: Command, folder: &Path, most: Duration) -> Answer {
    let (out, err) = (folder.join("out"), folder.join("err"));
    script.stdin(Stdio::null());
    script.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
    let mut child = script.spawn().unwrap();
    let status = wait(&mut child, most);
    if status.is_none() {
        // The script fails with what it waits for, and then stops its broker.
        let parent = child.id().to_string();
        let _ = Command::new("pkill").args(["-TERM", "-P", &parent]).status();
        if wait(&mut child, Duration::from_secs(70)).is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
    let text = |path| fs::read_to_string(path).unwrap_or_default();
    Answer { status, out: text(out), err: text(err) }
}

fn wait(child: &mut Child, most: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + most;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() > until {
            return None;
        }
        sleep(Duration::from_millis(100));
    }
}
