import { expect, test } from "bun:test"
import { BoundedMap } from "../../src/base/bounded-map.ts"

function mapOf(most: number, ...keys: string[]): BoundedMap<string, string> {
  const map = new BoundedMap<string, string>(most)
  for (const key of keys) map.set(key, key.toUpperCase())
  return map
}

test("recently used values stay, the others are evicted", () => {
  const map = mapOf(4, "a", "b", "c", "d")
  expect(map.values()).toEqual(["A", "B", "C", "D"])
  expect(map.get("a")).toBe("A")
  map.set("e", "E")
  expect(map.get("b")).toBeUndefined()
  expect([map.get("a"), map.get("e")]).toEqual(["A", "E"])
})

test("a new value is a use, and makes no second entry", () => {
  const map = mapOf(4, "a", "b", "c", "a")
  expect(map.size).toBe(3)
  map.set("a", "again")
  map.set("d", "D")
  expect([map.get("a"), map.get("b"), map.size]).toEqual(["again", undefined, 3])
})

test("asking whether a key exists is not a use", () => {
  const map = mapOf(4, "a", "b", "c", "d")
  expect(map.has("a")).toBe(true)
  map.set("e", "E")
  expect(map.has("a")).toBe(false)
})

test("holds no more than its limit, and always the last half of it", () => {
  for (const most of [2, 3, 10, 100]) {
    const map = new BoundedMap<number, number>(most)
    for (let key = 0; key < 1000; key++) {
      map.set(key, key)
      expect(map.size).toBeLessThanOrEqual(most)
      for (let back = 0; back < Math.floor(most / 2) && back <= key; back++) {
        expect(map.has(key - back)).toBe(true)
      }
    }
  }
})

test("pinned values stay, and are evicted once unpinned", () => {
  const busy = new Set(["A", "B"])
  const map = new BoundedMap<string, string>(2, (value) => !busy.has(value))
  for (const key of ["a", "b", "c", "d", "e"]) map.set(key, key.toUpperCase())
  expect(map.values().sort()).toEqual(["A", "B", "D", "E"])
  busy.clear()
  map.set("f", "F")
  expect(map.values()).toEqual(["E", "F"])
})

test("forgets one, and all", () => {
  const map = mapOf(4, "a", "b", "c")
  map.delete("a")
  map.delete("c")
  expect(map.values()).toEqual(["B"])
  map.clear()
  expect(map.size).toBe(0)
})
