import { describe, expect, test } from "bun:test"
import { isPublic, parseAddress } from "../../../../src/engine/net/egress/addresses.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"

/**
 * Blocks of the IANA special-purpose registries that are not globally reachable: first and last
 * address, and the neighbours outside (null where the neighbour belongs to another block).
 */
const blocks: [string, string, string, string | null, string | null][] = [
  ["this network", "0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["private 10/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["link-local", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["private 172.16/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["IPv4 service continuity", "192.0.0.0", "192.0.0.7", null, null],
  ["IPv4 dummy address", "192.0.0.8", "192.0.0.8", null, null],
  ["Port Control Protocol anycast", "192.0.0.9", "192.0.0.9", null, null],
  ["relays around NAT anycast", "192.0.0.10", "192.0.0.10", null, null],
  ["NAT64 discovery", "192.0.0.170", "192.0.0.171", null, null],
  ["AS112 v4", "192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"],
  ["AMT", "192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
  ["AS112 direct delegation", "192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"],
  ["documentation 1", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["6to4 relay", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["private 192.168/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["benchmarking", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["documentation 2", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["documentation 3", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["multicast", "224.0.0.0", "239.255.255.255", "223.255.255.255", null],
  ["reserved", "240.0.0.0", "255.255.255.254", null, null],
  ["broadcast", "255.255.255.255", "255.255.255.255", null, null],
  ["IPv6 unspecified", "::", "::", null, null],
  ["IPv6 loopback", "::1", "::1", null, null],
  ["IPv4 mapped, private", "::ffff:10.0.0.0", "::ffff:10.255.255.255", null, null],
  ["IPv4 compatible", "::2", "::ffff:ffff", null, null],
  ["NAT64", "64:ff9b::", "64:ff9b::ffff:ffff", null, null],
  ["local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", null, null],
  ["discard", "100::", "100::ffff:ffff:ffff:ffff", null, null],
  ["dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", null, null],
  [
    "IETF protocol assignments",
    "2001::",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2000:ffff::",
    "2001:200::",
  ],
  ["anycast of protocols", "2001:1::1", "2001:1::3", null, null],
  ["benchmarking v6", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", null, null],
  ["AMT v6", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["AS112 v6", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", null, null],
  ["ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["remote ID of drones", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  [
    "AS112 direct delegation v6",
    "2620:4f:8000::",
    "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
    "2620:4f:7fff:ffff::",
    "2620:4f:8001::",
  ],
  ["Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  [
    "IPv6 documentation",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db7:ffff::",
    "2001:db9::",
  ],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"],
  [
    "IPv6 documentation 2",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3ffe:ffff::",
    "3fff:1000::",
  ],
  ["segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["IPv6 link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["IPv6 multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
]

describe("special-purpose blocks", () => {
  for (const [name, first, last, before, after] of blocks) {
    test(name, () => {
      expect(isPublic(parseAddress(first)!), first).toBe(false)
      expect(isPublic(parseAddress(last)!), last).toBe(false)
      for (const outside of [before, after]) {
        if (outside) expect(isPublic(parseAddress(outside)!), outside).toBe(true)
      }
    })
  }
})

const nobody = new EgressFilter([], async () => {
  throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
})

describe("spellings of private IP addresses", () => {
  const spellings = [
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://127.0.0.1:80/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[::127.0.0.1]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://0/",
    "http://0.0.0.0/",
    "http://127\u30020\u30020\u30021/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://user:password@127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http://127.0.0.1\t/",
    "http:/127.0.0.1/",
    "HTTP://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
  ]
  for (const spelling of spellings) {
    test(JSON.stringify(spelling), async () => {
      const { hostname, port } = new URL(spelling)
      const refused = await nobody
        .resolve(hostname.replace(/^\[|\]$/g, ""), Number(port || 80))
        .then(
          () => "let through",
          (error) => error.code,
        )
      expect(refused).toBe("egress_denied")
    })
  }
})

describe("names", () => {
  const names: Record<string, string[]> = {
    "public.test": ["93.184.215.14"],
    "private.test": ["192.168.0.7"],
    "mixed.test": ["93.184.215.14", "127.0.0.1"],
    "six.test": ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "metadata.google.internal": ["169.254.169.254"],
    "empty.test": [],
  }
  const lookUp = async (name: string) => names[name] ?? nobody.resolve(name, 80)
  const rows: [string, string[], string | string[]][] = [
    ["public.test", [], ["93.184.215.14"]],
    ["PUBLIC.test.", [], ["93.184.215.14"]],
    ["six.test", [], ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["private.test", [], "egress_denied"],
    ["mixed.test", [], "egress_denied"],
    ["empty.test", [], "dns"],
    ["absent.test", [], "dns"],
    [`${"a".repeat(300)}.test`, [], "dns"],
    ["private.test", ["192.168.0.0/16"], ["192.168.0.7"]],
    ["private.test", ["192.168.0.7"], ["192.168.0.7"]],
    ["private.test", ["private.test"], ["192.168.0.7"]],
    ["private.test", ["private.test:80"], ["192.168.0.7"]],
    ["private.test", ["private.test:443"], "egress_denied"],
    ["private.test", ["192.168.0.7:443"], "egress_denied"],
    ["private.test", ["10.0.0.0/8"], "egress_denied"],
    ["mixed.test", ["127.0.0.0/8"], ["93.184.215.14", "127.0.0.1"]],
    ["metadata.google.internal", ["169.254.0.0/16"], "egress_denied"],
    ["metadata.google.internal", ["169.254.169.254"], ["169.254.169.254"]],
  ]
  for (const [name, allow, wanted] of rows) {
    test(`${name.slice(0, 30)} with ${allow.join() || "nothing"} allowed`, async () => {
      const filter = new EgressFilter(allow, lookUp)
      const found = await filter.resolve(name, 80).catch((error) => error.code)
      expect(found).toEqual(wanted)
    })
  }

  test("requests through a proxy are checked alike, unless the proxy resolves names", async () => {
    for (const [name, allow, wanted] of rows) {
      const filter = new EgressFilter(allow, lookUp)
      expect(await filter.checkProxied(name, 80).catch((error) => error.code), name).toEqual(wanted)
    }
    const trusting = new EgressFilter([], lookUp, true)
    expect(await trusting.checkProxied("private.test", 80)).toEqual([])
    for (const literal of ["10.0.0.1", "::1", "169.254.169.254", "localhost", "a.localhost."]) {
      const refused = await trusting.checkProxied(literal, 80).catch((error) => error.code)
      expect(refused, literal).toBe("egress_denied")
    }
  })

  test("parallel lookups of one name ask the resolver once", async () => {
    let lookUps = 0
    const filter = new EgressFilter([], async () => {
      lookUps++
      return ["93.184.215.14"]
    })
    await Promise.all(Array.from({ length: 20 }, () => filter.resolve("public.test", 80)))
    expect(lookUps).toBe(1)
  })

  test("an invalid port is refused", async () => {
    const filter = new EgressFilter([], lookUp)
    for (const port of [0, 65_536]) {
      expect(await filter.resolve("public.test", port).catch((error) => error.code)).toBe(
        "egress_denied",
      )
    }
  })

  test("the refusal has the IP address, and how to allow it", async () => {
    const error = await new EgressFilter([], lookUp)
      .resolve("private.test", 80)
      .catch((caught) => caught)
    expect(error.message).toContain("private.test (192.168.0.7)")
    expect(error.message).toContain("TRAWL_EGRESS_ALLOW")
  })

  test("an invalid entry of the allow-list is named at once", () => {
    for (const entry of ["10.0.0.0/99", "not a host!", "http://a/"]) {
      expect(() => new EgressFilter([entry])).toThrow("TRAWL_EGRESS_ALLOW")
    }
  })
})
