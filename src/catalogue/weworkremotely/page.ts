import { absoluteUrl, htmlToText, plainText } from "../../extract/core/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { type SchemaReader, schemaNode } from "../../extract/structured/index.ts"
import type { UpstreamResponse } from "../kit/index.ts"

const sidebar = ".lis-container__job__sidebar"

/** Returns the fields of a job's own page that the feed lacks; null for a page without a job. */
export function readJobPage(response: UpstreamResponse) {
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
