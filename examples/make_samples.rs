//! Makes the files in `samples/` that are made by this project's own encoder.
//!
//! ```text
//! cargo run --example make_samples
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use Direction::{Request, Response};
use kdissect::schema::{Catalogue, Direction};
use kdissect::values;
use kdissect::wire::Decoder;
use kdissect::wire::assemble::{HeaderValues, assemble, plans};
use kdissect::wire::compile::compile;
use kdissect::wire::encode::encode;
use kdissect::wire::instance::EMPTY_BATCH;
use kdissect::wire::value::{Struct, TaggedValue, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let catalogue = Catalogue::embedded();
    let mut maker = Maker { decoder: Decoder::new(&catalogue) };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for (name, bytes) in maker.samples() {
        fs::write(samples.join(name), bytes)?;
    }
    Ok(())
}

struct Maker<'c> {
    decoder: Decoder<'c>,
}

/// An array of structures without tagged fields.
fn structs(elements: Vec<Vec<Value>>) -> Value {
    elements.into_iter().map(Struct::from).collect()
}

const ORDERS_ID: [u8; 16] =
    [0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c];

impl Maker<'_> {
    fn samples(&mut self) -> Vec<(&'static str, Vec<u8>)> {
        let metadata_response = self.metadata_response();
        let offset_commit_response = self.frame(
            (Response, 8, 8),
            17,
            Struct::from(values![
                0,
                structs(vec![values![
                    "orders",
                    structs(vec![values![0, 0], values![1, 22], values![2, 27]]),
                ]]),
            ]),
        );
        let list_offsets = self.frame(
            (Request, 2, 5),
            23,
            Struct::from(values![
                -1,
                1,
                structs(vec![values![
                    "orders",
                    structs(vec![values![0, 7, -2], values![1, 7, -1], values![2, 7, 1_700_000_000_000],]),
                ]]),
            ]),
        );
        vec![
            (
                "metadata_request_v1_all_topics.bin",
                self.frame((Request, 3, 1), 2, Struct::from(vec![Value::Null])),
            ),
            ("metadata_response_v12.bin", metadata_response.clone()),
            ("metadata_response_v12_wrong_count.bin", with_wrong_count(metadata_response)),
            ("fetch_request_v12_tagged.bin", self.fetch_request()),
            ("produce_request_v9_acks_0.bin", self.produce_request()),
            ("join_group_request_v5.bin", self.join_group_request()),
            ("offset_commit_response_v8_errors.bin", offset_commit_response),
            ("list_offsets_request_v5_cut.bin", list_offsets[..list_offsets.len() - 11].to_vec()),
            ("conversation.bin", self.conversation()),
        ]
    }

    /// A frame of an API, direction and version. The client is the order service of a shop.
    fn frame(&mut self, message: (Direction, i16, i16), correlation_id: i32, body: Struct) -> Vec<u8> {
        let (direction, key, version) = message;
        let plans = plans(&mut self.decoder, direction, key, version);
        let (header_plan, plan) = plans.expect("there is such a version");
        let header = HeaderValues::new(correlation_id, "order-service");
        assemble(&header_plan, &plan, &header, &body).expect("the values fit")
    }

    fn metadata_response(&mut self) -> Vec<u8> {
        let partition = |error: i64, index: i64, leader: i64, in_sync: &[i64]| {
            values![
                error,
                index,
                leader,
                7,
                Value::from_iter([1, 2]),
                Value::from_iter(in_sync.iter().copied()),
                Value::Array(Vec::new())
            ]
        };
        let body = Struct::from(values![
            0,
            structs(vec![
                values![1, "broker-1.example", 9092, "rack-a"],
                values![2, "broker-2.example", 9092, Value::Null],
            ]),
            "kd1ssectSampleCluster0",
            1,
            structs(vec![values![
                0,
                "orders",
                ORDERS_ID,
                false,
                structs(vec![
                    partition(0, 0, 1, &[1, 2]),
                    partition(0, 1, 2, &[2]),
                    partition(5, 2, -1, &[]),
                ]),
                0b1101_1111_1000,
            ]]),
        ]);
        self.frame((Response, 3, 12), 5, body)
    }

    fn fetch_request(&mut self) -> Vec<u8> {
        let partition = values![0, 7, 1042, -1, -1, 1_048_576];
        let fields = values![
            -1,
            500,
            1,
            52_428_800,
            1,
            0,
            0,
            structs(vec![values!["orders", structs(vec![partition])]]),
            structs(vec![]),
            "rack-a",
        ];
        let tagged = vec![
            (0, TaggedValue::Known("kd1ssectSampleCluster0".into())),
            (77, TaggedValue::Unknown(vec![0xca, 0xfe])),
        ];
        self.frame((Request, 1, 12), 31, Struct { fields, tagged })
    }

    fn produce_request(&mut self) -> Vec<u8> {
        let records = Value::Bytes(EMPTY_BATCH.to_vec());
        let topics = structs(vec![values!["orders", structs(vec![values![2, records]])]]);
        self.frame((Request, 0, 9), 41, Struct::from(values![Value::Null, 0, 30_000, topics]))
    }

    fn join_group_request(&mut self) -> Vec<u8> {
        let definition = self.decoder.catalogue().named("ConsumerProtocolSubscription", 1);
        let plan = definition.and_then(|definition| compile(definition.message(), 1));
        let plan = plan.expect("there is such a definition");
        let mut subscription = 1i16.to_be_bytes().to_vec();
        let topics = Value::Array(values!["orders", "returns"]);
        encode(&plan, &Struct::from(vec![topics, Value::Null, structs(vec![])]), &mut subscription)
            .expect("the values fit");
        let protocols = structs(vec![values!["range", subscription]]);
        let body = values!["billing", 45_000, 300_000, "", "billing-1", "consumer", protocols,];
        self.frame((Request, 11, 5), 3, Struct::from(body))
    }

    /// Requests and their responses in one file, two of them under way at once.
    fn conversation(&mut self) -> Vec<u8> {
        let heartbeat = Struct::from(values!["billing", 3, "billing-1-f00d", "billing-1"]);
        let api = |key, low, high| values![key, low, high];
        let versions =
            structs(vec![api(0, 3, 13), api(1, 4, 18), api(3, 0, 13), api(12, 0, 4), api(18, 0, 5)]);
        [
            self.frame((Request, 18, 3), 1, Struct::from(values!["kdissect-samples", "1.0"])),
            self.frame((Response, 18, 3), 1, Struct::from(values![0, versions, 0])),
            self.frame((Request, 12, 4), 2, heartbeat),
            self.frame((Request, 3, 1), 3, Struct::from(vec![structs(vec![values!["orders"]])])),
            self.frame((Response, 12, 4), 2, Struct::from(values![0, 27])),
            self.frame(
                (Response, 3, 1),
                3,
                Struct::from(values![
                    structs(vec![values![1, "broker-1.example", 9092, Value::Null]]),
                    1,
                    structs(vec![values![3, "orders", false, structs(vec![])]]),
                ]),
            ),
        ]
        .concat()
    }
}

/// Makes the count of the topics, which is 1, say 100.
fn with_wrong_count(mut frame: Vec<u8>) -> Vec<u8> {
    let name = b"\x07orders";
    let at = frame.windows(name.len()).position(|window| window == name).expect("the topic is there");
    // Before the name: the error code, and before that the count.
    frame[at - 3] = 101;
    frame
}
