import { elementsWhere, KnownWords, sharedWordsOf, words } from "../../core/index.ts"
import { parseLoose } from "../../embedded/index.ts"
import type { Block } from "./blocks.ts"

/** Facts that a page states about itself in addition to its text. */
export interface PageFacts {
  /** The path of its URL. */
  path: string
  traits: [name: string, value: number][]
  /** Whether it states that it is an article, a product or the like, and not a list of several. */
  isAboutOne: boolean
  /** Whether it states that it is a thread, or a question with its answers. */
  isThread: boolean
  /** Whether it states twice that it is a product. */
  isProduct: boolean
  /** The type that it states, even if only once. */
  statedType: "forum" | "product" | "article" | null
  /** The text that its structured data states as its article's, and how many words it counts there. */
  statedBody: string | null
  statedWords: number | null
  /** The share of a text's words in the page's title and its description, and the reverse. */
  similarity(text: string): Similarity
  /** The block of the page's main heading, -1 for none. */
  titleBlock(blocks: Block[]): number
}

interface Similarity {
  title: number
  description: number
}

const unlike: Similarity = { title: 0, description: 0 }
/** Longer texts are neither. */
const maxTitle = 300
const maxDescription = 600

const addressTraits: [name: string, expression: RegExp][] = [
  ["forum", /forum|thread|topic|communit|discuss|\/t\/|questions?\/|viewtopic|answers/i],
  ["product", /\/(?:products?|p|dp|item|itm|shop|pd)\/|\/product|\/p\//i],
  ["collection", /collections?|categor|\/c\/|\/shop|\/browse|-category|\/departments?\//i],
  [
    "docs",
    /docs?[./-]|documentation|reference|\/api|guide|manual|learn|tutorial|developer|readthedocs/i,
  ],
  ["news", /blog|news|article|story|stories|\/post|\/20\d\d\//i],
  ["service", /service|solution|pricing|about|program|plan|care|features?/i],
]
const types: [name: string, expression: string][] = [
  ["article", String.raw`\w*Article|\w*Posting`],
  ["product", "Product|ProductGroup"],
  ["discussion", "DiscussionForumPosting|QAPage|Question"],
  ["list", "ItemList|CollectionPage|OfferCatalog|SearchResultsPage"],
  ["recipe", "Recipe|HowTo"],
  ["service", "Service|LocalBusiness|FAQPage|Course|ProfessionalService"],
  ["breadcrumbs", "BreadcrumbList"],
]
const typeTests = types.map(
  ([name, type]) =>
    [
      name,
      new RegExp(String.raw`"@type"\s*:\s*\[?\s*"(?:https?:\/\/schema\.org\/)?(?:${words(type)})"`),
    ] as const,
)
const ogTypes = ["article", "website", "product", "blog", "profile", "video"]
const ogOfOne = /article|blog|product|video|movie|book|music|recipe|profile/
const ldOfOne =
  /"@type"\s*:\s*\[?\s*"(?:https?:\/\/schema\.org\/)?(?:\w*Article|\w*Posting|Product|ProductGroup|Recipe|Movie|Book)"/
const ldOfThread =
  /"@type"\s*:\s*\[?\s*"(?:https?:\/\/schema\.org\/)?(?:DiscussionForumPosting|QAPage)"/
const maxJson = 200_000

export function readFacts(document: Document, pageUrl: string): PageFacts {
  const traits: [string, number][] = []
  const url = safeUrl(pageUrl)
  const path = url ? url.host + url.pathname : ""
  for (const [name, expression] of addressTraits) {
    traits.push([`address ${name}`, expression.test(path) ? 1 : 0])
  }
  traits.push(["address query", url && url.search !== "" ? 1 : 0])
  let og = ""
  let description = ""
  let title = document.title ?? ""
  for (const meta of elementsWhere(document.head, (element) => element.localName === "meta")) {
    const name = (meta.getAttribute("property") ?? meta.getAttribute("name") ?? "").toLowerCase()
    const content = meta.getAttribute("content") ?? ""
    if (name === "og:type") og = content.toLowerCase()
    else if (name === "description" || name === "og:description")
      description += ` ${content.slice(0, 1000)}`
    else if (name === "og:title" && content) title = content
  }
  for (const type of ogTypes) traits.push([`og ${type}`, og.includes(type) ? 1 : 0])
  let json = ""
  for (const script of elementsWhere(document, isJsonLd)) {
    if (json.length < maxJson) json += script.textContent!.slice(0, maxJson)
  }
  for (const [name, test] of typeTests) traits.push([`ld ${name}`, test.test(json) ? 1 : 0])
  const titleWords = new KnownWords(title)
  const described = new KnownWords(description)
  const isOfOne = ogOfOne.test(og) || (ldOfOne.test(json) && !/"ItemList"/.test(json))
  const isThread = ldOfThread.test(json)
  let titled: { blocks: Block[]; at: number } | null = null
  const hasTrait = (trait: string) => traits.some(([name, value]) => name === trait && value === 1)
  const productSigns = [/^(?:og:)?product(?:\.item)?$/.test(og), hasTrait("ld product")]
  const isArticle = og === "article" || hasTrait("ld article")
  const isProduct = productSigns.includes(true)
  return {
    path: url?.pathname ?? "",
    traits,
    isAboutOne: isOfOne,
    isThread,
    isProduct: !productSigns.includes(false),
    statedBody: statedBody(json),
    statedWords: Number(/"wordCount"\s*:\s*"?(\d{1,7})\b/.exec(json)?.[1] ?? 0) || null,
    statedType: isThread ? "forum" : isProduct ? "product" : isArticle ? "article" : null,
    similarity(text) {
      const isShort = text.length <= maxTitle
      const mayDescribe = text.length <= maxDescription && described.size >= 4
      if (!isShort && !mayDescribe) return unlike
      const { words, first, second } = sharedWordsOf(text, titleWords, described)
      return {
        title: isShort ? overlap(words, first, titleWords.size) : 0,
        description: mayDescribe ? overlap(words, second, described.size) : 0,
      }
    },
    titleBlock(blocks) {
      if (titled?.blocks === blocks) return titled.at
      let best = -1
      let bestScore = 0.2
      for (const [at, block] of blocks.entries()) {
        const { level } = block
        if (level === 0 || level > 3) continue
        const { words, first } = sharedWordsOf(block.text, titleWords, described)
        const like = overlap(words, first, titleWords.size)
        const score = like + (level === 1 ? 0.5 : 0) - at / (10 * blocks.length)
        if (score > bestScore) {
          best = at
          bestScore = score
        }
      }
      titled = { blocks, at: best }
      return best
    },
  }
}

function statedBody(json: string): string | null {
  const written = /"articleBody"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")/s.exec(json)?.[1]
  const value = written === undefined ? undefined : parseLoose(written.replace(/[\n\r\t]/g, " "))
  return typeof value === "string" ? value : null
}

/** Twice the shared words by all. */
const overlap = (words: number, shared: number, known: number) =>
  words === 0 || known === 0 ? 0 : (2 * shared) / (words + known)

const isJsonLd = (element: Element) =>
  element.localName === "script" && /ld\+json/i.test(element.getAttribute("type") ?? "")

function safeUrl(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null
}
