import { parseHTML } from "linkedom"

type Constructor = abstract new () => object

const { document } = parseHTML("<html></html>") as unknown as { document: Document }

/** What linkedom does by the way and a page that is only read has no need of, done by less work. */
export function quickenNodes(): void {
  omitListeners()
  keepTagNames()
  giveClassesAsWritten()
}

/** A table of listeners for each node is a quarter of the time and memory of parsing. */
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

/** linkedom makes the upper case of a name anew each time that it is asked for. */
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
