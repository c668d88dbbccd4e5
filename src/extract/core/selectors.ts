import { compile } from "css-select"
import {
  ImpliedBodies,
  type ImpliedBody,
  isImplied,
  type MaybeImplied,
} from "./tables/implied-bodies.ts"

/** A caller's selector that is invalid, or takes too long. */
export class SelectorError extends Error {}

const maxSelectorChars = 1_000
/** Elements and texts looked at for the selectors of one page: a second's work at most. */
const maxSteps = 20_000_000
/** Over all values: nested elements repeat the same text. */
const maxCharacters = 20_000_000

/** @throws SelectorError with the reason if a selector is invalid. */
export function checkSelector(selector: string, emptyPage: Document): void {
  if (selector.length > maxSelectorChars) {
    throw new SelectorError(
      `a selector has at most ${maxSelectorChars} characters, and this one has ${selector.length}.`,
    )
  }
  if (endsOpen(selector)) {
    throw new SelectorError(
      `"${selector}" is not a CSS selector: nothing follows its last >, + or ~.`,
    )
  }
  try {
    emptyPage.querySelector(selector)
  } catch (error) {
    throw new SelectorError(`"${selector}" is not a CSS selector: ${(error as Error).message}`)
  }
}

/** The parser takes such a selector, and it matches nothing. */
const endsOpen = (selector: string) =>
  /(?<!\\)[>+~]\s*(?:,|$)/.test(selector.replace(/"[^"]*"|'[^']*'/g, ""))

const namesBody = /(?<![\w.#-])tbody(?![\w-])/i

/**
 * Finds elements as linkedom's `querySelectorAll` does, and counts the elements that it reads: some
 * selectors take polynomial time (`a ~ b ~ c`, `:has(:has(…))`, chains of descendants). Create one for
 * each page and share it between all selectors of a caller. A `tbody` that the HTML omits is found as in
 * a browser.
 */
export class Finder {
  private steps = 0
  private characters = 0
  private readonly children = new Map<Node, Node[]>()
  private readonly bodies = new ImpliedBodies((node) => this.childrenOf(node))
  private readonly compiledBefore = new Map<string, (element: Element) => boolean>()

  /** The first elements that match below a root, in document order. @throws SelectorError */
  find(root: Document | Element, selector: string, max = Number.POSITIVE_INFINITY): Element[] {
    const matcher = this.compiled(root, selector)
    const matches: Element[] = []
    const visit = (parent: Node): void => {
      for (const child of this.childrenOf(parent)) {
        if (matches.length >= max) return
        if (!isElement(child)) continue
        if (this.isMatch(matcher, child, selector)) matches.push(child)
        if (child.localName !== "template") visit(child)
      }
    }
    visit(root)
    return matches
  }

  /** Selectors within each row of a list are compiled once. */
  private compiled(root: Document | Element, selector: string): (element: Element) => boolean {
    const isOfRoot = selector.includes(":scope")
    const known = isOfRoot ? undefined : this.compiledBefore.get(selector)
    if (known) return known
    const context = isOfRoot ? root : undefined
    const asWritten = compile<Node, Element>(selector, { adapter: this.adapter, context })
    const asInBrowsers = namesBody.test(selector)
      ? compile<MaybeImplied, Element | ImpliedBody>(selector, {
          adapter: this.browserAdapter,
          context,
        })
      : undefined
    const matcher = (element: Element): boolean => {
      if (asWritten(element) || asInBrowsers?.(element)) return true
      const body = asInBrowsers && this.bodies.soleBodyOf(element)
      return body !== undefined && asInBrowsers!(body)
    }
    if (!isOfRoot) this.compiledBefore.set(selector, matcher)
    return matcher
  }

  private isMatch(matcher: (node: Element) => boolean, element: Element, selector: string) {
    try {
      return matcher(element)
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error
      throw new SelectorError(
        `"${selector}" takes too long on this page: name a class or an id instead of "~", ":has()", ":nth-child()" and long chains.`,
      )
    }
  }

  /** Also counts the text that is read from matches. @throws SelectorError */
  read(text: string, selector: string): string {
    this.characters += text.length
    if (this.characters <= maxCharacters) return text
    throw new SelectorError(
      `"${selector}" finds more than ${maxCharacters.toLocaleString("en")} characters on this page: name the innermost elements.`,
    )
  }

  private step(count = 1): void {
    this.steps += count
    if (this.steps > maxSteps) throw new TooManySteps()
  }

  private childrenOf(node: Node): Node[] {
    let known = this.children.get(node)
    if (!known) {
      known = []
      // A document type has no next sibling here.
      const first = isDocument(node) ? node.documentElement : node.firstChild
      for (let child: Node | null = first; child; child = child.nextSibling) known.push(child)
      this.children.set(node, known)
    }
    return known
  }

  private readonly adapter = {
    isTag: (node: Node): node is Element => {
      this.step()
      return isElement(node)
    },
    getName: (element: Element) => {
      this.step()
      return element.localName.toLowerCase()
    },
    getAttributeValue: (element: Element, name: string) => {
      this.step()
      return element.getAttributeNode(name)?.value
    },
    hasAttrib: (element: Element, name: string) => {
      this.step()
      return element.hasAttribute(name)
    },
    getParent: (element: Element) => {
      this.step()
      return element.parentNode
    },
    getChildren: (node: Node) => this.childrenOf(node),
    getSiblings: (node: Node) => {
      const siblings = node.parentNode ? this.childrenOf(node.parentNode) : [node]
      this.step(siblings.length / 8)
      return siblings
    },
    getText: (node: Node) => {
      if (node.nodeType === 3) return node.nodeValue ?? ""
      const text = isElement(node) ? (node.textContent ?? "") : ""
      this.step(text.length / 8)
      return text
    },
    // Asked for by css-select's own search of a page alone.
    removeSubsets: (nodes: Node[]) => nodes,
  }

  private readonly browserAdapter = {
    isTag: (node: MaybeImplied): node is Element | ImpliedBody => {
      this.step()
      return node.nodeType === 1
    },
    getName: (element: Element | ImpliedBody) => {
      this.step()
      return element.localName.toLowerCase()
    },
    getAttributeValue: (element: Element | ImpliedBody, name: string) =>
      isImplied(element) ? undefined : this.adapter.getAttributeValue(element, name),
    hasAttrib: (element: Element | ImpliedBody, name: string) =>
      !isImplied(element) && this.adapter.hasAttrib(element, name),
    getParent: (element: Element | ImpliedBody) => {
      this.step()
      return this.bodies.parentOf(element)
    },
    getChildren: (node: MaybeImplied) => [...this.bodies.childrenIn(node)],
    getSiblings: (node: MaybeImplied) => {
      const parent = this.bodies.parentOf(node)
      const siblings = parent ? [...this.bodies.childrenIn(parent)] : [node]
      this.step(1 + siblings.length / 8)
      return siblings
    },
    getText: (node: MaybeImplied): string =>
      isImplied(node)
        ? node.childNodes.map((child) => this.adapter.getText(child)).join("")
        : this.adapter.getText(node),
    removeSubsets: (nodes: MaybeImplied[]) => nodes,
  }
}

class TooManySteps extends Error {}

const isDocument = (node: Node): node is Document => node.nodeType === 9
const isElement = (node: Node): node is Element => node.nodeType === 1
