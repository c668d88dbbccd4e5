import { describe, expect, test } from "bun:test"
import type { Transport, WireResponse } from "../../../../src/engine/net/http/exchange.ts"
import { Robots } from "../../../../src/engine/net/http/robots.ts"
import { parseRobots } from "../../../../src/engine/net/http/robots-rules.ts"

const site = "http://a.test"
const allows = (text: string, path: string) =>
  parseRobots(`${site}/robots.txt`, text, "Trawl").allows(site + path)

/** The rules of RFC 9309, each with a path that is allowed and one that is not. */
const rows: [string, string, string[], string[]][] = [
  ["nothing at all", "", ["/", "/x"], []],
  ["one group for all", "User-agent: *\nDisallow: /x", ["/", "/y"], ["/x", "/x/y", "/xy"]],
  [
    "our own group before the general one",
    "User-agent: *\nDisallow: /\n\nUser-agent: trawl\nDisallow: /x",
    ["/", "/y"],
    ["/x"],
  ],
  [
    "groups of one agent are merged",
    "User-agent: Trawl\nDisallow: /a\n\nUser-agent: other\nDisallow: /\n\nUser-agent: TRAWL\nDisallow: /b",
    ["/c"],
    ["/a", "/b"],
  ],
  [
    "several agents in one group",
    "User-agent: other\nUser-agent: trawl\nDisallow: /a",
    ["/b"],
    ["/a"],
  ],
  ["the agent's letter case does not matter", "User-Agent: tRaWl\nDisallow: /", [], ["/", "/x"]],
  ["a version after the token", "User-agent: Trawl/1.0\nDisallow: /a", ["/b"], ["/a"]],
  ["names of rules in any case", "user-AGENT: *\nDISALLOW: /a\naLLow: /a/b", ["/a/b"], ["/a/c"]],
  ["white space around", "  User-agent  :  *  \n\t Disallow \t: /a ", ["/b"], ["/a"]],
  [
    "the longest match wins",
    "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c",
    ["/a/b", "/a/b/d"],
    ["/a", "/a/b/c"],
  ],
  ["in any order of lines", "User-agent: *\nAllow: /a/b\nDisallow: /a", ["/a/b"], ["/a/c"]],
  ["a tie goes to allow", "User-agent: *\nDisallow: /a\nAllow: /a", ["/a"], []],
  ["an empty disallow allows all", "User-agent: *\nDisallow:", ["/", "/a"], []],
  ["paths keep their letter case", "User-agent: *\nDisallow: /A", ["/a"], ["/A"]],
  ["a star for any run", "User-agent: *\nDisallow: /*.pdf", ["/a"], ["/a.pdf", "/x/y.pdf?z"]],
  [
    "a dollar for the end",
    "User-agent: *\nDisallow: /*.pdf$",
    ["/a.pdf?x", "/a.pdf/b"],
    ["/a.pdf"],
  ],
  ["a dollar elsewhere is a dollar", "User-agent: *\nDisallow: /a$b", ["/a"], ["/a$b"]],
  ["the query counts", "User-agent: *\nDisallow: /a?b=", ["/a", "/a?c=1"], ["/a?b=1"]],
  ["comments", "# first\nUser-agent: * # all\nDisallow: /a # this\n#Disallow: /b", ["/b"], ["/a"]],
  ["a byte order mark", "\ufeffUser-agent: *\nDisallow: /a", ["/b"], ["/a"]],
  ["line ends of all kinds", "User-agent: *\r\nDisallow: /a\rDisallow: /b\n", ["/c"], ["/a", "/b"]],
  ["lines between agents and rules", "User-agent: *\n\n\nDisallow: /a", ["/b"], ["/a"]],
  [
    "unknown lines",
    "Foo: bar\nUser-agent: *\nHost: a.test\nDisallow: /a\nCrawl-delay: 3",
    ["/b"],
    ["/a"],
  ],
  ["rules before any agent", "Disallow: /\nUser-agent: *\nDisallow: /a", ["/b"], ["/a"]],
  ["a group for others alone", "User-agent: other\nDisallow: /", ["/", "/a"], []],
  [
    "escapes on either side",
    "User-agent: *\nDisallow: /a%20b\nDisallow: /ü",
    ["/a"],
    ["/a%20b", "/%C3%BC"],
  ],
  [
    "a sitemap does not end a group",
    "User-agent: *\nSitemap: http://a.test/s.xml\nDisallow: /a",
    ["/b"],
    ["/a"],
  ],
]

describe("robots.txt", () => {
  for (const [name, text, allowed, refused] of rows) {
    test(name, () => {
      for (const path of allowed) expect(allows(text, path), `allows ${path}`).toBe(true)
      for (const path of refused) expect(allows(text, path), `refuses ${path}`).toBe(false)
    })
  }

  test("Crawl-delay applies up to ten seconds, and sitemaps are listed", () => {
    const rules = parseRobots(
      `${site}/robots.txt`,
      "User-agent: *\nCrawl-delay: 60\nSitemap: http://a.test/s.xml",
      "Trawl",
    )
    expect(rules.crawlDelay).toBe(10)
    expect(rules.sitemaps).toEqual(["http://a.test/s.xml"])
  })
})

/** A transport that responds from a table and counts its requests. */
function answering(pages: Record<string, [number, string, string?] | Error>) {
  const requested: string[] = []
  const transport: Transport = {
    async send({ url }): Promise<WireResponse> {
      requested.push(url)
      const page = pages[url] ?? [404, ""]
      if (page instanceof Error) throw page
      const [status, body, location] = page
      return {
        status,
        headers: new Headers(location ? { location } : {}),
        bytes: new TextEncoder().encode(body),
        via: "http",
        firstByte: null,
      }
    },
  }
  return { transport, requested }
}

describe("fetching it", () => {
  const { signal } = new AbortController()
  const disallow = "User-agent: *\nDisallow: /"
  const far = (hops: number) =>
    Object.fromEntries(
      Array.from({ length: hops }, (_, hop) => [
        hop === 0 ? `${site}/robots.txt` : `${site}/${hop}`,
        [301, "", `/${hop + 1}`] as [number, string, string],
      ]),
    )
  const rows: [string, Record<string, [number, string, string?] | Error>, boolean][] = [
    ["200 counts", { [`${site}/robots.txt`]: [200, disallow] }, false],
    ["404 allows all", { [`${site}/robots.txt`]: [404, disallow] }, true],
    ["403 allows all", { [`${site}/robots.txt`]: [403, ""] }, true],
    ["500 refuses all", { [`${site}/robots.txt`]: [500, ""] }, false],
    ["an unreachable host refuses all", { [`${site}/robots.txt`]: new Error("refused") }, false],
    ["five redirects are followed", { ...far(5), [`${site}/5`]: [200, disallow] }, false],
    ["more are not", { ...far(7), [`${site}/7`]: [200, disallow] }, true],
    [
      "content after 500 KiB is not read",
      { [`${site}/robots.txt`]: [200, `${"#".repeat(520_000)}\n${disallow}`] },
      true,
    ],
  ]
  for (const [name, pages, allowed] of rows) {
    test(name, async () => {
      const robots = new Robots(answering(pages).transport, { now: () => 0 })
      expect((await robots.rules(`${site}/page`, signal)).allows(`${site}/page`)).toBe(allowed)
    })
  }

  test("one file per origin, for an hour; sooner after a failure", async () => {
    let now = 0
    const { transport, requested } = answering({
      [`${site}/robots.txt`]: [200, ""],
      "http://b.test/robots.txt": [503, ""],
    })
    const robots = new Robots(transport, { now: () => now })
    for (const path of ["/1", "/2"]) await robots.rules(site + path, signal)
    expect(requested).toHaveLength(1)
    await robots.rules("http://b.test/", signal)
    now = 400_000
    await robots.rules(`${site}/3`, signal)
    await robots.rules("http://b.test/", signal)
    expect(requested.filter((url) => url.startsWith("http://b.test"))).toHaveLength(2)
    expect(requested.filter((url) => url.startsWith(site))).toHaveLength(1)
    now = 3_700_000
    await robots.rules(`${site}/4`, signal)
    expect(requested.filter((url) => url.startsWith(site))).toHaveLength(2)
  })

  test("by the proxy of the run, and once for each country", async () => {
    const exits: unknown[] = []
    const transport: Transport = {
      send: async ({ exit }) => {
        exits.push(exit)
        return { status: 404, headers: new Headers(), bytes: new Uint8Array() } as WireResponse
      },
    }
    const robots = new Robots(transport, { now: () => 0 })
    const first = { run: "r1", account: "", country: "de" }
    await robots.rules(`${site}/1`, signal, first)
    await robots.rules(`${site}/2`, signal, { ...first, run: "r2" })
    await robots.rules(`${site}/1`, signal, { ...first, country: "fr" })
    await robots.rules(`${site}/1`, signal)
    expect(exits).toEqual([first, { ...first, country: "fr" }, undefined])
  })
})
