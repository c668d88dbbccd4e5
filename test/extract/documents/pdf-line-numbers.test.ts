import { expect, test } from "bun:test"
import { writePdf } from "./pdf-writer.ts"
import { read } from "./read.ts"

const draft = [
  "The harbour board met on Monday to decide about the new",
  "quay, which the town has planned for more than eleven",
  "years. Nobody spoke against it, although the costs have",
  "doubled since the first estimate. The board asked its en-",
  "gineers for a new estimate before the winter, and it will",
  "meet again as soon as the answer has come.",
]
const whole =
  "The harbour board met on Monday to decide about the new quay, which the town has planned for more than eleven years. Nobody spoke against it, although the costs have doubled since the first estimate. The board asked its engineers for a new estimate before the winter, and it will meet again as soon as the answer has come.\n"

/** Returns lines with each number that `isNumbered` accepts in a margin. */
const page = (
  lines: string[],
  first: number,
  numberX: (number: number) => number,
  isNumbered = (_: number) => true,
) => ({
  texts: lines.flatMap((text, at) => {
    const number = first + at
    const line = { text, x: 90, y: 120 + at * 14 }
    const inMargin = { text: String(number), x: numberX(number), y: line.y, size: 7 }
    return isNumbered(number) ? [inMargin, line] : [line]
  }),
})
const alignedLeft = (number: number) => (number > 9 ? 60 : 64)
const everyFifth = (number: number) => number % 5 === 0

test("line numbers in a margin are left out, also if a later page has few lines", async () => {
  const left = await read(
    "pdf",
    writePdf([page(draft, 7, alignedLeft), page(["This is the end of it."], 13, alignedLeft)]),
  )
  expect(left.markdown).toBe(`${whole}\nThis is the end of it.\n`)
  const right = await read("pdf", writePdf([page(draft, 7, () => 500)]))
  expect(right.markdown).toBe(whole)
})

test("numbers of each fifth line are left out", async () => {
  const long = [draft, draft, draft, draft].flat()
  const { markdown } = await read("pdf", writePdf([page(long, 1, alignedLeft, everyFifth)]))
  expect(markdown).not.toMatch(/\d/)
  expect(markdown).toContain("The board asked its engineers for a new estimate")
})

test.each<[what: string, lines: string[]]>([
  [
    "a program",
    Array.from({ length: 8 }, (_, at) => `let item${at} = list[${at}]; run(item${at})`),
  ],
  [
    "a list of names",
    [
      "Ada Lovelace",
      "Alan Turing",
      "Grace Hopper",
      "Edsger Dijkstra",
      "Barbara Liskov",
      "Donald Knuth",
      "Tony Hoare",
    ],
  ],
  [
    "a list of sentences",
    draft.map((_, at) => `This is the sentence of point number ${"abcdef"[at]} here.`),
  ],
])("numbers are kept in %s", async (_, lines) => {
  const { markdown } = await read("pdf", writePdf([page(lines, 7, alignedLeft)]))
  for (const at of lines.keys()) expect(markdown).toContain(String(7 + at))
})
