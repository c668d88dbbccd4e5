import {
  integerOrNull,
  isoDate,
  isoFromUnix,
  numberOrNull,
  parseCount,
  plainText,
  round,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import { at, balancedText, parseLiteral, parseLoose } from "../../extract/embedded/index.ts"
import { metaContent, readMeta } from "../../extract/page/index.ts"
import { schemaNode } from "../../extract/structured/index.ts"
import type { StoreLayout } from "./layout.ts"

/**
 * Returns the extension's fields of the page's data, or undefined if the data is of another
 * extension.
 * Positions shift when Google adds fields, so a value is used only if it has the expected type.
 */
export function fromInitData(html: string, id: string, { itemAt, pageAt }: StoreLayout) {
  const data = initData(html)
  const item = data?.[pageAt.item]
  if (!data || !Array.isArray(item) || item[itemAt.id] !== id) return undefined
  const written = item[itemAt.manifest]
  const parsed = typeof written === "string" ? parseLoose(written) : undefined
  const manifest = typeof parsed === "object" ? (parsed as Manifest | null) : null
  const shots = data[pageAt.screenshots]
  return {
    name: textOrNull(item[itemAt.name]),
    summary: textOrNull(item[itemAt.summary]),
    description: textOrNull(data[pageAt.description]),
    version: matching(data[pageAt.version], /^\d+(?:\.\d+)*$/) ?? textOrNull(manifest?.version),
    users: integerOrNull(item[itemAt.users]),
    ...ratingFields(numberOrNull(item[itemAt.rating]), integerOrNull(item[itemAt.ratingCount])),
    category: textOrNull(at(item, itemAt.category, 0)),
    iconUrl: url(item[itemAt.icon]),
    tileUrl: url(item[itemAt.tile]),
    featureImageUrl: url(item[itemAt.featureImage]),
    screenshots: Array.isArray(shots) ? shots.flatMap((shot) => url(at(shot, 1)) ?? []) : undefined,
    homepage: url(item[itemAt.homepage]),
    developerName: textOrNull(at(data, pageAt.developer, 5)),
    developerEmail: matching(at(data, pageAt.developer, 0), /^\S+@\S+$/),
    ...sizeFields(textOrNull(data[pageAt.size])),
    languages: textList(data.at(-1)),
    languageNames: textList(data[pageAt.languageNames]),
    minChromeVersion: matching(data[pageAt.minChromeVersion], /^\d+(?:\.\d+)*$/),
    publishedAt: isoFromUnix(at(item, itemAt.published, 0)),
    updatedAt: isoFromUnix(at(data, pageAt.updated, 0)),
    ...manifestFields(manifest),
  }
}

function initData(html: string): unknown[] | undefined {
  const call = /AF_initDataCallback\(\s*\{\s*key:\s*['"]ds:0['"][^[{]*?data:\s*(?=\[)/.exec(html)
  const source = call && balancedText(html, call.index + call[0].length)
  if (!source) return undefined
  const data = parseLoose(source) ?? parseLiteral(source)
  return Array.isArray(data) ? data : undefined
}

type Manifest = Record<string, unknown>

function manifestFields(manifest: Manifest | null) {
  if (!manifest) return {}
  return {
    manifestVersion: integerOrNull(manifest.manifest_version),
    permissions: textList(manifest.permissions),
    hostPermissions: textList(manifest.host_permissions),
    optionalPermissions: textList(manifest.optional_permissions),
  }
}

const matching = (value: unknown, pattern: RegExp): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null

const url = (value: unknown) => matching(value, /^https?:\/\/\S+$/)

/** Returns the fields of JSON-LD, Open Graph and the visible page. */
export function fromMarkup(document: Document, { classes }: StoreLayout) {
  const meta = readMeta(document)
  const app = schemaNode(document, "SoftwareApplication")
  const labelled = labels(document, ["Version", "Updated", "Size"])
  const title = metaContent(meta, "og:title")?.replace(/(?:^|(?<!\s)\s+-\s+)Chrome Web Store$/, "")
  const visible = (selector: string) => plainText(document.querySelector(selector))
  const lastOf = (selector: string) => plainText(document.querySelector(selector)?.lastElementChild)
  return {
    name: app.text("name") ?? textOrNull(title),
    summary: metaContent(meta, "og:description") ?? app.text("description"),
    version: app.text("softwareVersion") ?? labelled.get("Version") ?? visible(classes.version),
    users: parseCount(
      /(?<![\d.,])([\d.,]+[KMB]?)\+? users?/i.exec(visible(classes.users) ?? "")?.[1],
    ),
    ...ratingFields(
      app.number("aggregateRating", "ratingValue") ?? numberOrNull(visible(classes.rating)),
      app.integer("aggregateRating", "ratingCount") ?? parseCount(visible(classes.ratingCount)),
    ),
    iconUrl: metaContent(meta, "og:image"),
    screenshots: [
      ...app.texts("screenshot"),
      ...app.list("screenshot").flatMap((shot) => shot.text("url") ?? []),
    ],
    ...sizeFields(labelled.get("Size") ?? lastOf(classes.size)),
    updatedAt: isoDate(labelled.get("Updated") ?? lastOf(classes.updated)),
    ...badges(document),
  }
}

/** Returns the values that follow labels: `<div>Version</div><div>1.2</div>`. */
function labels(document: Document, names: string[]): Map<string, string> {
  const byKey = new Map<string, string>()
  for (const element of document.querySelectorAll("div")) {
    if (element.firstElementChild || !names.includes(element.textContent.trim())) continue
    const value = plainText(element.nextElementSibling)
    if (value) byKey.set(element.textContent.trim(), value)
  }
  return byKey
}

/** Returns the badges next to the name, or null if the page has no header or is not in English. */
function badges(document: Document) {
  const head = document.querySelector("h1")?.closest("section")
  const language = document.documentElement.getAttribute("lang") ?? "en"
  if (!head || !/^en\b/i.test(language)) return { isFeatured: null, isFromVerifiedPublisher: null }
  const texts = [...head.querySelectorAll("*")]
    .filter((element) => !element.firstElementChild)
    .map((element) => plainText(element) ?? "")
  return {
    isFeatured: texts.some((text) => /^featured$/i.test(text)),
    isFromVerifiedPublisher: texts.some((text) => /established publisher/i.test(text)),
  }
}

/** The store displays a mean of 0 for an extension without ratings; it is not a rating. */
function ratingFields(rating: number | null, count: number | null) {
  const real = rating !== null && rating >= 0 && rating <= 5 && count !== 0
  return { rating: real ? round(rating) : null, ratingCount: count }
}

const units = { b: 1, kib: 1024, kb: 1024, mib: 1024 ** 2, mb: 1024 ** 2, gib: 1024 ** 3 }

/** Returns a size as the store displays it, for example "1.02MiB", and in bytes. */
function sizeFields(written: string | null) {
  const match = /^([\d.,]+)\s*([kmg]?i?b)$/i.exec(written?.trim() ?? "")
  const number = numberOrNull(match?.[1]?.replaceAll(",", ""))
  const unit = units[match?.[2]?.toLowerCase() as keyof typeof units]
  if (number === null || !unit) return { sizeText: null, sizeBytes: null }
  return { sizeText: written!.trim(), sizeBytes: Math.round(number * unit) }
}
