import { Parser } from "htmlparser2"
import { decodeEntities } from "./text.ts"

/** An element of an XML document. Names are local; prefixes mean nothing but their URI. */
export class XmlElement {
  constructor(
    readonly name: string,
    /** The namespace's URI; "" for none. */
    readonly namespace: string,
    private readonly attributes: Map<string, string>,
    /** Elements and texts, in document order. */
    readonly children: readonly (XmlElement | string)[],
  ) {}

  /** The child elements of a name, of any namespace unless one is given. */
  all(name: string, namespace?: string): XmlElement[] {
    return this.elements().filter((child) => child.is(name, namespace))
  }

  first(name: string, namespace?: string): XmlElement | undefined {
    return this.elements().find((child) => child.is(name, namespace))
  }

  elements(): XmlElement[] {
    return this.children.filter((child) => typeof child !== "string")
  }

  /** All elements of a name below this one, at any depth. */
  *within(name: string, namespace?: string): Generator<XmlElement> {
    const stack = this.elements().reverse()
    for (let element = stack.pop(); element; element = stack.pop()) {
      if (element.is(name, namespace)) yield element
      stack.push(...element.elements().reverse())
    }
  }

  private is(name: string, namespace?: string): boolean {
    if (this.name !== name) return false
    return namespace === undefined || sameNamespace(this.namespace, namespace)
  }

  /** An attribute without prefix, or of a namespace; null if it is not there. */
  attribute(name: string, namespace = ""): string | null {
    return this.attributes.get(`${namespace.toLowerCase()} ${name}`) ?? null
  }

  /** The attributes without prefix, in their order. */
  plainAttributes(): [name: string, value: string][] {
    return [...this.attributes].flatMap(([key, value]) =>
      key.startsWith(" ") ? [[key.slice(1), value] as [string, string]] : [],
    )
  }

  /** All text below this element, as it is written. */
  get text(): string {
    const texts: string[] = []
    this.addTexts(texts)
    return texts.join("")
  }

  private addTexts(texts: string[]): void {
    for (const child of this.children) {
      if (typeof child === "string") texts.push(child)
      else child.addTexts(texts)
    }
  }
}

/** Real feeds have ten levels, articles of PubMed twenty. Recursive walks of a tree stay within the stack. */
const deepest = 6_000

/** XML nested so deeply that it was made to exhaust a reader. Truncating it would lose data silently. */
export class TooDeepXml extends Error {
  constructor() {
    super(`The XML nests elements more than ${deepest.toLocaleString("en")} levels deep.`)
  }
}

/** An element as both parsers give it. */
interface RawElement {
  name: string
  attributes: [string, string][]
  children: (RawElement | string)[]
}

/**
 * The root element of a document. White space before it, undeclared HTML entities, bare `&` and
 * control characters are repaired. Null if it is not well-formed: truncated, or not XML at all.
 * @throws TooDeepXml
 */
export function parseXml(text: string): XmlElement | null {
  const source = text.trim()
  if (!source.startsWith("<")) return null
  const root = strictRoot(source) ?? strictRoot(repaired(source))
  return root && adopt(fromBun(root), rootScope)
}

/** Like parseXml, but tolerates unclosed and misnested elements. @throws TooDeepXml */
export function parseBrokenXml(text: string): XmlElement | null {
  const whole = parseXml(text)
  if (whole) return whole
  const root = brokenRoot(text.slice(Math.max(0, text.indexOf("<"))))
  return root && adopt(root, rootScope)
}

function strictRoot(source: string): Bun.XML.Node | null {
  try {
    return Bun.XML.parse(source, { compact: false })
  } catch (error) {
    if (error instanceof RangeError) throw new TooDeepXml()
    return null
  }
}

const xmlEntity = /^&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);$/i

function forbiddenReference(token: string): boolean {
  const code = /^&#(x?)([0-9a-f]+);$/i.exec(token)
  const value = code ? Number.parseInt(code[2]!, code[1] ? 16 : 10) : 32
  return value < 32 && value !== 9 && value !== 10 && value !== 13
}

function repaired(source: string): string {
  return (
    source
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(
        /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?:[a-z][a-z0-9]*;|#\d+;|#x[0-9a-f]+;)?/gi,
        (token) => {
          if (forbiddenReference(token)) return ""
          if (token.startsWith("<") || xmlEntity.test(token)) return token
          const decoded = decodeEntities(token)
          return decoded === token ? `&amp;${token.slice(1)}` : decoded
        },
      )
  )
}

function fromBun(node: Bun.XML.Node, depth = 1): RawElement {
  if (depth > deepest) throw new TooDeepXml()
  const children: (RawElement | string)[] = []
  for (const child of node.children) {
    if (typeof child === "string") children.push(child)
    else if ("name" in child) children.push(fromBun(child, depth + 1))
  }
  return { name: node.name, attributes: Object.entries(node.attributes), children }
}

/** Returns the first element; an end tag also closes the open elements within its element. */
function brokenRoot(source: string): RawElement | null {
  const roots: RawElement[] = []
  const open: RawElement[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length === deepest) throw new TooDeepXml()
        const element = { name, attributes: Object.entries(attributes), children: [] }
        const siblings = open.at(-1)?.children ?? roots
        siblings.push(element)
        open.push(element)
      },
      ontext: (text) => open.at(-1)?.children.push(text),
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  )
  parser.end(source)
  return roots[0] ?? null
}

type Scope = Record<string, string>

const rootScope: Scope = { "": "", xml: "http://www.w3.org/XML/1998/namespace" }

/** Resolves the prefixes. An undeclared prefix stands for itself as the namespace. */
function adopt(raw: RawElement, outer: Scope): XmlElement {
  const declared: Scope = {}
  const plain: [string, string][] = []
  for (const [name, value] of raw.attributes) {
    if (name === "xmlns") declared[""] = value.trim()
    else if (name.startsWith("xmlns:")) declared[name.slice(6)] = value.trim()
    else plain.push([name, value])
  }
  const scope = Object.keys(declared).length === 0 ? outer : { ...outer, ...declared }
  const [prefix, local] = split(raw.name)
  const attributes = new Map<string, string>()
  for (const [name, value] of plain) {
    const [own, rest] = split(name)
    const namespace = own === "" ? "" : (scope[own] ?? own)
    attributes.set(`${namespace.toLowerCase()} ${rest}`, value)
  }
  const children: (XmlElement | string)[] = []
  for (const child of raw.children) {
    children.push(typeof child === "string" ? child : adopt(child, scope))
  }
  return new XmlElement(local, scope[prefix] ?? prefix, attributes, children)
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(":")
  return colon < 0 ? ["", name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/** Feeds write namespace URLs in any letter case. */
function sameNamespace(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}
