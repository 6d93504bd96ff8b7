//! Compressed captures, decompressed as their bytes come.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const LZ4: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// Two to this is how far a zstd frame may refer back: 128 MiB, as much as `zstd --ultra` uses without `--long=31`.
const MOST_WINDOW: u32 = 27;

/// A stream whose first bytes were read before.
type Begun<R> = Chain<Cursor<Vec<u8>>, R>;

/// A stream, decompressed if its first bytes say that it is compressed.
pub(super) enum Decompressed<R: Read> {
    /// Nothing was read yet: making a reader does not wait for a stream that has not begun.
    New(Option<R>),
    Plain(Begun<R>),
    Gzip(Box<MultiGzDecoder<Begun<R>>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<Begun<R>>>>),
    Lz4(Box<FrameDecoder<BufReader<Begun<R>>>>),
}

impl<R: Read> Decompressed<R> {
    pub fn new(read: R) -> Decompressed<R> {
        Decompressed::New(Some(read))
    }

    fn begin(mut read: R) -> io::Result<Decompressed<R>> {
        let mut magic = Vec::with_capacity(4);
        read.by_ref().take(4).read_to_end(&mut magic)?;
        let is_gzip = magic.starts_with(&GZIP);
        let (is_zstd, is_lz4) = (magic == ZSTD, magic == LZ4);
        let begun = Cursor::new(magic).chain(read);
        Ok(if is_gzip {
            Decompressed::Gzip(Box::new(MultiGzDecoder::new(begun)))
        } else if is_zstd {
            let mut decoder = zstd::stream::read::Decoder::new(begun)?;
            decoder.window_log_max(MOST_WINDOW)?;
            Decompressed::Zstd(Box::new(decoder))
        } else if is_lz4 {
            Decompressed::Lz4(Box::new(FrameDecoder::new(BufReader::new(begun))))
        } else {
            Decompressed::Plain(begun)
        })
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Decompressed::New(read) = self {
            match read.take() {
                Some(read) => *self = Decompressed::begin(read)?,
                None => return Ok(0),
            }
        }
        match self {
            Decompressed::New(_) => Ok(0),
            Decompressed::Plain(read) => read.read(buffer),
            Decompressed::Gzip(read) => read.read(buffer),
            Decompressed::Zstd(read) => read.read(buffer),
            Decompressed::Lz4(read) => loop {
                match read.read(buffer)? {
                    // A frame is over, and another may follow.
                    0 if !read.get_mut().fill_buf()?.is_empty() => {}
                    len => return Ok(len),
                }
            },
        }
    }
}
