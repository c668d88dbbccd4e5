import { describe, expect, test } from "bun:test"
import {
  filledUrl,
  readProxyRule,
  rulesFor,
  sessionOf,
  stickyRule,
} from "../../../../src/engine/net/http/proxy-rules.ts"

const rules = [
  "http://any:1",
  "http://shops:1#hosts=*.shop.com|shop.com|amazon.*",
  "http://german:1#country=de|at",
  "http://world-{country}-{session}:p@world:1#hosts=news.org&country=us|*&sticky=run",
].map(readProxyRule)
const hostsOf = (host: string, country?: string) =>
  rulesFor(rules, host, { run: "r", account: "a", ...(country ? { country } : {}) }).map(
    ({ url }) => new URL(url.replaceAll(/[{}]/g, "")).hostname,
  )

describe("the proxy rules", () => {
  test("are chosen by host: those that name it first", () => {
    expect(hostsOf("other.net")).toEqual(["any", "german"])
    expect(hostsOf("shop.com")).toEqual(["shops"])
    expect(hostsOf("www.shop.com")).toEqual(["shops"])
    expect(hostsOf("amazon.co.uk")).toEqual(["shops"])
    expect(hostsOf("myshop.com")).toEqual(["any", "german"])
    expect(hostsOf("eu.news.org")).toEqual(["world"])
  })

  test("are chosen by country, if one has it", () => {
    expect(hostsOf("other.net", "de")).toEqual(["german"])
    expect(hostsOf("other.net", "fr")).toEqual(["any", "german"])
    expect(hostsOf("news.org", "fr")).toEqual(["world"])
    expect(hostsOf("shop.com", "de")).toEqual(["shops"])
  })

  test("fill in session and country", () => {
    const rule = rules[3]!
    const exit = { run: "run_1", account: "a", country: "fr" }
    expect(filledUrl(rule, exit)).toBe(filledUrl(rule, { ...exit, account: "b" }))
    expect(filledUrl(rule, exit)).not.toBe(filledUrl(rule, { ...exit, run: "run_2" }))
    expect(filledUrl(rule, exit)).toStartWith("http://world-fr-")
    expect(filledUrl(rule, { run: "run_1", account: "a" })).toStartWith("http://world-us-")
  })

  test("apply to a run, an account, or nothing", () => {
    const exit = { run: "r", account: "a" }
    expect(sessionOf(readProxyRule("http://a:1"), exit)).toBeNull()
    expect(sessionOf(readProxyRule("http://a:1#sticky=run"), exit)).toBe("r")
    expect(sessionOf(readProxyRule("http://a:1#sticky=account"), exit)).toBe("a")
    expect(sessionOf(readProxyRule("http://a:1#sticky=account"), { run: "r", account: "" })).toBe(
      "r",
    )
  })

  test("keep a session's proxy, also when another one is removed", () => {
    const many = Array.from({ length: 5 }, (_, n) => readProxyRule(`http://p${n}:1#sticky=run`))
    const sessions = Array.from({ length: 50 }, (_, n) => `run_${n}`)
    const before = new Map(sessions.map((one) => [one, stickyRule(many, one)]))
    expect(new Set(before.values()).size).toBe(5)
    const fewer = many.slice(1)
    for (const one of sessions) {
      if (before.get(one) !== many[0]) expect(stickyRule(fewer, one)).toBe(before.get(one)!)
    }
  })

  const wrong: [string, string][] = [
    ["nonsense", "is not a valid URL"],
    ["http://a:1#host=x", 'has a rule "host"'],
    ["http://a:1#country=ger", 'has the country "ger"'],
    ["http://a:1#sticky=week", "has sticky=week"],
  ]
  for (const [entry, sentence] of wrong) {
    test(`refuse ${entry}`, () => expect(() => readProxyRule(entry)).toThrow(sentence))
  }
})
