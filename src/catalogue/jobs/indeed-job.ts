import { isoFromUnix } from "../../extract/dates.ts"
import { jsonAfter } from "../../extract/embedded.ts"
import { absoluteUrl } from "../../extract/html.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { distinct, htmlToText } from "../../extract/text.ts"

/** An item's fields from one card of a list. */
export function jobFields(card: JsonReader, site: URL, descriptions: Map<string, string>) {
  const id = card.text("jobkey")!
  const remoteType = card.text("remoteWorkModel", "type")
  const types = distinct(card.texts("jobTypes"))
  const apply = absoluteUrl(card.text("thirdPartyApplyUrl"), site.href)
  const overview = card.text("companyOverviewLink")
  return {
    id,
    url: `${site.origin}/viewjob?jk=${id}`,
    title: jobTitle(card)!,
    company: card.title("company") ?? card.title("truncatedCompany"),
    companyRating: card.number("companyRating") || null,
    companyReviewCount: card.integer("companyReviewCount"),
    companyUrl: absoluteUrl(overview, site.href),
    companyLogo: absoluteUrl(card.text("companyBrandingAttributes", "logoUrl"), site.href),
    location: card.title("formattedLocation"),
    city: card.title("jobLocationCity"),
    state: card.title("jobLocationState"),
    postalCode: card.text("jobLocationPostal"),
    remote: card.flag("remoteLocation") === true || remoteType === "REMOTE_ALWAYS",
    remoteType,
    jobTypes: types.length > 0 ? types : labels(card, "job-types"),
    benefits: labels(card, "benefits"),
    shifts: labels(card, "shifts"),
    ...salary(card),
    snippet: htmlToText(card.value("snippet")),
    postedAt: isoFromUnix(card.value("pubDate")),
    createdAt: isoFromUnix(card.value("createDate")),
    postedText: card.title("formattedRelativeTime"),
    sponsored: card.flag("sponsored") ?? false,
    urgentlyHiring: card.flag("urgentlyHiring"),
    newJob: card.flag("newJob"),
    expired: card.flag("expired"),
    easyApply: card.flag("indeedApplyEnabled"),
    // Jobs with Indeed's own form carry an address that leads nowhere.
    applyUrl: apply && !/\/applystart\b/.test(apply) ? apply : null,
    description: descriptions.get(id) ?? null,
  }
}

export function jobTitle(card: JsonReader): string | null {
  return card.title("displayTitle") ?? card.title("title")
}

function labels(card: JsonReader, group: string): string[] {
  const found = card.list("taxonomyAttributes").filter((one) => one.text("label") === group)
  return distinct(
    found.flatMap((one) => one.list("attributes").flatMap((each) => each.title("label") ?? [])),
  )
}

/** Missing ends of a range are written -1, or 0 below "Up to …". */
function salary(card: JsonReader) {
  const snippet = card.in("salarySnippet")
  const stated = card.has("extractedSalary")
  const range = card.in(stated ? "extractedSalary" : "estimatedSalary")
  const amount = (end: string) => {
    const value = range.number(end)
    return value !== null && value > 0 ? value : null
  }
  return {
    salaryText: snippet.title("text"),
    salaryCurrency: snippet.text("currency"),
    salaryMin: amount("min"),
    salaryMax: amount("max"),
    salaryPeriod: range.text("type")?.toLowerCase() ?? null,
    salarySource: snippet.text("source") ?? (!stated && range.has("type") ? "ESTIMATED" : null),
  }
}

/** The whole text of the job that the page opens beside its list, by the job's key. */
export function descriptionsOf(page: string): Map<string, string> {
  const data = new JsonReader(jsonAfter(page, /window\._initialData/))
  const body = data.in("autoOpenTwoPaneViewjobResponse", "body")
  const key = body.text("jobKey")
  const model = body.in("jobInfoWrapperModel", "jobInfoModel")
  const text = htmlToText(model.value("sanitizedJobDescription"))
  return new Map(key && text ? [[key, text]] : [])
}
