import { wordSet } from "../../core/index.ts"
import type { Blocks } from "./blocks.ts"
import { type Names, noNames } from "./names.ts"
import type { PageFacts } from "./page-facts.ts"
import type { PageType } from "./page-type.ts"

/** Names that the software of forums gives to posts, and nothing else to anything. */
const postNames = wordSet(`
  :suggestedanswer crawler-post topic-post message-post message-user postbody postprofile post-message
  postbit postbitlegacy post-stream js-answer usertext-body
`)
/** Classes of elements that contain all posts. */
const threadNames = wordSet("flarum-content")
const fewestPosts = 2
/** Classes of the body: of WooCommerce, of Magento. */
const productNames = ["single-product", "catalog-product-view"]

/** Returns the page's type by certain signs; null if the model has to decide. */
export function sureType({ nodes, root }: Blocks, facts: PageFacts): PageType | null {
  if (facts.isThread || hasPosts(nodes)) return "forum"
  return facts.isProduct || productNames.some((name) => root.names.words.includes(name))
    ? "product"
    : null
}

function hasPosts(nodes: Blocks["nodes"]): boolean {
  const counts = new Map<string, number>()
  const telling = new Map<Names, boolean>([[noNames, false]])
  for (const { names } of nodes) {
    let tells = telling.get(names)
    if (tells === undefined) {
      tells = names.words.some((word) => threadNames.has(word) || postNames.has(word))
      telling.set(names, tells)
    }
    if (!tells) continue
    for (const word of names.words) {
      if (threadNames.has(word)) return true
      if (!postNames.has(word)) continue
      const count = (counts.get(word) ?? 0) + 1
      if (count >= fewestPosts) return true
      counts.set(word, count)
    }
  }
  return false
}
