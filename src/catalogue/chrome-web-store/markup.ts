import {
  integerOrNull,
  isoDate,
  numberOrNull,
  parseCount,
  textOf,
  textOrNull,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { metaContent, readMeta } from "../../extract/page/index.ts"
import { readJsonLd, shortType } from "../../extract/structured/index.ts"
import type { StoreLayout } from "./layout.ts"
import { ratingFields, sizeFields } from "./values.ts"

/** What the page shows: JSON-LD, Open Graph, and its text. Every field of an item is there. */
export function fromMarkup(document: Document, { classes }: StoreLayout) {
  const meta = readMeta(document)
  const app = readJsonLd(document).entities.find(
    ({ data }) => shortType(String(data["@type"])) === "SoftwareApplication",
  )?.data
  const labelled = labels(document, ["Version", "Updated", "Size"])
  const title = metaContent(meta, "og:title")?.replace(/(?:^|(?<!\s)\s+-\s+)Chrome Web Store$/, "")
  const shown = (selector: string) => textOf(document.querySelector(selector))
  const lastOf = (selector: string) => textOf(document.querySelector(selector)?.lastElementChild)
  const screenshots = [app?.screenshot ?? []].flat()
  return {
    name: textOrNull(app?.name) ?? textOrNull(title),
    summary: metaContent(meta, "og:description") ?? textOrNull(app?.description),
    description: null,
    version: textOrNull(app?.softwareVersion) ?? labelled.get("Version") ?? shown(classes.version),
    users: parseCount(
      /(?<![\d.,])([\d.,]+[KMB]?)\+? users?/i.exec(shown(classes.users) ?? "")?.[1],
    ),
    ...ratingFields(
      numberOrNull(at(app, "aggregateRating", "ratingValue") ?? shown(classes.rating)),
      integerOrNull(at(app, "aggregateRating", "ratingCount")) ??
        parseCount(shown(classes.ratingCount)),
    ),
    category: null,
    iconUrl: metaContent(meta, "og:image"),
    tileUrl: null,
    featureImageUrl: null,
    screenshots: screenshots.flatMap((shot) => textOrNull(at(shot, "url") ?? shot) ?? []),
    homepage: null,
    developerName: null,
    developerEmail: null,
    ...sizeFields(labelled.get("Size") ?? lastOf(classes.size)),
    languages: [],
    languageNames: [],
    minChromeVersion: null,
    publishedAt: null,
    updatedAt: isoDate(labelled.get("Updated") ?? lastOf(classes.updated)),
    manifestVersion: null,
    permissions: null,
    hostPermissions: null,
    optionalPermissions: null,
    ...badges(document),
  }
}

/** Values that stand beside their labels: `<div>Version</div><div>1.2</div>`. */
function labels(document: Document, names: string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const element of document.querySelectorAll("div")) {
    if (element.firstElementChild || !names.includes(element.textContent.trim())) continue
    const value = textOf(element.nextElementSibling)
    if (value) found.set(element.textContent.trim(), value)
  }
  return found
}

/** The badges beside the name; null where the page has no head to look at. */
function badges(document: Document) {
  const head = document.querySelector("h1")?.closest("section")
  if (!head) return { isFeatured: null, isFromVerifiedPublisher: null }
  const texts = [...head.querySelectorAll("*")]
    .filter((element) => !element.firstElementChild)
    .map((element) => textOf(element) ?? "")
  return {
    isFeatured: texts.some((text) => /^featured$/i.test(text)),
    isFromVerifiedPublisher: texts.some((text) => /established publisher/i.test(text)),
  }
}
