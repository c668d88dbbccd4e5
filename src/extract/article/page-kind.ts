import { elementsWhere, words } from "../core/index.ts"

/** What a page says of itself, by `og:type` and JSON-LD. */
export interface PageKind {
  isArticle: boolean
  /** Of one article, product, film or the like; no list of several. */
  isAboutOne: boolean
  /** Something other than an article. */
  isOther: boolean
}

const articleType = /article|blog/i
const typeOfOne = /article|blog|product|video|movie|book|music|recipe|profile/i
const articleNode = /^(?:\w*Article|\w*Posting)$/
const nodeType = new RegExp(
  String.raw`"@type"\s*:\s*\[?\s*"(?:https?:\/\/schema\.org\/)?(${words(
    String.raw`\w*Article|\w*Posting|Product|ProductGroup|Recipe|Movie|Book|VideoObject`,
  )})"`,
  "g",
)

export function pageKind(document: Document): PageKind {
  const [meta] = elementsWhere(
    document.head,
    (element) => element.getAttribute("property") === "og:type",
  )
  const type = meta?.getAttribute("content") ?? ""
  const nodes = elementsWhere(document, isJsonLd).flatMap((script) =>
    [...script.textContent!.matchAll(nodeType)].map((match) => match[1]!),
  )
  const isArticle = articleType.test(type) || nodes.some((node) => articleNode.test(node))
  return {
    isArticle,
    isAboutOne: typeOfOne.test(type) || nodes.length === 1,
    isOther: type !== "" && !isArticle,
  }
}

const isJsonLd = (element: Element) =>
  element.localName === "script" && /ld\+json/i.test(element.getAttribute("type") ?? "")
