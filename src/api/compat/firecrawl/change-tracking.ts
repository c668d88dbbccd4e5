import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"
import type { Item } from "../common/run-now.ts"

type Json = Record<string, unknown>

export interface ChangeOptions {
  modes: ("git-diff" | "json")[]
  /** The scraper's input. */
  changes: { tag?: string }
  /** Schema and prompt of the mode "json". */
  extract?: Json
}

const maxTag = 128

/** Reads the options of the format "changeTracking". @throws ApiError 400 */
export function readChangeOptions(
  { modes = [], tag, schema, prompt }: Json,
  account: boolean,
): ChangeOptions {
  if (!account)
    throw notOffered('"changeTracking" without an API key', "It stores each page in the account.")
  const isKnown = (mode: unknown) => mode === "git-diff" || mode === "json"
  if (!Array.isArray(modes) || !modes.every(isKnown)) {
    throw new ApiError(400, 'The "modes" of "changeTracking" are git-diff and json.')
  }
  if (tag !== undefined && tag !== null) {
    const isTag = typeof tag === "string" && tag !== "" && tag.length <= maxTag
    if (!isTag) throw new ApiError(400, `"tag" must be a string of 1 to ${maxTag} characters.`)
  }
  const byJson = modes.includes("json")
  if (byJson && !schema && !prompt) {
    throw new ApiError(400, 'The mode "json" of "changeTracking" needs a "schema".')
  }
  return {
    modes: [...new Set(modes)],
    changes: typeof tag === "string" ? { tag } : {},
    ...(byJson && { extract: { schema, prompt } }),
  }
}

interface Line {
  type: "add" | "del" | "normal"
  content: string
  before: number | null
  after: number | null
}

/** Change tracking of an item in Firecrawl's format. */
export function changeTracking(
  { changes, extracted }: Item,
  modes: readonly ChangeOptions["modes"][number][],
): Json {
  const { status, previousAt, diff, hunks, previousData } = (changes ?? {}) as {
    status?: string
    previousAt?: string | null
    diff?: string | null
    hunks?: { heading: string; lines: Line[] }[]
    previousData?: Json
  }
  const isChanged = status === "changed"
  const data = (extracted as { data?: Json } | undefined)?.data
  return {
    previousScrapeAt: previousAt ?? null,
    changeStatus: status,
    visibility: "visible",
    ...(isChanged &&
      modes.includes("git-diff") &&
      typeof diff === "string" && { diff: { text: diff, json: { files: [fileOf(hunks ?? [])] } } }),
    ...(isChanged && modes.includes("json") && { json: fieldsOf(previousData ?? {}, data ?? {}) }),
  }
}

/** A file in the format of the library parse-diff. */
function fileOf(hunks: readonly { heading: string; lines: Line[] }[]) {
  const count = (type: Line["type"]) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.type === type).length, 0)
  return {
    from: null,
    to: null,
    additions: count("add"),
    deletions: count("del"),
    chunks: hunks.map(({ heading, lines }) => ({
      content: heading,
      changes: lines.map(({ type, content, before, after }) => ({
        type,
        [type]: true,
        ...(type === "normal" ? { ln1: before, ln2: after } : { ln: before ?? after }),
        content,
      })),
    })),
  }
}

/** The changed fields with their previous values. */
function fieldsOf(previous: Json, current: Json): Json {
  const names = [...new Set([...Object.keys(previous), ...Object.keys(current)])]
  return Object.fromEntries(
    names
      .filter((name) => !Bun.deepEquals(previous[name], current[name]))
      .map((name) => [name, { previous: previous[name] ?? null, current: current[name] ?? null }]),
  )
}
