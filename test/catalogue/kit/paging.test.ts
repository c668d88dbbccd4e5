import { expect, test } from "bun:test"
import { cursor, numbered, offset } from "../../../src/catalogue/kit/paging.ts"

const keyOf = (row: number) => String(row)

async function taken(rows: AsyncIterable<number>): Promise<number[]> {
  const all: number[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Pages of three rows out of `total`, and the arguments that they were requested with. */
function upstream(total: number) {
  const requested: unknown[] = []
  const from = (start: number) =>
    Array.from({ length: Math.max(0, Math.min(3, total - start)) }, (_, index) => start + index)
  return {
    requested,
    byNumber: async (page: number) => {
      requested.push(page)
      return from((page - 1) * 3)
    },
    byOffset: async (start: number) => {
      requested.push(start)
      return from(start)
    },
    byCursor: async (at: string | undefined) => {
      requested.push(at)
      const start = Number(at ?? 0)
      return { rows: from(start), next: start + 3 < total ? String(start + 3) : null }
    },
  }
}

test("numbered pages end at a page shorter than the others", async () => {
  const { byNumber, requested } = upstream(7)
  expect(await taken(numbered(byNumber, { cap: 100, pageSize: 3, keyOf }))).toHaveLength(7)
  expect(requested).toEqual([1, 2, 3])
})

test("numbered pages end at the cap without requesting one more", async () => {
  const { byNumber, requested } = upstream(100)
  expect(await taken(numbered(byNumber, { cap: 6, keyOf }))).toEqual([0, 1, 2, 3, 4, 5])
  expect(requested).toEqual([1, 2])
})

test("a page that repeats the previous one ends the list, or a few of them do", async () => {
  let requested = 0
  const same = async () => {
    requested++
    return [1, 2]
  }
  expect(await taken(numbered(same, { cap: 100, keyOf }))).toEqual([1, 2])
  expect(requested).toBe(2)
  expect(await taken(numbered(same, { cap: 100, keyOf, waitLimit: 3 }))).toEqual([1, 2])
  expect(requested).toBe(6)
})

test("offsets advance by the page size, and short pages may be followed by others", async () => {
  const { byOffset, requested } = upstream(7)
  expect(await taken(offset(byOffset, { cap: 100, pageSize: 3, keyOf }))).toHaveLength(7)
  expect(requested).toEqual([0, 3, 6])
  const other = upstream(7)
  await taken(offset(other.byOffset, { cap: 100, pageSize: 3, short: "continues", keyOf }))
  expect(other.requested).toEqual([0, 3, 6, 9])
})

test("cursors are followed to the last, also one that stays the same", async () => {
  const { byCursor, requested } = upstream(7)
  expect(await taken(cursor(byCursor, { cap: 100, keyOf }))).toHaveLength(7)
  expect(requested).toEqual([undefined, "3", "6"])
  const stuck = async () => ({ rows: [0, 1], next: "here" })
  expect(await taken(cursor(stuck, { cap: 100, keyOf }))).toEqual([0, 1])
  let row = 0
  const sameCursor = async () => ({ rows: [row++], next: "here" })
  expect(await taken(cursor(sameCursor, { cap: 3, keyOf }))).toEqual([0, 1, 2])
})

test("an error of a later page comes after the rows before it", async () => {
  const failing = async (page: number) => {
    if (page === 2) throw new Error("no more")
    return [1, 2, 3]
  }
  const rows: number[] = []
  const read = async () => {
    for await (const row of numbered(failing, { cap: 100, keyOf })) rows.push(row)
  }
  await expect(read()).rejects.toThrow("no more")
  expect(rows).toEqual([1, 2, 3])
})
