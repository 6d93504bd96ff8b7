//! Any bytes as a capture, and as packets of any link type: nothing panics, no segment has more data than it had on the wire, and every byte of
//! a message is in one leaf.

#![no_main]

use std::sync::LazyLock;

use kdissect::capture::file::is_capture;
use kdissect::capture::{
    Layers, Message, Output, Packet, PacketReader, Remark, Session, Settings, Time, TopicNames,
};
use kdissect::schema::Catalogue;
use kdissect::tree::{Limits, Tree};
use libfuzzer_sys::fuzz_target;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::embedded);

struct Checked;

impl Output for Checked {
    fn message(&mut self, message: &mut Message<'_>, _: &TopicNames) {
        message.tree.check_tiling(message.frame.bytes.len()).unwrap();
    }

    fn remark(&mut self, remark: &Remark) {
        remark.to_string();
    }
}

fn check(layers: &mut Layers, packet: &Packet<'_>) {
    if let Ok(Some(segment)) = layers.segment(packet) {
        assert!(segment.payload.len() <= segment.length as usize);
        assert_eq!(segment.packet, packet.number);
    }
}

fuzz_target!(|input: &[u8]| {
    is_capture(input);
    let (mut reader, mut layers) = (PacketReader::new(input), Layers::new());
    let mut tree = Tree::new();
    tree.limits = Limits { decompressed: 1 << 20, ..Limits::default() };
    let mut session = Session::new(&CATALOGUE, tree, Settings::default());
    let mut number = 0;
    while let Some(packet) = reader.next_packet() {
        if let Ok(packet) = packet {
            assert!(packet.number > number);
            assert!(packet.data.len() <= packet.original_length as usize);
            number = packet.number;
            check(&mut layers, &packet);
            session.packet(&packet, &mut Checked);
        }
        reader.take_notes().for_each(|note| drop(note.to_string()));
    }
    session.finish(&mut Checked);
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
