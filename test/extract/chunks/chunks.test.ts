import { expect, test } from "bun:test"
import fc from "fast-check"
import { chunkMarkdown } from "../../../src/extract/chunks/index.ts"

test("a chunk for each heading, with the headings above it and its anchor", () => {
  const chunks = chunkMarkdown(
    "Before.\n\n# Tides\n\nEbb.\n\n## The *moon*\n\nPulls.\n\n```sh\n# no heading\n\necho\n```\n\n# Tides\n\nAgain.\n",
    500,
  )
  expect(chunks.map(({ headings, anchor, markdown }) => [headings, anchor, markdown])).toEqual([
    [[], null, "Before."],
    [["Tides"], "tides", "# Tides\n\nEbb."],
    [
      ["Tides", "The moon"],
      "the-moon",
      "## The *moon*\n\nPulls.\n\n```sh\n# no heading\n\necho\n```",
    ],
    [["Tides"], "tides-1", "# Tides\n\nAgain."],
  ])
  expect(chunks[1]!.tokenEstimate).toBe(4)
})

test("long chunks are split between paragraphs, rows, lines of code and sentences", () => {
  const paragraph = "One sentence of six words here. ".repeat(3).trim()
  const rows = Array.from({ length: 12 }, (_, at) => `| row ${at} | ${at} |`)
  const table = `| name | n |\n| --- | --- |\n${rows.join("\n")}`
  const code = `\`\`\`js\n${"let x = 1\n".repeat(15)}\`\`\``
  const chunks = chunkMarkdown(`# H\n\n${paragraph}\n\n${table}\n\n${code}\n`, 20)
  const texts = chunks.map(({ markdown }) => markdown)
  expect(texts[0]).toBe(`# H\n\n${"One sentence of six words here. ".repeat(2).trim()}`)
  const tables = texts.filter((text) => text.includes("| row"))
  expect(tables.length).toBeGreaterThan(1)
  for (const part of tables) expect(part).toStartWith("| name | n |\n| --- | --- |\n| row")
  const codes = texts.filter((text) => text.includes("let x"))
  expect(codes.length).toBeGreaterThan(1)
  for (const part of codes) expect(part).toMatch(/^```js\n(?:let x = 1\n)+```$/)
  // A heading stays with its first paragraph, even if the chunk becomes too long.
  for (const { tokenEstimate } of chunks.slice(1)) expect(tokenEstimate).toBeLessThanOrEqual(20)
})

test("no letter is lost by splitting", () => {
  const letters = (text: string) => text.replace(/[^a-z]/g, "")
  const line = fc.stringMatching(/^(?:#{1,3} )?(?:[a-z]{1,12}[ .]{0,2}){0,30}$/)
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.integer({ min: 8, max: 60 }),
      (lines, most) => {
        const markdown = lines.join("\n")
        const chunks = chunkMarkdown(markdown, most)
        expect(chunks.map((chunk) => letters(chunk.markdown)).join("")).toBe(letters(markdown))
      },
    ),
    { numRuns: 200 },
  )
})
