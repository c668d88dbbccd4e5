import { describe, expect, test } from "bun:test"
import { field, record, required } from "../../../src/catalogue/kit/core/record.ts"
import { cursor, numbered, readRows } from "../../../src/catalogue/kit/paging.ts"

const paper = record({ id: required(field.text("id")), title: field.text("title") })
type Found = { id?: string; title?: string } | null

async function readAll(rows: Iterable<Found> | AsyncIterable<Found>) {
  const reported: string[] = []
  const ctx = { log: (message: string) => void reported.push(message) }
  return { items: await Array.fromAsync(readRows(rows, paper.read, ctx)), reported }
}

describe("rows of a list", () => {
  const rows: Found[] = [null, { id: "a" }, { title: "advertisement" }, {}, { id: "b" }]

  test("an invalid row costs no other, and is logged", async () => {
    const { items, reported } = await readAll(rows)
    expect(items.map(({ id }) => id)).toEqual(["a", "b"])
    expect(reported).toEqual(["Skipped rows: 3; the first: The list has an empty row."])
  })

  test("a list of invalid rows only is a changed layout", async () => {
    await expect(readAll([{}, { title: "x" }])).rejects.toThrow("The response has no id.")
    expect((await readAll([])).items).toEqual([])
  })

  test("an unwanted row is left out silently", async () => {
    const ctx = { log: () => expect.unreachable() }
    const read = (row: number) => (row > 1 ? row : null)
    expect(await Array.fromAsync(readRows([1, 2, 3], read, ctx))).toEqual([2, 3])
  })

  test("other errors fail the target", async () => {
    const broken = () => {
      throw new TypeError("an internal error")
    }
    await expect(Array.fromAsync(readRows([1], broken, { log() {} }))).rejects.toThrow(
      "an internal error",
    )
  })

  const keyOf = (row: Found) => row?.id

  test("pages leave out rows without a key, and do not count them", async () => {
    const ask = async () => ({ rows, next: null })
    const { items } = await readAll(cursor(ask, { cap: 2, keyOf }))
    expect(items.map(({ id }) => id)).toEqual(["a", "b"])
  })

  test("a row without a key still fills its page", async () => {
    const pages: Found[][] = [[{ id: "a" }, null], [{ id: "b" }]]
    const ask = async (page: number) => pages[page - 1]!
    const { items } = await readAll(numbered(ask, { cap: 9, pageSize: 2, keyOf }))
    expect(items.map(({ id }) => id)).toEqual(["a", "b"])
  })

  test("pages with only rows without a key are a changed layout", async () => {
    const ask = async () => ({ rows: [{ title: "x" }], next: null })
    await expect(readAll(cursor(ask, { cap: 9, keyOf }))).rejects.toThrow("row with an ID")
  })

  test("entries within a row are left out if they lack a required value", () => {
    const release = record({
      assets: field.objects("assets", "Files.", { name: required(field.text("name")) }),
    })
    const assets = [null, {}, { name: "a.zip" }, "b.zip"]
    expect(release.read({ assets })).toEqual({ assets: [{ name: "a.zip" }] })
    expect(release.read({ assets: [] })).toEqual({ assets: [] })
    expect(() => release.read({ assets: [{}] })).toThrow("The response has no name.")
  })
})
