import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { numberOrNull } from "../../extract/numbers.ts"
import { htmlToText, textList, textOrNull } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, numberField, textField, textsField } from "../fields.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { holdsWords } from "./job-text.ts"

const hosts = { global: "https://api.lever.co", eu: "https://api.eu.lever.co" }
const pageSize = 100
const largestPage = 50 * 1024 * 1024

interface Posting {
  id: string
  text: string
  hostedUrl?: string
  applyUrl?: string
  country?: string | null
  workplaceType?: string | null
  categories?: {
    team?: string
    department?: string
    level?: string
    location?: string
    allLocations?: string[] | null
    commitment?: string
  } | null
  description?: string
  descriptionPlain?: string
  opening?: string
  openingPlain?: string
  descriptionBody?: string
  descriptionBodyPlain?: string
  additional?: string
  additionalPlain?: string
  lists?: { text?: string; content?: string }[] | null
  salaryRange?: { min?: number; max?: number; currency?: string; interval?: string } | null
  salaryDescriptionPlain?: string
  createdAt?: number
}

export default defineScraper({
  slug: "lever-jobs-scraper",
  name: "Lever Jobs",
  tagline: "Every open posting of any company that hires through Lever.",
  category: "jobs",
  tier: "free",
  input: inputObject({
    companies: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100,
      description: "Site names as in jobs.lever.co/<name>, in their letter case, or addresses.",
    }),
    titleSearch: Type.Optional(
      Type.String({
        description: "Words that a title must hold, all of them, in any letter case.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 1000,
        description: "Most jobs in all.",
      }),
    ),
  }),
  item: itemObject({
    company: Type.String({ description: "The company's site name; its full name is not told." }),
    id: Type.String({ description: "Id of the posting." }),
    url: textField("The posting's page."),
    applyUrl: textField("Where to apply."),
    title: Type.String({ description: "Title." }),
    team: textField("Team."),
    department: textField("Department."),
    level: textField("Level."),
    location: textField("Main place."),
    locations: textsField("All places."),
    country: textField("Country (ISO 3166-1 alpha-2)."),
    employmentType: textField("Such as Full-time, in the company's words."),
    workplaceType: textField("remote, hybrid or onsite."),
    remote: Type.Boolean({ description: "Remote by its type or its place." }),
    description: textField("Plain text."),
    descriptionHtml: textField("The text as HTML."),
    lists: Type.Array(
      itemObject({
        title: textField("Head of the list."),
        html: textField("The list as HTML."),
        text: textField("Plain text."),
      }),
      { description: "Lists of duties, requirements and the like." },
    ),
    additional: textField("Closing words, plain."),
    additionalHtml: textField("Closing words as HTML."),
    salaryMin: numberField("Least pay."),
    salaryMax: numberField("Most pay."),
    salaryCurrency: textField("Currency of the pay."),
    salaryInterval: textField("What the pay is for, such as per-year-salary."),
    salaryDescription: textField("What is said of the pay."),
    postedAt: textField("When it was made (ISO 8601, UTC)."),
  }),
  example: { companies: ["leverdemo"], limit: 10 },
  pace: { "lever.co": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.companies,
  maxItems: (input) => input.limit,

  async *scrape(input, ctx) {
    const { site, eu } = siteOf(input)
    const { titleSearch, limit = 1000 } = ctx.input
    let given = 0
    for await (const page of pages(site, eu, ctx)) {
      for (const posting of page) {
        if (!holdsWords(titleSearch, posting.text)) continue
        yield fields(posting, site)
        if (++given >= limit) return
      }
    }
  },
})

async function* pages(site: string, eu: boolean, ctx: Context): AsyncGenerator<Posting[]> {
  let host = eu ? hosts.eu : hosts.global
  for (let skip = 0; ; skip += pageSize) {
    let page: Posting[]
    try {
      page = await readPage(host, site, skip, ctx)
    } catch (error) {
      if (!(error instanceof NotFound) || skip > 0) throw error
      host = eu ? hosts.global : hosts.eu
      page = await readPage(host, site, skip, ctx).catch((second) => {
        if (!(second instanceof NotFound)) throw second
        throw new NotFound(
          `There is no company "${site}" at Lever; names keep their letter case.`,
          { url: second.url, statusCode: second.statusCode },
        )
      })
    }
    yield page
    if (page.length < pageSize) return
  }
}

function siteOf(input: string): { site: string; eu: boolean } {
  const text = input.trim()
  const address = /(?:jobs|api)(\.eu)?\.lever\.co\/(?:v0\/postings\/)?([\w.-]+)/i.exec(text)
  const site = address?.[2] ?? text
  if (!/^[\w.-]+$/.test(site) || (!address && /lever\.co$/i.test(site))) {
    throw new BadInput(`"${input}" is no company; write its name in jobs.lever.co/<name>.`)
  }
  return { site, eu: address?.[1] !== undefined }
}

async function readPage(
  host: string,
  site: string,
  skip: number,
  ctx: Context,
): Promise<Posting[]> {
  const url = `${host}/v0/postings/${site}`
  const page = await ctx.json<Posting[]>(url, {
    query: { mode: "json", limit: pageSize, skip },
    maxBytes: largestPage,
  })
  if (!Array.isArray(page)) throw new Changed("Lever's answer is no list of postings.", { url })
  if (page.some((posting) => !posting?.id || !textOrNull(posting.text))) {
    throw new Changed("A posting of Lever's answer has no id or title.", { url })
  }
  return page
}

/** Parts of one text, one after the other; null when there are none. */
function joined(...parts: (string | undefined)[]): string | null {
  return textOrNull(parts.filter((part) => part?.trim()).join("\n\n"))
}

function fields(posting: Posting, company: string) {
  const { salaryRange } = posting
  const categories = posting.categories ?? {}
  const location = textOrNull(categories.location)
  const places = textList(categories.allLocations)
  const workplaceType = workplace(posting.workplaceType)
  return {
    company,
    id: posting.id,
    url: textOrNull(posting.hostedUrl),
    applyUrl: textOrNull(posting.applyUrl),
    title: posting.text.trim(),
    team: textOrNull(categories.team),
    department: textOrNull(categories.department),
    level: textOrNull(categories.level),
    location,
    locations: places.length > 0 ? places : location ? [location] : [],
    country: textOrNull(posting.country),
    employmentType: textOrNull(categories.commitment),
    workplaceType,
    remote: workplaceType === "remote" || /remote/i.test(location ?? ""),
    description:
      textOrNull(posting.descriptionPlain) ??
      joined(posting.openingPlain, posting.descriptionBodyPlain),
    descriptionHtml:
      textOrNull(posting.description) ?? joined(posting.opening, posting.descriptionBody),
    lists: (posting.lists ?? []).map((list) => ({
      title: textOrNull(list.text),
      html: textOrNull(list.content),
      text: htmlToText(list.content),
    })),
    additional: textOrNull(posting.additionalPlain),
    additionalHtml: textOrNull(posting.additional),
    salaryMin: numberOrNull(salaryRange?.min),
    salaryMax: numberOrNull(salaryRange?.max),
    salaryCurrency: textOrNull(salaryRange?.currency),
    salaryInterval: textOrNull(salaryRange?.interval),
    salaryDescription: textOrNull(posting.salaryDescriptionPlain),
    postedAt: isoFromUnix(posting.createdAt),
  }
}

function workplace(type: string | null | undefined): string | null {
  const known = type?.toLowerCase().replace("on-site", "onsite")
  return known && known !== "unspecified" ? known : null
}
