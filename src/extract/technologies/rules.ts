import type { Category, TechnologyRule } from "./rule.ts"
import text from "./technologies.txt" with { type: "text" }

let rules: readonly TechnologyRule[] | undefined

/** Returns the rules of `technologies.txt`, which are parsed when they are first needed. */
export function technologyRules(): readonly TechnologyRule[] {
  rules ??= parseRules(text)
  return rules
}

/**
 * Parses rules in the format that `technologies.txt` describes.
 *
 * @throws Error | SyntaxError if a line is malformed
 * @example
 * ```ts
 * parseRules("Ghost | CMS | ghost.org\n  dom .ghost\n  implies Node.js")[0].implies // ["Node.js"]
 * ```
 */
export function parseRules(written: string): TechnologyRule[] {
  const parsed: TechnologyRule[] = []
  for (const line of written.split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    if (line.startsWith("  ")) addSign(parsed.at(-1)!, line.slice(2))
    else {
      const [name, categories, site] = line.split(" | ")
      parsed.push({ name: name!, categories: categories!.split(", ") as Category[], site: site! })
    }
  }
  return parsed
}

function addSign(rule: TechnologyRule, line: string): void {
  const [kind, value] = split(line)
  switch (kind) {
    case "header":
      rule.headers = { ...rule.headers, ...namedPattern(value) }
      break
    case "meta":
      rule.meta = { ...rule.meta, ...namedPattern(value) }
      break
    case "url":
      rule.url = [...(rule.url ?? []), pattern(value)]
      break
    case "file":
      rule.url = [...(rule.url ?? []), libraryFile(value)]
      break
    case "generator":
    case "cookie":
    case "script":
    case "page":
    case "html":
    case "comment":
      rule[kind] = pattern(value)
      break
    case "dom":
      rule.dom = value
      break
    case "weight":
      rule.weight = Number(value)
      break
    case "implies":
      rule.implies = value.split(", ")
      break
    default:
      throw new Error(`${rule.name}: "${kind}" is not a kind of sign.`)
  }
}

function split(line: string): [first: string, rest: string] {
  const space = line.indexOf(" ")
  return [line.slice(0, space), line.slice(space + 1)]
}

function namedPattern(value: string): Record<string, RegExp> {
  const [name, written] = split(value)
  return { [name]: pattern(written) }
}

/** Returns the pattern of `/source/flags`. */
function pattern(written: string): RegExp {
  const end = written.lastIndexOf("/")
  return new RegExp(written.slice(1, end), written.slice(end + 1))
}

/** Returns a pattern of a script or style sheet named after its library, with its version. */
const libraryFile = (name: string) =>
  new RegExp(
    [
      String.raw`/(?:${name})(?:\.(?:pkgd|bundle|slim|all|core|umd|prod|esm|iife))*`,
      String.raw`(?:[@/.-]v?(\d+(?:\.\d+)+)[^"'\s?]*?)?`,
      String.raw`(?:[./-](?:min|pkgd|bundle|slim|core|umd|all|prod))*\.(?:m?js|css)(?:[?#]|$)`,
      String.raw`|/(?:${name})(?:\.js)?[@/]v?(\d+(?:\.\d+)+)/`,
    ].join(""),
    "im",
  )
