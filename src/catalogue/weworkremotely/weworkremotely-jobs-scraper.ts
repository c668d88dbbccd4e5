import { Type } from "@sinclair/typebox"
import { messageOf } from "../../base/error-message.ts"
import {
  absoluteUrl,
  distinct,
  htmlToText,
  parseBrokenXml,
  parseDocument,
  parseXml,
  plainText,
  textOrNull,
  titleOrNull,
  type XmlElement,
} from "../../extract/core/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { type SchemaReader, schemaNode } from "../../extract/structured/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  orNull,
  type Refusal,
  readOnce,
  readPage,
  readRows,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import feeds from "./feeds.json"

const root = "https://weworkremotely.com"
const source = "We Work Remotely"
/** A page instead of the feed is a refusal. */
const feedRefusal: Refusal = {
  statuses: [403],
  sign: (response) => /^\s*(?:<!doctype html|<html)\b/i.test(response.text()),
}
const sidebar = ".lis-container__job__sidebar"
type Feed = keyof typeof feeds

const tag = (name: string) => (item: XmlElement) => item.first(name)?.text.trim()

const skillsOf = (item: XmlElement): string[] =>
  (tag("skills")(item) ?? "").split(",").flatMap((skill) => skill.trim() || [])

const labels = record({
  region: field.text(tag("region"), "Region of the candidates."),
  country: field.text(tag("country"), "Country; only in some feeds."),
  state: field.text(tag("state"), "State; only in some feeds."),
  category: field.text(tag("category"), "Category of the job."),
  type: field.text(tag("type"), "Kind of employment, for example Full-Time or Contract."),
  skills: field.texts(skillsOf, "Skills that the job requires."),
})

const original = record({
  descriptionHtml: field.text(tag("description"), "Description of the job, as HTML."),
  postedAt: field.time(tag("pubDate"), "Time of the posting (ISO 8601, UTC)."),
  expiresAt: field.time(tag("expires_at"), "Time at which the listing expires (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "weworkremotely-jobs-scraper",
  name: "We Work Remotely Jobs",
  tagline: "Remote jobs from We Work Remotely's category feeds.",
  category: "jobs",
  input: {
    categoryFeed: inputs.choice(feeds, "Category of the jobs.", "all"),
    limit: inputs.count("Maximum jobs", { max: 500, or: 100 }),
    fetchJobPages: inputs.flag("Whether to add details from each job's own page."),
  },
  item: {
    source: items.requiredText(
      "Name of the source. Its terms require you to name it when you display a job.",
    ),
    categoryFeed: items.requiredText("Category feed of the input."),
    id: items.requiredText("ID of the job."),
    url: items.requiredText("URL of the job's page."),
    title: items.requiredText("Title of the job."),
    company: items.text("Name of the company."),
    ...labels.fields,
    headquarters: items.text("Headquarters of the company."),
    companyUrl: items.text("URL of the company's site."),
    logoUrl: items.text("URL of the company's logo."),
    applyUrl: items.text("URL to apply."),
    description: items.text("Description of the job, as plain text."),
    descriptionMarkdown: items.text("Description of the job, as Markdown."),
    ...original.fields,
    salaryText: Type.Optional(items.text("Pay in words, from the job's page.")),
    regions: Type.Optional(items.texts("Regions of the candidates, from the job's page.")),
    jobType: Type.Optional(items.text("Kind of job, from the job's page.")),
    pageApplyUrl: Type.Optional(items.text("URL of the application form, from the job's page.")),
    companyPageUrl: Type.Optional(items.text("URL of the company's page on We Work Remotely.")),
    fullDescription: Type.Optional(items.text("Full description, from the job's page.")),
    fullDescriptionMarkdown: Type.Optional(items.text("Full description, as Markdown.")),
    pageError: Type.Optional(
      items.text("Reason for which the job's page could not be read; null if it was read."),
    ),
  },
  example: { categoryFeed: "programming", limit: 10 },
  probe: {
    input: { categoryFeed: "programming", limit: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].company share 0.8",
      "items[*].postedAt fresh 60",
      "?items[*].description share 0.8",
    ],
  },
  rateLimit: { "weworkremotely.com": { perSecond: 0.5, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser"],
  targets: (input) => [input.categoryFeed],
  maxItems: (input) => input.limit,

  async *scrape(feed, ctx) {
    const { limit, fetchJobPages } = ctx.input
    const seen = new Set<string>()
    const elements = await readFeed(feed, ctx)
    for await (const job of readRows(elements, (element) => fields(element, feed), ctx)) {
      if (seen.has(job.id)) continue
      seen.add(job.id)
      yield fetchJobPages ? await withPage(job, ctx) : job
      if (seen.size >= limit) return
    }
  },
})

async function readFeed(feed: Feed, ctx: Context): Promise<XmlElement[]> {
  const what = "a feed of jobs"
  const response = await ctx.data(`${root}/${feeds[feed]}.rss`, {
    has: (response) => channelOf(response) !== undefined,
    what,
    refusal: feedRefusal,
    identity: "browser",
    headers: { accept: "application/rss+xml, application/xml" },
  })
  const channel = channelOf(response)
  if (!channel) throw response.explainMissing(what)
  return channel.all("item")
}

const channelOf = readOnce((response) => {
  const text = response.text()
  const rss = parseXml(text) ?? parseBrokenXml(text)
  return rss?.name === "rss" ? rss.first("channel") : undefined
})

function fields(item: XmlElement, categoryFeed: string) {
  const guid = textOrNull(tag("guid")(item))
  const url = textOrNull(tag("link")(item)) ?? guid
  const head = titleOrNull(item.first("title")?.text ?? "")
  if (!url || !head) throw new Changed("The feed has a job without a title or URL.")
  const colon = head.indexOf(": ")
  return {
    source,
    categoryFeed,
    id: new URL(guid ?? url, root).pathname
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .at(-1)!,
    url,
    title: colon > 0 ? head.slice(colon + 2) : head,
    company: colon > 0 ? head.slice(0, colon) : null,
    ...labels.read(item),
    ...proseFields(item, url),
    ...original.read(item),
  }
}

/** Returns the parts of the feed's text other than the description. */
function proseFields(item: XmlElement, url: string) {
  const document = parseDocument(tag("description")(item) ?? "")
  const media = item.first("content", "http://search.yahoo.com/mrss/")
  const first = document.body.firstElementChild
  const logo = first?.localName === "img" ? first.getAttribute("src") : null
  const facts = [...document.querySelectorAll("p")].find((paragraph) =>
    /Headquarters:/.test(plainText(paragraph) ?? ""),
  )
  const apply = [...document.querySelectorAll("p")].findLast((paragraph) =>
    /^\s*To apply:/i.test(plainText(paragraph) ?? ""),
  )
  const headquarters = /<strong>\s*Headquarters:\s*<\/strong>([\s\S]*?)(?:<br|$)/i.exec(
    facts?.innerHTML ?? "",
  )
  const result = {
    headquarters: htmlToText(headquarters?.[1]),
    companyUrl: facts?.querySelector("a[href]")?.getAttribute("href") ?? null,
    logoUrl: logo ?? media?.attribute("url") ?? null,
    applyUrl: apply?.querySelector("a[href]")?.getAttribute("href") ?? url,
  }
  for (const part of [logo ? first : null, facts, apply]) part?.remove()
  const { innerHTML } = document.body
  return {
    ...result,
    description: htmlToText(innerHTML),
    descriptionMarkdown: fragmentMarkdown(innerHTML, url),
  }
}

const pageOptions = { what: "the job's description", refusal: { statuses: [403, 503] } }

async function withPage(job: ReturnType<typeof fields>, ctx: Context) {
  let reason: string | null = null
  const page = await orNull(ctx, `page of ${job.url}`, async () => {
    try {
      return await readPage(ctx, job.url, readJobPage, pageOptions)
    } catch (error) {
      reason = messageOf(error)
      throw error
    }
  })
  return {
    ...job,
    skills: page && page.skills.length > 0 ? distinct([...job.skills, ...page.skills]) : job.skills,
    salaryText: page?.salaryText ?? null,
    regions: page?.regions ?? [],
    jobType: page?.jobType ?? null,
    pageApplyUrl: page?.pageApplyUrl ?? null,
    companyPageUrl: page?.companyPageUrl ?? null,
    fullDescription: page?.fullDescription ?? null,
    fullDescriptionMarkdown: page?.fullDescriptionMarkdown ?? null,
    pageError: reason,
  }
}

/** Returns the fields of a job's own page that the feed lacks; null for a page without a job. */
function readJobPage(response: UpstreamResponse) {
  const { document, url } = response
  const facts = new Map<string, string[]>()
  for (const row of document.querySelectorAll(`${sidebar}__job-about__list__item`)) {
    const boxes = [...row.querySelectorAll(".box")].flatMap((box) => plainText(box) ?? [])
    const label = /^(?:Skills|Salary|Region|Country|Job type|Apply before)/i.exec(
      plainText(row) ?? "",
    )
    if (label) facts.set(label[0].toLowerCase(), boxes)
  }
  const description = document.querySelector(".lis-container__job__content__description")
  // Fields that the page's own markup lacks.
  const posting = schemaNode(document, "JobPosting")
  const stated = posting.text("description")
  if (!description && facts.size === 0 && !stated) return null
  const company = document.querySelector(`${sidebar}__companyDetails__info__title`)
  const companyLink = company?.closest("a[href]") ?? company?.querySelector("a[href]")
  return {
    skills: facts.get("skills") ?? [],
    salaryText: facts.get("salary")?.join(", ") || salaryOf(posting),
    regions: facts.get("region") ?? facts.get("country") ?? [],
    jobType: facts.get("job type")?.join(", ") || posting.title("employmentType"),
    pageApplyUrl: absoluteUrl(document.querySelector("a#job-cta-alt")?.getAttribute("href"), url),
    companyPageUrl: absoluteUrl(companyLink?.getAttribute("href"), url),
    fullDescription: htmlToText(description?.innerHTML) ?? htmlToText(stated),
    fullDescriptionMarkdown:
      fragmentMarkdown(description?.innerHTML, url) ?? fragmentMarkdown(stated, url),
  }
}

/** Returns the salary as text, for example `USD 50000-70000 YEAR`. */
function salaryOf(posting: SchemaReader): string | null {
  const pay = posting.in("baseSalary")
  const range = ["minValue", "maxValue"].flatMap((end) => pay.text("value", end) ?? [])
  if (range.length === 0) return null
  const parts = [pay.text("currency"), range.join("-"), pay.text("value", "unitText")]
  return parts.filter(Boolean).join(" ")
}
