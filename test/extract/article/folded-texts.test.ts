import { expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { raisedFolds } from "../../../src/extract/article/reading/folded-texts.ts"
import type { PageType } from "../../../src/extract/article/reading/page-type.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const words = "word ".repeat(30)

/** Returns the beginnings of the blocks that are likelier than before, each with its new chance. */
function raisedIn(html: string, pageType: PageType): Record<string, number> {
  const page = readBlocks(parseDocument(`<body><p>intro ${words}${words}</p>${html}</body>`).body)
  const before = new Float32Array(page.blocks.length).fill(0.25)
  const after = raisedFolds(page, before, pageType)
  const raised = page.blocks.flatMap(({ text }, at): [string, number][] =>
    after[at]! > 0.26 ? [[text.split(" ")[0]!, Number(after[at]!.toFixed(2))]] : [],
  )
  return Object.fromEntries(raised)
}

const question = (name: string) =>
  `<div class="entry"><h3>${name} does it cost?</h3><p>answer ${words}</p></div>`
const questions = ["What", "How", "When"].map(question).join("")

test.each([
  ["a tab", `<div role="tabpanel"><p>tab ${words}</p></div>`, { tab: 0.4 }],
  [
    "a fold",
    `<details><summary>more</summary><p>fold ${words}</p></details>`,
    { more: 0.4, fold: 0.4 },
  ],
  ["a part named after questions", `<div id="faq"><p>faq ${words}</p></div>`, { faq: 0.6 }],
  [
    "questions with answers",
    `<div>${questions}</div>`,
    { What: 0.6, How: 0.6, When: 0.6, answer: 0.6 },
  ],
])("on a service, more likely is %s", (_, html, raised) => {
  expect(raisedIn(html, "service")).toEqual(raised)
})

test.each([
  ["a menu of tabs", `<nav><div class="tab"><p>tab ${words}</p></div></nav>`],
  ["most of the page", `<div class="tabs"><p>tab ${words.repeat(9)}</p></div>`],
  ["two questions", `<div>${question("What")}${question("How")}</div>`],
  ["questions without answers", "<ul><li>What is it for?<li>Who are you all?<li>What is it?</ul>"],
])("on a service, as likely as before is %s", (_, html) => {
  expect(raisedIn(html, "service")).toEqual({})
})

test("on a product, tabs are more likely, but not questions", () => {
  const html = `<div class="tabs"><p>tab ${words}</p></div><div>${questions}</div>`
  expect(raisedIn(html, "product")).toEqual({ tab: 0.4 })
})
