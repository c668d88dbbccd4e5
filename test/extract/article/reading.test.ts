import { describe, expect, test } from "bun:test"
import { binned, boost, predict } from "../../../scripts/reading/boost.ts"
import { labelByContent, tokens } from "../../../scripts/reading/labels.ts"
import { pack } from "../../../scripts/reading/pack.ts"
import { Trees } from "../../../src/base/trees.ts"
import { mainContent } from "../../../src/extract/article/main-content.ts"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { featureNames, featuresOf } from "../../../src/extract/article/reading/features.ts"
import { readFacts } from "../../../src/extract/article/reading/page-facts.ts"
import {
  pageTypes,
  typeFeatureNames,
  typeFeatures,
} from "../../../src/extract/article/reading/page-type.ts"
import { makeScores } from "../../../src/extract/article/reading/scores.ts"
import { skim } from "../../../src/extract/article/reading/skim.ts"
import { addressSigns, typeSigns } from "../../../src/extract/article/reading/type-signs.ts"
import weights from "../../../src/extract/article/reading/weights.json"
import { blockText, parseDocument } from "../../../src/extract/core/index.ts"

const around = (content: string) =>
  `<html><head><title>Which lamp for the harbour? | Lamps</title></head><body>
   <header><a href=/>Home</a> <a href=/login>Log in</a> <a href=/register>Register</a></header>
   <main>${content}</main>
   <footer><a href=/terms>Terms</a> <a href=/privacy>Privacy policy</a> © 2025 Lamps</footer></body></html>`

const posts = [
  "The old one went out in the storm last week.",
  "Ours is of brass, and the salt has not hurt it.",
  "Whatever you take, mount it high above the water.",
]
const thread = around(
  `<h1>Which lamp for the harbour?</h1>${posts
    .map(
      (post, at) =>
        `<article class="post message"><div class="username">keeper${at}</div>
         <div class="post-body"><p>${post} We looked at several of them in the shop, and nobody there could say how long they last outside in winter.</p></div></article>`,
    )
    .join("")}`,
)

describe("the choice of blocks", () => {
  test("includes every post of a thread, in order, and nothing around it", () => {
    const { root } = mainContent(
      parseDocument(thread),
      "https://forum.example/threads/which-lamp.12/",
    )
    const text = blockText(root)
    const positions = posts.map((post) => text.indexOf(post))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(positions.every((position) => position >= 0)).toBe(true)
    expect(text).not.toContain("Privacy policy")
  })

  test("has the images among its text, but no rows of badges", () => {
    const badge = '<a href="/trophy"><img src="/badge.svg" alt="Badge"></a>'
    const pictured = thread
      .replace("</p>", '</p><p><a href="/large"><img src="/lamp.png" alt="A lamp"></a></p>')
      .replaceAll("</div>\n", `</div>\n<div>${badge.repeat(6)}</div>`)
    const { root } = mainContent(parseDocument(pictured), "https://forum.example/threads/lamp.12/")
    const images = [...root.querySelectorAll("img")].map((image) => image.getAttribute("alt"))
    expect(images).toEqual(["A lamp"])
  })

  test("has a list that is hidden until scripts run, and not the menu that is not", () => {
    const item = (at: number) =>
      `<li class=s-item><span>Shop</span><a href=/i/${at}>Print number ${at} in a frame</a><span>$${at}.99</span><span>Free shipping</span></li>`
    const items = Array.from({ length: 40 }, (_, at) => item(at)).join("")
    const html = `<title>Collectibles | Shop</title><header><nav>${"<a href=/x>Menu entry</a> ".repeat(12)}</nav></header>
      <div style="display:none"><ul>${items}</ul></div><footer><a href=/terms>Terms</a></footer>`
    const text = blockText(
      mainContent(parseDocument(html), "https://shop.example/b/collectibles/12").root,
    )
    expect(text).toContain("Print number 39 in a frame")
    expect(text).not.toContain("Menu entry")
  })

  test("is weighed by what the model was trained on", () => {
    const document = parseDocument(thread)
    const page = readBlocks(document.body)
    const facts = readFacts(document, "https://forum.example/")
    const look = skim(page, false)
    const made = featuresOf(page, facts, look, makeScores(new Map(), new Map()))
    expect(made.rows.length).toBe(made.width * page.blocks.length)
    expect(featureNames).toEqual(weights.features)
    expect(weights.trees.limits.length).toBe(featureNames.length)
    typeFeatures(page, facts, look.votes)
    for (const type of pageTypes) {
      expect(weights.types[type].limits.length).toBe(typeFeatureNames.length)
    }
  })

  test("the type of a page of few words is the declared one, and otherwise unknown", () => {
    const typeOf = (head: string, words = 8) => {
      const html = `<head>${head}</head><body><h1>Storm lamp</h1><p>${"It burns. ".repeat(words)}</p>`
      return mainContent(parseDocument(html), "https://shop.example/p/9").pageType
    }
    const ld = (type: string) => `<script type=application/ld+json>{"@type":"${type}"}</script>`
    expect(typeOf("")).toBeNull()
    expect(typeOf(ld("Product"))).toBe("product")
    expect(typeOf(ld("BlogPosting"))).toBe("article")
    expect(typeOf("<meta property=og:type content=article>")).toBe("article")
    expect(typeOf("", 60)).not.toBeNull()
  })

  test("the type of a page is predicted from its URL, its lines and its largest list", () => {
    const item =
      "<li><h3><a href=/lamp>A lamp of brass</a></h3><p>$20</p><button>Add to cart</button></li>"
    const html = `<nav><ul>${"<li><p>One</p><p>two</p></li>".repeat(9)}</ul></nav><h1>Lamps</h1><ul>${item.repeat(4)}</ul>`
    const signs = typeSigns(readBlocks(parseDocument(html).body), [], 18)
    expect(Object.fromEntries(signs)).toMatchObject({
      "title level": 1,
      headings: 4,
      "headings linked": 4,
      "lines cart": 4,
      "prices near title": 4,
      lists: 1,
      items: 4,
      "items priced": 1,
      "items headed": 1,
      "items dated": 0,
    })
    expect(Object.fromEntries(addressSigns("/2024/05/how-we-built-it.html"))).toMatchObject({
      "address parts": 3,
      "address words": 4,
      "address date": 1,
      "address file": 1,
    })
  })

  test("blocks end at layout, not at inline marks", () => {
    const html = "<p>One <b>two</b> <a href=/x>three</a><div>four<br><br>five</div><p hidden>six"
    const { blocks } = readBlocks(parseDocument(html).body)
    expect(blocks.map(({ text }) => text)).toEqual(["One two three", "four", "five", "six"])
    expect(blocks.map(({ node: blockNode }) => blockNode.hidden)).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(blocks[0]).toMatchObject({ words: 3, linkWords: 1, links: 1 })
  })
})

describe("training", () => {
  test("trees learn what splits rows, and are the same when compressed", () => {
    const rows = Float32Array.from({ length: 800 }, (_, at) => (at % 2 === 0 ? at / 2 : at % 7))
    const share = Float32Array.from({ length: 400 }, (_, row) => (row > 150 && row < 300 ? 1 : 0))
    const trees = boost(binned(rows, 2), share, new Float32Array(400).fill(1), {
      trees: 20, leaves: 6, rate: 0.4, least: 1, ridge: 1, rowShare: 1, featureShare: 1, seed: 1,
    }) // biome-ignore format: one line is enough
    const chances = predict(trees, rows, 2)
    const packed = new Trees(pack(trees, 2))
    for (const [row, wanted] of share.entries()) {
      // A bin holds some rows of each side of an edge.
      if (Math.abs(row - 150.5) > 8 && Math.abs(row - 299.5) > 8) {
        expect(chances[row]! > 0.5).toBe(wanted === 1)
      }
      expect(Math.abs(packed.chance(rows, row * 2) - chances[row]!)).toBeLessThan(0.001)
    }
  })

  test("blocks are labelled by the true text, short ones by their position in it", () => {
    const long = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ")
    const texts = ["Home", long, "Home", "Nobody ever asked who put it there", "Read more about it"]
    const truth = `${long}. Home. Nobody ever asked who put it there.`
    const blocks = texts.map(tokens)
    expect([...labelByContent(blocks, truth).share]).toEqual([0, 1, 1, 1, 0])
  })
})
