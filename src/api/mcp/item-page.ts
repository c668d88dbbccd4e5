import { type FieldLocation, withOwn } from "../../base/own-fields.ts"
import { type Condition, fits } from "../../export/conditions.ts"
import { pick } from "../../export/table.ts"
import { transformsHere } from "../../export/transforms.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { shortened } from "../items/shortened.ts"
import { beginning, tokensOf } from "../items/tokens.ts"
import { fileInPath, type ItemPage } from "./stored-pages.ts"
import type { ToolRuns } from "./tool-runs.ts"

type Item = Record<string, unknown>

export interface PageRequest {
  /**
   * `12`: starts at the item with this index. `12.4000`: starts within it, at this character of its
   * text.
   */
  cursor?: string | undefined
  limit?: number | undefined
  fields?: string[] | undefined
  /** Conditions that items must meet. */
  conditions?: Condition[] | undefined
  /** Fields that the run's input defines. */
  own?: FieldLocation[] | undefined
  /** JSONata expression whose result replaces each item. */
  transform?: string | undefined
  maxTokens: number
  /** Whether items are read as text, or as they are. */
  form: "text" | "structured"
  /** Also while the run is running. */
  soFar?: boolean
}

export const cursorPattern = "^\\d{1,9}(\\.\\d{1,9})?$"

/** Maximum items read by one call; with conditions, only a few may be returned. */
const maxRead = 10_000

/** Returns items up to the limit; at least a part of one. */
export function itemPage(
  runs: Pick<ToolRuns, "db" | "linked" | "pages">,
  run: RunRow,
  requested: PageRequest,
): Promise<ItemPage> {
  // The items of a run that has ended only change if they are deleted, which is a change.
  const { transform, conditions = [], own = [] } = requested
  if (!runs.pages || transform || conditions.length + own.length > 0) {
    return readPage(runs, run, requested)
  }
  const key = JSON.stringify([run.id, run.status, requested])
  return runs.pages.get(key, () => readPage(runs, run, requested))
}

async function readPage(
  runs: Pick<ToolRuns, "db" | "linked">,
  run: RunRow,
  requested: PageRequest,
): Promise<ItemPage> {
  const [first = 0, within = 0] = (requested.cursor ?? "0").split(".").map(Number)
  const total = run.item_count + run.error_count
  const page: ItemPage = { items: [], texts: [], from: first, total, isShortened: false }
  const limit = requested.limit ?? Number.POSITIVE_INFINITY
  let left = requested.maxTokens
  let at = first
  let next: string | undefined
  const { conditions = [], own = [] } = requested
  let provided = 0
  for await (const body of itemBodies(runs.db, run.n, { offset: first })) {
    if (provided >= limit || at - first >= maxRead) break
    if (!conditions.every((one) => fits(withOwn(JSON.parse(body), own), one))) {
      at++
      continue
    }
    provided++
    const stored: Item = JSON.parse(body)
    const visibleItem = mayHide.test(body) ? (visible(stored) as Item) : stored
    const linked = body.includes(fileInPath) ? await runs.linked(visibleItem, run) : visibleItem
    const isStored = linked === stored && !requested.transform && !requested.fields
    const made = isStored
      ? [stored]
      : (await madeOf(linked, run, requested)).map((item) =>
          requested.fields ? pick(withOwn(item, own), requested) : item,
        )
    // The stored text is JSON without spaces, too.
    const whole =
      isStored && !hasMarkdown(stored, requested)
        ? body
        : made.map((item) => textOf(item, requested)).join("\n")
    const text = whole.slice(at === first ? within : 0)
    const cost = tokensOf(text)
    if (cost > left && at > first) break
    if (cost <= left) {
      page.items.push(...made)
      page.texts.push(text)
    } else {
      const part = beginning(text, left)
      page.isShortened = true
      page.texts.push(part)
      page.items.push(...made.map((item) => shortened(item, Math.floor(left / made.length))))
      if (requested.form === "text") {
        next = `${at}.${(at === first ? within : 0) + part.length}`
        break
      }
    }
    left -= cost
    at++
    if (left <= 0) break
  }
  if (next === undefined && at < total) next = String(at)
  return { ...page, ...(next !== undefined && isOver(run.status) ? { next } : {}) }
}

/** The item, or the result of the caller's expression. */
async function madeOf(item: Item, run: RunRow, { transform }: PageRequest): Promise<Item[]> {
  if (!transform) return [item]
  const tenant = run.account_id ? { id: run.account_id } : { id: "keyless", member: run.id }
  const texts = transformsHere().apply(transform, [JSON.stringify(item)], { tenant })
  return Array.fromAsync(texts, (text) => JSON.parse(text) as Item)
}

/**
 * A page's Markdown as it is, which takes fewer tokens than a JSON string; everything else as JSON.
 */
function textOf(item: Item, request: PageRequest): string {
  if (!hasMarkdown(item, request)) return JSON.stringify(item)
  const { markdown, ...rest } = item
  return Object.keys(rest).length > 0 ? `${JSON.stringify(rest)}\n${markdown}` : markdown
}

const hasMarkdown = (item: Item, { form }: PageRequest): item is Item & { markdown: string } =>
  form === "text" && typeof item.markdown === "string"

/** Invisible characters that can hide words: zero-width, bidirectional control, tags. */
const invisible = /[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu

/** Whether the JSON of an item may contain such a character, which JSON may also write as an escape. */
const mayHide = new RegExp(`${invisible.source}|\\\\u`, "u")

function visible(value: unknown): unknown {
  if (typeof value === "string") return value.replace(invisible, "")
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visible(entry)]))
}
