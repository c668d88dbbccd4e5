import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { detectTechnologies } from "../../../src/extract/technologies/detect.ts"
import { categories } from "../../../src/extract/technologies/rule.ts"
import { parseRules, technologyRules } from "../../../src/extract/technologies/rules.ts"

function detect(html: string, headers: [string, string][] = [], url = "https://site.example/") {
  return detectTechnologies({
    document: parseDocument(html),
    html,
    url,
    headers: new Headers(headers),
  })
}
const named = (name: string, ...args: Parameters<typeof detect>) =>
  detect(...args).find((one) => one.name === name)

test("there are at least 250 technologies, each once, and the implied ones are among them", () => {
  const rules = technologyRules()
  const names = rules.map((rule) => rule.name)
  expect(names.length).toBeGreaterThanOrEqual(250)
  expect(new Set(names).size).toBe(names.length)
  for (const { implies = [] } of rules) for (const name of implies) expect(names).toContain(name)
})

test("every technology has a known category, a home page and selectors that can be compiled", () => {
  const page = parseDocument("<p>")
  for (const { categories: own, site, dom, weight = 1 } of technologyRules()) {
    expect(categories).toEqual(expect.arrayContaining([...own]))
    expect(URL.canParse(`https://${site}/`)).toBe(true)
    if (dom) expect(() => page.querySelector(dom)).not.toThrow()
    expect(weight).toBeWithin(1, 101)
  }
})

describe("the text form of rules", () => {
  test("keeps slashes and flags of patterns, and expands library files", () => {
    const [rule] = parseRules(
      "# Comment\n\nA B | CMS, A/B testing | a.example\n  header x-a /a\\/b/i\n  file a\n  dom p > a\n  weight 40\n  implies B, C",
    )
    expect(rule).toMatchObject({
      name: "A B",
      categories: ["CMS", "A/B testing"],
      site: "a.example",
      headers: { "x-a": /a\/b/i },
      dom: "p > a",
      weight: 40,
      implies: ["B", "C"],
    })
    expect(rule!.url![0]!.exec("/js/a-1.2.min.js")?.[1]).toBe("1.2")
  })
  test.each(["  color /a/", "  url /a/q", "  url /(/"])("an error for %s", (line) => {
    expect(() => parseRules(`A | CMS | a.example\n${line}`)).toThrow()
  })
})

test("every technology that no other implies has a sign of its own", () => {
  const implied = new Set(technologyRules().flatMap((rule) => rule.implies ?? []))
  for (const {
    name,
    categories: _c,
    site: _s,
    implies: _i,
    weight: _w,
    ...signs
  } of technologyRules()) {
    if (Object.keys(signs).length === 0) expect([...implied]).toContain(name)
  }
})

describe("signs and versions", () => {
  test.each([
    ["WordPress", '<meta name="generator" content="WordPress 6.4.2">', [], "6.4.2", 100],
    ["WordPress", '<link rel="stylesheet" href="/wp-content/x.css">', [], null, 95],
    [
      "jQuery",
      '<script src="https://code.jquery.com/jquery-3.6.0.min.js"></script>',
      [],
      "3.6.0",
      95,
    ],
    [
      "jQuery",
      '<script src="https://ajax.googleapis.com/ajax/libs/jquery/1.11.3/jquery.min.js"></script>',
      [],
      "1.11.3",
      95,
    ],
    ["jQuery UI", '<script src="/js/jquery-ui.min.js"></script>', [], null, 95],
    [
      "Bootstrap",
      '<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.2/dist/css/bootstrap.min.css">',
      [],
      "5.3.2",
      100,
    ],
    ["nginx", "", [["server", "nginx/1.25.3"]], "1.25.3", 100],
    ["PHP", "", [["set-cookie", "PHPSESSID=1; Path=/"]], null, 100],
    ["Cloudflare", "", [["cf-ray", "1-AMS"]], null, 100],
    [
      "Google Tag Manager",
      "<script>x='https://www.googletagmanager.com/gtm.js?id=GTM-ABCD12'</script>",
      [],
      null,
      80,
    ],
    ["Angular", '<app-root ng-version="17.0.3"></app-root>', [], "17.0.3", 96],
    [
      "Yoast SEO",
      "<!-- This site is optimized with the Yoast SEO plugin v21.8 -->",
      [],
      "21.8",
      90,
    ],
    ["Next.js", '<div id="__next"></div><script src="/_next/static/a.js"></script>', [], null, 99],
    ["Shopify", "<script>Shopify.theme = {}</script>", [], null, 80],
    ["Tailwind CSS", "<p class='a lg:flex b'>", [], null, 55],
    ["Formspree", "<form method=post action=https://formspree.io/f/x>", [], null, 80],
    ["MkDocs", "<a class=x\n href='https://www.mkdocs.org/'>MkDocs</a>", [], null, 80],
  ])("%s in %s", (name, html, headers, version, confidence) => {
    const found = named(name, html, headers as [string, string][])
    expect(found?.version ?? null).toBe(version)
    expect(found?.confidence).toBe(confidence)
    expect(found?.evidence.length).toBeGreaterThan(0)
  })
})

test("words of a text, and links to makers, are not signs", () => {
  const html = `<p>We left WordPress for Drupal; the Yoast SEO plugin was optimized with jquery.js.</p>
    <a href="https://wordpress.org/">WordPress</a> <a href="https://www.shopify.com/">Shopify</a> <a href="/wp-content/x">x</a>`
  expect(detect(html)).toEqual([])
})

test("jquery-ui.js is not jQuery itself, which it only implies", () => {
  expect(named("jQuery", '<script src="/jquery-ui.min.js"></script>')).toMatchObject({
    impliedBy: "jQuery UI",
    evidence: ["implied by jQuery UI"],
  })
})

test("implied ones inherit, over several steps", () => {
  const found = detect('<script src="/wp-content/plugins/woocommerce/a.js"></script>')
  expect(found.find((one) => one.name === "MySQL")).toMatchObject({ impliedBy: "WordPress" })
})

test("the most specific categories come first", () => {
  const names = detect(
    '<meta name="generator" content="Hugo 0.120"><script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
    [["server", "nginx"]],
  ).map((one) => one.name)
  expect(names).toEqual(["Hugo", "Go", "nginx", "Google Analytics"])
})
