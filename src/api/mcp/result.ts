import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"

/** What a runner gives for one call, whichever way it ran. */
export interface ToolAnswer {
  status: string
  items: Record<string, unknown>[]
  error?: unknown
  notice?: string
  resultUrl?: string
  datasetUrl?: string
  claimUrl?: string
  claimStatusUrl?: string
  agentGuidance?: string
  agentId?: string
  free?: unknown
}

/** JSON of items that one answer carries; a model's window is small. */
const structuredLimit = 200_000
const textLimit = 12_000

/** Characters that show nothing and can hide words: zero-width, bidirectional control, tags. */
const invisible = /[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu

function visible(value: unknown): unknown {
  if (typeof value === "string") return value.replace(invisible, "")
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visible(one)]))
}

/** The result of a tool: the records as structured content, and a short text for models without it. */
export function toolResult(answer: ToolAnswer): CallToolResult {
  const items = answer.items.map((item) => visible(item) as Record<string, unknown>)
  const shown = fitting(items)
  const where = answer.datasetUrl ?? answer.resultUrl
  const cut =
    shown.length < items.length
      ? { shown: shown.length, total: items.length, ...(where ? { rest: where } : {}) }
      : undefined
  const { status, items: _, datasetUrl: __, ...rest } = answer
  const structuredContent = {
    status,
    itemCount: items.length,
    items: shown,
    ...(cut ? { cut } : {}),
    ...rest,
    ...(answer.error === undefined ? {} : { error: asObject(answer.error) }),
  }
  const failed = status !== "SUCCEEDED" && status !== "RUNNING"
  return {
    content: [{ type: "text", text: text(answer, shown, cut) }],
    structuredContent,
    ...(failed ? { isError: true } : {}),
  }
}

function asObject(error: unknown): Record<string, unknown> {
  return typeof error === "object" && error !== null
    ? (error as Record<string, unknown>)
    : { message: String(error) }
}

/** Whether one answer cannot carry all of these items. */
export function isCut(items: Record<string, unknown>[]): boolean {
  return fitting(items).length < items.length
}

/** As many whole items as fit; at least one, however large. */
function fitting(items: Record<string, unknown>[]): Record<string, unknown>[] {
  let size = 0
  for (const [index, item] of items.entries()) {
    size += JSON.stringify(item).length
    if (size > structuredLimit && index > 0) return items.slice(0, index)
  }
  return items
}

function text(
  answer: ToolAnswer,
  items: Record<string, unknown>[],
  cut: { shown: number; total: number; rest?: string } | undefined,
): string {
  switch (answer.status) {
    case "PAYMENT_REQUIRED":
      return answer.agentGuidance ?? `${message(answer.error)} Sign up: ${answer.claimUrl}`
    case "RUNNING":
      return `Still running. Fetch the results in about 10 seconds: ${answer.resultUrl}`
    case "SUCCEEDED":
      break
    default:
      return [message(answer.error), ...details(answer.error), body(items)]
        .filter(Boolean)
        .join("\n")
  }
  const head = `${answer.items.length} item${answer.items.length === 1 ? "" : "s"}.`
  const more = cut
    ? ` The first ${cut.shown} are given${cut.rest ? `; all of them: ${cut.rest}` : ""}.`
    : ""
  return [`${head}${more}`, answer.notice, body(items)].filter(Boolean).join("\n")
}

function message(error: unknown): string {
  if (typeof error === "string") return error
  return String((error as { message?: unknown } | undefined)?.message ?? "The call failed.")
}

function details(error: unknown): string[] {
  const list = (error as { details?: unknown } | undefined)?.details
  if (!Array.isArray(list)) return []
  return list.map(({ field, expected }) => `- ${field || "input"}: expected ${expected}`)
}

/** One page's Markdown as it is; records as lines of JSON. */
function body(items: Record<string, unknown>[]): string {
  const only = items.length === 1 ? items[0] : undefined
  const whole =
    typeof only?.markdown === "string"
      ? only.markdown
      : items.map((item) => JSON.stringify(item)).join("\n")
  if (whole.length <= textLimit) return whole
  return `${whole.slice(0, textLimit)}\n… (the rest is in the structured content)`
}
