import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { languagePattern, mediawiki, pageUrl, wikipediaPace } from "./mediawiki.ts"

const mostRounds = 10
const thumbnailWidth = 640

interface Page {
  pageid?: number
  title: string
  missing?: unknown
  invalid?: unknown
  invalidreason?: string
  extract?: string
  fullurl?: string
  canonicalurl?: string
  description?: string
  length?: number
  lastrevid?: number
  touched?: string
  pageprops?: Record<string, string>
  thumbnail?: { source?: string }
  original?: { source?: string }
  coordinates?: { lat?: number; lon?: number }[]
  categories?: { title: string }[]
  langlinks?: { lang: string; "*"?: string; title?: string; url?: string }[]
}

const languageLink = itemObject({
  language: Type.String(),
  title: textField("Title in that language."),
  url: textField("The page in that language."),
})

export default defineScraper({
  slug: "wikipedia-scraper",
  name: "Wikipedia Articles",
  tagline:
    "Wikipedia articles by title: text, summary, image, coordinates, categories and language links.",
  category: "research",
  tier: "free",
  input: inputObject({
    titles: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 200,
      description: "Titles, or addresses of articles, whose language then counts.",
    }),
    language: Type.Optional(
      Type.String({
        pattern: languagePattern,
        default: "en",
        description: "Language of the Wikipedia, such as en, de or simple.",
      }),
    ),
    fullExtract: Type.Optional(
      Type.Boolean({ default: false, description: "The whole text, not the introduction alone." }),
    ),
    includeDetails: Type.Optional(
      Type.Boolean({ default: false, description: "Adds categories and language links." }),
    ),
  }),
  item: itemObject({
    input: Type.String({ description: "The article as it was asked for." }),
    pageId: Type.Integer({ description: "Id of the page." }),
    title: Type.String({ description: "Title." }),
    url: Type.String({ description: "The article." }),
    language: Type.String({ description: "Language of the Wikipedia." }),
    description: textField("A few words on what it is."),
    extract: textField("Plain text; sections as == Head ==."),
    summary: textField("The introduction."),
    sections: Type.Array(
      itemObject({ level: Type.Integer(), title: Type.String(), text: textField("Plain text.") }),
      { description: "With fullExtract: the sections in order." },
    ),
    thumbnailUrl: textField("A small picture."),
    imageUrl: textField("The picture in full size."),
    wikidataId: textField("Id at Wikidata."),
    isDisambiguation: Type.Boolean({ description: "Only lists articles of this name." }),
    latitude: numberField("Degrees north."),
    longitude: numberField("Degrees east."),
    lengthBytes: integerField("Size of the page's source."),
    lastRevisionId: integerField("Id of the newest revision."),
    touchedAt: textField("When the page was last rendered anew (ISO 8601, UTC)."),
    redirectedFrom: textField("The title that led here."),
    categories: textsField("With includeDetails: categories, without hidden ones."),
    langLinks: Type.Array(languageLink, {
      description: "With includeDetails: the article in other languages.",
    }),
    langLinksCount: integerField("Number of other languages; null without includeDetails."),
  }),
  example: { titles: ["Web scraping"] },
  pace: wikipediaPace,
  targets: (input) => input.titles,

  async *scrape(input, ctx) {
    const { fullExtract = false, includeDetails = false } = ctx.input
    const { language, title } = article(input, ctx.input.language ?? "en")
    const { page, redirectedFrom } = await basics(language, title, fullExtract, ctx)
    const extract = textOrNull(page.extract)
    const details = includeDetails ? await allDetails(language, title, ctx) : null
    yield {
      input,
      pageId: page.pageid!,
      title: page.title,
      url: page.canonicalurl ?? page.fullurl ?? pageUrl(language, page.title),
      language,
      description:
        textOrNull(page.description) ?? textOrNull(page.pageprops?.["wikibase-shortdesc"]),
      extract,
      summary: textOrNull(extract?.split(/(?:^|\n)==/)[0]?.trim()),
      sections: fullExtract ? sectionsOf(extract ?? "") : [],
      thumbnailUrl: page.thumbnail?.source ?? null,
      imageUrl: page.original?.source ?? null,
      wikidataId: page.pageprops?.wikibase_item ?? null,
      isDisambiguation: page.pageprops?.disambiguation !== undefined,
      latitude: numberOrNull(page.coordinates?.[0]?.lat),
      longitude: numberOrNull(page.coordinates?.[0]?.lon),
      lengthBytes: integerOrNull(page.length),
      lastRevisionId: integerOrNull(page.lastrevid),
      touchedAt: isoDate(page.touched),
      redirectedFrom,
      categories: details?.categories ?? [],
      langLinks: details?.langLinks ?? [],
      langLinksCount: details?.langLinks?.length ?? null,
    }
  },
})

/** The title and language in what users write. */
function article(input: string, language: string): { language: string; title: string } {
  const address = /^(?:https?:\/\/)?([a-z-]+)(?:\.m)?\.wikipedia\.org\/wiki\/([^?#]+)/i.exec(
    input.trim(),
  )
  if (!address && /^https?:\/\//i.test(input.trim())) {
    throw new BadInput(`"${input}" is no article of Wikipedia.`)
  }
  let title = address?.[2] ?? input.trim()
  try {
    if (address) title = decodeURIComponent(title)
  } catch {
    // A stray % belongs to the title.
  }
  return { language: address?.[1]?.toLowerCase() ?? language, title: title.replaceAll("_", " ") }
}

async function basics(language: string, title: string, full: boolean, ctx: Context) {
  const { query } = await mediawiki(
    language,
    {
      redirects: 1,
      prop: "extracts|info|pageprops|pageimages|description|coordinates",
      inprop: "url",
      explaintext: 1,
      ...(full ? { exsectionformat: "wiki" } : { exintro: 1 }),
      piprop: "original|thumbnail",
      pithumbsize: thumbnailWidth,
      titles: title,
    },
    ctx,
  )
  if (query.interwiki) throw new BadInput(`"${title}" leads to another wiki, not to an article.`)
  const page = onlyPage(query)
  if (page.invalid !== undefined) {
    throw new BadInput(`"${title}" is no title: ${page.invalidreason ?? "Wikipedia refuses it"}`)
  }
  if (page.missing !== undefined || (page.pageid ?? -1) < 0) {
    throw new NotFound(`Page not found: ${title}`)
  }
  const redirects = query.redirects as { from: string }[] | undefined
  return { page, redirectedFrom: redirects?.[0]?.from ?? null }
}

function onlyPage(query: Record<string, unknown>): Page {
  const pages = query.pages
  const [page] = typeof pages === "object" && pages !== null ? Object.values(pages) : []
  if (typeof page?.title !== "string") throw new Changed("Wikipedia's answer holds no page.")
  return page as Page
}

/** Categories and language links; each is null when it cannot be had. */
async function allDetails(language: string, title: string, ctx: Context) {
  const categories = await orNull(ctx, `categories of ${title}`, () =>
    gather(
      language,
      { prop: "categories", cllimit: "max", clshow: "!hidden", titles: title },
      ctx,
      (page) => (page.categories ?? []).map((one) => one.title.replace(/^[^:]*:/, "")),
    ),
  )
  const langLinks = await orNull(ctx, `language links of ${title}`, () =>
    gather(
      language,
      { prop: "langlinks", lllimit: "max", llprop: "url", titles: title },
      ctx,
      (page) =>
        (page.langlinks ?? []).map((link) => ({
          language: link.lang,
          title: textOrNull(link["*"] ?? link.title),
          url: textOrNull(link.url),
        })),
    ),
  )
  return { categories, langLinks }
}

/** All rounds of a property that comes in parts. */
async function gather<T>(
  language: string,
  parameters: Record<string, string>,
  ctx: Context,
  read: (page: Page) => T[],
): Promise<T[]> {
  const found: T[] = []
  let more: Record<string, string> = {}
  for (let round = 0; round < mostRounds; round++) {
    const body = await mediawiki(language, { redirects: 1, ...parameters, ...more }, ctx)
    found.push(...read(onlyPage(body.query)))
    if (!body.continue) break
    more = body.continue
  }
  return found
}

function sectionsOf(extract: string) {
  const marks = [...extract.matchAll(/^(={2,6})\s*(.+?)\s*\1\s*$/gm)]
  return marks.map((mark, index) => ({
    level: mark[1]!.length,
    title: mark[2]!,
    text: textOrNull(
      extract.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? extract.length).trim(),
    ),
  }))
}
