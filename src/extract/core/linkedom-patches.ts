import { NodeList as LinkedomList, parseHTML } from "linkedom"
import {
  attributeOf,
  elementClass,
  elementFrom,
  elementsWithin,
  elementType,
  firstOf,
  type Linked,
  linked,
  newAttribute,
  newText,
  nextOfElement,
  nextOfText,
  textIn,
} from "./linked-nodes.ts"
import { copyDocuments } from "./quick-copy.ts"
import { keepSelectors } from "./quick-selectors.ts"

const NodeList = LinkedomList as unknown as new () => unknown[]

type Constructor = abstract new () => object

const { document } = parseHTML("<html></html>") as unknown as { document: Document }

const quickened = Symbol.for("trawl.quickened")

/** Spares linkedom work that a page which is only read does not need. */
export function quickenNodes(): void {
  // Another copy of this module, as in a test of a checkout, may have changed the same classes.
  const prototype = Object.getPrototypeOf(document) as Record<symbol, boolean>
  if (prototype[quickened]) return
  prototype[quickened] = true
  omitListeners()
  shareOneClass()
  stepQuickly()
  keepTagNames()
  patchClasses()
  keepSelectors(htmlElement, true)
  keepSelectors(Object.getPrototypeOf(document), false)
  copyDocuments(document)
}

/** A listener table for each node takes a quarter of parsing's time and memory. */
function omitListeners(): void {
  let node = document.createElement("section").constructor as Constructor
  let parent = Object.getPrototypeOf(node) as Constructor
  while (Object.getPrototypeOf(parent) !== Function.prototype) {
    node = parent
    parent = Object.getPrototypeOf(node) as Constructor
  }
  const plain = class {}
  Object.setPrototypeOf(node, plain)
}

/** The class of all elements of HTML; those of XML keep their case. */
const htmlElement: object = Object.getPrototypeOf(document.createElement("section"))

/** Elements whose class has behaviour that readers need: raw text, a content of its own. */
const ownClass = new Set(["script", "style", "title", "textarea", "template", "img"])

/**
 * linkedom has a class for each element name. A walk over a page meets all of them, and code compiled for
 * a few object shapes is far faster than code for fifty.
 */
function shareOneClass(): void {
  const prototype = Object.getPrototypeOf(document) as Pick<Document, "createElement">
  const { createElement } = prototype
  const Plain = elementClass(htmlElement)
  const Image = elementClass(Object.getPrototypeOf(document.createElement("img")))
  const methods: Partial<Document> & ThisType<Document> = {
    createElement(name: string, options?: ElementCreationOptions) {
      if (name === "img" && !options) return new Image(this, name) as never
      return options || ownClass.has(name)
        ? createElement.call(this, name, options)
        : (new Plain(this, name) as never)
    },
    createTextNode(text: string) {
      return newText(this, text)
    },
    createAttribute(name: string) {
      return newAttribute(this, name)
    },
  }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
  }
}

type Getter = (this: Linked) => unknown

/** From node to node in one step each; linkedom takes several calls for it. */
function stepQuickly(): void {
  const text: object = Object.getPrototypeOf(Object.getPrototypeOf(document.createTextNode("")))
  const ofElements: Record<string, Getter> = {
    parentElement() {
      const parent = this.parentNode
      return parent !== null && parent.nodeType === elementType ? parent : null
    },
    nextSibling() {
      return nextOfElement(this)
    },
    nextElementSibling() {
      return elementFrom(nextOfElement(this))
    },
    firstChild() {
      return firstOf(this)
    },
    firstElementChild() {
      return elementFrom(firstOf(this))
    },
    children() {
      const all = new NodeList()
      for (let at = elementFrom(firstOf(this)); at; at = elementFrom(nextOfElement(at)))
        all.push(at)
      return all
    },
    childElementCount() {
      let count = 0
      for (let at = elementFrom(firstOf(this)); at; at = elementFrom(nextOfElement(at))) count++
      return count
    },
  }
  for (const [name, get] of Object.entries(ofElements)) {
    Object.defineProperty(htmlElement, name, { get, configurable: true })
  }
  const nextSibling: Getter = function () {
    return nextOfText(this)
  }
  Object.defineProperty(text, "nextSibling", { get: nextSibling, configurable: true })
  patchText()
  patchMethods()
}

function patchText(): void {
  const { set } = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(htmlElement),
    "textContent",
  )!
  Object.defineProperty(htmlElement, "textContent", {
    get(this: Linked) {
      return textIn(this)
    },
    set,
    configurable: true,
  })
}

/** As in linkedom, an element without a class attribute has an empty class. */
function patchMethods(): void {
  const methods: Partial<Element> & ThisType<Linked> = {
    getAttribute(name: string) {
      return attributeOf(this, name) ?? (name === "class" ? "" : null)
    },
    hasAttribute(name: string) {
      return attributeOf(this, name) !== null
    },
    getElementsByTagName(name: string) {
      const lower = name === name.toUpperCase() ? name.toLowerCase() : name
      const all = new NodeList()
      for (const element of elementsWithin(this, lower, name)) all.push(element)
      return all as never
    },
  }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(htmlElement, name, { value, configurable: true, writable: true })
  }
}

const maxNames = 1_000
const upperCase = new Map<string, string>()

/** linkedom upper-cases a name again each time it is asked for. */
function keepTagNames(): void {
  const get = function (this: Element): string {
    const known = upperCase.get(this.localName)
    if (known !== undefined) return known
    const name = this.localName.toUpperCase()
    if (upperCase.size < maxNames) upperCase.set(this.localName, name)
    return name
  }
  Object.defineProperty(htmlElement, "tagName", { get, configurable: true })
  Object.defineProperty(htmlElement, "nodeName", { get, configurable: true })
}

/** linkedom would make a set of the words of a class whenever it is read. */
function patchClasses(): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(htmlElement), "className")!
  Object.defineProperty(htmlElement, "className", {
    get(this: Element) {
      return attributeOf(linked(this), "class") ?? ""
    },
    set,
    configurable: true,
  })
}
