import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"

type Json = Record<string, unknown>

export interface PageActions {
  /** The actions in Trawl's input format. */
  actions: Json[]
  /** Whether an action returns a result in the document. */
  hasResults: boolean
  pdf?: Json
}

/** Maximum milliseconds of a single wait action. */
const maxWaitMs = 10_000
const maxWaitTotalMs = 30_000

/** Reads the actions of a page. @throws ApiError 400 */
export function readActions(written: unknown, { waitMs }: { waitMs: number }): PageActions {
  if (written !== undefined && written !== null && !Array.isArray(written)) {
    throw new ApiError(400, '"actions" must be a list.')
  }
  const requested: PageActions = { actions: waits(waitMs), hasResults: false }
  let clicked: unknown
  for (const [index, entry] of ((written ?? []) as unknown[]).entries()) {
    const action = (typeof entry === "object" && entry !== null ? entry : {}) as Json
    requested.hasResults ||= returning.has(action.type)
    if (requested.pdf)
      throw notOffered('An action after "pdf"', "The PDF is printed after the last action.")
    if (action.type === "pdf") requested.pdf = pdfOf(action)
    else requested.actions.push(...ours(action, `actions[${index}]`, clicked))
    if (action.type === "click") clicked = action.selector
  }
  return requested
}

const returning = new Set<unknown>(["screenshot", "scrape", "pdf", "executeJavascript"])

const pdfOf = ({ format = "Letter", landscape }: Json): Json => ({
  format,
  ...(landscape === true && { landscape }),
})

/** A screenshot with a quality is a JPEG. */
export function screenshotOf({ fullPage, quality, viewport }: Json): Json {
  const { width, height } = (viewport ?? {}) as Json
  return {
    ...(fullPage === true && { fullPage: true }),
    ...(quality != null && { type: "jpeg", quality }),
    ...(width != null && { width }),
    ...(height != null && { height }),
  }
}

/** Divides a longer wait into several. */
function waits(milliseconds: number): Json[] {
  const actions: Json[] = []
  for (let left = Math.min(milliseconds, maxWaitTotalMs); left > 0; left -= maxWaitMs) {
    actions.push({ type: "wait", milliseconds: Math.ceil(Math.min(left, maxWaitMs)) })
  }
  return actions
}

/** Key names of Firecrawl's older examples. */
const keys: Record<string, string> = {
  ENTER: "Enter",
  TAB: "Tab",
  ESCAPE: "Escape",
  SPACE: "Space",
  BACKSPACE: "Backspace",
}

function ours(action: Json, position: string, clicked: unknown): Json[] {
  const { type, selector, milliseconds, text, key, direction = "down", all, script } = action
  const needs = (name: string, value: unknown) => {
    if (typeof value === "string" && value !== "") return value
    throw new ApiError(400, `${position}: "${type}" needs "${name}".`)
  }
  switch (type) {
    case "wait":
      if (selector !== undefined) return [{ type, selector: needs("selector", selector) }]
      if (typeof milliseconds === "number" && milliseconds > 0) return waits(milliseconds)
      throw new ApiError(400, `${position}: "wait" needs "milliseconds" or "selector".`)
    case "click":
      if (all === true) throw notOffered(`${position}: "all"`, "Only the first match is clicked.")
      return [{ type, selector: needs("selector", selector) }]
    case "write":
      if (clicked === undefined) {
        throw notOffered(
          `${position}: "write" without a preceding "click"`,
          'Add a "click" on the field first.',
        )
      }
      return [{ type: "type", selector: clicked, text: needs("text", text) }]
    case "press": {
      const written = needs("key", key)
      return [{ type, key: keys[written] ?? written }]
    }
    case "scroll":
      if (direction !== "down" || selector !== undefined) {
        throw notOffered(
          `${position}: scrolling in another direction than down, or inside an element`,
        )
      }
      return [{ type, screens: 1 }]
    case "screenshot":
      return [{ type, ...(action.fullPage === true && { fullPage: true }) }]
    case "scrape":
      return [{ type: "html" }]
    case "executeJavascript":
      return [{ type: "script", script: needs("script", script) }]
    default:
      throw notOffered(
        `The action "${String(type).slice(0, 40)}"`,
        "Supported actions: wait, click, write, press, scroll, screenshot, scrape, executeJavascript and pdf.",
      )
  }
}
