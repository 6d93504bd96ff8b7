//! Any bytes as a capture, and as packets of any link type: nothing panics, and no segment has more data than it had on the wire.

#![no_main]

use kdissect::capture::file::is_capture;
use kdissect::capture::{Layers, Packet, PacketReader, Time};
use libfuzzer_sys::fuzz_target;

fn check(layers: &mut Layers, packet: &Packet<'_>) {
    if let Ok(Some(segment)) = layers.segment(packet) {
        assert!(segment.payload.len() <= segment.length as usize);
        assert_eq!(segment.packet, packet.number);
    }
}

fuzz_target!(|input: &[u8]| {
    is_capture(input);
    let (mut reader, mut layers) = (PacketReader::new(input), Layers::new());
    let mut number = 0;
    while let Some(packet) = reader.next_packet() {
        if let Ok(packet) = packet {
            assert!(packet.number > number);
            assert!(packet.data.len() <= packet.original_length as usize);
            number = packet.number;
            check(&mut layers, &packet);
        }
        reader.take_notes().for_each(|note| drop(note.to_string()));
    }
    // Without a file around them: length, link type, packet, over and over.
    let mut layers = Layers::new();
    let mut rest = input;
    let mut number = 0;
    while let Some(([length, high, low], data)) = rest.split_first_chunk() {
        let (data, after) = data.split_at(data.len().min(usize::from(*length)));
        number += 1;
        let link_type = u16::from_be_bytes([*high, *low]);
        let time = Some(Time(number as i64 * 1_000_000_000));
        check(&mut layers, &Packet { number, time, link_type, data, original_length: data.len() as u32 });
        rest = after;
    }
    layers.finish();
    layers.take_notes().for_each(|note| drop(note.to_string()));
});
