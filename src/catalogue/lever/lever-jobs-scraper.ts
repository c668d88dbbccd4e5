import { holdsWords, htmlToText, textList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  NotFound,
  offset,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const hosts = { global: "https://api.lever.co", eu: "https://api.eu.lever.co" }
const pageSize = 100
/** Upper bound that no company reaches. */
const maxPostings = 100_000
const maxPage = 50 * 1024 * 1024

interface Posting extends Row {
  id: string
  categories?: { location?: string; allLocations?: string[] | null } | null
}

const isRemote = (posting: Posting): boolean =>
  workplace(posting) === "remote" || /remote/i.test(posting.categories?.location ?? "")

const job = record({
  company: required(
    field.text("company", "Site name of the company; its full name is not available."),
  ),
  id: required(field.text("id", "ID of the posting.")),
  url: field.text("hostedUrl", "URL of the posting."),
  applyUrl: field.text("applyUrl", "URL for applications."),
  title: required(field.text("text", "Title.", (title) => title.trim())),
  team: field.text("categories.team", "Team."),
  department: field.text("categories.department", "Department."),
  level: field.text("categories.level", "Level."),
  location: field.text("categories.location", "Main location."),
  locations: field.texts(allLocations, "All locations."),
  country: field.text("country", "Country (ISO 3166-1 alpha-2)."),
  employmentType: field.text(
    "categories.commitment",
    "Employment type in the company's own words, for example Full-time.",
  ),
  workplaceType: field.text(workplace, "Workplace type: remote, hybrid or onsite."),
  remote: field.flag(isRemote, "Whether the job is remote, by its workplace type or location."),
  description: field.text("descriptionPlain|joinedPlain", "Description as plain text."),
  descriptionHtml: field.text("description|joinedHtml", "Description as HTML."),
  descriptionMarkdown: field.markdown(
    "description|joinedHtml",
    "Description as Markdown.",
    "hostedUrl",
  ),
  lists: field.objects("lists", "Lists, for example of duties and requirements.", {
    title: field.text("text", "Heading of the list."),
    html: field.text("content", "List as HTML."),
    text: field.text("content", "List as plain text.", htmlToText),
    markdown: field.markdown("content", "List as Markdown."),
  }),
  additional: field.text("additionalPlain", "Closing text as plain text."),
  additionalHtml: field.text("additional", "Closing text as HTML."),
  additionalMarkdown: field.markdown("additional", "Closing text as Markdown.", "hostedUrl"),
  salaryMin: field.number(
    "salaryRange.min",
    "Minimum pay, in the currency and period of the posting.",
  ),
  salaryMax: field.number(
    "salaryRange.max",
    "Maximum pay, in the currency and period of the posting.",
  ),
  salaryCurrency: field.text("salaryRange.currency", "Currency of the pay."),
  salaryInterval: field.text(
    "salaryRange.interval",
    "Period of the pay, for example per-year-salary.",
  ),
  salaryDescription: field.text("salaryDescriptionPlain", "Text about the pay."),
  postedAt: field.unixTime("createdAt", "Time of creation (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "lever-jobs-scraper",
  name: "Lever Jobs",
  tagline: "Every open posting of any company that hires through Lever.",
  notServed: ["search all employers"],
  category: "jobs",
  input: {
    companies: inputs.texts(
      "Site names as in jobs.lever.co/{name}, case-sensitive, or job board URLs.",
      { max: 100 },
    ),
    titleSearch: inputs.optionalText("Words that the job title must contain, ignoring case."),
    limit: inputs.count("Maximum jobs of the run", { max: 10_000, or: 1000 }),
  },
  item: job,
  example: { companies: ["leverdemo"], limit: 10 },
  probe: {
    input: { companies: ["leverdemo"], limit: 5 },
    expect: [
      "items.length gte 1",
      "items[*].title share 1",
      'items[*].url matches "lever.co/"',
      "items[*].description share 0.5",
    ],
  },
  rateLimit: { "lever.co": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.companies,
  maxItems: (input) => input.limit,

  async *scrape(target, ctx) {
    const { site, eu } = siteOf(target)
    const { titleSearch, limit } = ctx.input
    let provided = 0
    const read = (posting: Posting) => {
      const item = job.read({
        ...posting,
        company: site,
        joinedPlain: joined(posting.openingPlain, posting.descriptionBodyPlain),
        joinedHtml: joined(posting.opening, posting.descriptionBody),
      })
      return holdsWords(titleSearch, item.title) ? item : null
    }
    for await (const item of readRows(postings(site, eu, ctx), read, ctx)) {
      yield item
      if (++provided >= limit) return
    }
  },
})

/**
 * Returns all postings of a site; if its region does not have the site, those of the other region.
 */
function postings(site: string, eu: boolean, ctx: Context): AsyncGenerator<Posting> {
  let host = eu ? hosts.eu : hosts.global
  const page = async (skip: number) => {
    try {
      return await readPage(host, site, skip, ctx)
    } catch (error) {
      if (!(error instanceof NotFound) || skip > 0) throw error
      host = eu ? hosts.global : hosts.eu
      return await readPage(host, site, skip, ctx).catch((second) => {
        if (!(second instanceof NotFound)) throw second
        const message = `No such company on Lever: "${site}". Site names are case-sensitive.`
        throw new NotFound(message, { url: second.url, statusCode: second.statusCode })
      })
    }
  }
  return offset(page, { pageSize, cap: maxPostings, keyOf: ({ id }) => id })
}

function siteOf(target: string): { site: string; eu: boolean } {
  const text = target.trim()
  const url = /(?:jobs|api)(\.eu)?\.lever\.co\/(?:v0\/postings\/)?([\w.-]+)/i.exec(text)
  const site = url?.[2] ?? text
  if (!/^[\w.-]+$/.test(site) || (!url && /lever\.co$/i.test(site)))
    throw new BadInput(`"${target}" is not a Lever company. Use its name in jobs.lever.co/<name>.`)
  return { site, eu: url?.[1] !== undefined }
}

async function readPage(host: string, site: string, skip: number, ctx: Context) {
  const url = `${host}/v0/postings/${site}`
  const page = await ctx.json<Posting[]>(url, {
    query: { mode: "json", limit: pageSize, skip },
    maxBytes: maxPage,
  })
  if (!Array.isArray(page))
    throw new Changed("Lever's response is not a list of postings.", { url })
  return page
}

const joined = (...parts: unknown[]) =>
  textOrNull(parts.flatMap((part) => textOrNull(part) ?? []).join("\n\n"))

function allLocations({ categories }: Posting): string[] {
  const all = textList(categories?.allLocations)
  return all.length > 0 ? all : [categories?.location].flatMap((place) => textOrNull(place) ?? [])
}

function workplace({ workplaceType }: Posting): string | null {
  const known = textOrNull(workplaceType)?.toLowerCase().replace("on-site", "onsite")
  return known && known !== "unspecified" ? known : null
}
