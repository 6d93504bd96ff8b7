//! Tests of the page's colours and of escaping.

use std::collections::HashMap;

use super::STYLE;
use super::escape::Escaped;

/// The custom properties that a block of the style sheet gives colours to.
fn palette(block: &str) -> HashMap<&str, [f64; 3]> {
    let block = block.split_once('}').unwrap().0;
    block
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.split_once(": #"))
        .map(|(name, hex)| {
            let part = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
            assert_eq!(hex.len(), 6, "{name}");
            (name, [part(0), part(2), part(4)])
        })
        .collect()
}

/// Relative luminance, as WCAG 2 defines it.
fn luminance(colour: [f64; 3]) -> f64 {
    let linear = |value: f64| {
        let value = value / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_text_can_be_read_on_every_ground_in_light_and_dark() {
    assert_eq!((contrast([0.0; 3], [255.0; 3]) * 100.0).round(), 2100.0);
    let blocks: Vec<&str> = STYLE.split(":root {").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    let texts = ["text", "dim", "frame", "header", "request", "batch", "record", "response", "tagged"];
    for block in blocks {
        let palette = palette(block);
        assert_eq!(palette.len(), texts.len() + 5);
        let colour = |name: &str| palette[format!("--{name}").as_str()];
        for ground in ["ground", "raised", "lit"] {
            for text in texts {
                let contrast = contrast(colour(text), colour(ground));
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
            }
        }
        // What shows which byte or field is lit is no text: 3 is enough (WCAG 1.4.11).
        for ground in ["ground", "lit"] {
            let contrast = contrast(colour("edge"), colour(ground));
            assert!(contrast >= 3.0, "edge on {ground}: {contrast:.2}");
        }
    }
    // No colour is given anywhere else.
    assert_eq!(STYLE.matches(": #").count(), 2 * (texts.len() + 5));
}

#[test]
fn nothing_of_a_text_is_taken_for_markup() {
    let text = "a<b> & \"c\" 'd' \u{1b}[31m\u{0}\té";
    assert_eq!(
        Escaped(text).to_string(),
        "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \u{fffd}[31m\u{fffd}\té"
    );
}
