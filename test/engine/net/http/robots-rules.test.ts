import { describe, expect, test } from "bun:test"
import { parseRobots } from "../../../../src/engine/net/http/robots-rules.ts"

const site = "http://foo.bar"
const allows = (text: string, agent: string, path: string) =>
  parseRobots(`${site}/robots.txt`, text, agent).allows(site + path)

interface Row {
  name: string
  /** Lines of the file. */
  file: string[]
  /** For each crawler, the paths that it may and may not read. */
  says: Record<string, { yes?: string[]; no?: string[] }>
}

const both = (yes: string[], no: string[] = []) => ({ FooBot: { yes, no } })

/** The assertions of the test suite of Google's parser, one row for each of its subjects. */
const rows: Row[] = [
  {
    name: "a line is a name, a colon and a value",
    file: ["user-agent: FooBot", "disallow: /"],
    says: both([], ["/x/y"]),
  },
  {
    name: "lines of other names say nothing",
    file: ["foo: FooBot", "bar: /"],
    says: both(["/x/y"]),
  },
  {
    name: "two words without a colon count",
    file: ["user-agent FooBot", "disallow /"],
    says: both([], ["/x/y"]),
  },
  {
    name: "groups: rules before the first agent apply to no crawler, others are merged",
    file: [
      "allow: /foo/bar/",
      "",
      "user-agent: FooBot",
      "disallow: /",
      "allow: /x/",
      "user-agent: BarBot",
      "disallow: /",
      "allow: /y/",
      "",
      "",
      "allow: /w/",
      "user-agent: BazBot",
      "",
      "user-agent: FooBot",
      "allow: /z/",
      "disallow: /",
    ],
    says: {
      FooBot: { yes: ["/x/b", "/z/d"], no: ["/y/c", "/foo/bar/"] },
      BarBot: { yes: ["/y/c", "/w/a"], no: ["/z/d", "/foo/bar/"] },
      BazBot: { yes: ["/z/d"], no: ["/foo/bar/"] },
    },
  },
  {
    name: "a sitemap between agents does not part them",
    file: ["user-agent: BarBot", "sitemap: http://foo.bar/s.xml", "user-agent: *", "disallow: /"],
    says: { FooBot: { no: ["/x/y"] }, BarBot: { no: ["/x/y"] } },
  },
  {
    name: "nor does an unknown line",
    file: ["user-agent: FooBot", "unheard-of: word", "user-agent: *", "disallow: /"],
    says: { FooBot: { no: ["/x/y"] }, BarBot: { no: ["/x/y"] } },
  },
  {
    name: "names of lines in any letter case",
    file: ["uSeR-aGeNt: FooBot", "AlLoW: /x/", "dIsAlLoW: /"],
    says: both(["/x/y"], ["/a/b"]),
  },
  {
    name: "agents in any letter case",
    file: ["user-agent: fOO bAR", "allow: /x/", "disallow: /"],
    says: { Foo: { yes: ["/x/y"], no: ["/a/b"] }, foo: { yes: ["/x/y"], no: ["/a/b"] } },
  },
  {
    name: "an agent's name ends at the first space",
    file: ["user-agent: *", "disallow: /", "user-agent: Foo Bar", "allow: /x/", "disallow: /"],
    says: { Foo: { yes: ["/x/y"] }, "Foo Bar": { no: ["/x/y"] } },
  },
  {
    name: "and at its version",
    file: ["user-agent: FooBot/1.2", "disallow: /"],
    says: both([], ["/x/y"]),
  },
  {
    name: "a longer name is another agent",
    file: ["user-agent: FooBot-News", "disallow: /"],
    says: both(["/x/y"]),
  },
  { name: "an empty file allows all", file: [], says: both(["/", "/x/y"]) },
  {
    name: "the general group applies to crawlers without a group",
    file: ["user-agent: *", "allow: /", "user-agent: FooBot", "disallow: /"],
    says: { FooBot: { no: ["/x/y"] }, BarBot: { yes: ["/x/y"] } },
  },
  {
    name: "and for no other, whatever it contains",
    file: ["user-agent: *", "disallow: /x/", "user-agent: FooBot", "disallow: /y/"],
    says: both(["/x/page"], ["/y/page"]),
  },
  {
    name: "an own group without rules allows all",
    file: ["user-agent: *", "disallow: /", "", "user-agent: FooBot"],
    says: both(["/x/y"]),
  },
  {
    name: "groups of others alone",
    file: ["user-agent: FooBot", "allow: /", "user-agent: BarBot", "disallow: /"],
    says: { QuxBot: { yes: ["/x/y"] } },
  },
  {
    name: "a star with words after it is still the star",
    file: ["user-agent: * baz", "disallow: /"],
    says: both([], ["/x/y"]),
  },
  {
    name: "a star with letters after it is not",
    file: ["user-agent: *baz", "disallow: /"],
    says: both(["/x/y"]),
  },
  {
    name: "values keep their letter case",
    file: ["user-agent: FooBot", "disallow: /X/"],
    says: both(["/x/y"], ["/X/y"]),
  },
  {
    name: "the longest match: a refusal",
    file: ["user-agent: FooBot", "disallow: /x/page.html", "allow: /x/"],
    says: both(["/x/other"], ["/x/page.html"]),
  },
  {
    name: "the longest match: a permission",
    file: ["user-agent: FooBot", "allow: /x/page.html", "disallow: /x/"],
    says: both(["/x/page.html"], ["/x/", "/x/other"]),
  },
  {
    name: "empty rules say nothing",
    file: ["user-agent: FooBot", "disallow: ", "allow: "],
    says: both(["/x/y"]),
  },
  {
    name: "of two equal rules, the permission",
    file: ["user-agent: FooBot", "disallow: /x", "allow: /x"],
    says: both(["/x"]),
  },
  {
    name: "a slash at the end makes a match longer",
    file: ["user-agent: FooBot", "disallow: /x", "allow: /x/"],
    says: both(["/x/"], ["/x"]),
  },
  {
    name: "a star counts in the length",
    file: ["user-agent: FooBot", "allow: /page", "disallow: /*.html"],
    says: both(["/page"], ["/page.html"]),
  },
  {
    name: "so that a longer path beats it",
    file: ["user-agent: FooBot", "allow: /x/page.", "disallow: /*.html"],
    says: both(["/x/page.html"], ["/x/y.html"]),
  },
  {
    name: "addresses within a query",
    file: ["user-agent: FooBot", "disallow: /", "allow: /a?b=c&d=http://foo.bar?e&f"],
    says: both(["/a?b=c&d=http://foo.bar?e&f"]),
  },
  {
    name: "letters that a path must escape",
    file: ["user-agent: FooBot", "disallow: /", "allow: /a/ツ", "allow: /b/%E3%83%84"],
    says: both(["/a/%E3%83%84", "/a/%e3%83%84", "/b/%E3%83%84", "/b/ツ"]),
  },
  {
    name: "letters that it need not escape",
    file: ["user-agent: FooBot", "disallow: /", "allow: /%62%61%7A"],
    says: both(["/baz", "/%62%61%7A"]),
  },
  {
    name: "a star within a path",
    file: ["user-agent: FooBot", "disallow: /a/b/quz", "allow: /a/*/qux"],
    says: both(["/a/quz", "/a//quz", "/a/bax/quz"], ["/a/b/quz"]),
  },
  {
    name: "a dollar at its end",
    file: ["user-agent: FooBot", "disallow: /a/b$", "allow: /a/b/qux"],
    says: both(["/a/b/qux", "/a/b/", "/a/b/baz"], ["/a/b"]),
  },
  {
    name: "a hash begins a comment",
    file: ["user-agent: FooBot", "# disallow: /", "disallow: /a/quz#qux", "allow: /"],
    says: both(["/a/bar"], ["/a/quz"]),
  },
  {
    name: "an index stands for its folder",
    file: ["user-agent: *", "allow: /a/index.html", "disallow: /"],
    says: both(["/a/", "/a/index.html"], ["/", "/a/other", "/b/"]),
  },
  {
    name: "lines of any length",
    file: [
      "user-agent: FooBot",
      `disallow: /${"a".repeat(2000)}/qux`,
      `allow: /${"b".repeat(9000)}`,
    ],
    says: both(["/fux"], [`/${"a".repeat(2000)}/qux`]),
  },
  {
    name: "a path without a slash before it never matches",
    file: ["user-agent: FooBot", "disallow: x"],
    says: both(["/x"]),
  },
  {
    name: "usual misspellings",
    file: ["useragent: FooBot", "dissallow: /a", "disalow: /b", "diasllow: /c"],
    says: both(["/d"], ["/a", "/b", "/c"]),
  },
  {
    name: "carriage returns alone end lines too",
    file: ["user-agent: foo\rallow: /some/path\ruser-agent: bar\r\n\r\n\r\ndisallow: /"],
    says: { bar: { no: ["/x"] }, foo: { yes: ["/x", "/some/path"] } },
  },
  {
    name: "robots.txt itself is always allowed",
    file: ["user-agent: *", "disallow: /"],
    says: both(["/robots.txt"]),
  },
]

describe("the cases of Google's parser", () => {
  for (const { name, file, says } of rows) {
    test(name, () => {
      const text = file.join("\n")
      for (const [agent, { yes = [], no = [] }] of Object.entries(says)) {
        for (const path of yes) expect(allows(text, agent, path), `${agent} ${path}`).toBe(true)
        for (const path of no) expect(allows(text, agent, path), `${agent} ${path}`).toBe(false)
      }
    })
  }
})

/** Patterns of Google's documentation: an allow next to `disallow: /`. */
const patterns: [string, string[], string[]][] = [
  [
    "/fish",
    ["/fish", "/fish.html", "/fish/a", "/fishheads", "/fish?id=a"],
    ["/", "/Fish", "/a/fish"],
  ],
  ["/fish*", ["/fish", "/fish.html", "/fishheads/a"], ["/Fish", "/catfish"]],
  ["/fish/", ["/fish/", "/fish/a", "/fish/?a"], ["/fish", "/fish.html", "/Fish/a"]],
  ["/*.php", ["/a.php", "/a/b.php", "/a.php?b", "//a/b.php.c", "/a.php/"], ["/a", "/a.PHP"]],
  ["/*.php$", ["/a.php", "/a/b.php"], ["/a.php?b", "/a.php/", "/a.php5", "/a.PHP"]],
  ["/fish*.php", ["/fish.php", "/fishheads/catfish.php?a"], ["/Fish.PHP"]],
  ["/a;b", ["/a;b", "/a;bc?d"], ["/a"]],
]

describe("patterns", () => {
  for (const [pattern, yes, no] of patterns) {
    test(pattern, () => {
      const text = `user-agent: FooBot\ndisallow: /\nallow: ${pattern}\n`
      for (const path of yes) expect(allows(text, "FooBot", path), path).toBe(true)
      for (const path of no) expect(allows(text, "FooBot", path), path).toBe(false)
    })
  }

  test("a pattern made to be slow is matched in time", () => {
    const text = `user-agent: *\ndisallow: /${"a*".repeat(5000)}b$`
    expect(allows(text, "FooBot", `/${"a".repeat(50_000)}`)).toBe(true)
  })
})

test("a crawl delay belongs to its group, and sitemaps to all", () => {
  const text = [
    "sitemap: /s.xml",
    "user-agent: *",
    "crawl-delay: 5",
    "",
    "user-agent: FooBot",
    "crawl-delay: 2.5",
    "sitemap: https://other.test/t.xml",
  ].join("\n")
  const forAgent = (agent: string) => parseRobots(`${site}/robots.txt`, text, agent)
  expect(forAgent("FooBot").crawlDelay).toBe(2.5)
  expect(forAgent("BarBot").crawlDelay).toBe(5)
  expect(forAgent("BarBot").sitemaps).toEqual(["http://foo.bar/s.xml", "https://other.test/t.xml"])
})
