import { describe, expect, test } from "bun:test"
import { addressKey, CallerIp } from "../../src/accounts/ip-address.ts"

describe("the client's IP address behind proxies", () => {
  const trusted = ["10.0.0.0/8", "127.0.0.1", "fd00::/8"]
  const cases: [
    name: string,
    trust: string[],
    peer: string,
    header: string | null,
    caller: string,
  ][] = [
    ["no header", trusted, "10.1.1.1", null, "10.1.1.1"],
    ["no proxy is trusted", [], "127.0.0.1", "203.0.113.9", "127.0.0.1"],
    ["the peer is not a trusted proxy", trusted, "198.51.100.7", "203.0.113.9", "198.51.100.7"],
    ["one proxy", trusted, "10.1.1.1", "203.0.113.9", "203.0.113.9"],
    ["two proxies", trusted, "127.0.0.1", "203.0.113.9, 10.2.2.2", "203.0.113.9"],
    ["a forged first hop", trusted, "10.1.1.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["a forged private hop", trusted, "10.1.1.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"],
    ["only proxies", trusted, "10.1.1.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["with ports", trusted, "10.1.1.1", "203.0.113.9:4711", "203.0.113.9"],
    ["IPv6 with a port", trusted, "10.1.1.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["IPv6 proxy", trusted, "fd00::1", "2001:db8::7", "2001:db8::7"],
    ["mapped IPv4 peer", trusted, "::ffff:10.1.1.1", "203.0.113.9", "203.0.113.9"],
    ["rubbish", trusted, "10.1.1.1", "unknown", "10.1.1.1"],
    ["rubbish before a hop", trusted, "10.1.1.1", "' OR 1=1, 203.0.113.9", "203.0.113.9"],
    ["rubbish behind a hop", trusted, "10.1.1.1", "203.0.113.9, <x>", "10.1.1.1"],
    ["empty", trusted, "10.1.1.1", "", "10.1.1.1"],
  ]
  for (const [name, trust, peer, header, caller] of cases) {
    test(name, () => expect(new CallerIp(trust).of(peer, header)).toBe(caller))
  }

  test("refuses a setting that is not an IP address", () => {
    expect(() => new CallerIp(["10.0.0.0/99"])).toThrow()
    expect(() => new CallerIp(["proxy.example"])).toThrow()
  })
})

describe("the key that a caller is counted by", () => {
  const cases: [address: string, key: string][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ]
  for (const [address, key] of cases) {
    test(address, () => expect(addressKey(address)).toBe(key))
  }
})
