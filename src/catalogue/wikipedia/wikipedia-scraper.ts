import { objectList, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  type Row,
  record,
  required,
} from "../kit/index.ts"
import { languagePattern, mediawiki, pageUrl, wikipediaRateLimit } from "./mediawiki.ts"

const maxRounds = 10
const thumbnailWidth = 640

type Page = Row & { title: string; canonicalurl?: string; fullurl?: string; extract?: string }

/** A page, its Wikipedia's language, and whether the whole text was requested. */
type Article = Page & { language: string; fullExtract: boolean }

const introduction = (extract: string): string => extract.split(/(?:^|\n)==/)[0]!.trim()

const facts = record({
  pageId: required(field.integer("pageid", "ID of the page.")),
  title: required(field.text("title", "Title of the article.")),
  url: field.of(
    items.requiredText("URL of the article."),
    ({ canonicalurl, fullurl, language, title }: Article) =>
      canonicalurl ?? fullurl ?? pageUrl(language, title),
  ),
  language: required(field.text("language", "Language code of the Wikipedia, for example en.")),
  description: field.text(
    "description|pageprops.wikibase-shortdesc",
    "Description in a few words.",
  ),
  extract: field.text("extract", "Plain text; section headings are written as == Heading ==."),
  summary: field.text("extract", "Introduction of the article, as plain text.", introduction),
  sections: field.objects(sectionsOf, "Sections in order; only with `fullExtract`.", {
    level: required(field.integer("level", "Level of the heading (2-6).")),
    title: required(field.text("title", "Heading of the section.")),
    text: field.text("text", "Text of the section, as plain text."),
  }),
  thumbnailUrl: field.text("thumbnail.source", "URL of the thumbnail."),
  imageUrl: field.text("original.source", "URL of the image in its original size."),
  wikidataId: field.text("pageprops.wikibase_item", "ID on Wikidata, for example Q7251."),
  isDisambiguation: field.flag(
    ({ pageprops }: Page) => at(pageprops, "disambiguation") !== undefined,
    "Whether the page only lists articles of this name.",
  ),
  latitude: field.number("coordinates.0.lat", "Latitude in degrees north."),
  longitude: field.number("coordinates.0.lon", "Longitude in degrees east."),
  lengthBytes: field.integer("length", "Size of the page's source, in bytes."),
  lastRevisionId: field.integer("lastrevid", "ID of the newest revision."),
  touchedAt: field.time("touched", "Time of the page's last rendering (ISO 8601, UTC)."),
})

const languageLink = record({
  language: required(field.text("lang", "Language code of the other Wikipedia, for example de.")),
  title: field.text("*|title", "Title of the article in that language."),
  url: field.text("url", "URL of the article in that language."),
})

export default defineScraper({
  slug: "wikipedia-scraper",
  name: "Wikipedia Articles",
  tagline:
    "Wikipedia articles by title: text, summary, image, coordinates, categories and language links.",
  notServed: ["search by words"],
  category: "research",
  input: {
    titles: inputs.texts(
      "Article titles, for example Alan Turing, or article URLs. The language of a URL overrides `language`.",
      { max: 200 },
    ),
    language: inputs.textOr("Wikipedia language code, for example en, de or simple.", "en", {
      pattern: languagePattern,
    }),
    fullExtract: inputs.flag("Whether to return the whole text instead of the introduction."),
    includeDetails: inputs.flag("Whether to add categories and language links."),
  },
  item: {
    input: items.requiredText("Article as written in the input."),
    ...facts.fields,
    redirectedFrom: items.text("Title in the input, if it redirects to this article."),
    categories: items.texts("Categories without hidden ones; only with `includeDetails`."),
    langLinks: items.objects(
      "Article in other languages; only with `includeDetails`.",
      languageLink.fields,
    ),
    langLinksCount: items.integer("Number of other languages; null without `includeDetails`."),
  },
  example: { titles: ["Web scraping"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].title equals "Web scraping"',
      '?items[0].wikidataId matches "^Q\\\\d+$"',
      "items[0].extract share 1",
      "items[0].lengthBytes gte 5000",
      "items[0].touchedAt fresh 90",
    ],
  },
  rateLimit: wikipediaRateLimit,
  targets: (input) => input.titles,

  async *scrape(target, ctx) {
    const { fullExtract, includeDetails } = ctx.input
    const { language, title } = article(target, ctx.input.language)
    const { page, redirectedFrom } = await basics(language, title, fullExtract, ctx)
    const details = includeDetails ? await allDetails(language, title, ctx) : null
    yield {
      input: target,
      ...facts.read({ ...page, language, fullExtract }),
      redirectedFrom,
      categories: details?.categories ?? [],
      langLinks: details?.langLinks ?? [],
      langLinksCount: details?.langLinks?.length ?? null,
    }
  },
})

function article(target: string, language: string): { language: string; title: string } {
  // Wikipedias in several scripts have paths such as /zh-tw/ and /sr-el/ instead of /wiki/.
  const url =
    /^(?:https?:\/\/)?([a-z-]+)(?:\.m)?\.wikipedia\.org\/(?:wiki|[a-z]{2,3}-[a-z]{2,4})\/([^?#]+)/i.exec(
      target.trim(),
    ) ??
    /^(?:https?:\/\/)?([a-z-]+)(?:\.m)?\.wikipedia\.org\/w\/index\.php\?(?:[^#]*&)?title=([^&#]+)/i.exec(
      target.trim(),
    )
  if (!url && /^https?:\/\//i.test(target.trim()))
    throw new BadInput(`"${target}" is not a Wikipedia article.`)
  let title = url?.[2] ?? target.trim()
  try {
    if (url) title = decodeURIComponent(title)
  } catch {
    // A stray % belongs to the title.
  }
  return { language: url?.[1]?.toLowerCase() ?? language, title: title.replaceAll("_", " ") }
}

async function basics(language: string, title: string, full: boolean, ctx: Context) {
  const parameters = {
    redirects: 1,
    prop: "extracts|info|pageprops|pageimages|description|coordinates",
    inprop: "url",
    explaintext: 1,
    ...(full ? { exsectionformat: "wiki" } : { exintro: 1 }),
    piprop: "original|thumbnail",
    pithumbsize: thumbnailWidth,
    titles: title,
  }
  const { query } = await mediawiki(language, parameters, ctx)
  if (query.interwiki) throw new BadInput(`"${title}" leads to another wiki, not to an article.`)
  const page = onlyPage(query)
  if (page.invalid !== undefined) {
    const reason = page.invalidreason ?? "Wikipedia rejects it"
    throw new BadInput(`"${title}" is not a valid title: ${reason}`)
  }
  if (page.missing !== undefined || Number(page.pageid ?? -1) < 0)
    throw new NotFound(`No such page: ${title}`)
  const redirects = query.redirects as { from: string }[] | undefined
  return { page, redirectedFrom: redirects?.[0]?.from ?? null }
}

function onlyPage(query: Record<string, unknown>): Page {
  const pages = query.pages
  const [page] = typeof pages === "object" && pages !== null ? Object.values(pages) : []
  if (typeof page?.title !== "string") throw new Changed("Wikipedia's response has no page.")
  return page as Page
}

/** Returns categories and language links; each is null if it is not available. */
async function allDetails(language: string, title: string, ctx: Context) {
  const gathered = (what: string, parameters: Record<string, string>) =>
    orNull(ctx, `${what} of ${title}`, () =>
      gather(language, { ...parameters, titles: title }, ctx),
    )
  const listed = { prop: "categories", cllimit: "max", clshow: "!hidden" }
  const linked = { prop: "langlinks", lllimit: "max", llprop: "url" }
  const categories = await gathered("categories", listed)
  const langLinks = await gathered("language links", linked)
  return {
    categories: categories?.flatMap((page) =>
      objectList(page.categories as { title: string }[]).flatMap(categoryName),
    ),
    langLinks: langLinks
      ?.flatMap((page) => objectList(page.langlinks as Row[]))
      .filter(({ lang }) => textOrNull(lang))
      .map(languageLink.read),
  }
}

const categoryName = ({ title }: { title: string }) =>
  textOrNull(title)?.replace(/^[^:]*:/, "") ?? []

/** Returns all parts of a page that comes in parts. */
async function gather(language: string, parameters: Record<string, string>, ctx: Context) {
  const parts: Page[] = []
  let more: Record<string, string> = {}
  for (let round = 0; round < maxRounds; round++) {
    const body = await mediawiki(language, { redirects: 1, ...parameters, ...more }, ctx)
    parts.push(onlyPage(body.query))
    if (!body.continue) break
    more = body.continue
  }
  return parts
}

function sectionsOf({ extract, fullExtract }: Article) {
  const text = extract ?? ""
  const marks = fullExtract ? [...text.matchAll(/^(={2,6})\s*(.+?)\s*\1\s*$/gm)] : []
  return marks.map((mark, index) => ({
    level: mark[1]!.length,
    title: mark[2],
    text: text.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim(),
  }))
}
