import { expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chooseBlocks } from "../../../src/extract/article/reading/choose.ts"
import type { PageType } from "../../../src/extract/article/reading/page-type.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

/**
 * Returns which of three paragraphs are chosen: the model is sure of the first, unsure of the
 * second, and sure that the third is not content.
 */
function chosen(pageType: PageType | null): string {
  const paragraph = (name: string) => `<p>${name} ${"word ".repeat(30)}</p>`
  const page = readBlocks(parseDocument(["a", "b", "c"].map(paragraph).join("")).body)
  const { blocks } = page
  const none = new Uint8Array(blocks.length)
  const taken = chooseBlocks(page, {
    chances: Float32Array.of(0.9, 0.33, 0.01),
    votes: none,
    groups: Uint32Array.from(blocks, ({ node: blockNode }) => blockNode.path),
    labels: none,
    pageType,
  })
  return blocks.flatMap(({ text }, at) => (taken[at] ? text[0]! : [])).join("")
}

test.each([
  ["an article", "article", "a"],
  ["a thread", "forum", "a"],
  ["a page of unknown type", null, "a"],
  ["a service", "service", "ab"],
  ["a list of products", "collection", "ab"],
] as const)("the choice of %s", (_, type, names) => expect(chosen(type)).toBe(names))
