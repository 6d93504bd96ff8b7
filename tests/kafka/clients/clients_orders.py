"""The made-up orders that the clients in Python write."""

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
TIME = 1_700_000_000_000


def order(number, country):
    items = ",".join(f'{{"article":"A-{100 + i}","count":{i}}}' for i in range(1, 5))
    return f'{{"order":{number},"country":"{country}","items":[{items}]}}'
