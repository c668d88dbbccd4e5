import { messageOf } from "../../base/error-message.ts"
import { every, type Loop } from "../../base/every.ts"
import { nearest } from "../../base/nearest.ts"
import { secondMs } from "../../base/time.ts"
import {
  type AnyScraper,
  type Canary,
  checkInput,
  readExpectation,
} from "../../catalogue/kit/index.ts"
import { fileMark, readOverrides } from "../upstreams/overrides-file.ts"
import { sourceOf } from "./canary-input.ts"
import { canariesName } from "./names.ts"
import { fieldsOf } from "./tally.ts"

const lookAgainMs = secondMs
const watchMs = 5 * secondMs
const mostLines = 100
const mostFaults = 20

/**
 * The canaries of definitions, with the operator's file laid over them: one group a scraper, as
 * `{"npm-package-scraper": {"input": …, "expect": […]}}`, or null for none. The file is read again when
 * it changes; one with a fault leaves the canary before it.
 */
export class CanaryBook {
  private mark: string | undefined
  private lookedAt = Number.NEGATIVE_INFINITY
  private own = new Map<string, Canary | null>()
  private found: string[] = []

  constructor(
    private readonly scrapers: readonly AnyScraper[],
    private readonly path?: string,
    private readonly now: () => number = Date.now,
  ) {}

  canary(slug: string): Canary | undefined {
    this.look()
    const own = this.own.get(slug)
    if (own === null) return undefined
    return own ?? this.scrapers.find((scraper) => scraper.slug === slug)?.canary
  }

  /** What is wrong with the file, in sentences. */
  faults(): readonly string[] {
    this.look()
    return this.found
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
    const { bySite, fault } = readOverrides(this.path, "one group a scraper")
    this.found = fault ? [`${canariesName} ${fault}`] : []
    if (fault) return
    const before = this.own
    this.own = new Map()
    for (const [slug, given] of Object.entries(bySite)) {
      const faults = this.faultsOf(slug, given)
      this.found.push(...faults.map((message) => `${canariesName}: ${message}`))
      if (faults.length === 0) this.own.set(slug, given as Canary | null)
      else if (before.has(slug)) this.own.set(slug, before.get(slug)!)
    }
    this.found.length = Math.min(this.found.length, mostFaults)
  }

  private faultsOf(slug: string, given: unknown): string[] {
    const scraper = this.scrapers.find((entry) => entry.slug === slug)
    if (!scraper) {
      const near = nearest(
        slug,
        this.scrapers.map((entry) => entry.slug),
      )
      return [
        `there is no scraper "${slug.slice(0, 100)}".${near ? ` Did you mean "${near}"?` : ""}`,
      ]
    }
    return given === null ? [] : canaryFaults(scraper, given)
  }
}

/** Tells, now and whenever the file changes, what is wrong with it. */
export function watchCanaries(book: CanaryBook, tell: (fault: string) => void): Loop {
  let told: readonly string[] = []
  const look = () => {
    const faults = book.faults()
    for (const fault of faults) {
      if (!told.includes(fault)) tell(`${fault} The canary before it stays in force.`)
    }
    told = faults
  }
  look()
  return every(watchMs, async () => look(), { onError: (error) => tell(messageOf(error)) })
}

/** What is wrong with a scraper's canary, in sentences. */
export function canaryFaults(scraper: AnyScraper, given: unknown): string[] {
  const { slug } = scraper
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return [`${slug} must be {"input": …, "expect": […]}, or null for none.`]
  }
  const { input, expect, ...others } = given as Record<string, unknown>
  const unknown = Object.keys(others).map((name) => `${slug}.${name} is not known.`)
  return [...unknown, ...inputFaults(scraper, input), ...lineFaults(scraper, expect)]
}

function inputFaults({ slug, input: schema, targets }: AnyScraper, input: unknown): string[] {
  // What it takes from another scraper's items is not there yet.
  if (sourceOf(input) !== null) return []
  const checked = checkInput(schema, input)
  if (!checked.ok) return checked.faults.map(({ message }) => `${slug}.input: ${message}`)
  try {
    return targets(checked.input).length > 0 ? [] : [`${slug}.input: it asks for nothing.`]
  } catch (error) {
    return [`${slug}.input: ${messageOf(error)}`]
  }
}

function lineFaults({ slug, item }: AnyScraper, lines: unknown): string[] {
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > mostLines) {
    return [`${slug}.expect must be a list of 1 to ${mostLines} lines.`]
  }
  const fields = fieldsOf(item)
  return lines.flatMap((line) => {
    if (typeof line !== "string") return [`${slug}.expect: each line must be a text.`]
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
