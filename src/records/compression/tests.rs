//! What goes in comes out, in every framing there is; what is wrong is told as what it is.

use super::{Codec, Fault};
use crate::tree::ProblemKind;

/// Text that compresses, of any length.
fn text(len: usize) -> Vec<u8> {
    (0..len / 16 + 1).flat_map(|line| format!("order {line:09}\n").into_bytes()).take(len).collect()
}

fn decompress(
    codec: Codec,
    input: &[u8],
    limit: usize,
) -> (Vec<u8>, Option<Fault>, Vec<(usize, ProblemKind)>) {
    let mut out = Vec::new();
    let outcome = codec.decompress(input, limit, &mut out);
    let parts: usize = outcome.parts.iter().map(|part| part.len).sum();
    assert!(outcome.parts.is_empty() || outcome.fault.is_some() || parts == input.len(), "parts tile");
    (out, outcome.fault, outcome.remarks)
}

#[test]
fn what_goes_in_comes_out() {
    for codec in Codec::ALL {
        assert_eq!(Codec::numbered(codec.number()), Some(codec));
        for len in [0, 1, 100, 40_000, 300_000] {
            let compressed = codec.compress(&text(len));
            let result = decompress(codec, &compressed, 1 << 20);
            assert_eq!(result, (text(len), None, Vec::new()), "{codec:?} {len}");
        }
    }
    assert_eq!((Codec::numbered(0), Codec::numbered(5)), (None, None));
}

#[test]
fn several_frames_one_after_the_other_are_all_read() {
    for codec in [Codec::Gzip, Codec::Lz4, Codec::Zstd] {
        let two = [codec.compress(&text(70_000)), codec.compress(b"more")].concat();
        let (out, fault, _) = decompress(codec, &two, 1 << 20);
        assert_eq!((out, fault), ([text(70_000), b"more".to_vec()].concat(), None), "{codec:?}");
    }
}

#[test]
fn more_than_the_limit_is_too_large_and_as_much_is_not() {
    for codec in Codec::ALL {
        for len in [1000, 300_000] {
            let compressed = codec.compress(&text(len));
            assert_eq!(decompress(codec, &compressed, len).1, None, "{codec:?} {len}");
            let (out, fault, _) = decompress(codec, &compressed, len - 1);
            assert_eq!(fault, Some(Fault::TooLarge), "{codec:?} {len}");
            assert!(out.len() <= len, "{codec:?} {len}");
        }
    }
}

/// Cut anywhere, and with any byte changed: it ends, nothing panics, and what comes out is the beginning of what went in, or a fault is told.
#[test]
fn broken_data_is_told() {
    let whole = text(3000);
    for codec in Codec::ALL {
        let compressed = codec.compress(&whole);
        for cut in 1..compressed.len() {
            let (out, fault, _) = decompress(codec, &compressed[..cut], 1 << 20);
            // The framing of snappy-java may end after its header or any chunk.
            assert!(fault.is_some() || (codec, cut) == (Codec::Snappy, 16), "{codec:?} cut at {cut}");
            assert!(whole.starts_with(&out), "{codec:?} cut at {cut}");
        }
        for at in 0..compressed.len() {
            for flip in [1, 0x80, 0xff] {
                let mut broken = compressed.clone();
                broken[at] ^= flip;
                let (out, fault, _) = decompress(codec, &broken, 1 << 16);
                assert!(out.len() <= (1 << 16) + 1, "{codec:?} {at} {fault:?}");
            }
        }
    }
    for codec in Codec::ALL {
        let fault = decompress(codec, &[0xff; 40], 1 << 20).1;
        assert!(matches!(fault, Some(Fault::Corrupt { .. })), "{codec:?} {fault:?}");
    }
}

#[test]
fn snappy_is_framed_only_if_all_of_the_magic_is_there() {
    let bare = |text: &[u8]| snap::raw::Encoder::new().compress_vec(text).unwrap();
    assert_eq!(decompress(Codec::Snappy, &bare(&text(100_000)), 1 << 20).0, text(100_000));
    // A bare block of 130 bytes begins like the magic.
    let one = bare(&text(130));
    assert_eq!(one[0], 0x82);
    assert_eq!(decompress(Codec::Snappy, &one, 1 << 20), (text(130), None, Vec::new()));
    // Redpanda once wrote the versions the other way round.
    let mut odd = Codec::Snappy.compress(&text(70_000));
    odd[8..16].copy_from_slice(&[1, 0, 0, 0, 1, 0, 0, 0]);
    let (out, fault, remarks) = decompress(Codec::Snappy, &odd, 1 << 20);
    assert_eq!((out, fault, remarks), (text(70_000), None, vec![(8, ProblemKind::XerialVersion)]));
    let chunk = |length: u32, block: &[u8]| [&odd[..16], &length.to_be_bytes(), block].concat();
    let empty = decompress(Codec::Snappy, &chunk(0, b""), 1 << 20).1;
    assert_eq!(empty, Some(Fault::Corrupt { at: 16, what: "a chunk cannot be empty" }));
    assert_eq!(decompress(Codec::Snappy, &chunk(100, &one), 1 << 20).1, Some(Fault::Ends));
    // It says that 4 GiB come out.
    let bomb = decompress(Codec::Snappy, &[0xff, 0xff, 0xff, 0xff, 0x0f, 0], usize::MAX >> 1).1;
    assert!(matches!(bomb, Some(Fault::Corrupt { at: 0, .. })), "{bomb:?}");
}

#[test]
fn checksums_of_lz4_frames_are_told_and_do_not_stop() {
    let good = Codec::Lz4.compress(&text(100));
    let (header, rest) = good.split_at(6);
    assert_eq!(rest[0], 0x82, "the header of a frame of independent blocks of 64 KiB");
    let with = |checksum: u8| [header, &[checksum], &rest[1..]].concat();
    let remarks =
        |checksum, old| vec![(6, ProblemKind::Lz4HeaderChecksum { stored: checksum, computed: 0x82, old })];
    // 1a is what old clients wrote.
    assert_eq!(decompress(Codec::Lz4, &with(0x1a), 1 << 20), (text(100), None, remarks(0x1a, true)));
    assert_eq!(decompress(Codec::Lz4, &with(0x55), 1 << 20), (text(100), None, remarks(0x55, false)));

    let mut info = lz4_flex::frame::FrameInfo::new();
    for (linked, content_size, content_checksum, block_checksums) in
        [(true, None, true, false), (false, Some(200_000), false, true), (true, Some(200_000), true, true)]
    {
        use std::io::Write;
        info.block_mode =
            if linked { lz4_flex::frame::BlockMode::Linked } else { lz4_flex::frame::BlockMode::Independent };
        info.content_size = content_size;
        info.content_checksum = content_checksum;
        info.block_checksums = block_checksums;
        let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info.clone(), Vec::new());
        encoder.write_all(&text(200_000)).unwrap();
        let mut frame = encoder.finish().unwrap();
        assert_eq!(decompress(Codec::Lz4, &frame, 1 << 20), (text(200_000), None, Vec::new()));
        if content_checksum {
            *frame.last_mut().unwrap() ^= 1;
            let (out, fault, remarks) = decompress(Codec::Lz4, &frame, 1 << 20);
            assert_eq!((out, fault), (text(200_000), None));
            let at = frame.len() - 4;
            assert!(
                matches!(remarks[..], [(place, ProblemKind::Lz4Checksum { what: "content", .. })] if place == at)
            );
        }
    }
}
