import { expect, test } from "bun:test"
import docs from "../../../src/catalogue/web/docs-crawler-scraper.ts"
import llms from "../../../src/catalogue/web/llms-txt-generator.ts"
import toMarkdown from "../../../src/catalogue/web/url-to-markdown-scraper.ts"
import crawler from "../../../src/catalogue/web/website-content-crawler.ts"
import { runOnce } from "./run-once.ts"

const site = "https://site.example"
const sentence =
  "The old lamp stood by the water for many years, and no one ever asked who had put it there."
const text = `<p>${sentence.repeat(4)}</p><h2>Who lit it</h2><p>The keeper did.</p>`
const shell = (title: string, state: object, visible = "") =>
  `<html lang="en"><head><title>${title} | Site</title></head><body><div id="__next"></div>${visible}<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: state } }).replaceAll("<", "\\u003c")}</script><script src="/main.js"></script></body></html>`
const lamp = shell("The lamp", { post: { title: "The lamp", body: text } })
const empty = shell("The lamp", { flags: { dark: true } })
const rendered = `<html><head><title>The lamp | Site</title></head><body><main><h1>The lamp</h1>${text}<p>Shown by scripts. <a href="/next">On</a></p></main></body></html>`
const byChrome = (html: string) => ({
  via: "browser" as const,
  bytes: new TextEncoder().encode(html),
})

test("a page with its text in script data is read without Chrome, in full if requested", async () => {
  for (const mainContentOnly of [true, false]) {
    const { items, requested } = await runOnce(
      toMarkdown,
      { urls: [`${site}/lamp`], mainContentOnly, formats: ["text", "html"] },
      { [`${site}/lamp`]: lamp },
    )
    expect(requested).toEqual([`${site}/lamp`])
    expect(items[0]!.markdown).toContain("## Who lit it\n\nThe keeper did.")
    expect(String(items[0]!.markdown)).toStartWith("# The lamp")
    if (mainContentOnly) expect(items[0]!.html).toContain("<h2>Who lit it</h2>")
  }
})

test("a shell without its own body is not a page", async () => {
  const { items } = await runOnce(
    toMarkdown,
    { urls: [`${site}/lamp`] },
    { [`${site}/lamp`]: empty },
    { hasChrome: false },
  )
  expect(items[0]).toMatchObject({ error: { code: "app_shell" } })
})

test("a shell that only shows a loading text is not a page, in Chrome either", async () => {
  const page = (visible: string) =>
    `<html><head><title>App</title></head><body><app-root><p>${visible}</p></app-root><script src="/main.js"></script></body></html>`
  const readByChrome = async (html: string) => {
    const answers = { [`${site}/app`]: [html, byChrome(html)] }
    return (await runOnce(toMarkdown, { urls: [`${site}/app`] }, answers)).items[0]
  }
  for (const visible of ["Loading...", "Bitte warten …", "加载中"]) {
    expect(await readByChrome(page(visible))).toMatchObject({ error: { code: "app_shell" } })
  }
  expect(await readByChrome(page("Loading docks"))).toHaveProperty(
    "markdown",
    "# App\n\nLoading docks\n",
  )
})

test("a crawl reads a shell's links in Chrome, and the shell's data without Chrome", async () => {
  const pages = { [`${site}/lamp`]: lamp, [`${site}/next`]: rendered }
  for (const [scraper, input] of [
    [crawler, { startUrls: [`${site}/lamp`] }],
    [docs, { startUrl: `${site}/lamp`, pathPrefix: "/" }],
  ] as const) {
    const plain = await runOnce(scraper, input, pages, { hasChrome: false })
    expect(plain.items.map(({ url }) => url)).toEqual([`${site}/lamp`])
    expect(plain.items[0]!.markdown).toContain("## Who lit it")
  }
  const { items } = await runOnce(
    crawler,
    { startUrls: [`${site}/lamp`] },
    { ...pages, [`${site}/lamp`]: [lamp, byChrome(rendered)] },
  )
  expect(items.map(({ url }) => url)).toEqual([`${site}/lamp`, `${site}/next`])
  expect(items[0]!.text).toContain("Shown by scripts.")
  const last = await runOnce(crawler, { startUrls: [`${site}/lamp`], maxDepth: 0 }, pages)
  expect(last.items[0]!.text).toContain("The keeper did.")
})

test("llms.txt lists pages that only contain their text as data", async () => {
  const home = `<html lang="en"><head><title>Site</title></head><body><h1>Site</h1><p>${sentence.repeat(3)}</p><nav><a href="/lamp">The lamp</a></nav></body></html>`
  const { items } = await runOnce(
    llms,
    { siteUrl: `${site}/`, maxPages: 2 },
    { [`${site}/`]: home, [`${site}/lamp`]: lamp },
    { hasChrome: false },
  )
  expect(items[0]).toMatchObject({ pageCount: 2, failed: [] })
  expect(items[0]!.llmsFullTxt).toContain("The keeper did.")
})
