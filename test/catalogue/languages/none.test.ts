import { describe, expect, test } from "bun:test"
import { pageResults } from "../../../src/catalogue/bing/bing-search-scraper.ts"
import { nothingFound } from "../../../src/catalogue/bing/words.json"
import { fromMarkup } from "../../../src/catalogue/chrome-web-store/extension.ts"
import { storeTable } from "../../../src/catalogue/chrome-web-store/layout.ts"
import type { UpstreamResponse } from "../../../src/catalogue/kit/index.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { runAgainst } from "../mock-site.ts"

const bing = (notice: string) =>
  pageResults({
    url: "https://www.bing.com/search",
    document: parseDocument(`<ol id="b_results"><li>${notice}</li></ol>`),
  } as UpstreamResponse)

describe("Bing's notice that it found nothing", () => {
  test.each([
    "There are no results for zzqx",
    "Es gibt keine Ergebnisse für zzqx",
    "No hay resultados para zzqx",
    "Il n’y a aucun résultat pour zzqx",
    "Non ci sono risultati per zzqx",
    "Não há resultados para zzqx",
    "Nie ma żadnych wyników dla zzqx",
    "zzqx に一致する情報は見つかりませんでした",
  ])("%s", (notice) => {
    expect(bing(notice)).toEqual([])
  })

  test("is known by its class in any language", () => {
    expect(bing('<div class="b_no">Ei tuloksia</div>')).toEqual([])
  })

  test("is not assumed of a list without rows", () => {
    expect(bing("zzqx")).toBeNull()
  })

  test("covers languages with one form each", () => {
    for (const form of Object.values(nothingFound)) {
      expect(new RegExp(form, "iu").test("results")).toBeFalse()
    }
  })
})

describe("the badges of the Chrome Web Store", () => {
  const badges = (language: string, badge: string) => {
    const html = `<html lang="${language}"><section><h1>Tides</h1><span>${badge}</span></section></html>`
    return fromMarkup(parseDocument(html), storeTable.values)
  }

  test.each([
    ["en", "Featured", true],
    ["en-US", "By tides.example", false],
    // Unknown is null.
    ["de", "Empfohlen", null],
  ])("in %s, %s", (language, badge, isFeatured) => {
    expect(badges(language, badge)).toMatchObject({ isFeatured })
  })
})

describe("a page in another language than the requested English", () => {
  const page = (lang: string) => ({
    text: `<!doctype html><html ${lang}><head><title>x</title></head><body><ul class="srp-results"></ul><h1 class="srp-controls__count-heading"><span class="BOLD">0</span></h1></body></html>`,
  })
  const warnings = async (lang: string) =>
    (await runAgainst("ebay-search-scraper", () => page(lang))).warnings.filter((line) =>
      line.includes("English was requested"),
    )

  test.each([['lang="es"'], ["lang=ja dir=ltr"], ['class="a" lang="pt-BR"']])(
    "%s",
    async (lang) => {
      const found = await warnings(lang)
      expect(found.length).toBe(1)
      expect(found[0]).toStartWith("www.ebay.com returned a page in the language")
    },
  )

  test.each([[""], ['lang="en"'], ['lang="en-GB"'], ['data-lang="de"']])("not %s", async (lang) => {
    expect(await warnings(lang)).toEqual([])
  })
})
