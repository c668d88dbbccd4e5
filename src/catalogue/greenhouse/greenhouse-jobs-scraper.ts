import { type Static, Type } from "@sinclair/typebox"
import { decodeEntities, holdsWords, htmlToText, objectList } from "../../extract/core/index.ts"
import {
  BadInput,
  defineScraper,
  field,
  inputs,
  NotFound,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

/** A board with some thousand jobs is a single response with all texts. */
const maxBoard = 100 * 1024 * 1024
const anyObject = Type.Record(Type.String(), Type.Unknown())
const scalars = [Type.String(), Type.Number(), Type.Boolean()]
const anyValue = Type.Union([...scalars, Type.Array(Type.Unknown()), anyObject, Type.Null()])

interface Job extends Row {
  location?: { name?: string } | null
  offices?: { name?: string }[] | null
  content?: string | null
  metadata?: { value?: unknown; value_type?: string }[] | null
  data_compliance?: Static<typeof anyObject>[] | null
}

const isRemote = ({ location, offices }: Job) =>
  [location, ...objectList(offices)].some((place) => /remote/i.test(place?.name ?? ""))
const payRange = ({ metadata }: Job) =>
  objectList(metadata).find((entry) => entry.value_type === "currency_range" && entry.value)?.value

const posting = record({
  board: required(field.text("board", "Token of the board.")),
  id: required(field.text("id", "ID of the posting.")),
  internalJobId: field.text("internal_job_id", "ID of the job."),
  url: field.text("absolute_url", "URL of the posting."),
  title: required(field.text("title", "Title.", (title) => title.trim())),
  company: required(field.text("company_name|board", "Name of the company.")),
  location: field.text("location.name", "Location, as displayed."),
  departments: field.texts("departments.*.name", "Departments."),
  offices: field.objects("offices", "Offices.", {
    name: field.text("name", "Office."),
    location: field.text("location", "Location, as displayed."),
  }),
  remote: field.flag(isRemote, "Whether the location or an office is remote."),
  requisitionId: field.text("requisition_id", "The company's own ID of the job."),
  language: field.text("language", "Language of the posting."),
  postedAt: field.time("first_published", "Time of first publication (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "Time of the last change (ISO 8601, UTC)."),
  applicationDeadline: field.time("application_deadline", "Application deadline (ISO 8601)."),
  description: field.text("html", "Description as plain text.", htmlToText),
  descriptionHtml: field.text("html", "Description as HTML."),
  descriptionMarkdown: field.markdown("html", "Description as Markdown.", "absolute_url"),
  metadata: field.objects("metadata", "Custom fields of the company.", {
    name: field.text("name", "Name."),
    value: field.of(
      { ...anyValue, description: "Value, of the type that `type` names." },
      ({ value = null }: { value?: Static<typeof anyValue> }) => value,
    ),
    type: field.text("value_type", "Type of value."),
  }),
  salaryMin: field.number("min_value", "Minimum pay; null unless the custom fields have a range."),
  salaryMax: field.number("max_value", "Maximum pay, in the currency and period of the posting."),
  salaryCurrency: field.text("unit", "Currency of the pay."),
  dataCompliance: field.of(
    Type.Union([Type.Array(anyObject), Type.Null()], {
      description: "Rules for applicants' data.",
    }),
    ({ data_compliance: rules }: Job) => (rules ? objectList(rules) : null),
  ),
})

export default defineScraper({
  slug: "greenhouse-jobs-scraper",
  name: "Greenhouse Jobs",
  tagline: "Every open job of any company that hires through Greenhouse.",
  notServed: ["search all employers"],
  category: "jobs",
  input: {
    boards: inputs.texts("Board tokens, for example vercel, or job board URLs.", { max: 100 }),
    titleSearch: inputs.optionalText("Words that the job title must contain, ignoring case."),
    limit: inputs.count("Maximum jobs of the run", { max: 10_000, or: 1000 }),
  },
  item: posting,
  example: { boards: ["vercel"], titleSearch: "engineer", limit: 10 },
  probe: {
    input: { boards: ["gitlab"], limit: 5 },
    expect: [
      "items.length gte 1",
      "items[*].title share 1",
      "items[*].url share 1",
      "items[*].updatedAt share 1",
      "?items[*].description share 0.9",
      "?items[*].departments share 0.5",
    ],
  },
  rateLimit: { "greenhouse.io": { perSecond: 2, concurrency: 3 } },
  pages: { ofTarget: 1 },
  targets: (input) => input.boards,
  maxItems: (input) => input.limit,

  async *scrape(target, ctx) {
    const board = boardToken(target)
    const url = `https://boards-api.greenhouse.io/v1/boards/${board}/jobs`
    const response = await ctx.get(`${url}?content=true`, { accept: [404], maxBytes: maxBoard })
    if (response.status === 404) {
      const message = `No such board on Greenhouse: "${board}" at Greenhouse.`
      throw new NotFound(message, { url, statusCode: 404 })
    }
    const jobs = response.json<{ jobs?: Job[] } | null>()?.jobs
    if (!Array.isArray(jobs)) throw response.explainMissing("a list of jobs")
    const read = (job: Job) => {
      const html = decodeEntities(`${job.content ?? ""}`)
      const item = posting.read({ ...job, ...(payRange(job) as object), board, html })
      return holdsWords(ctx.input.titleSearch, item.title) ? item : null
    }
    yield* readRows(jobs, read, ctx)
  },
})

/** Returns the board token in a token or URL. */
function boardToken(target: string): string {
  const text = target.trim()
  const url =
    /greenhouse\.io\/embed\/job_(?:board|app)(?:\/js)?\?(?:.*&)?for=([\w-]+)/i.exec(text) ??
    /(?:boards|job-boards)(?:\.eu)?\.greenhouse\.io\/(?!embed\/)([\w-]+)/i.exec(text) ??
    /(?:boards-)?api\.greenhouse\.io\/v1\/boards\/([\w-]+)/i.exec(text)
  const token = url?.[1] ?? text
  if (!/^[\w-]+$/.test(token)) {
    throw new BadInput(
      `"${target}" is not a Greenhouse board. Use its token, such as vercel, or its URL.`,
    )
  }
  return token.toLowerCase()
}
