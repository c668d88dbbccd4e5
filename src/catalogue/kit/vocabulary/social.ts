import { Type } from "@sinclair/typebox"
import { distinct } from "../../../extract/core/index.ts"
import { at, JsonReader } from "../../../extract/embedded/index.ts"
import { ScrapeError, Unreachable } from "../core/errors.ts"
import { items } from "../core/fields.ts"
import { field } from "../core/record.ts"

/**
 * The first fields of every item of a social network: its kind, its target and its page.
 * @example const item = itemObject({ ...recordFields("post"), text: items.text("Text.") })
 */
export const recordFields = <const K extends string>(kind: K) => ({
  type: Type.Literal(kind, { description: `Always "${kind}".` }),
  input: items.requiredText("Input as written."),
  url: items.requiredText("URL of its public page."),
})

/**
 * The first fields of a search's items. Error items have `input` in addition to the query.
 * @example const item = itemObject({ ...hitFields("pin"), title: items.text("Title.") })
 */
export const hitFields = <const K extends string>(kind: K) => ({
  type: Type.Literal(kind, { description: `Always "${kind}".` }),
  query: items.requiredText("Query as written."),
  position: items.requiredInteger("Position among the query's results, from 1."),
  url: items.requiredText("URL of its public page."),
})

/**
 * Hashtags and account names in a post's text.
 * @example const item = itemObject({ ...recordFields("post"), ...namedInText })
 */
export const namedInText = {
  hashtags: items.texts("Hashtags of the text without #, in order."),
  mentions: items.texts("Account names mentioned in the text, without @, in order."),
}

const size = items.number("Size in pixels.")
/**
 * Width and height in pixels; null if unknown.
 * @example const image = itemObject({ url: items.text("Image."), ...sizeFields })
 */
export const sizeFields = { width: size, height: size }

/**
 * Returns the fields of width and height, read by their paths.
 * @example const image = record({ ...sizeAt("dimensions.width", "dimensions.height") })
 */
export const sizeAt = (width: string, height: string) => ({
  width: field.number(width, "Width in pixels.", Math.trunc),
  height: field.number(height, "Height in pixels.", Math.trunc),
})

/**
 * Returns a source: the object at a path, if it has at least one of the named keys.
 * @example field.object(having("media.video", "url", "id"), "Video.", fields)
 */
export const having =
  (path: string, ...parts: string[]) =>
  (row: unknown) => {
    const value = at(row, ...path.split("."))
    return parts.some((part) => at(value, part) != null) ? value : null
  }

/**
 * Returns a source: the texts under a key of each object in a list, such as the names of tags.
 * @example eachOf("entities.tags", "name")({ entities: { tags: [{ name: "art" }] } }) // ["art"]
 */
export const eachOf = (path: string, key: string) => (row: unknown) =>
  new JsonReader(row)
    .list(...path.split("."))
    .flatMap((entry) => entry.text(...key.split(".")) ?? [])

/**
 * Error codes that are facts of an account or post. A run with only such items has succeeded. Other
 * codes, such as a refusal or a changed layout, contain no facts of the target.
 */
const answers = new Set(["not_found", "private", "suspended", "unavailable", "no_preview"])
/**
 * Returns whether a run with only these error codes has failed.
 * @example failsRun(["not_found"]) // false
 */
export const failsRun = (codes: string[]) => codes.some((code) => !answers.has(code))

/**
 * Returns the targets without those that name the same thing as an earlier one. Unreadable targets
 * remain, each with its own error.
 * @example distinctTargets(["@Nasa", "nasa"], (target) => target.replace("@", "")) // ["@Nasa"]
 */
export function distinctTargets(targets: string[], nameOf: (target: string) => string): string[] {
  const seen = new Set<string>()
  return distinct(targets).filter((target) => {
    const name = nameOrItself(target, nameOf).toLowerCase()
    return !seen.has(name) && seen.add(name)
  })
}

function nameOrItself(target: string, nameOf: (target: string) => string): string {
  try {
    return nameOf(target)
  } catch (error) {
    if (error instanceof ScrapeError) return target
    throw error
  }
}

/**
 * Returns queries without surrounding white space and without duplicates.
 * @example distinctQueries([" a ", "a", ""]) // ["a"]
 */
export const distinctQueries = (queries: string[]) =>
  distinct(queries.map((query) => query.trim())).filter((query) => query !== "")

/**
 * Returns the fields of a search's error items, which contain its query twice.
 * @example identifyQuery("cats") // { input: "cats", query: "cats" }
 */
export const identifyQuery = (query: string) => ({ input: query, query })

/**
 * Returns the cookies of an operator's setting. It is written as `a=1; b=2`, or as only the value
 * of the cookie `name`.
 * @example cookiesOf("a=1; b=2", "session") // { a: "1", b: "2" }
 */
export function cookiesOf(setting: string | undefined, name: string): Record<string, string> {
  if (!setting) return {}
  const pairs = [...setting.matchAll(/(?:^|;)\s*([\w.-]+)=([^;]*)/g)]
  if (pairs.length === 0) return { [name]: setting.trim() }
  return Object.fromEntries(pairs.map((pair) => [pair[1]!, pair[2]!.trim()]))
}

/**
 * Returns the path to which a site redirected a request that then failed; "" for other failures. A
 * redirect to a login page is a result even if that page does not respond.
 * @example redirectTarget(error) // "/accounts/login/"
 */
export function redirectTarget(error: unknown): string {
  if (!(error instanceof Unreachable) || error.url === undefined) return ""
  return URL.parse(error.url)?.pathname ?? ""
}
