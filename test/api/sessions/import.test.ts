import { describe, expect, test } from "bun:test"
import { ApiError } from "../../../src/api/http/errors.ts"
import { checkedHosts, checkedLogin, sitesOf } from "../../../src/api/sessions/check.ts"
import { importedState, isHost } from "../../../src/api/sessions/import.ts"

const brief = (provided: unknown, hosts?: string[]) => {
  const { state, hosts: own } = importedState(provided, hosts)
  const cookies = state.cookies.map(
    ({ name, value, host, hostOnly }) => `${name}=${value} ${hostOnly ? "" : "."}${host}`,
  )
  return { cookies, hosts: own, origins: state.origins }
}

const netscape = [
  "# Netscape HTTP Cookie File",
  "",
  "#HttpOnly_.shop.example\tTRUE\t/\tTRUE\t1999999999\tsid\tabc",
  "www.shop.example\tFALSE\t/cart\tFALSE\t0\tcart\t",
].join("\r\n")

const extension = [
  {
    name: "sid",
    value: "abc",
    domain: ".shop.example",
    hostOnly: false,
    path: "/",
    secure: true,
    httpOnly: true,
    expirationDate: 1999999999.5,
    sameSite: "lax",
  },
  { name: "theme", value: "", domain: "shop.example", hostOnly: true, session: true },
]

const playwright = {
  cookies: [{ name: "sid", value: "abc", domain: "shop.example", path: "/", expires: -1 }],
  origins: [
    { origin: "https://app.shop.example", localStorage: [{ name: "token", value: "t" }] },
    { origin: "https://ads.example", localStorage: [{ name: "x", value: "y" }] },
  ],
}

const curls: [string, string][] = [
  [
    "for a shell",
    `curl 'https://shop.example/a?b=1' \\\n  -H 'accept: */*' \\\n  -b 'sid=abc; t=a"b' \\\n  --compressed`,
  ],
  [
    "with a header",
    `curl -X POST --data-raw 'a=1' "https://shop.example/" -H "Cookie: sid=abc; t=a\\"b"`,
  ],
  ["for Windows", `curl ^"https://shop.example/^" ^\r\n  -H ^"Cookie: sid=abc; t=a^\\^"b^"`],
  ["with escapes", `curl 'https://shop.example/' -H $'cookie: sid=abc; t=a\\u0022b'`],
]

describe("an import of cookies", () => {
  test("reads cookies.txt", () => {
    const { state } = importedState(netscape)
    expect(state.cookies).toEqual([
      {
        ...{ name: "sid", value: "abc", host: "shop.example", hostOnly: false, path: "/" },
        ...{ secure: true, httpOnly: true, expires: 1999999999000 },
      },
      {
        ...{ name: "cart", value: "", host: "www.shop.example", hostOnly: true, path: "/cart" },
        ...{ secure: false, httpOnly: false, expires: null },
      },
    ])
    expect(importedState(netscape).hosts).toEqual(["shop.example"])
  })

  test("reads lists of browser extensions, as JSON and as text", () => {
    const cookies = ["sid=abc .shop.example", "theme= shop.example"]
    for (const provided of [extension, JSON.stringify(extension), { cookies: extension }]) {
      expect(brief(provided)).toEqual({ cookies, hosts: ["shop.example"], origins: [] })
    }
  })

  test("reads a storageState, and leaves out other hosts", () => {
    const { hosts, origins } = brief(playwright, ["shop.example"])
    expect(hosts).toEqual(["shop.example"])
    expect(origins).toEqual([{ origin: "https://app.shop.example", entries: [["token", "t"]] }])
  })

  test.each(curls)("reads a cURL command %s", (_, command) => {
    const { cookies, hosts } = brief(command)
    expect(cookies).toEqual(["sid=abc shop.example", 't=a"b shop.example'])
    expect(hosts).toEqual(["shop.example"])
  })

  test("reads pairs for the given hosts", () => {
    expect(brief("Cookie: a=1; b=2", ["shop.example"]).cookies).toEqual([
      "a=1 shop.example",
      "b=2 shop.example",
    ])
  })

  test("narrows a cookie of a parent domain to the given hosts", () => {
    const narrowed = brief(extension, ["app.shop.example", "pay.shop.example"])
    expect(narrowed.cookies).toEqual(["sid=abc .app.shop.example", "sid=abc .pay.shop.example"])
  })

  const cookie = (more: object) => [{ name: "a", value: "1", domain: "shop.example", ...more }]
  const refusals: [unknown, string, string[]?][] = [
    ["hello", "Pass a Netscape cookies.txt"],
    ["a=1", "have no host"],
    ["[{", "not valid JSON"],
    [42, "Pass a Netscape"],
    [{ cookies: {} }, "must be lists"],
    [[{ name: "a" }], "Cookie 0"],
    [[], "has no cookies"],
    [netscape, "only of shop.example", ["other.example"]],
    ["a\tb\n", "Line 1"],
    ["curl 'https://shop.example/'", "no Cookie header"],
    ["curl -H 'cookie: a=1'", "has no URL"],
    [cookie({ value: "1;2" }), 'The value of the cookie "a"'],
    [cookie({ value: "x".repeat(5000) }), "too long"],
    [cookie({ name: "a b" }), '"a b" is not a valid cookie name'],
    [cookie({ domain: "co.uk" }), '"co.uk" is not a host'],
    [cookie({ domain: "shop.example/x" }), "is not a host"],
    [Array.from({ length: 501 }, (_, at) => cookie({ name: `a${at}` })[0]), "more than 500"],
  ]
  for (const [provided, message, hosts] of refusals) {
    test(`refuses ${JSON.stringify(provided).slice(0, 60)}`, () => {
      const refused = () => importedState(provided, hosts)
      expect(refused).toThrow(ApiError)
      expect(refused).toThrow(message)
    })
  }
})

test("hosts are hosts, not public suffixes", () => {
  expect(checkedHosts(["https://Shop.Example/login", ".a.example", "*.b.example"])).toEqual([
    "shop.example",
    "a.example",
    "b.example",
  ])
  expect(["localhost", "127.0.0.1", "[::1]", "shop.co.uk"].every(isHost)).toBe(true)
  expect(["co.uk", "com.", "a b", "", "shop.example:80"].some(isHost)).toBe(false)
  expect(() => checkedHosts(["shop.example", "github.io"])).toThrow('"github.io"')
})

describe("a log-in recipe", () => {
  const steps = (...more: object[]) => ({
    steps: [{ type: "goto", url: "https://login.shop.co.uk/" }, ...more] as never,
    secrets: {},
  })
  test("is for the sites of its pages", () => {
    expect(sitesOf(checkedLogin(steps()))).toEqual(["shop.co.uk"])
  })

  test("keeps secrets that are not given again, and drops those that no step uses", () => {
    const fill = { type: "fill", selector: "#p", secret: "password" }
    const before = { steps: [], secrets: { password: "old", other: "x" } }
    expect(checkedLogin(steps(fill), before).secrets).toEqual({ password: "old" })
    const after = checkedLogin({ ...steps(fill), secrets: { password: "new" } }, before)
    expect(after.secrets).toEqual({ password: "new" })
  })

  const wrong: [object, string][] = [
    [{ type: "fill", selector: "#p", secret: "password" }, 'no secret "password"'],
    [{ type: "fill", selector: "#p" }, "steps[1].text: a fill needs"],
    [{ type: "fill", selector: "#p", text: "a", secret: "b" }, "not both"],
    [{ type: "click", selector: "p[" }, "steps[1].selector"],
    [{ type: "wait" }, "a wait needs"],
  ]
  test.each(wrong)("refuses the step %j", (step, message) => {
    try {
      checkedLogin(steps(step))
      expect.unreachable()
    } catch (error) {
      expect(JSON.stringify([(error as Error).message, (error as ApiError).details])).toContain(
        message.replaceAll('"', '\\"'),
      )
    }
  })

  test("starts with a page", () => {
    const first = { steps: [{ type: "press", key: "Enter" }] as never, secrets: {} }
    expect(() => checkedLogin(first)).toThrow("login.steps[0]: the first step must be a goto")
  })
})
