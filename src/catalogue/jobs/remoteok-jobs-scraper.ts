import { Type } from "@sinclair/typebox"
import { isoDate, isoFromUnix } from "../../extract/dates.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { htmlToText, textOrNull, titleOrNull } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField, textsField } from "../fields.ts"
import { Changed } from "../outcome.ts"
import { guarded, lacking } from "../walls.ts"
import { holdsWords, repairMojibake } from "./job-text.ts"

const source = "Remote OK"
const endpoint = "https://remoteok.com/api"
/** Robots get a page in place of the list. */
const wall = { statuses: [403], wordless: true }

interface Job {
  legal?: string
  id?: string | number
  slug?: string
  url?: string
  apply_url?: string
  position?: string
  company?: string
  company_logo?: string
  logo?: string
  location?: string
  tags?: string[]
  salary_min?: number | string
  salary_max?: number | string
  original?: boolean
  description?: string
  date?: string
  epoch?: number | string
}

export default defineScraper({
  slug: "remoteok-jobs-scraper",
  name: "Remote OK Jobs",
  tagline: "The newest remote jobs from Remote OK, filtered by tag or words.",
  category: "jobs",
  tier: "free",
  input: inputObject({
    tag: Type.Optional(Type.String({ minLength: 1, description: "One tag, such as golang." })),
    search: Type.Optional(
      Type.String({ description: "Words that a job must hold, all of them, in any letter case." }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "Most jobs." }),
    ),
  }),
  item: itemObject({
    source: Type.String({ description: "To be named wherever a job is shown." }),
    id: Type.String({ description: "Id of the job." }),
    slug: textField("Its name in addresses."),
    url: textField("The job's page; to be linked wherever it is shown."),
    applyUrl: textField("Where to apply."),
    title: Type.String({ description: "Title." }),
    company: textField("Company."),
    companyLogo: textField("The company's logo."),
    location: textField("Place, or where candidates may live."),
    tags: textsField("Tags."),
    salaryMin: integerField("Least pay, as it was given: a year's, at times an hour's."),
    salaryMax: integerField("Most pay, as it was given."),
    salaryCurrency: textField("USD when pay is given."),
    original: Type.Boolean({ description: "Posted on Remote OK itself." }),
    description: textField("Plain text."),
    descriptionHtml: textField("The text as HTML."),
    postedAt: textField("When it was posted (ISO 8601, UTC)."),
  }),
  example: { tag: "golang", limit: 10 },
  pace: { "remoteok.com": { perSecond: 1 / 60, concurrency: 1 } },
  targets: (input) => [input.tag?.trim().toLowerCase() ?? "newest"],
  maxItems: (input) => input.limit,
  identify: (target) => ({ input: target }),

  async *scrape(_target, ctx) {
    const { search, limit = 100 } = ctx.input
    const tag = ctx.input.tag?.trim().toLowerCase()
    const answer = await guarded(ctx, endpoint, wall, () =>
      ctx.get(endpoint, {
        identity: "browser",
        headers: { accept: "application/json" },
        query: { tags: tag },
      }),
    )
    if (/^\s*</.test(answer.text())) throw lacking(answer, "a list of jobs", wall)
    const list = answer.json<Job[]>()
    if (!Array.isArray(list))
      throw new Changed("Remote OK's answer is no list.", { url: answer.url })
    const entries = list.filter((one) => one?.legal === undefined)
    const jobs = entries.filter((one) => (one?.id ?? one?.slug) && titleOrNull(one?.position))
    if (jobs.length === 0 && entries.length > 0) {
      throw new Changed("No job of Remote OK's answer has an id and title.", { url: answer.url })
    }
    if (jobs.length < entries.length) {
      ctx.log(
        `${entries.length - jobs.length} entries without id or title are left out.`,
        "warning",
      )
    }
    if (list.length === 0) throw new Changed("Remote OK's answer is empty, without its notice.")
    let given = 0
    for (const job of jobs.toSorted((a, b) => Number(b.epoch ?? 0) - Number(a.epoch ?? 0))) {
      const item = fields(job)
      if (tag && !item.tags.some((one) => one.toLowerCase() === tag)) continue
      const { title, company, location, description } = item
      if (!holdsWords(search, title, company, location, description, item.tags.join(" "))) continue
      if (++given > limit) return
      yield item
    }
  },
})

function fields(job: Job) {
  const salaryMin = integerOrNull(job.salary_min) || null
  const salaryMax = integerOrNull(job.salary_max) || null
  const html = textOrNull(repairMojibake(job.description ?? ""))
  return {
    source,
    id: String(job.id ?? job.slug),
    slug: textOrNull(job.slug),
    url: ownAddress(job.url),
    applyUrl: ownAddress(job.apply_url),
    title: clean(job.position)!,
    company: clean(job.company),
    companyLogo: textOrNull(job.company_logo) ?? textOrNull(job.logo),
    location: textOrNull(clean(job.location)?.replace(/,\s*$/, "")),
    tags: (job.tags ?? []).flatMap((tag) => clean(tag) ?? []),
    salaryMin,
    salaryMax,
    salaryCurrency: (salaryMin ?? salaryMax) ? "USD" : null,
    original: job.original === true,
    description: htmlToText(withoutMark(html)),
    descriptionHtml: html,
    postedAt: isoDate(job.date) ?? isoFromUnix(job.epoch),
  }
}

function clean(text: string | undefined): string | null {
  return titleOrNull(repairMojibake(text ?? ""))
}

/** The host comes as "remoteOK.com". */
function ownAddress(address: string | undefined): string | null {
  return URL.parse(address ?? "")?.href ?? null
}

/** Each text ends with a sentence that tells applicants from robots. */
function withoutMark(html: string | null): string | null {
  return html?.replace(/(?:<br\s*\/?>|\s)*Please mention the word \*\*[\s\S]*$/i, "") ?? null
}
