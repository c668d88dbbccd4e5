import { afterAll, expect, spyOn, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { formats, outputOf } from "../../src/cli/run/output.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-output-"))
const told = spyOn(console, "error").mockImplementation(() => {})
afterAll(() => {
  told.mockRestore()
  rmSync(folder, { recursive: true, force: true })
})

const scraper = { slug: "a", item: Type.Object({ markdown: Type.String() }) }
const item = { markdown: "page" }
const kinds = formats.map((format) => `items.${format}`)

async function* itemsThenFault(count: number, fault?: string) {
  for (let at = 0; at < count; at++) yield item
  if (fault) throw new Error(fault)
}

/** What the file held before, what it holds now, and what was said. */
async function written(name: string, count: number, failed: boolean, fault?: string) {
  const path = join(folder, name)
  writeFileSync(path, "before")
  told.mockClear()
  const print = outputOf(scraper, { output: path })
  const thrown = await print(itemsThenFault(count, fault), () => failed).catch(String)
  return {
    thrown,
    text: readFileSync(path, "latin1"),
    said: told.mock.calls.flat().join().replace(path, "It"),
  }
}

for (const name of kinds) {
  test(`${name} stays as it was where nothing comes of a run`, async () => {
    const said = "It is as it was: the run brought nothing."
    expect(await written(name, 0, true)).toEqual({ thrown: undefined, text: "before", said })
    const refused = await written(name, 0, false, "refused")
    expect(refused).toEqual({ thrown: "Error: refused", text: "before", said })
  })
}

test("what came of a run replaces it, and what a failed one leaves is said", async () => {
  const whole = await written("a.jsonl", 2, false)
  const line = `${JSON.stringify(item)}\n`
  expect(whole).toEqual({ thrown: undefined, text: line + line, said: "" })
  const failed = await written("a.jsonl", 1, true)
  expect(failed).toMatchObject({ text: line, said: "It has what came before: 1 item." })
  const broken = await written("a.jsonl", 1, true, "cut")
  expect(broken).toMatchObject({ thrown: "Error: cut", said: "It is not whole." })
  expect(await written("a.json", 0, false)).toMatchObject({ text: "[]\n", said: "" })
})

test("no file is left where there was none, a link leads where it led", async () => {
  const none = join(folder, "none.json")
  await outputOf(scraper, { output: none })(itemsThenFault(0), () => true)
  expect(existsSync(none)).toBe(false)
  const [real, link] = [join(folder, "real.jsonl"), join(folder, "link.jsonl")]
  writeFileSync(real, "before")
  symlinkSync(real, link)
  await outputOf(scraper, { output: link })(itemsThenFault(1), () => false)
  expect(readFileSync(real, "utf8")).toBe(`${JSON.stringify(item)}\n`)
  const nowhere = outputOf(scraper, { output: join(folder, "no/where.json") })
  expect(nowhere(itemsThenFault(1), () => false)).rejects.toThrow("cannot be written")
})
