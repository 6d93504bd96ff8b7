//! Commands with their whole output, side by side: `tests/cli/*.md`, and the README's own examples.
//!
//! `TRYCMD=overwrite cargo test --test command_line` accepts new output; read the difference before you commit it.

#[test]
fn commands_print_what_stands_beside_them() {
    trycmd::TestCases::new().case("tests/cli/*.md").case("README.md");
}
