import { expect, test } from "bun:test"
import { changedWords, type Piece } from "../../src/console/data/changed-words.ts"

const marked = (pieces: Piece[]) =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("")

test("within a changed line, removed and added words are marked", () => {
  const reported = (before: string, after: string) => changedWords(before, after)?.map(marked)
  expect(reported("Low water at 4 in the afternoon.", "Low water at 5 in the morning.")).toEqual([
    "Low water at [4 ]in the [afternoon.]",
    "Low water at [5 ]in the [morning.]",
  ])
  expect(reported("The ferry leaves at six", "The ferry leaves at six, but for Sundays")).toEqual([
    "The ferry leaves at [six]",
    "The ferry leaves at [six, but for Sundays]",
  ])
  expect(reported("open", "open today")).toEqual(["open", "open [today]"])
})

test("two different lines are not one changed line, and a very long one is not compared", () => {
  expect(changedWords("The harbour is closed.", "Mira Solberg wrote this.")).toBeUndefined()
  const long = "word ".repeat(300)
  expect(changedWords(long, `${long}more`)).toBeUndefined()
})
