import { parseHTML } from "linkedom"
import { keepSelectors } from "./quick-selectors.ts"

type Constructor = abstract new () => object

const { document } = parseHTML("<html></html>") as unknown as { document: Document }

/** Spares linkedom work that a page which is only read does not need. */
export function quickenNodes(): void {
  omitListeners()
  keepTagNames()
  giveClassesAsWritten()
  keepSelectors(htmlElement, true)
  keepSelectors(Object.getPrototypeOf(document), false)
}

/** A listener table for each node takes a quarter of parsing's time and memory. */
function omitListeners(): void {
  let node = document.createElement("section").constructor as Constructor
  let parent = Object.getPrototypeOf(node) as Constructor
  while (Object.getPrototypeOf(parent) !== Function.prototype) {
    node = parent
    parent = Object.getPrototypeOf(node) as Constructor
  }
  const bare = class {}
  Object.setPrototypeOf(node, bare)
}

/** The class of all elements of HTML; those of XML keep their case. */
const htmlElement: object = Object.getPrototypeOf(document.createElement("section"))

const mostNames = 1_000
const upperCase = new Map<string, string>()

/** linkedom upper-cases a name again each time it is asked for. */
function keepTagNames(): void {
  const get = function (this: Element): string {
    const known = upperCase.get(this.localName)
    if (known !== undefined) return known
    const name = this.localName.toUpperCase()
    if (upperCase.size < mostNames) upperCase.set(this.localName, name)
    return name
  }
  Object.defineProperty(htmlElement, "tagName", { get, configurable: true })
  Object.defineProperty(htmlElement, "nodeName", { get, configurable: true })
}

/** linkedom would make a set of the words of a class whenever it is read. */
function giveClassesAsWritten(): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(htmlElement), "className")!
  Object.defineProperty(htmlElement, "className", {
    get(this: Element) {
      return this.getAttributeNode("class")?.value ?? ""
    },
    set,
    configurable: true,
  })
}
