import { afterAll, describe, expect, test } from "bun:test"
import { createSocket } from "node:dgram"
import { resolveRecords } from "../../../../src/engine/net/network/dns.ts"

const types = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
}

const name = (dotted: string) => Buffer.concat([...dotted.split(".").map(short), Buffer.from([0])])
const short = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
const numbers = (...words: number[]) =>
  Buffer.from(words.flatMap((word) => [word >> 8, word & 255]))

/** The record data that the stub returns for every name that exists. */
const data: Record<number, Buffer[]> = {
  [types.A]: [Buffer.from([93, 184, 215, 14])],
  [types.AAAA]: [Buffer.from("26062800021f00000000000000000001", "hex")],
  [types.NS]: [name("ns.a.test")],
  [types.CNAME]: [name("b.test")],
  [types.SOA]: [
    Buffer.concat([name("ns.a.test"), name("host.a.test"), numbers(0, 1, 0, 2, 0, 3, 0, 4, 0, 5)]),
  ],
  [types.PTR]: [name("p.a.test")],
  [types.MX]: [Buffer.concat([numbers(10), name("mx.a.test")])],
  [types.TXT]: [
    short("v=spf1 -all"),
    Buffer.concat([short("k".repeat(255)), short("rest")]),
    short("last"),
  ],
  [types.SRV]: [Buffer.concat([numbers(1, 2, 80), name("s.a.test")])],
  [types.CAA]: [Buffer.concat([Buffer.from([0]), short("issue"), Buffer.from("ca.test")])],
}

/** A name server that knows `a.test`, and fails for other names as they say. */
const server = createSocket("udp4")
server.on("message", (query, from) => {
  const end = query.indexOf(0, 12)
  const requested = query.toString("latin1", 13, end)
  if (requested.startsWith("silent")) return
  const type = query.readUInt16BE(end + 1)
  const found = requested.startsWith("a") ? (data[type] ?? []) : []
  const code = requested.startsWith("absent") ? 3 : requested.startsWith("broken") ? 2 : 0
  const records = (code === 0 ? found : []).map((bytes) =>
    Buffer.concat([numbers(0xc00c, type, 1, 0, 300, bytes.length), bytes]),
  )
  const head = numbers(query.readUInt16BE(0), 0x8180 | code, 1, records.length, 0, 0)
  const response = Buffer.concat([head, query.subarray(12, end + 5), ...records])
  server.send(response, from.port, from.address)
})
await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve))
afterAll(() => server.close())

const ask = (requested: string, type: string, signal = new AbortController().signal) =>
  resolveRecords(requested, type, signal, [`127.0.0.1:${server.address().port}`])

describe("records as node:dns returns them", () => {
  const rows: [string, unknown][] = [
    ["A", [{ address: "93.184.215.14", ttl: 300 }]],
    ["aaaa", [{ address: "2606:2800:21f::1", ttl: 300 }]],
    ["NS", ["ns.a.test"]],
    ["CNAME", ["b.test"]],
    ["PTR", ["p.a.test"]],
    ["MX", [{ priority: 10, exchange: "mx.a.test" }]],
    ["TXT", [["v=spf1 -all"], ["k".repeat(255), "rest"], ["last"]]],
    ["SRV", [{ priority: 1, weight: 2, port: 80, name: "s.a.test" }]],
    ["CAA", [{ critical: 0, issue: "ca.test" }]],
    [
      "SOA",
      {
        nsname: "ns.a.test",
        hostmaster: "host.a.test",
        serial: 1,
        refresh: 2,
        retry: 3,
        expire: 4,
        minttl: 5,
      },
    ],
  ]
  for (const [type, wanted] of rows) {
    test(type, async () => expect((await ask("a.test", type)) as unknown).toEqual(wanted))
  }
})

describe("lookups that fail", () => {
  const rows: [string, string, string][] = [
    ["absent.test", "MX", "not_found"],
    ["empty.test", "MX", "not_found"],
    ["broken.test", "MX", "dns"],
    ["a.test", "LOC", "invalid_input"],
  ]
  for (const [requested, type, code] of rows) {
    test(`${type} of ${requested} is ${code}`, async () => {
      expect(await ask(requested, type).catch((error) => error.code)).toBe(code)
    })
  }

  test("waiting ends with the run", async () => {
    const control = new AbortController()
    setTimeout(() => control.abort(new Error("the run has ended")), 30)
    const failure = await ask("silent.test", "A", control.signal).catch((error) => error.message)
    expect(failure).toBe("the run has ended")
  })
})
