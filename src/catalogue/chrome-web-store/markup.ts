import {
  isoDate,
  numberOrNull,
  parseCount,
  plainText,
  textOrNull,
} from "../../extract/core/index.ts"
import { metaContent, readMeta } from "../../extract/page/index.ts"
import { schemaNode } from "../../extract/structured/index.ts"
import type { StoreLayout } from "./layout.ts"
import { ratingFields, sizeFields } from "./values.ts"

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
