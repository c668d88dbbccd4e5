import { expect, test } from "bun:test"
import { expectationsOf } from "../../../../src/engine/fetch/replay/expectations.ts"

test("the number of items, and main fields of the first and the last", () => {
  const items = [
    { name: "a", rank: 1, open: false, note: null, tags: ["x"], empty: "", url: "https://a.test/" },
    { name: "b" },
    { name: "c", rank: 3, open: true, score: 4 },
  ]
  expect(expectationsOf(items)).toEqual([
    { path: "items.length", equals: 3 },
    { path: "items[0].name", equals: "a" },
    { path: "items[0].rank", equals: 1 },
    { path: "items[0].open", equals: false },
    { path: "items[0].url", equals: "https://a.test/" },
    { path: "items[2].name", equals: "c" },
    { path: "items[2].rank", equals: 3 },
    { path: "items[2].open", equals: true },
  ])
})

test("nothing that differs by time or machine", () => {
  const item = {
    fetchedAt: "2024-05-01T00:00:00Z",
    responseTimeMs: 12,
    text: "x".repeat(201),
    id: 7,
  }
  expect(expectationsOf([item])).toEqual([
    { path: "items.length", equals: 1 },
    { path: "items[0].id", equals: 7 },
  ])
})

test("a failed target by its code", () => {
  const failed = { input: "x", statusCode: 404, error: { code: "not_found", message: "No x." } }
  expect(expectationsOf([{ id: 1 }, failed])).toContainEqual({
    path: "items[1].error.code",
    equals: "not_found",
  })
})

test("the last good item, too, if failed targets come after it", () => {
  const failed = { input: "x", error: { code: "not_found", message: "No x." } }
  expect(expectationsOf([{ id: 1 }, { id: 2 }, failed, failed])).toEqual([
    { path: "items.length", equals: 4 },
    { path: "items[0].id", equals: 1 },
    { path: "items[1].id", equals: 2 },
    { path: "items[3].error.code", equals: "not_found" },
  ])
})

test("a run without items is valid, too", () => {
  expect(expectationsOf([])).toEqual([{ path: "items.length", equals: 0 }])
})
