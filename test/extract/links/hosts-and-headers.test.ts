import { describe, expect, test } from "bun:test"
import { linkWithRel, retryAfterSeconds } from "../../../src/extract/core/index.ts"
import { readHost, registrableDomain, unicodeDomain } from "../../../src/extract/links/domains.ts"

describe("hosts in users' input", () => {
  test.each([
    ["Example.COM", { name: "example.com", isIp: false, port: null }],
    [" https://example.com:8443/a?b ", { name: "example.com", isIp: false, port: 8443 }],
    ["example.com:443", { name: "example.com", isIp: false, port: null }],
    ["example.com.", { name: "example.com", isIp: false, port: null }],
    ["bücher.example", { name: "xn--bcher-kva.example", isIp: false, port: null }],
    ["_dmarc.example.com", { name: "_dmarc.example.com", isIp: false, port: null }],
    ["192.0.2.1:22", { name: "192.0.2.1", isIp: true, port: 22 }],
    ["[2001:db8::1]:8443", { name: "2001:db8::1", isIp: true, port: 8443 }],
  ])("%s", (written, host) => {
    expect(readHost(written)).toEqual(host)
  })
  test.each([
    "",
    "localhost",
    "*.example.com",
    "a b.example",
    "me@example.com",
    "-a.example",
    "https://",
  ])("%p is not a host", (written) => {
    expect(readHost(written)).toBeNull()
  })
})

test("registrable domains and their letters", () => {
  expect(registrableDomain("a.b.example.co.uk")).toBe("example.co.uk")
  expect(registrableDomain("co.uk")).toBeNull()
  expect(unicodeDomain("xn--bcher-kva.example")).toBe("bücher.example")
  expect(unicodeDomain("example.com")).toBeNull()
})

test.each([
  [
    '<https://a.test/?page=2>; rel="next", <https://a.test/?page=9>; rel="last"',
    "https://a.test/?page=2",
  ],
  ['<https://a.test/1>; rel="prev", <https://a.test/3>; rel=next', "https://a.test/3"],
  ['<https://blog.test/notice>; rel="deprecation"; type="text/html"', null],
  ['<https://a.test/2>; title="x"; rel="alternate next"', "https://a.test/2"],
  ["", null],
  [null, null],
])("the next page in %p", (header, address) => {
  expect(linkWithRel(header, "next")).toBe(address)
})

test.each([
  [{ "retry-after": "30" }, 30],
  [{ "retry-after": "Wed, 01 May 2024 00:00:10 GMT" }, 10],
  [{ "retry-after": "Tue, 30 Apr 2024 00:00:00 GMT" }, 0],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1714521660" }, 60],
  [{ "x-ratelimit-remaining": "5", "x-ratelimit-reset": "1714521660" }, null],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "60" }, null],
  [{}, null],
])("the wait after %p", (headers, seconds) => {
  const now = Date.parse("2024-05-01T00:00:00Z")
  expect(retryAfterSeconds(new Headers(headers as Record<string, string>), now)).toBe(seconds)
})
