//! Captures of real traffic yield their TCP segments.

mod common;

use std::fs::{self, File};
use std::path::PathBuf;

use common::capture_files::{Captured, Compression, Order, Pcap, compress, pcap};
use common::packets::{GRE_KEY, Layer, TcpSegment, link_type, wrap};
use kdissect::capture::file::is_capture;
use kdissect::capture::{Layers, PacketReader};

fn captures() -> Vec<PathBuf> {
    let Some(folder) = common::corpus("captures") else { return Vec::new() };
    [common::files(&folder, "pcap"), common::files(&folder, "pcapng")].concat()
}

/// All segments, with the number of bytes that were captured of each, and their times; without a note.
fn segments(read: impl std::io::Read) -> Vec<(TcpSegment, usize, i64)> {
    let (mut reader, mut layers) = (PacketReader::new(read), Layers::new());
    let mut segments = Vec::new();
    while let Some(packet) = reader.next_packet() {
        if let Some(segment) = layers.segment(&packet.unwrap()).unwrap() {
            let time = segment.time.unwrap().0;
            segments.push((TcpSegment::read(&segment), segment.payload.len(), time));
        }
        assert_eq!(reader.take_notes().collect::<Vec<_>>(), []);
        assert_eq!(layers.take_notes().collect::<Vec<_>>(), []);
    }
    segments
}

#[test]
fn every_capture_gives_its_segments() {
    for path in captures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(is_capture(&fs::read(&path).unwrap()[..100]), "{name}");
        let segments = segments(File::open(&path).unwrap());
        let with_data = segments.iter().filter(|(segment, ..)| !segment.payload.is_empty()).count();
        assert!(with_data > 0, "{name}");
        let is_cut = segments.iter().any(|(segment, captured, _)| segment.payload.len() > *captured);
        assert_eq!(is_cut, name.contains("snap120"), "{name}");
        println!("{name}: {} segments, {with_data} with data", segments.len());
    }
}

/// The same segments in other files and under other layers are the same.
#[test]
fn captures_transformed() {
    for path in captures().into_iter().filter(|path| fs::metadata(path).unwrap().len() < 50_000) {
        let segments = segments(File::open(&path).unwrap());
        for stack in [
            &[Layer::Raw, Layer::Ip][..],
            &[Layer::Cooked, Layer::Vlan(0x88a8), Layer::Vlan(0x8100), Layer::IpOptions],
            &[Layer::Ethernet, Layer::Outer6, Layer::Gre(GRE_KEY), Layer::Ethernet, Layer::Ip],
        ] {
            let packets = segments.iter().map(|(segment, captured, time)| {
                let packet = Captured::whole(*time, wrap(segment, stack));
                let missing = segment.payload.len() - captured;
                let captured = packet.data.len() - missing;
                packet.cut(captured)
            });
            let file = pcap(&packets.collect::<Vec<_>>(), Order::Big, Pcap::Nanoseconds, link_type(stack[0]));
            assert_eq!(self::segments(&file[..]), segments, "{path:?}");
            for compression in Compression::ALL {
                assert_eq!(self::segments(&compress(&file, compression)[..]), segments, "{path:?}");
            }
        }
    }
}
