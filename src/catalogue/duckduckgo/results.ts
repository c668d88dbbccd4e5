import { absoluteUrl, isoDate, plainText, plainTime } from "../../extract/core/index.ts"
import { siteOf } from "../kit/index.ts"

type Result = NonNullable<ReturnType<typeof resultOf>>

/** One of DuckDuckGo's sites for browsers without scripts. */
export interface Front {
  root: string
  /** Returns null if a page has neither results nor a notice that there are none. */
  results(document: Document): Result[] | null
  /** Returns the form of the next page, or null on the last page. */
  next(document: Document): Record<string, string> | null
}

const htmlRoot = "https://html.duckduckgo.com/html/"
const liteRoot = "https://lite.duckduckgo.com/lite/"

export const htmlFront: Front = {
  root: htmlRoot,
  results(document) {
    const rows = [...document.querySelectorAll("#links .result")]
    const results = rows.flatMap((row) => htmlResult(row) ?? [])
    const statesNone = document.querySelector(".result--no-result, .no-results") !== null
    return results.length > 0 || statesNone ? results : null
  },
  // The form of the previous page may precede it.
  next: (document) => formFields([...document.querySelectorAll(".nav-link form")].at(-1)),
}

/** The simplest site: a table in which each result has several rows. */
export const liteFront: Front = {
  root: liteRoot,
  results(document) {
    const links = [...document.querySelectorAll("a.result-link")]
    const results = links.flatMap((link) => liteResult(link) ?? [])
    const statesNone = /\bNo (?:more )?results\b/i.test(plainText(document.body) ?? "")
    return results.length > 0 || statesNone ? results : null
  },
  next(document) {
    const forms = [...document.querySelectorAll("form")]
    return formFields(forms.find((form) => /^next/i.test(submitOf(form) ?? "")))
  },
}

function htmlResult(row: Element): Result | null {
  const link = row.querySelector(".result__title a.result__a")
  if (/(?:^|\s)result--(?:ad|no-result)(?:\s|$)/.test(row.className)) return null
  return resultOf(link, htmlRoot, {
    displayedUrl: plainText(row.querySelector("a.result__url")),
    snippet: plainText(row.querySelector(".result__snippet")),
    dates: [...row.querySelectorAll(".result__extras__url > span")].map(plainText),
    icon: row.querySelector("img.result__icon__img")?.getAttribute("src"),
  })
}

/** The rows between a link and the next one belong to the link. */
function liteResult(link: Element): Result | null {
  const first = link.closest("tr")
  if (!first || first.closest(".result-sponsored")) return null
  const rows: Element[] = [first]
  for (let row = first.nextElementSibling; row; row = row.nextElementSibling) {
    if (row.querySelector("a.result-link")) break
    rows.push(row)
  }
  const inRows = (selector: string) =>
    plainText(rows.map((row) => row.querySelector(selector)).find((match) => match))
  return resultOf(link, liteRoot, {
    displayedUrl: inRows(".link-text"),
    snippet: inRows(".result-snippet"),
    dates: [inRows(".timestamp")],
    icon: null,
  })
}

interface Around {
  displayedUrl: string | null
  snippet: string | null
  dates: (string | null)[]
  icon: string | null | undefined
}

function resultOf(link: Element | null, root: string, around: Around) {
  const title = plainText(link)
  const url = target(link?.getAttribute("href"), root)
  if (!title || !url || noResult.test(url)) return null
  return {
    type: "organic",
    title,
    url,
    displayedUrl: around.displayedUrl,
    domain: siteOf(url),
    snippet: around.snippet,
    publishedAt: around.dates.flatMap((date) => plainTime(isoDate(date)) ?? [])[0],
    iconUrl: absoluteUrl(around.icon, root),
  }
}

/** Returns the page in DuckDuckGo's tracking URL; other URLs are unchanged. */
function target(href: string | null | undefined, root: string): string | null {
  const url = URL.parse(absoluteUrl(href, root) ?? "")
  const isCounting = url?.hostname.endsWith("duckduckgo.com") && url.pathname.startsWith("/l/")
  return url && isCounting ? absoluteUrl(url.searchParams.get("uddg"), root) : (url?.href ?? null)
}

/** Recognizes advertisements and the link to another search engine at the end of a list. */
const noResult = /^https?:\/\/(?:duckduckgo\.com\/y\.js|www\.google\.com\/search)\?/

const submitOf = (form: Element) =>
  form.querySelector("input[type=submit]")?.getAttribute("value") ?? null

/** Returns all named fields. A later page without its token leads to an immediate block. */
function formFields(form: Element | undefined): Record<string, string> | null {
  if (!form || /^prev/i.test(submitOf(form) ?? "Next")) return null
  const fields = [...form.querySelectorAll("input[name]")].map((input) => [
    input.getAttribute("name")!,
    input.getAttribute("value") ?? "",
  ])
  const next = Object.fromEntries(fields) as Record<string, string>
  return next.vqd ? next : null
}
