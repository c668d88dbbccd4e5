import { addressOf, contentValue } from "./attribute-values.ts"
import {
  type AttributeData,
  addValue,
  type Entity,
  type SchemaNode,
  vocabularyHost,
} from "./schema-node.ts"

/** Prefixes that RDFa knows without declaration and pages use. */
const knownPrefixes: Record<string, string> = {
  schema: "http://schema.org/",
  v: "http://rdf.data-vocabulary.org/#",
  foaf: "http://xmlns.com/foaf/0.1/",
  dc: "http://purl.org/dc/terms/",
  sioc: "http://rdfs.org/sioc/ns#",
  gr: "http://purl.org/goodrelations/v1#",
}

/** Open Graph and its relatives use `property`, but are page metadata, not RDFa items. */
const metadataPrefixes =
  /^(?:og|fb|article|product|book|profile|music|video|twitter|al|place|business)[:.]/i

interface Scope {
  node: SchemaNode
  prefixes: Record<string, string>
}

interface Step {
  element: Element
  vocabulary: string | null
  prefixes: Record<string, string>
  scope: Scope | null
}

/** The RDFa Lite items of a page that are not another item's property, in document order. */
export function readRdfa(document: Document, base: string): AttributeData {
  const entities: Entity[] = []
  const elements = new Map<SchemaNode, Element>()
  const root = document.documentElement
  if (!root || document.querySelector("[typeof]") === null) return { entities, elements }
  const stack: Step[] = [{ element: root, vocabulary: null, prefixes: knownPrefixes, scope: null }]
  while (stack.length > 0) {
    const step = stack.pop()!
    const { element } = step
    const vocabulary = element.getAttribute("vocab") ?? step.vocabulary
    const prefixes = declaredPrefixes(element, step.prefixes)
    const terms = { vocabulary, prefixes }
    const properties = step.scope ? propertyNames(element, terms) : []
    let { scope } = step
    const type = element.getAttribute("typeof")
    if (type?.trim()) {
      const node = openNode(element, type, terms, base)
      elements.set(node, element)
      if (step.scope && properties.length > 0) {
        for (const name of properties) addValue(step.scope.node, name, node)
      } else {
        entities.push({ format: "rdfa", data: node, context: typeHost(type, terms), valid: true })
      }
      scope = { node, prefixes }
    } else if (scope) {
      const value = properties.length > 0 ? propertyValue(element, base) : null
      if (value !== null) for (const name of properties) addValue(scope.node, name, value)
    }
    const { children } = element
    for (let index = children.length - 1; index >= 0; index--) {
      stack.push({ element: children[index]!, vocabulary, prefixes, scope })
    }
  }
  return { entities: entities.filter(({ data }) => hasProperties(data)), elements }
}

type Terms = Pick<Step, "vocabulary" | "prefixes">

function openNode(element: Element, type: string, terms: Terms, base: string): SchemaNode {
  const types = words(type).map((word) => shortTerm(word, terms))
  const node: SchemaNode = { "@type": types.length === 1 ? types[0] : types }
  const subject =
    element.getAttribute("resource") ??
    element.getAttribute("about") ??
    element.getAttribute("href") ??
    element.getAttribute("src")
  if (subject?.trim()) node["@id"] = addressOf(subject, base)
  return node
}

function hasProperties(node: SchemaNode): boolean {
  return Object.keys(node).some((key) => !key.startsWith("@"))
}

function propertyNames(element: Element, terms: Terms): string[] {
  return words(element.getAttribute("property"))
    .filter((word) => !metadataPrefixes.test(word))
    .map((word) => shortTerm(word, terms))
}

function propertyValue(element: Element, base: string): string | null {
  const resource = element.hasAttribute("content") ? null : element.getAttribute("resource")
  return resource === null ? contentValue(element, base) : addressOf(resource, base)
}

/** schema.org's terms without prefix; those of other vocabularies as written. */
function shortTerm(term: string, { prefixes }: Terms): string {
  const [, prefix, name] = /^([\w-]+):(?!\/\/)(.+)$/.exec(term) ?? []
  if (prefix && name && isSchemaOrg(prefixes[prefix.toLowerCase()])) return name
  return term.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, "")
}

const isSchemaOrg = (url: string | undefined) =>
  url !== undefined && /^https?:\/\/(?:www\.)?schema\.org\b/i.test(url)

function typeHost(type: string, { vocabulary, prefixes }: Terms): string | null {
  const first = words(type)[0] ?? ""
  const prefix = /^([\w-]+):(?!\/\/)/.exec(first)?.[1]
  const url = prefix ? prefixes[prefix.toLowerCase()] : /^https?:/.test(first) ? first : vocabulary
  return vocabularyHost(url)
}

/** `prefix="schema: http://schema.org/ ex: …"`, and XHTML's `xmlns:schema="…"`. */
function declaredPrefixes(
  element: Element,
  inherited: Record<string, string>,
): Record<string, string> {
  const declared: Record<string, string> = {}
  for (const [, prefix, url] of (element.getAttribute("prefix") ?? "").matchAll(
    /(?<![\w-])([\w-]+):\s+(\S+)/g,
  )) {
    declared[prefix!.toLowerCase()] = url!
  }
  if (element.localName === "html" || element.localName === "body") {
    for (const { name, value } of element.attributes) {
      if (/^xmlns:/i.test(name)) declared[name.slice(6).toLowerCase()] = value
    }
  }
  return Object.keys(declared).length === 0 ? inherited : { ...inherited, ...declared }
}

const words = (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean)
