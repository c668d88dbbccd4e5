import { expect, test } from "bun:test"
import { readBlocks } from "../../../src/extract/article/reading/blocks.ts"
import { chooseWholeTables } from "../../../src/extract/article/reading/whole-tables.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

/** Returns the chosen cells of a table whose first row was chosen. */
function chosenCells(table: string, chance: number): string[] {
  const page = readBlocks(parseDocument(`<html><body>${table}<p>Not of it</p></body></html>`).body)
  const chosen = Uint8Array.from(page.blocks, ({ text }) => (/^Plan/.test(text) ? 1 : 0))
  chooseWholeTables(page, chosen, new Float32Array(page.blocks.length).fill(chance))
  return page.blocks.filter((_, at) => chosen[at]).map(({ text }) => text)
}

const rows = ["Revisions", "Support", "Storage", "Backups"]
const header = "<tr><th>Plan</th><th>Plan A</th><th>Plan B</th></tr>"
const table = (cell: (text: string) => string) =>
  `<table>${header}${rows.map((row) => `<tr>${[row, "Yes", "No"].map((text) => `<td>${cell(text)}</td>`).join("")}</tr>`).join("")}</table>`
const plain = table((text) => text)

test("the rest of a data table is added to a chosen part", () => {
  expect(chosenCells(plain, 0.2)).toHaveLength(15)
})

test.each([
  ["is unlikely", plain, 0.1],
  ["consists of links", table((text) => `<a href="/${text}">${text}</a>`), 0.2],
  ["is hidden", plain.replace("<table>", "<table hidden>"), 0.2],
  [
    "is a layout",
    `<table>${["Plan", ...rows, ...rows, ...rows].map((row) => `<tr><td>${row}</td></tr>`).join("")}</table>`,
    0.2,
  ],
])("the rest of a table that %s is not", (_, html, chance) => {
  expect(chosenCells(html, chance).every((text) => /^Plan/.test(text))).toBe(true)
})
