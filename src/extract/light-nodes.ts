import { parseHTML } from "linkedom"

type Constructor = abstract new () => object

/**
 * Has linkedom make its nodes without a table of listeners each: that is a quarter of the time and
 * memory of parsing, and nobody listens in a page that is only read.
 */
export function omitListeners(): void {
  let node = parseHTML("<html></html>").document.documentElement.constructor as Constructor
  let parent = Object.getPrototypeOf(node) as Constructor
  while (Object.getPrototypeOf(parent) !== Function.prototype) {
    node = parent
    parent = Object.getPrototypeOf(node) as Constructor
  }
  const bare = class {}
  Object.setPrototypeOf(node, bare)
}
