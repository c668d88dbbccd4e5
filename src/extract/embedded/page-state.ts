import { flightStates, flightTexts } from "./flight.ts"
import { balancedText, endOfString, parseLiteral, parseLoose } from "./json-in-text.ts"
import { calledLiteral } from "./literal-call.ts"

/**
 * Such as `__NUXT__`, `__APOLLO_STATE__`, `__PRELOADED_STATE__`, `__remixContext`; `Fusion.globalContent` is
 * Arc's, `isoData` Lemmy's, `__ACTIONS__` Vanilla's.
 */
const variables =
  /\b(?:__[A-Za-z_]{0,40}?(?:NUXT|STATE|DATA|PROPS|CONTEXT|CACHE|ACTIONS)_{0,3}|isoData|Fusion\.globalContent)["'\]]{0,4}\s*=\s*/gi
/** Variables read in one script. */
const maxVariables = 5
/** Deeper nesting is hostile. */
const deepest = 100

/**
 * Attributes in which pages hand a state to their scripts: Discourse, react-rails, react_on_rails, Inertia,
 * and others.
 */
const stateAttributes = [
  "data-preloaded",
  "data-react-props",
  "data-props",
  "data-page",
  "data-initial-state",
  "data-state",
]
const stateHolders = stateAttributes.map((name) => `[${name}]`).join(", ")
/** Elements with such an attribute that are read. */
const maxHolders = 100

/**
 * Yields the states that a page hands to its scripts: Next.js, Nuxt, Apollo, Remix, and stores as literals.
 *
 * @example
 * ```ts
 * [...pageStates(parseDocument("<script>window.__STATE__ = {\"a\": 1}</script>"))] // [{ a: 1 }]
 * ```
 */
export function* pageStates(document: Document): Generator<unknown> {
  const flight: string[] = []
  for (const script of document.querySelectorAll("script:not([src])")) {
    const type = script.getAttribute("type")?.toLowerCase() ?? ""
    const text = script.textContent ?? ""
    if (type === "application/json") {
      const value = parseLoose(text.trim())
      yield script.id === "__NUXT_DATA__" ? unflattened(value) : value
    } else if (/^(?:|text\/javascript|module)$/.test(type)) {
      yield* writtenOut(text)
      for (const part of flightTexts(text)) flight.push(part)
    }
  }
  if (flight.length > 0) yield* flightStates(flight)
  yield* attributeStates(document)
}

function* attributeStates(document: Document): Generator<unknown> {
  for (const element of [...document.querySelectorAll(stateHolders)].slice(0, maxHolders)) {
    for (const name of stateAttributes) {
      const text = element.getAttribute(name)?.trim() ?? ""
      if (/^[[{]/.test(text)) yield withParsedTexts(parseLoose(text))
    }
  }
}

/** Discourse writes each value of its state as a text of JSON. */
function withParsedTexts(state: unknown): unknown {
  if (typeof state !== "object" || state === null || Array.isArray(state)) return state
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [
      key,
      typeof value === "string" && /^[[{]/.test(value) ? (parseLoose(value) ?? value) : value,
    ]),
  )
}

/** Yields the values of `window.__STATE__ = {…}`, `= JSON.parse("…")` and immediately called functions. */
function* writtenOut(text: string): Generator<unknown> {
  let left = maxVariables
  for (const { 0: sign, index } of text.matchAll(variables)) {
    if (left-- === 0) return
    const start = index + sign.length
    if (text[start] === "{" || text[start] === "[") {
      yield parseLoose(balancedText(text, start) ?? "")
    } else if (/[(f]/.test(text[start] ?? "")) {
      yield calledLiteral(text, start)
    } else {
      const inner = quotedAt(text, start)
      if (inner !== undefined) yield parseLoose(inner)
    }
  }
}

/** A state as a text, alone or in `JSON.parse(…)`. */
function quotedAt(text: string, offset: number): string | undefined {
  const call = /^JSON\.parse\(\s{0,10}/.exec(text.slice(offset, offset + 30))?.[0] ?? ""
  const start = offset + call.length
  const quote = text[start]
  if (quote !== '"' && quote !== "'") return undefined
  const end = endOfString(text, start, quote)
  if (end < 0) return undefined
  const written = text.slice(start, end + 1)
  const value = parseLoose(written) ?? parseLiteral(written)
  return typeof value === "string" ? value : undefined
}

/**
 * A state as Nuxt 3 writes it (devalue): one list, in which objects and lists hold indices of others, and
 * a list that begins with a name, such as `["Reactive", 2]`, is a value of that kind.
 */
function unflattened(flat: unknown): unknown {
  if (!Array.isArray(flat)) return flat
  const known = new Map<number, unknown>()
  const at = (index: unknown, depth: number): unknown => {
    if (typeof index !== "number" || index < 0 || depth > deepest) return null
    if (known.has(index)) return known.get(index)
    const value: unknown = flat[index]
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) {
      const [kind, inner] = value
      const isSet = kind === "Set"
      if (typeof kind === "string" && !isSet) {
        return typeof inner === "number" ? at(inner, depth + 1) : inner
      }
      const list: unknown[] = []
      known.set(index, list)
      for (const item of isSet ? value.slice(1) : value) list.push(at(item, depth + 1))
      return list
    }
    const object: Record<string, unknown> = {}
    known.set(index, object)
    for (const [key, child] of Object.entries(value)) object[key] = at(child, depth + 1)
    return object
  }
  return at(0, 0)
}
