// What kafkajs says, for record_frames.py and record_captures.sh to record: node clients.mjs produce|groups|codecs PORT.
import kafkajs from 'kafkajs';
import snappy from 'kafkajs-snappy';
import LZ4 from 'kafkajs-lz4';
import * as zstd from '@bokuweb/zstd-wasm';

const { Kafka, CompressionTypes, CompressionCodecs, Partitioners, PartitionAssigners, logLevel } = kafkajs;
const TIME = 1_700_000_000_000;

await zstd.init();
CompressionCodecs[CompressionTypes.Snappy] = snappy;
CompressionCodecs[CompressionTypes.LZ4] = new LZ4().codec;
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async (encoder) => Buffer.from(zstd.compress(encoder.buffer, 3)),
  decompress: async (bytes) => Buffer.from(zstd.decompress(bytes)),
});

function order(number, country) {
  const items = [1, 2, 3, 4].map((i) => ({ article: `A-${100 + i}`, count: i }));
  return JSON.stringify({ order: number, country, items });
}

function kafka(clientId, port) {
  return new Kafka({ clientId, brokers: [`127.0.0.1:${port}`], logLevel: logLevel.ERROR });
}

async function produce(port) {
  const codecs = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
  for (const [partition, codec] of codecs.entries()) {
    const client = kafka(`order-service-${codec}`, port);
    const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    const messages = [
      { key: 'order-1001', value: order(1001, 'DE'), headers: { source: 'web', attempt: Buffer.of(1) }, timestamp: `${TIME}` },
      { key: 'order-1002', value: order(1002, 'FR'), timestamp: `${TIME + 20}` },
      { key: 'order-1001', value: null, headers: { reason: 'cancelled' }, timestamp: `${TIME + 35}` },
      { key: null, value: order(1003, 'DE'), timestamp: `${TIME + 10}` },
    ].map((message) => ({ ...message, partition }));
    await producer.send({ topic: 'orders', compression: partition, messages });
    await producer.disconnect();
  }
}

// It reads only as a member of a group.
async function codecs(port) {
  await produce(port);
  const consumer = kafka('billing-service', port).consumer({ groupId: 'billing-js', maxWaitTimeInMs: 500 });
  await consumer.connect();
  await consumer.subscribe({ topics: ['orders'], fromBeginning: true });
  const read = new Promise((resolve) => {
    let left = 20;
    consumer.run({ eachMessage: async () => --left || resolve() });
    setTimeout(resolve, 15_000);
  });
  await read;
  await consumer.disconnect();
}

async function groups(port) {
  const members = [];
  for (const number of [1, 2]) {
    const client = kafka(`shipping-service-round-robin-${number}`, port);
    const consumer = client.consumer({
      groupId: 'shipping-round-robin',
      partitionAssigners: [PartitionAssigners.roundRobin],
      rackId: `rack-${number}`,
      heartbeatInterval: 500,
    });
    await consumer.connect();
    await consumer.subscribe({ topics: ['orders', 'countries'], fromBeginning: true });
    const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
    await consumer.run({ eachMessage: async () => {} });
    await joined;
    members.push(consumer);
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
  for (const consumer of members) await consumer.disconnect();
}

await { produce, groups, codecs }[process.argv[2]](process.argv[3]);
process.exit(0);
