import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { numberOrNull } from "../../extract/numbers.ts"
import { decodeEntities, htmlToText, textOrNull } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, numberField, textField, textsField } from "../fields.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { holdsWords } from "./job-text.ts"

const root = "https://boards-api.greenhouse.io/v1/boards"
/** A board of some thousand jobs comes whole, with all its texts. */
const largestBoard = 100 * 1024 * 1024

interface Metadata {
  name?: string
  value?: unknown
  value_type?: string
}

interface Job {
  id: number
  internal_job_id?: number
  absolute_url?: string
  title: string
  company_name?: string
  location?: { name?: string }
  departments?: { name?: string }[]
  offices?: { name?: string; location?: string | null }[]
  requisition_id?: string | null
  language?: string | null
  first_published?: string
  updated_at?: string
  application_deadline?: string | null
  content?: string
  metadata?: Metadata[] | null
  data_compliance?: Record<string, unknown>[]
}

const values = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Unknown()),
  Type.Record(Type.String(), Type.Unknown()),
  Type.Null(),
])

export default defineScraper({
  slug: "greenhouse-jobs-scraper",
  name: "Greenhouse Jobs",
  tagline: "Every open job of any company that hires through Greenhouse.",
  category: "jobs",
  tier: "free",
  input: inputObject({
    boards: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100,
      description: "Board tokens, such as vercel, or addresses of job boards.",
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
    board: Type.String({ description: "Token of the board." }),
    id: Type.String({ description: "Id of the posting." }),
    internalJobId: textField("Id of the job behind it."),
    url: textField("The posting's page."),
    title: Type.String({ description: "Title." }),
    company: Type.String({ description: "Company." }),
    location: textField("Place."),
    departments: textsField("Departments."),
    offices: Type.Array(itemObject({ name: textField("Office."), location: textField("Place.") }), {
      description: "Offices.",
    }),
    remote: Type.Boolean({ description: "The place or an office says remote." }),
    requisitionId: textField("The company's own number."),
    language: textField("Language of the posting."),
    postedAt: textField("When it was first published (ISO 8601, UTC)."),
    updatedAt: textField("When it was last changed (ISO 8601, UTC)."),
    applicationDeadline: textField("Last day to apply (ISO 8601)."),
    description: textField("Plain text."),
    descriptionHtml: textField("The text as HTML."),
    metadata: Type.Array(
      itemObject({ name: textField("Name."), value: values, type: textField("Kind of value.") }),
      { description: "The company's own fields." },
    ),
    salaryMin: numberField("Least pay, where the company's own fields tell a range."),
    salaryMax: numberField("Most pay."),
    salaryCurrency: textField("Currency of the pay."),
    dataCompliance: Type.Union(
      [Type.Array(Type.Record(Type.String(), Type.Unknown())), Type.Null()],
      { description: "Rules on applicants' data." },
    ),
  }),
  example: { boards: ["vercel"], titleSearch: "engineer", limit: 10 },
  pace: { "greenhouse.io": { perSecond: 2, concurrency: 3 } },
  targets: (input) => input.boards,
  maxItems: (input) => input.limit,

  async *scrape(input, ctx) {
    const board = boardToken(input)
    const url = `${root}/${board}/jobs`
    const answer = await ctx
      .json<{ jobs?: Job[] }>(url, { query: { content: true }, maxBytes: largestBoard })
      .catch((error) => {
        if (!(error instanceof NotFound)) throw error
        throw new NotFound(`There is no board "${board}" at Greenhouse.`, {
          url,
          statusCode: error.statusCode,
        })
      })
    if (!Array.isArray(answer?.jobs))
      throw new Changed("Greenhouse's answer has no list of jobs.", { url })
    for (const job of answer.jobs) {
      if (!job?.id || !textOrNull(job.title)) {
        throw new Changed("A job of Greenhouse's answer has no id or title.", { url })
      }
      if (holdsWords(ctx.input.titleSearch, job.title)) yield fields(job, board)
    }
  },
})

function boardToken(input: string): string {
  const text = input.trim()
  const address =
    /greenhouse\.io\/embed\/job_(?:board|app)(?:\/js)?\?(?:.*&)?for=([\w-]+)/i.exec(text) ??
    /(?:boards|job-boards)(?:\.eu)?\.greenhouse\.io\/(?!embed\/)([\w-]+)/i.exec(text) ??
    /(?:boards-)?api\.greenhouse\.io\/v1\/boards\/([\w-]+)/i.exec(text)
  const token = address?.[1] ?? text
  if (!/^[\w-]+$/.test(token)) {
    throw new BadInput(`"${input}" is no board; write its token, such as vercel, or its address.`)
  }
  return token.toLowerCase()
}

function fields(job: Job, board: string) {
  const html = textOrNull(decodeEntities(job.content ?? ""))
  const location = textOrNull(job.location?.name)
  const offices = (job.offices ?? []).map((office) => ({
    name: textOrNull(office.name),
    location: textOrNull(office.location),
  }))
  return {
    board,
    id: String(job.id),
    internalJobId: job.internal_job_id ? String(job.internal_job_id) : null,
    url: textOrNull(job.absolute_url),
    title: job.title.trim(),
    company: textOrNull(job.company_name) ?? board,
    location,
    departments: (job.departments ?? []).flatMap((one) => textOrNull(one.name) ?? []),
    offices,
    remote: [location, ...offices.map((office) => office.name)].some((name) =>
      /remote/i.test(name ?? ""),
    ),
    requisitionId: textOrNull(job.requisition_id),
    language: textOrNull(job.language),
    postedAt: isoDate(job.first_published),
    updatedAt: isoDate(job.updated_at),
    applicationDeadline: isoDate(job.application_deadline),
    description: htmlToText(html),
    descriptionHtml: html,
    metadata: (job.metadata ?? []).map((entry) => ({
      name: textOrNull(entry.name),
      value: (entry.value ?? null) as string | null,
      type: textOrNull(entry.value_type),
    })),
    ...salary(job.metadata ?? []),
    dataCompliance: job.data_compliance ?? null,
  }
}

function salary(metadata: Metadata[]) {
  const entry = metadata.find((one) => one.value_type === "currency_range" && one.value)
  const range = entry?.value as
    | { min_value?: unknown; max_value?: unknown; unit?: unknown }
    | undefined
  return {
    salaryMin: numberOrNull(range?.min_value),
    salaryMax: numberOrNull(range?.max_value),
    salaryCurrency: textOrNull(range?.unit),
  }
}
