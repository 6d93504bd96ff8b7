// What franz-go says, for record_frames.py and record_captures.sh to record: go run . produce|large|groups|codecs PORT.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const start = 1_700_000_000_000

var names = []string{"none", "gzip", "snappy", "lz4", "zstd"}

var codecs = []kgo.CompressionCodec{
	kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
}

func order(number int, country string) string {
	var items []string
	for i := 1; i <= 4; i++ {
		items = append(items, fmt.Sprintf(`{"article":"A-%d","count":%d}`, 100+i, i))
	}
	return fmt.Sprintf(`{"order":%d,"country":"%s","items":[%s]}`, number, country, strings.Join(items, ","))
}

func client(id string, options ...kgo.Opt) *kgo.Client {
	options = append(options, kgo.SeedBrokers("127.0.0.1:"+os.Args[2]), kgo.ClientID(id), kgo.DisableClientMetrics())
	made, err := kgo.NewClient(options...)
	if err != nil {
		log.Fatal(err)
	}
	return made
}

func send(id string, codec kgo.CompressionCodec, records ...*kgo.Record) {
	producer := client(id,
		kgo.ProducerBatchCompression(codec),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		// Long enough for all records to meet in one batch.
		kgo.ProducerLinger(300*time.Millisecond))
	defer producer.Close()
	if err := producer.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		log.Fatal(err)
	}
}

func record(topic string, partition int, later int64, key, value string, headers ...kgo.RecordHeader) *kgo.Record {
	made := &kgo.Record{
		Topic: topic, Partition: int32(partition), Timestamp: time.UnixMilli(start + later), Headers: headers,
	}
	if key != "" {
		made.Key = []byte(key)
	}
	if value != "" {
		made.Value = []byte(value)
	}
	return made
}

func produce() {
	header := func(key, value string) kgo.RecordHeader { return kgo.RecordHeader{Key: key, Value: []byte(value)} }
	for partition, codec := range codecs {
		send("order-service-"+names[partition], codec,
			record("orders", partition, 0, "order-1001", order(1001, "DE"), header("source", "web"), header("attempt", "\x01")),
			record("orders", partition, 20, "order-1002", order(1002, "FR")),
			record("orders", partition, 35, "order-1001", "", header("reason", "cancelled"), kgo.RecordHeader{Key: "note"}),
			record("orders", partition, 10, "", order(1003, "DE")))
	}
}

func codecsBothWays() {
	produce()
	for partition, name := range names {
		offsets := map[int32]kgo.Offset{int32(partition): kgo.NewOffset().AtStart()}
		consumer := client("billing-service-"+name, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{"orders": offsets}),
			kgo.FetchMaxWait(500*time.Millisecond))
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		for consumer.PollFetches(ctx).NumRecords() == 0 && ctx.Err() == nil {
		}
		cancel()
		consumer.Close()
	}
}

// More than 64 KiB, in one Snappy block without the framing of the Java client.
func large() {
	var records []*kgo.Record
	for i := 0; i < 3; i++ {
		value := strings.Repeat(order(2001+i, "IT")+"\n", 225)
		records = append(records, record("countries", 0, int64(i), fmt.Sprintf("order-%d", 2001+i), value))
	}
	send("order-service-large", kgo.SnappyCompression(), records...)
}

func groups() {
	var members []*kgo.Client
	for number := 1; number <= 2; number++ {
		member := client(fmt.Sprintf("shipping-service-cooperative-%d", number),
			kgo.ConsumerGroup("shipping-go"), kgo.ConsumeTopics("orders", "countries"),
			kgo.Balancers(kgo.CooperativeStickyBalancer()), kgo.Rack(fmt.Sprintf("rack-%d", number)),
			kgo.HeartbeatInterval(500*time.Millisecond))
		members = append(members, member)
		go func() {
			for !member.PollFetches(context.Background()).IsClientClosed() {
			}
		}()
		time.Sleep(4 * time.Second)
	}
	for _, member := range members {
		member.Close()
	}
}

func main() {
	map[string]func(){"produce": produce, "large": large, "groups": groups, "codecs": codecsBothWays}[os.Args[1]]()
}
