import { diffLines, Finder, round, sha256, textLines } from "../../extract/core/index.ts"
import { normaliseUrl } from "../../extract/links/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import {
  Changed,
  defineScraper,
  errorItem,
  field,
  type InputOf,
  inputs,
  items,
  namingInput,
  pageUrls,
  record,
  requireSelector,
  toPageUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import { conditions, notModified, type Validators, validatorsOf } from "./crawl/known-pages.ts"
import { identifyPage, openPage, pageFields } from "./page/open.ts"
import { isReadable, readable } from "./page/readable.ts"

const maxVisibleLines = 200
const maxVisibleText = 20_000
const maxStoredText = 200_000

const item = record({
  ...pageFields,
  title: items.text("Title of the page."),
  selector: items.text("Selector of the watched region; null for the whole page."),
  status: items.requiredText("Status: new at the first check, then unchanged or changed."),
  changed: items.requiredBoolean("Whether the watched value changed since the last check."),
  pageChanged: items.requiredBoolean("Whether any text of the page changed since the last check."),
  finalUrlChanged: items.requiredBoolean("Whether the page now redirects to another URL."),
  pageHash: items.requiredText("SHA-256 hash of the page's text."),
  previousPageHash: field.text(
    "before.pageHash",
    "SHA-256 hash of the page's text at the last check.",
  ),
  regionHash: items.text("SHA-256 hash of the region's text; null without a selector."),
  previousRegionHash: items.text("SHA-256 hash of the region's text at the last check."),
  sourceHash: items.requiredText("SHA-256 hash of the response's bytes."),
  regionText: items.text(`Text of the region, at most ${maxVisibleText} characters.`),
  regionMatches: field.integer("matches", "Number of elements that match the selector."),
  addedLines: items.texts(`Lines that are new since the last check, at most ${maxVisibleLines}.`),
  removedLines: items.texts(
    `Lines that were removed since the last check, at most ${maxVisibleLines}.`,
  ),
  addedCount: items.requiredInteger("Number of added lines."),
  removedCount: items.requiredInteger("Number of removed lines."),
  changePercent: items.requiredNumber("Changed lines in percent of the lines of both versions."),
  textLength: items.requiredInteger("Number of characters of the watched text."),
  previousTextLength: field.integer("before.textLength", "Number of characters at the last check."),
  checks: items.requiredInteger("Number of checks so far, including this one."),
  changes: items.requiredInteger("Number of changes so far."),
  firstSeenAt: items.requiredText("Time of the first check."),
  previousCheckedAt: field.text("before.checkedAt", "Time of the check before (ISO 8601, UTC)."),
  lastChangedAt: field.text("changedAt", "Time of the last detected change."),
  checkedAt: items.requiredText("Time of this check."),
})

/** Data of a page that is stored between runs. */
interface Snapshot {
  finalUrl: string
  pageHash: string
  regionHash: string | null
  /** The watched text, cut off at the limit of stored text. */
  text: string
  textLength: number
  title: string | null
  statusCode: number
  checkedAt: string
  changedAt: string | null
  firstSeenAt: string
  checks: number
  changes: number
  /** The validators of the page's host. While they are valid, the page is not read again. */
  kept?: Validators & Pick<Seen, "sourceHash" | "matches">
}

const input = {
  urls: pageUrls(500),
  selector: inputs.optionalText("CSS selector of the region to watch (default: the whole page)."),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "page-change-monitor",
  name: "Page Change Monitor",
  tagline: "See whether a page, or one region of it, changed since the last run.",
  notServed: ["price only", "old versions"],
  category: "web",
  isCheck: true,
  fetchMethods: ["http", "browser-http", "browser"],
  input,
  item,
  watch: {
    key: ["url", "selector"],
    name: ["title", "url"],
    mark: ["regionHash", "pageHash"],
    lines: { added: "addedLines", removed: "removedLines" },
    conditions: [{ when: "changed" }],
  },
  example: { urls: ["https://example.com"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].title matches "example domain"',
      "items[0].pageHash share 1",
      "items[0].textLength gte 50",
    ],
  },
  pages: { ofTarget: 1 },
  targets: (input) => {
    selectorOf(input)
    return input.urls
  },
  identify: (target, input) => ({
    ...identifyPage(target),
    selector: selectorOf(input),
    status: "error",
  }),

  async *scrape(target, ctx) {
    const selector = selectorOf(ctx.input)
    const key = `${normaliseUrl(toPageUrl(target))} ${selector ?? ""}`
    const before = await ctx.memory.get<Snapshot>(key)
    const { url, response } = await openPage(target, ctx, {
      ...readable,
      has: (response) => response.status === notModified || isReadable(response),
      documents: "all",
      headers: conditions(before?.kept),
      accept: [notModified],
    })
    const seen =
      response.status === notModified && before ? again(before) : look(response, selector)
    if (seen.matches === 0) {
      // That is not a change of the region's text, so its stored text remains.
      const message = `Nothing on the page matches the selector "${selector}".`
      yield errorItem(new Changed(message, { code: "selector_not_found", response }), {
        input: target,
        url,
        finalUrl: response.url,
        selector,
        status: "error",
        pageHash: seen.pageHash,
        previousPageHash: before?.pageHash ?? null,
        pageChanged: before !== undefined && before.pageHash !== seen.pageHash,
      })
      return
    }
    const checkedAt = ctx.now().toISOString()
    const { visible, snapshot } = compare(seen, before, response, checkedAt)
    yield item.read({ ...seen, ...snapshot, ...visible, before, url, selector })
    await ctx.memory.set(key, snapshot)
  },
})

/** Returns the stored result for a page that its host reports as unchanged. */
function again({ pageHash, regionHash, text, kept: stored }: Snapshot): Seen {
  const { sourceHash = "", matches = null } = stored ?? {}
  return { pageHash, sourceHash, regionHash, text, matches }
}

/** Throws BadInput if the selector is not valid or too long. */
function selectorOf(input: Input): string | null {
  const selector = input.selector?.trim() ?? ""
  if (selector === "") return null
  requireSelector("selector", selector)
  return selector
}

interface Seen {
  pageHash: string
  sourceHash: string
  regionHash: string | null
  /** The watched text: that of the region, else of the page. */
  text: string
  /** Number of elements that match the selector; null without one. */
  matches: number | null
}

function look({ document, bytes }: UpstreamResponse, selector: string | null): Seen {
  const page = normalLines(document.body).join("\n")
  const hashes = { pageHash: sha256(page), sourceHash: sha256(bytes) }
  if (selector === null) return { ...hashes, regionHash: null, text: page, matches: null }
  const finder = new Finder()
  return namingInput("selector", () => {
    const regions = finder.find(document, selector)
    const lines = regions.flatMap((region) => {
      const match = normalLines(region)
      for (const line of match) finder.read(line, selector)
      return match
    })
    const text = lines.join("\n")
    return { ...hashes, regionHash: sha256(text), text, matches: regions.length }
  })
}

const normalLines = (root: Element) =>
  textLines(root).map((line) => line.normalize("NFC").replace(/\s+/g, " ").trim())

function compare(
  seen: Seen,
  before: Snapshot | undefined,
  response: UpstreamResponse,
  checkedAt: string,
) {
  const pageChanged = before !== undefined && before.pageHash !== seen.pageHash
  const regionChanged =
    seen.regionHash === null || !before?.regionHash
      ? pageChanged
      : seen.regionHash !== before.regionHash
  const finalUrlChanged = before !== undefined && place(before.finalUrl) !== place(response.url)
  const changed = regionChanged || finalUrlChanged
  const oldLines = before ? before.text.split("\n") : []
  const { sourceHash, matches, text, ...hashes } = seen
  const newText = text.slice(0, maxStoredText)
  const newLines = newText.split("\n")
  const lineCount = oldLines.length + newLines.length
  const { added, removed } =
    before && changed ? diffLines(oldLines, newLines) : { added: [], removed: [] }
  const isSame = response.status === notModified && before !== undefined
  const snapshot: Snapshot = {
    finalUrl: response.url,
    ...hashes,
    text: newText,
    textLength: isSame ? before.textLength : text.length,
    title: isSame ? before.title : documentTitle(response.document),
    statusCode: isSame ? before.statusCode : response.status,
    kept: { ...(isSame ? before.kept! : validatorsOf(response)), sourceHash, matches },
    checkedAt,
    changedAt: changed ? checkedAt : (before?.changedAt ?? null),
    firstSeenAt: before?.firstSeenAt ?? checkedAt,
    checks: (before?.checks ?? 0) + 1,
    changes: (before?.changes ?? 0) + (changed ? 1 : 0),
  }
  const visible = {
    status: before === undefined ? "new" : changed ? "changed" : "unchanged",
    changed,
    pageChanged,
    finalUrlChanged,
    previousRegionHash: before?.regionHash,
    regionText: matches === null ? null : text.slice(0, maxVisibleText),
    addedLines: added.slice(0, maxVisibleLines),
    removedLines: removed.slice(0, maxVisibleLines),
    addedCount: added.length,
    removedCount: removed.length,
    changePercent: round(((added.length + removed.length) / lineCount) * 100, 1),
  }
  return { visible, snapshot }
}

/** Returns host and path of a URL. On some sites, the query changes with every visit. */
function place(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
