export interface CssRule {
  /** As in the style sheet, for example `h1, .title`. */
  selectors: string[]
  declarations: Map<string, string>
}

const maxRules = 20_000
const maxPreludeCharacters = 2000

/** The rules of a style sheet in its order, those within `@media` and the like included. */
export function readRules(css: string): CssRule[] {
  const text = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ")
  const rules: CssRule[] = []
  const open: { prelude: string; isBlock: boolean }[] = []
  const brace = /[{}]/g
  let start = 0
  for (let match = brace.exec(text); match && rules.length < maxRules; match = brace.exec(text)) {
    const piece = text.slice(start, match.index)
    start = match.index + 1
    if (match[0] === "{") {
      if (open.length > 0) open.at(-1)!.isBlock = true
      const prelude = piece.slice(piece.lastIndexOf(";") + 1).trim()
      open.push({ prelude: prelude.slice(0, maxPreludeCharacters), isBlock: false })
      continue
    }
    const rule = open.pop()
    if (!rule || rule.isBlock || rule.prelude === "") continue
    const selectors = rule.prelude.split(",").map((one) => one.trim().toLowerCase())
    rules.push({ selectors, declarations: readDeclarations(piece) })
  }
  return rules
}

/** Also of a `style` attribute. */
export function readDeclarations(text: string): Map<string, string> {
  const declarations = new Map<string, string>()
  for (const part of text.split(";")) {
    const colon = part.indexOf(":")
    if (colon < 0) continue
    const name = part.slice(0, colon).trim()
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, "")
      .trim()
    // Custom properties are case-sensitive.
    if (value !== "") declarations.set(name.startsWith("--") ? name : name.toLowerCase(), value)
  }
  return declarations
}

const maxDepth = 8

/** Replaces `var(--name, fallback)` by the value of the property; undefined if there is none. */
export function resolved(
  value: string,
  properties: ReadonlyMap<string, string>,
  depth = 0,
): string | undefined {
  const [whole, name, fallback] = /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/.exec(value) ?? []
  if (whole === undefined) return value
  const match = properties.get(name!) ?? fallback?.trim()
  if (match === undefined || depth === maxDepth || value.length > 2000) return undefined
  return resolved(
    value.replace(whole, () => match),
    properties,
    depth + 1,
  )
}
