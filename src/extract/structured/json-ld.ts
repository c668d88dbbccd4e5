import { jsonrepair } from "jsonrepair"
import { decodeEntities, elementsNamed } from "../core/index.ts"
import { type Entity, type SchemaNode, vocabularyHost } from "./schema-node.ts"

const jsonLdType = /^\s*application\/ld\+json\b/i
/** Repairing is slow; longer blocks that are not JSON stay unread. */
const maxRepairChars = 2_000_000
/** Repairing takes quadratic time in the depth. */
const deepestRepair = 500

/** The top-level nodes of a page's JSON-LD scripts; arrays and `@graph` are opened. */
export function readJsonLd(document: Document): { entities: Entity[]; unreadable: string[] } {
  const entities: Entity[] = []
  const unreadable: string[] = []
  for (const script of elementsNamed(document, "script")) {
    if (!jsonLdType.test(script.getAttribute("type") ?? "")) continue
    const written = script.textContent ?? ""
    const block = parseJsonLd(written)
    if (block === undefined) unreadable.push(written.trim())
    else entities.push(...openBlock(block.value, block.valid))
  }
  return { entities, unreadable }
}

/** The value of a block and whether it was JSON as written; undefined when it cannot be read. */
export function parseJsonLd(written: string): { value: unknown; valid: boolean } | undefined {
  const text = unwrap(written)
  if (text === "") return { value: null, valid: true }
  try {
    return { value: JSON.parse(text), valid: true }
  } catch {
    const value = repaired(text)
    return value === undefined ? undefined : { value, valid: false }
  }
}

/** The JSON inside comments, CDATA marks and a closing semicolon. */
function unwrap(written: string): string {
  let text = written.replace(/^\ufeff/, "").trim()
  for (let before = ""; before !== text; ) {
    before = text
    text = text
      .replace(
        /^(?:<!--|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*(?:<!--|<!\[CDATA\[)|\/\*)/,
        "",
      )
      .replace(/^\*\//, "")
      .trim()
    text = trimEnding(text)
  }
  return text
}

function trimEnding(text: string): string {
  for (const mark of ["-->", "]]>", "*/", "/*", "//", ";"]) {
    if (text.endsWith(mark)) return text.slice(0, -mark.length).trimEnd()
  }
  return text
}

/** Returns the maximum depth of brackets in a text, those in strings included. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === "{" || sign === "[") deepest = Math.max(deepest, ++depth)
    else if (sign === "}" || sign === "]") depth--
  }
  return deepest
}

function repaired(text: string): unknown {
  if (text.length > maxRepairChars || nesting(text) > deepestRepair) return undefined
  const unescaped = /^[[{]\s*&(?:quot|#34);/.test(text) ? decodeEntities(text) : text
  if (!/^[[{/]/.test(unescaped)) return undefined
  try {
    const value: unknown = JSON.parse(jsonrepair(unescaped))
    return typeof value === "object" ? value : undefined
  } catch {
    return undefined
  }
}

function openBlock(block: unknown, valid: boolean): Entity[] {
  const entities: Entity[] = []
  const stack: { value: unknown; context: unknown }[] = [{ value: block, context: undefined }]
  while (stack.length > 0) {
    const { value, context } = stack.pop()!
    if (typeof value !== "object" || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value.toReversed()) stack.push({ value: item, context })
      continue
    }
    const { "@context": own = context, ...data } = value as SchemaNode
    if (data["@graph"] !== undefined) {
      stack.push({ value: data["@graph"], context: own })
    } else if (Object.keys(data).length > 0) {
      entities.push({ format: "json-ld", data, context: contextHost(own), valid })
    }
  }
  return entities
}

/** The host of the vocabulary that an `@context` names. */
function contextHost(context: unknown): string | null {
  if (typeof context === "string") {
    return vocabularyHost(/^[\w.-]+\.\w+/.test(context) ? `//${context}` : context)
  }
  if (Array.isArray(context)) return firstHost(context)
  if (typeof context !== "object" || context === null) return null
  const { "@vocab": vocabulary, ...terms } = context as Record<string, unknown>
  return contextHost(vocabulary) ?? firstHost(Object.values(terms))
}

function firstHost(contexts: unknown[]): string | null {
  for (const context of contexts) {
    const host = typeof context === "string" ? contextHost(context) : null
    if (host !== null) return host
  }
  return null
}
