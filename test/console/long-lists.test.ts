import { expect, test } from "bun:test"
import { ItemPages } from "../../src/console/data/item-pages.ts"
import { rowsOfCsv } from "../../src/console/data/table-file.ts"
import { Track } from "../../src/console/data/track.ts"

test("a list higher than browsers can draw can be scrolled to its end, and small steps stay small", () => {
  const [length, sight] = [36_000_000, 600]
  const track = new Track(0, 0).changed(length, sight)
  expect(track.height).toBeLessThan(16_000_000)
  track.scrolled(100)
  expect(track.top).toBe(100)
  track.scrolled(track.height - sight)
  expect(track.top).toBe(length - sight)
  track.scrolled(track.height / 2)
  expect(track.top / length).toBeCloseTo(0.5, 3)
  const middle = track.top
  track.scrolled(track.height / 2 + 36)
  expect(track.top).toBe(middle + 36)
  // At rest, the scroll bar's position equals the list's; the list does not move by that.
  const bar = track.go(track.top)
  expect(bar / track.height).toBeCloseTo(track.top / length, 4)
  track.scrolled(bar)
  expect(track.top).toBe(middle + 36)
  track.scrolled(0)
  expect(track.top).toBe(0)
})

test("rows in sight are requested, those out of it aborted, and a limited number kept", async () => {
  const requested: number[] = []
  const provided: AbortSignal[] = []
  let news = Promise.withResolvers<void>()
  let answers = true
  const pages = new ItemPages(
    (offset, limit, signal) => {
      requested.push(offset)
      provided.push(signal)
      const rows = Array.from({ length: limit }, (_, index) => ({ n: offset + index }))
      return answers ? Promise.resolve(rows) : new Promise(() => {})
    },
    () => news.resolve(),
  )
  const see = async (row: number) => {
    news = Promise.withResolvers()
    pages.want(row, row + 20, 1_000_000)
    await news.promise
  }
  await see(500_060)
  expect(requested).toEqual([500_000, 500_100])
  await Promise.resolve()
  expect(pages.at(500_061)).toEqual({ n: 500_061 })
  for (let page = 0; page < 45; page++) await see(page * 1000 + 50)
  expect(pages.at(500_061)).toBeUndefined()
  answers = false
  pages.want(900_060, 900_070, 1_000_000)
  await Bun.sleep(0)
  while (requested.at(-1) !== 900_100) await Bun.sleep(5)
  const [left] = provided.slice(-1)
  expect(left!.aborted).toBe(false)
  pages.want(60, 70, 1_000_000)
  while (!left!.aborted) await Bun.sleep(5)
  pages.end()
})

test("CSV is read as spreadsheets write it", () => {
  expect(rowsOfCsv('\ufeffa,"b ""c"", d"\r\n"two\nlines",\n')).toEqual([
    ["a", 'b "c", d'],
    ["two\nlines", ""],
  ])
  expect(rowsOfCsv("name;price\nx;1,5")).toEqual([
    ["name", "price"],
    ["x", "1,5"],
  ])
  expect(rowsOfCsv("a,b,")).toEqual([["a", "b", ""]])
  expect(rowsOfCsv('"never closed,b\n')).toEqual([["never closed,b\n"]])
})
