import { expect, test } from "bun:test"
import { SizedMap } from "../../src/base/sized-map.ts"

test("the values that were used last stay, up to the total size", () => {
  const map = new SizedMap<string, number>(10)
  map.set("a", 1, 4)
  map.set("b", 2, 4)
  expect(map.get("a")).toBe(1)
  map.set("c", 3, 4)
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([1, undefined, 3, 8])
  map.set("huge", 4, 11)
  expect([map.get("huge"), map.size]).toEqual([undefined, 8])
  map.set("a", 5, 1)
  expect([map.get("a"), map.size]).toEqual([5, 5])
  map.clear()
  expect([map.get("a"), map.size]).toEqual([undefined, 0])
})
