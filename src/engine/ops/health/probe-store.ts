import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { nearest } from "../../../base/nearest.ts"
import { secondMs } from "../../../base/time.ts"
import {
  type AnyScraper,
  checkInput,
  type Probe,
  readExpectation,
} from "../../../catalogue/kit/index.ts"
import { fileMark, readOverrides } from "../../fetch/site-constants/overrides-file.ts"
import { fieldsOf } from "./counters.ts"
import { probesName } from "./names.ts"
import { sourceOf } from "./probe-input.ts"

const lookAgainMs = secondMs
const watchMs = 5 * secondMs
const maxLines = 100
const maxIssues = 20

/**
 * The health probes of the definitions, overridden by the operator's file, for example
 * `{"npm-package-scraper": {"input": …, "expect": […]}}`; null removes a probe. The file is read
 * again when it changes; an entry with an issue leaves the previous probe in use.
 */
export class ProbeStore {
  private mark: string | undefined
  private lookedAt = Number.NEGATIVE_INFINITY
  private own = new Map<string, Probe | null>()
  private slugs: string[] = []

  constructor(
    private readonly scrapers: readonly AnyScraper[],
    private readonly path?: string,
    private readonly now: () => number = Date.now,
  ) {}

  probe(slug: string): Probe | undefined {
    this.look()
    const own = this.own.get(slug)
    if (own === null) return undefined
    return own ?? this.scrapers.find((scraper) => scraper.slug === slug)?.probe
  }

  /** Returns the issues of the file, as sentences. */
  issues(): readonly string[] {
    this.look()
    return this.slugs
  }

  private look(): void {
    const now = this.now()
    if (now - this.lookedAt < lookAgainMs) return
    this.lookedAt = now
    const mark = fileMark(this.path)
    if (mark === this.mark) return
    this.mark = mark
    this.read()
  }

  private read(): void {
    const { bySite, issue } = readOverrides(this.path, "one group per scraper")
    this.slugs = issue ? [`${probesName} ${issue}`] : []
    if (issue) return
    const before = this.own
    this.own = new Map()
    for (const [slug, provided] of Object.entries(bySite)) {
      const issues = this.issuesOf(slug, provided)
      this.slugs.push(...issues.map((message) => `${probesName}: ${message}`))
      if (issues.length === 0) this.own.set(slug, provided as Probe | null)
      else if (before.has(slug)) this.own.set(slug, before.get(slug)!)
    }
    this.slugs.length = Math.min(this.slugs.length, maxIssues)
  }

  private issuesOf(slug: string, provided: unknown): string[] {
    const scraper = this.scrapers.find((entry) => entry.slug === slug)
    if (!scraper) {
      const near = nearest(
        slug,
        this.scrapers.map((entry) => entry.slug),
      )
      return [`unknown scraper "${slug.slice(0, 100)}".${near ? ` Did you mean "${near}"?` : ""}`]
    }
    return provided === null ? [] : probeIssues(scraper, provided)
  }
}

/** Logs the issues of the file, now and after each change. */
export function watchProbes(book: ProbeStore, report: (issue: string) => void): Loop {
  let reported: readonly string[] = []
  const look = () => {
    const issues = book.issues()
    for (const issue of issues) {
      if (!reported.includes(issue)) report(`${issue} The previous health probe stays in use.`)
    }
    reported = issues
  }
  look()
  return every(watchMs, async () => look(), { onError: (error) => report(messageOf(error)) })
}

/** Returns the errors in a scraper's probe, as sentences. */
export function probeIssues(scraper: AnyScraper, provided: unknown): string[] {
  const { slug } = scraper
  if (typeof provided !== "object" || provided === null || Array.isArray(provided)) {
    return [`${slug} must be {"input": …, "expect": […]}, or null for none.`]
  }
  const { input, expect, ...others } = provided as Record<string, unknown>
  const unknown = Object.keys(others).map((name) => `${slug}.${name} is unknown.`)
  return [...unknown, ...inputIssues(scraper, input), ...lineIssues(scraper, expect)]
}

function inputIssues({ slug, input: schema, targets }: AnyScraper, input: unknown): string[] {
  // The values from another scraper's items are not known yet.
  if (sourceOf(input) !== null) return []
  const checked = checkInput(schema, input)
  if (!checked.ok) return checked.issues.map(({ message }) => `${slug}.input: ${message}`)
  try {
    return targets(checked.input).length > 0 ? [] : [`${slug}.input: it has no target.`]
  } catch (error) {
    return [`${slug}.input: ${messageOf(error)}`]
  }
}

function lineIssues({ slug, item }: AnyScraper, lines: unknown): string[] {
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > maxLines) {
    return [`${slug}.expect must be a list of 1 to ${maxLines} lines.`]
  }
  const fields = fieldsOf(item)
  return lines.flatMap((line) => {
    if (typeof line !== "string") return [`${slug}.expect: each line must be a string.`]
    const read = readExpectation(line)
    if (typeof read === "string") return [`${slug}.expect: ${read}`]
    const field = /^items\[[^\]]+\]\.([\w$-]+)/.exec(read.path)?.[1]
    if (field === undefined || fields.includes(field)) return []
    const near = nearest(field, fields)
    return [
      `${slug}.expect: "${line}": items have no field "${field}".${near ? ` Did you mean "${near}"?` : ""}`,
    ]
  })
}
