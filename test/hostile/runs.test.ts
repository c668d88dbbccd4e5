import { expect, setDefaultTimeout, test } from "bun:test"
import { readJobPost } from "../../src/catalogue/hackernews/hiring-post.ts"
import { unquoted } from "../../src/catalogue/kit/index.ts"
import { linkWithRel, parseDocument, parseXml } from "../../src/extract/core/index.ts"
import { docsContent } from "../../src/extract/docs/index.ts"
import { parseDuration } from "../../src/extract/feed/index.ts"
import { pageRedirect } from "../../src/extract/links/index.ts"
import { imageText } from "../../src/extract/page/index.ts"
import { availabilityOf, parsePrice } from "../../src/extract/price/index.ts"
import { shortType } from "../../src/extract/structured/index.ts"

setDefaultTimeout(120_000)

const redirectOf = (address: string) =>
  pageRedirect(parseDocument(`<script>location=${address}</script>`), "https://a.example/")

/** Texts that are one long run of what a reader looks for, without its end. */
const readers: Record<string, (count: number) => unknown> = {
  "slashes in a type": (n) => shortType(`https://a${"/".repeat(n)}x`),
  "slashes in an availability": (n) => availabilityOf(`https://a${"/".repeat(n)}x`),
  "spaces behind a free price": (n) => parsePrice(`free${" ".repeat(n)}x`),
  "spaces in a duration": (n) => parseDuration(`1h${" ".repeat(n)}x`),
  "brackets in a Link header": (n) => linkWithRel("<".repeat(n), "next"),
  "spaces in a headline": (n) => unquoted(`x${" ".repeat(n)}x`),
  "spaces in a job's post": (n) => readJobPost(`Acme | x${" ".repeat(n)}x`, null),
  "brackets in an image's text": (n) => {
    const image = parseDocument("<img>").querySelector("img")!
    image.setAttribute("alt", "<".repeat(n))
    return imageText(image)
  },
  "backslashes in a script's address": (n) => redirectOf(`"${"\\a".repeat(n)}`),
  "elements within elements": (n) => {
    const root = parseXml("<a>some words ".repeat(n / 10) + "</a>".repeat(n / 10))!
    return Array.from({ length: 25 }, () => root.text.length)
  },
  "panels of tabs": (n) => {
    const panels = "<div role=tabpanel><p>x</div>".repeat(n / 20)
    return docsContent(parseDocument(`<main>${panels}</main>`), "https://a.example/")
  },
  "namespaces of an element": (n) =>
    parseXml(`<a ${Array.from({ length: n / 4 }, (_, at) => `xmlns:a${at}="u"`).join(" ")}/>`),
}

const count = 60_000
/** Quadratic time would be a second and more for each. */
const maxMs = 500
/** The first may wait for the compiler, or for a garbage collection. */
const tries = 3

for (const [name, read] of Object.entries(readers)) {
  test(`${name} take time by their number`, () => {
    let minMs = Number.POSITIVE_INFINITY
    for (let one = 0; one < tries && minMs >= maxMs; one++) {
      const before = process.threadCpuUsage()
      read(count)
      const { user, system } = process.threadCpuUsage(before)
      minMs = Math.min(minMs, (user + system) / 1000)
    }
    expect(minMs).toBeLessThan(maxMs)
  })
}
