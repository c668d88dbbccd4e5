import { Type } from "@sinclair/typebox"
import {
  holdsWords,
  htmlToText,
  integerOrNull,
  isoDate,
  isoFromUnix,
  textList,
  textOrNull,
  titleOrNull,
} from "../../extract/core/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  Changed,
  defineScraper,
  field,
  inputs,
  isMarkup,
  items,
  type Refusal,
  type Row,
  record,
  required,
} from "../kit/index.ts"

const source = "Remote OK"
const endpoint = "https://remoteok.com/api"
/** Robots receive a page instead of the list. */
const refusal: Refusal = { statuses: [403], sign: isMarkup }

const clean = (text: string): string | null => titleOrNull(repairMojibake(text))

const locationIn = (text: string): string | null => textOrNull(clean(text)?.replace(/,\s*$/, ""))

/** The site's URLs have the host "remoteOK.com". */
const ownUrl = (url: string): string | null => URL.parse(url)?.href ?? null

const postedAt = ({ date, epoch }: Row): string | null => isoDate(date) ?? isoFromUnix(epoch)

const posting = record({
  source: field.of(
    items.requiredText(
      "Name of the source. Its terms require you to name it when you display a job.",
    ),
    () => source,
  ),
  id: required(field.text("id|slug", "ID of the job.")),
  slug: field.text("slug", "Name of the job in URLs."),
  url: field.text(
    "url",
    "URL of the job's page. The source's terms require you to link it when you display the job.",
    ownUrl,
  ),
  applyUrl: field.text("apply_url", "URL to apply.", ownUrl),
  title: required(field.text("position", "Title of the job.", clean)),
  company: field.text("company", "Name of the company.", clean),
  logoUrl: field.text("company_logo|logo", "URL of the company's logo."),
  location: field.text("location", "Location of the job, or region of the candidates.", locationIn),
  tags: field.texts(
    (job: Row) => textList(job.tags).flatMap((tag) => clean(tag) ?? []),
    "Tags of the job.",
  ),
  salaryMin: field.integer(
    "salary_min",
    "Minimum pay as published: per year, sometimes per hour.",
    (pay) => pay || null,
  ),
  salaryMax: field.integer(
    "salary_max",
    "Maximum pay as published: per year, sometimes per hour.",
    (pay) => pay || null,
  ),
  salaryCurrency: field.text(
    currency,
    "Currency that the text names with the same pay; null if it names none, because the list has no currency.",
  ),
  original: field.flag("original", "Whether the job was posted on Remote OK itself."),
  description: field.text("description", "Description of the job, as plain text.", (html) =>
    htmlToText(withoutMark(repairMojibake(html))),
  ),
  descriptionHtml: field.text("description", "Description of the job, as HTML.", repairMojibake),
  descriptionMarkdown: field.markdown(
    ({ description }: Row) =>
      typeof description === "string" ? withoutMark(repairMojibake(description)) : null,
    "Description of the job, as Markdown.",
    "url",
  ),
  postedAt: field.time(postedAt, "Time of the posting (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "remoteok-jobs-scraper",
  name: "Remote OK Jobs",
  tagline: "The newest remote jobs from Remote OK, filtered by tag or words.",
  category: "jobs",
  input: {
    tag: Type.Optional(inputs.text("One tag, for example golang.")),
    search: inputs.optionalText("Words that a job must all contain, in any letter case."),
    limit: inputs.count("Maximum jobs", { max: 500, or: 100 }),
  },
  item: posting,
  example: { tag: "golang", limit: 10 },
  probe: {
    input: { limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].company share 0.8",
      "items[*].postedAt fresh 30",
      "?items[*].tags share 0.8",
    ],
  },
  rateLimit: { "remoteok.com": { perSecond: 1 / 60, concurrency: 1 } },
  pages: { ofTarget: 1 },
  targets: (input) => [input.tag?.trim().toLowerCase() ?? "newest"],
  maxItems: (input) => input.limit,
  identify: (target) => ({ input: target }),

  async *scrape(_target, ctx) {
    const { search, limit } = ctx.input
    const tag = ctx.input.tag?.trim().toLowerCase()
    const what = "a list of jobs"
    const query = { tags: tag }
    const response = await ctx.data(endpoint, { what, refusal, identity: "browser", query })
    const { url } = response
    const list = response.json<Row[]>()
    if (!Array.isArray(list)) throw new Changed("Remote OK's response is not a list.", { url })
    const entries = list.filter((entry) => entry?.legal === undefined)
    const jobs = entries.filter((job) => (job?.id ?? job?.slug) && titleOrNull(job?.position))
    if (jobs.length === 0 && entries.length > 0)
      throw new Changed("No job in Remote OK's response has an ID and a title.", { url })
    const others = entries.length - jobs.length
    if (others > 0) ctx.log(`${others} entries without an ID or title are left out.`, "warning")
    if (list.length === 0)
      throw new Changed("Remote OK's response is empty, even without its notice.")
    let provided = 0
    for (const job of jobs.toSorted((a, b) => Number(b.epoch ?? 0) - Number(a.epoch ?? 0))) {
      const item = posting.read(job)
      if (tag && !item.tags.some((name) => name.toLowerCase() === tag)) continue
      const { title, company, location, description } = item
      if (!holdsWords(search, title, company, location, description, item.tags.join(" "))) continue
      if (++provided > limit) return
      yield item
    }
  },
})

function currency({ salary_min, salary_max, description }: Row): string | null {
  const pay = [salary_min, salary_max].flatMap((amount) => integerOrNull(amount) || [])
  const text = pay.length > 0 ? (htmlToText(description) ?? "") : ""
  for (const { 0: written, 1: thousand, index } of text.matchAll(amounts)) {
    const amount = Number(written.replace(/\D/g, "")) * (thousand ? 1000 : 1)
    if (!pay.includes(amount)) continue
    const end = index + written.length
    const named = parsePrice(text.slice(Math.max(0, index - 5), end + 5))?.currency
    if (named) return named
  }
  return null
}

/** Matches "60,000", "60 000", "60000" and "60k". */
const amounts = /(?<![\d.,])\d{1,3}(?:(?:[., ]\d{3}){1,3}|\d{0,6}(k?))(?!\d)/gi

/** Each text ends with a sentence that distinguishes applicants from robots. */
const withoutMark = (html: string) =>
  html.replace(/(?:<br\s{0,5}\/?>|\s){0,50}Please mention the word \*\*[\s\S]*$/i, "")

/** Returns text whose UTF-8 was read as Latin-1 ("MecÃ¡nico") repaired; other texts as they are. */
function repairMojibake(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}
