/** Reads the rows of the specification that the contract was derived from. */
import type { InputField, ScraperContract } from "./inputs.ts"

const types: Record<string, InputField["type"]> = {
  a: "array",
  s: "string",
  i: "integer",
  b: "boolean",
  sel: "select",
}

/** Lines of row, slug, tier, site, and input: `req urls(a); opt limit(i, max 100).` */
export function readSpecification(text: string): ScraperContract[] {
  return text.split("\n").flatMap((line) => {
    const [, slug, tier, , input] = line.split("\t")
    if (!slug || !input || slug === "slug") return []
    const [required = "", optional = ""] = input.split(/;\s*opt\b/)
    return [{ slug, tier: tier!, required: fieldsIn(required), optional: fieldsIn(optional) }]
  })
}

/** `name(type, note)`; a note may contain brackets, and the type ends with `,` or `;`. */
function fieldsIn(text: string): InputField[] {
  const written = text.matchAll(/(\w+)\((a|s|i|b|sel)\b((?:[^()]|\([^()]*\))*)\)/g)
  return [...written].map(([, name, type, note]) => {
    const counts = type === "i" || type === "a"
    const most = counts
      ? /^, (?:API |one page, |page lists )?(?:max|up to) (\d+)\b/.exec(note!)?.[1]
      : undefined
    return { name: name!, type: types[type!]!, ...(most && { most: Number(most) }) }
  })
}
