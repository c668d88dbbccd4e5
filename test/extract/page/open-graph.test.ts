import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readMeta } from "../../../src/extract/page/meta.ts"
import {
  flatTags,
  mediaObjects,
  metaPairs,
  nestedTags,
} from "../../../src/extract/page/open-graph.ts"

const pairs = (html: string) => metaPairs(readMeta(parseDocument(html)))
const base = "https://site.example/a/"

describe("images of Open Graph", () => {
  test("tags after an image describe it, tags before the first one too", () => {
    const images = mediaObjects(
      pairs(`<meta property="og:image:width" content="10"><meta property="og:image" content="1.png">
        <meta property="og:image:alt" content="One"><meta property="og:image:url" content="//o.example/2.png">
        <meta property="og:image:width" content="x"><meta property="og:image" content="1.png">`),
      "image",
      base,
    )
    expect(images).toEqual([
      { url: `${base}1.png`, secureUrl: null, type: null, width: 10, height: null, alt: "One" },
      {
        url: "https://o.example/2.png",
        secureUrl: null,
        type: null,
        width: null,
        height: null,
        alt: null,
      },
    ])
  })
})

test("one tag may have two names, and names any letter case", () => {
  const both = pairs('<META NAME="Description" PROPERTY="OG:Description" CONTENT=" a  b ">')
  expect(both).toEqual([
    ["description", "a b"],
    ["og:description", "a b"],
  ])
})

test("tags of a prefix, nested and flat", () => {
  const tags =
    pairs(`<meta property="product:price:amount" content="9.99"><meta property="product:retailer_item_id" content="7">
    <meta property="product:tag" content="a"><meta property="product:tag" content="b"><meta name="twitter:image:alt" content="c">`)
  expect(nestedTags(tags, "product")).toEqual({
    price: { amount: "9.99" },
    retailerItemId: "7",
    tag: ["a", "b"],
  })
  expect(flatTags(tags, "twitter:")).toEqual({ imageAlt: "c" })
  expect(nestedTags(tags, "book")).toBeNull()
})
