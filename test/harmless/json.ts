import { balancedText } from "../../src/extract/embedded/json-in-text.ts"
import { xmlChanges } from "./xml.ts"

/** A change of a response's body that keeps its meaning; null if it does not apply. */
export interface Transformation {
  name: string
  change(body: string): string | null
  /** Makes the first row of each list lose something: it may change, or disappear. */
  ofFirstRow?: true
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const areObjects = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Prefix of integers that a number would round: they are strings during the change. */
const bigSign = "\u0001big:"
const bigOrText = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g

/** Returns the list or object of a JSON text; undefined if it is neither. */
function parsed(text: string): unknown {
  try {
    const stored = text.replace(bigOrText, (token) =>
      token[0] === '"' ? token : JSON.stringify(bigSign + token),
    )
    const value = JSON.parse(stored)
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const written = (value: unknown, space?: number) =>
  JSON.stringify(value, null, space).replace(/"\\u0001big:(-?\d+)"/g, "$1")

/**
 * Changes the JSON of a body: a whole body, one behind an anti-hijacking prefix or in a call, JSON
 * Lines, or JSON in the scripts of a page. Returns null if there is none, or nothing changes.
 */
function inBody(body: string, change: (json: string) => string): string | null {
  const whole = /^(\s*(?:\)\]\}'?,?|[\w$.]+\()?\s*)([[{][\s\S]*[\]}])(\)?;?\s*)$/.exec(body)
  if (whole && parsed(whole[2]!) !== undefined) return whole[1] + change(whole[2]!) + whole[3]
  if (/^\s*\{/.test(body)) {
    const lines = body.split("\n")
    const areJson = lines.every((line) => line.trim() === "" || parsed(line) !== undefined)
    return areJson ? lines.map((line) => (line.trim() ? change(line) : line)).join("\n") : null
  }
  if (!/^\s*</.test(body)) return null
  return body.replace(/(<script\b[^>]*>)([^<][\s\S]*?)(?=<\/script>)/gi, (_, tag, text) => {
    return tag + inScript(text, (json) => change(json).replaceAll("</", "<\\/"))
  })
}

const shortestState = 200

/** Returns the script with its JSON changed: all of it, or the values assigned to variables. */
function inScript(text: string, change: (json: string) => string): string {
  if (parsed(text) !== undefined) return change(text)
  let result = ""
  let from = 0
  for (const { 0: sign, index } of text.matchAll(/=\s*(?=[[{]["{[])/g)) {
    const start = index + sign.length
    if (start < from) continue
    const json = balancedText(text, start)
    if (!json || json.length < shortestState || parsed(json) === undefined) continue
    result += text.slice(from, start) + change(json)
    from = start + json.length
  }
  return result + text.slice(from)
}

/** Changes a JSON text; its tree is changed from the leaves up. */
const inText = (name: string, change: (json: string) => string): Transformation => ({
  name,
  change: (body) => differing(body, inBody(body, change)),
})
const inTree = (name: string, change: (value: unknown) => unknown): Transformation => {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value.map(walk))
    if (!isObject(value)) return change(value)
    return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)])))
  }
  return inText(name, (json) => written(walk(parsed(json))))
}

const differing = (body: string, changed: string | null) => (changed === body ? null : changed)

/** Maps by name, such as rates by currency: one more key would be one more value. */
const isMap = (value: Json) => {
  const values = Object.values(value)
  return values.length < 2 || values.every((one) => typeof one === typeof values[0])
}

const advertisement = { __typename: "ZzAdvertisement", type: "zz_ad", kind: "zz_ad", deleted: true }
const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/

/** Sites insert them among the entries of a list, not among the parts of an entry. */
function withAdvertisements(value: unknown): unknown {
  if (areObjects(value)) return [...value, advertisement]
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withAdvertisements(one)]),
  )
}

const jsonChanges: Transformation[] = [
  inTree("keys in another order", (value) =>
    isObject(value) && !isMap(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
  ),
  inTree("unknown keys", (value) =>
    isObject(value) && !isMap(value)
      ? { zzNew: { id: 1, name: "zz" }, ...value, zzOld: null }
      : value,
  ),
  inTree("null at the end of lists", (value) => (areObjects(value) ? [...value, null] : value)),
  inTree("nothing at the end of lists", (value) => (areObjects(value) ? [...value, {}] : value)),
  inText("advertisements at the end of lists", (json) => written(withAdvertisements(parsed(json)))),
  inTree("no keys of null", (value) =>
    // An object that only has nulls means that the value is missing.
    isObject(value) && !Object.values(value).every((one) => one === null)
      ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
      : value,
  ),
  inTree("times with an offset", (value) =>
    typeof value === "string" ? value.replace(instant, "$1$2+00:00") : value,
  ),
  inTree("times without T", (value) =>
    typeof value === "string" ? value.replace(instant, (all) => all.replace("T", " ")) : value,
  ),
  inText("many lines", (json) => written(parsed(json), 2).replaceAll("\n", "\r\n")),
  inText("one line", (json) => written(parsed(json))),
  inText("signs escaped", (json) =>
    written(parsed(json))
      .replace(
        /[\u007f-\uffff<>&']/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      .replaceAll("/", "\\/"),
  ),
  {
    name: "mark of byte order",
    change: (body) => (/^[[{]/.test(body) && parsed(body) !== undefined ? `\ufeff${body}` : null),
  },
]

const methods = {
  "is null": () => null,
  "is absent": () => undefined,
  "is empty": (value: unknown) => (Array.isArray(value) ? [] : isObject(value) ? {} : ""),
} as const
/** Fields are chosen in turn, so that each change affects only some of them. */
const turns = 5

/** Makes some fields of the first row of each list empty, a different part of them in each turn. */
const fieldChanges = Object.entries(methods).flatMap(([fetchMethod, emptyValue]) =>
  Array.from({ length: turns }, (_, turn): Transformation => {
    const plain = (row: Json): Json =>
      Object.fromEntries(
        Object.entries(row).flatMap(([key, value]) => {
          const isTaken = Bun.hash(key) % BigInt(turns) === BigInt(turn)
          const left = isTaken ? emptyValue(value) : isObject(value) ? plain(value) : value
          return left === undefined ? [] : [[key, left]]
        }),
      )
    const walk = (value: unknown): unknown => {
      if (areObjects(value) && value.length > 1) return [plain(value[0]!), ...value.slice(1)]
      if (Array.isArray(value)) return value.map(walk)
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]))
    }
    const { change } = inText("", (json) => written(walk(parsed(json))))
    return {
      name: `a field in ${turns} of first rows ${fetchMethod} (${turn + 1})`,
      change,
      ofFirstRow: true,
    }
  }),
)

/** Changes to data that any reasonable reader ignores. */
export const dataChanges: Transformation[] = [...jsonChanges, ...fieldChanges, ...xmlChanges]
