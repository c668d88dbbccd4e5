import { expect, test } from "bun:test"
import { readRecords } from "../../../src/catalogue/dns/record-data.ts"
import type { RecordType } from "../../../src/catalogue/dns/resolvers.ts"

const cases: [RecordType, string, object][] = [
  ["A", "192.0.2.1", { address: "192.0.2.1" }],
  ["NS", "ns1.tides.test.", { value: "ns1.tides.test" }],
  ["MX", "10 mail.tides.test.", { priority: 10, exchange: "mail.tides.test" }],
  ["MX", "0 .", { priority: 0, exchange: "." }],
  ["TXT", "v=spf1 -all", { value: "v=spf1 -all" }],
  ["TXT", '"v=spf1 " "-all"', { value: "v=spf1 -all" }],
  ["TXT", '"a \\"b\\" \\\\ \\059"', { value: 'a "b" \\ ;' }],
  ["CAA", '128 issuewild ";"', { flags: 128, tag: "issuewild", value: ";" }],
  ["CAA", "0 issue letsencrypt.org", { flags: 0, tag: "issue", value: "letsencrypt.org" }],
  ["CAA", "\\# 9 00 05 69 73 73 75 65 61 62", { flags: 0, tag: "issue", value: "ab" }],
  [
    "SOA",
    "ns1.tides.test. h.tides.test. 7 6 5 4 3",
    {
      mname: "ns1.tides.test",
      rname: "h.tides.test",
      serial: 7,
      refresh: 6,
      retry: 5,
      expire: 4,
      minimum: 3,
    },
  ],
]

test.each(cases)("%s %s", (type, data, record) => {
  expect(readRecords(type, [{ ttl: 60, data }])).toEqual([{ ...record, ttl: 60 }])
})
