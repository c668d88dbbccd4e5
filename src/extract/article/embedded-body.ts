import { factOf, parseDocument, proseLines, textOrNull } from "../core/index.ts"
import { at, pageStates, parseLoose } from "../embedded/index.ts"
import { documentTitle, metaContent, readMeta, shareOfWords } from "../page/index.ts"
import { BlockReader } from "./block-html.ts"
import { embeddedThread } from "./embedded-thread.ts"
import type { Json } from "./node-facts.ts"

/** Objects that are looked at in all; a page's state has some thousands. */
const maxObjects = 100_000
/** Maximum number of levels from an article's body up to its title. */
const nearby = 4
/** Maximum number of bodies with the page's title; usually there are one or two, and their parts. */
const maxBodies = 200
const shortestBodyChars = 250
const maxStructured = 50

const bodyKeys =
  /^(?:article|post|story|main|raw|full|page)?_?(?:body|content|contents|html|text|markdown|blocks|paragraphs|steps|chapters)(?:_?(?:html|text|model|blocks|json|raw|rendered))?$/i

interface Position {
  value: unknown
  /** The object that holds it, and so on. */
  holder: Holder | null
}

interface Holder {
  object: Json
  above: Holder | null
}

/**
 * Returns the body that a page hands to its scripts if it shows none: the longest one with the page's
 * own title or URL, or all posts of a thread. Null if there is none; a body without title or URL may
 * belong to another page.
 */
export function embeddedBody(document: Document, pageUrl: string): Element | null {
  const html = factOf(document, maxBody, () => maxBody(document, pageUrl))
  if (html === "") return null
  const page = parseDocument(`<body><article>${html}</article></body>`)
  const root = page.querySelector("article")
  return root && proseLines(root).join("\n").length >= shortestBodyChars ? root : null
}

function maxBody(document: Document, pageUrl: string): string {
  let best = { html: "", length: shortestBodyChars - 1 }
  let left = maxBodies
  const blocks = new BlockReader()
  const isOwn = ownTest(document, pageUrl)
  const states = [...pageStates(document)]
  const thread = embeddedThread([...states, ...structuredStates(document)])
  if (thread !== "") best = { html: thread, length: textLength(thread) }
  for (const state of states) {
    const objects = findApollo(state)
    for (const { value, holder } of bodies(state)) {
      if (!isOwn(holder) || left-- <= 0) continue
      const html = blocks.html(value, objects)
      const length = textLength(html)
      if (length > best.length) best = { html, length }
    }
  }
  return best.html
}

/** Forum software without a state for its scripts may write the posts as JSON-LD. */
const structuredStates = (document: Document) =>
  [...document.querySelectorAll('script[type="application/ld+json"]')]
    .slice(0, maxStructured)
    .map((script) => parseLoose(script.textContent?.trim() ?? ""))

/** Characters outside of tags. */
function textLength(html: string): number {
  let length = 0
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at)
    length += (open < 0 ? html.length : open) - at
    const close = open < 0 ? -1 : html.indexOf(">", open)
    if (close < 0) return length
    at = close + 1
  }
  return length
}

function* bodies(state: unknown): Generator<Position> {
  const seen = new Set<unknown>()
  const stack: Position[] = [{ value: state, holder: null }]
  while (stack.length > 0 && seen.size < maxObjects) {
    const { value, holder } = stack.pop()!
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    const inner = Array.isArray(value) ? holder : { object: value as Json, above: holder }
    for (const [key, child] of Object.entries(value)) {
      // Apollo writes the arguments of a field after its name.
      if (!Array.isArray(value) && bodyKeys.test(key.replace(/\(.*$/s, ""))) {
        yield { value: child, holder: inner }
      }
      stack.push({ value: child, holder: inner })
    }
  }
}

/** Returns a test whether the object with a body has the page's title or URL. */
function ownTest(document: Document, pageUrl: string): (holder: Holder | null) => boolean {
  const titles = [documentTitle(document), metaContent(readMeta(document), "og:title")].filter(
    (title) => typeof title === "string",
  )
  const slug = /([^/]+?)(?:\.\w+)?\/*$/.exec(new URL(pageUrl).pathname)?.[1] ?? ""
  // A site's name is in the title, too, but does not identify the page.
  const isTitle = (text: string) =>
    titles.some((title) => shareOfWords(text, title) >= 0.8 && shareOfWords(title, text) >= 0.4)
  return (holder) => {
    let current = holder
    for (let level = 0; current && level < nearby; level++, current = current.above) {
      const { object } = current
      const title = ["title", "headline", "heading", "name"]
        .map((key) => textOrNull(at(object, key, "rendered") ?? object[key]))
        .find((text) => text !== null)
      if (title && isTitle(title)) return true
      const addresses = [object.slug, object.path, object.url, object.uri, object.canonicalUrl]
      if (slug.length > 3 && addresses.some((address) => isAt(address, slug))) return true
    }
    return false
  }
}

const isAt = (address: unknown, slug: string) =>
  typeof address === "string" &&
  encodeURI(address.replace(/[?#].*$/s, "").toWellFormed())
    .split("/")
    .includes(slug)

/** The objects to which others refer by `__ref`. */
function findApollo(state: unknown): Json {
  const candidates = [
    state,
    at(state, "props", "pageProps", "apolloState"),
    at(state, "props", "pageProps", "__APOLLO_STATE__"),
    at(state, "props", "pageProps", "initialApolloState"),
    at(state, "props", "apolloState"),
  ]
  return (candidates.find((one) => at(one, "ROOT_QUERY") !== undefined) as Json | undefined) ?? {}
}
