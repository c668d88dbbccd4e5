import { absoluteUrl, distinct, htmlToText, textList } from "../../extract/core/index.ts"
import { at, JsonReader, jsonAfter } from "../../extract/embedded/index.ts"
import { field, items, type Row, record, required } from "../kit/index.ts"

export interface JobCard extends Row {
  jobkey: string
  extractedSalary?: Row | null
  estimatedSalary?: Row | null
}

/** A card with its site, and the job's full text if the page contains it. */
type PlacedCard = JobCard & { site: URL; descriptionHtml: string | undefined }

const link = (name: string) => (card: PlacedCard) =>
  absoluteUrl(at(card, ...name.split(".")), card.site.href)

/** Missing ends of a range are -1, or 0 for "Up to …". */
const ifPositive = (value: number) => (value > 0 ? value : null)
const payRange = ({ extractedSalary, estimatedSalary }: JobCard) =>
  extractedSalary ?? estimatedSalary

const isRemote = (card: JobCard): boolean =>
  card.remoteLocation === true || at(card, "remoteWorkModel", "type") === "REMOTE_ALWAYS"

export const job = record({
  id: required(field.text("jobkey", "Indeed's key of the job.")),
  url: field.of(
    items.requiredText("URL of the job."),
    ({ site, jobkey }: PlacedCard) => `${site.origin}/viewjob?jk=${jobkey}`,
  ),
  title: required(field.title("displayTitle|title", "Title.")),
  company: field.title("company|truncatedCompany", "Name of the company."),
  companyRating: field.number("companyRating", "Rating of the company (0-5).", ifPositive),
  companyReviewCount: field.integer("companyReviewCount", "Number of reviews of the company."),
  companyUrl: field.text(link("companyOverviewLink"), "URL of the company on Indeed."),
  logoUrl: field.text(link("companyBrandingAttributes.logoUrl"), "URL of the logo."),
  location: field.title("formattedLocation", "Location, as displayed."),
  city: field.title("jobLocationCity", "City."),
  state: field.title("jobLocationState", "State or region, often as a code."),
  postalCode: field.text("jobLocationPostal", "Postal code."),
  remote: field.flag(isRemote, "Whether the job can be done remotely."),
  remoteType: field.text("remoteWorkModel.type", "REMOTE_ALWAYS, REMOTE_HYBRID …"),
  jobTypes: field.texts(jobTypes, "Full-time, Contract …"),
  benefits: field.texts((card: JobCard) => labels(card, "benefits"), "Benefits."),
  shifts: field.texts((card: JobCard) => labels(card, "shifts"), "Shifts."),
  salaryText: field.title("salarySnippet.text", "Pay, as the advert states it."),
  salaryCurrency: field.text("salarySnippet.currency", "Currency of the pay."),
  salaryMin: field.number((card: JobCard) => payRange(card)?.min, "Minimum pay.", ifPositive),
  salaryMax: field.number((card: JobCard) => payRange(card)?.max, "Maximum pay.", ifPositive),
  salaryPeriod: field.text(
    (card: JobCard) => payRange(card)?.type,
    "Pay period: hourly, daily, weekly, monthly or yearly.",
    (period) => period.toLowerCase(),
  ),
  salarySource: field.text(
    ({ salarySnippet, extractedSalary, estimatedSalary }: JobCard) =>
      at(salarySnippet, "source") ??
      (!extractedSalary && estimatedSalary?.type !== undefined ? "ESTIMATED" : null),
    "EXTRACTION if the advert states the pay, ESTIMATED if Indeed estimates it.",
  ),
  snippet: field.text("snippet", "Some sentences of the advert.", htmlToText),
  postedAt: field.unixTime(
    "pubDate",
    "Day of the advert, as midnight in US central time (ISO 8601, UTC).",
  ),
  createdAt: field.unixTime("createDate", "Time at which Indeed added the advert (ISO 8601, UTC)."),
  postedText: field.title("formattedRelativeTime", "Age, as displayed, for example 1 day ago."),
  sponsored: field.flag("sponsored", "Whether the advert is sponsored."),
  urgentlyHiring: field.boolean("urgentlyHiring", "Whether the job is marked as urgent."),
  newJob: field.boolean("newJob", "Whether the job is marked as new."),
  expired: field.boolean("expired", "Whether the job is no longer open."),
  easyApply: field.boolean("indeedApplyEnabled", "Whether applications go through Indeed."),
  applyUrl: field.text(
    link("thirdPartyApplyUrl"),
    "URL for applications outside Indeed.",
    // Jobs with Indeed's own form have a URL that does not work.
    (url) => (/\/applystart\b/.test(url) ? null : url),
  ),
  description: field.text(
    "descriptionHtml",
    "Full advert as plain text; only for the job that the page opens next to the list.",
    htmlToText,
  ),
  descriptionMarkdown: field.markdown(
    "descriptionHtml",
    "Full advert as Markdown; only for the job that the page opens next to the list.",
    ({ site }: PlacedCard) => site.href,
  ),
})

function jobTypes(card: JobCard): string[] {
  const types = distinct(textList(card.jobTypes))
  return types.length > 0 ? types : labels(card, "job-types")
}

function labels(card: JobCard, group: string): string[] {
  const groups = new JsonReader(card).list("taxonomyAttributes")
  const matches = groups.filter((labelled) => labelled.text("label") === group)
  const attributes = matches.flatMap((labelled) => labelled.list("attributes"))
  return distinct(attributes.flatMap((attribute) => attribute.title("label") ?? []))
}

/** Returns the full HTML text of the job that the page opens next to its list, by the job's key. */
export function descriptionsOf(page: string): Map<string, string> {
  const data = new JsonReader(jsonAfter(page, /window\._initialData/))
  const body = data.in("autoOpenTwoPaneViewjobResponse", "body")
  const key = body.text("jobKey")
  const model = body.in("jobInfoWrapperModel", "jobInfoModel")
  const html = model.text("sanitizedJobDescription")
  return new Map(key && html ? [[key, html]] : [])
}
