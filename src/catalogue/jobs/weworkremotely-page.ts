import { absoluteUrl, textOf } from "../../extract/html.ts"
import { htmlToText } from "../../extract/text.ts"
import type { Answer } from "../context.ts"

const sidebar = ".lis-container__job__sidebar"

/** What a job's own page tells beside the feed. @throws Changed, Blocked, EmptyShell */
export function readJobPage(answer: Answer) {
  const { document, url } = answer
  const facts = new Map<string, string[]>()
  for (const row of document.querySelectorAll(`${sidebar}__job-about__list__item`)) {
    const boxes = [...row.querySelectorAll(".box")].flatMap((box) => textOf(box) ?? [])
    const label = /^(?:Skills|Salary|Region|Country|Job type|Apply before)/i.exec(textOf(row) ?? "")
    if (label) facts.set(label[0].toLowerCase(), boxes)
  }
  const description = document.querySelector(".lis-container__job__content__description")
  if (!description && facts.size === 0) throw answer.lacks("the job's description")
  const company = document.querySelector(`${sidebar}__companyDetails__info__title`)
  const companyLink = company?.closest("a[href]") ?? company?.querySelector("a[href]")
  return {
    skills: facts.get("skills") ?? [],
    salaryText: facts.get("salary")?.join(", ") || null,
    regions: facts.get("region") ?? facts.get("country") ?? [],
    jobType: facts.get("job type")?.join(", ") || null,
    pageApplyUrl: absoluteUrl(document.querySelector("a#job-cta-alt")?.getAttribute("href"), url),
    companyPageUrl: absoluteUrl(companyLink?.getAttribute("href"), url),
    fullDescription: htmlToText(description?.innerHTML),
  }
}
