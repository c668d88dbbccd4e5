import { afterAll, expect, spyOn, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { exportFormatNames } from "../../src/base/export-formats.ts"
import { outputOf } from "../../src/cli/run/output.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-output-"))
const reported = spyOn(console, "error").mockImplementation(() => {})
afterAll(() => {
  reported.mockRestore()
  rmSync(folder, { recursive: true, force: true })
})

const scraper = { slug: "a", item: Type.Object({ markdown: Type.String() }) }
const item = { markdown: "page" }
const kinds = exportFormatNames.map((format) => `items.${format}`)

async function* itemsThenIssue(count: number, issue?: string) {
  for (let at = 0; at < count; at++) yield item
  if (issue) throw new Error(issue)
}

/** Returns the file's content before and after, and the messages. */
async function written(name: string, count: number, failed: boolean, issue?: string) {
  const path = join(folder, name)
  writeFileSync(path, "before")
  reported.mockClear()
  const print = outputOf(scraper, { output: path })
  const thrown = await print(itemsThenIssue(count, issue), () => failed).catch(String)
  return {
    thrown,
    text: readFileSync(path, "latin1"),
    stated: reported.mock.calls.flat().join().replace(path, "It"),
  }
}

for (const name of kinds) {
  test(`${name} is unchanged if a run returns nothing`, async () => {
    const stated = "It is unchanged, because the run returned nothing."
    expect(await written(name, 0, true)).toEqual({ thrown: undefined, text: "before", stated })
    const refused = await written(name, 0, false, "refused")
    expect(refused).toEqual({ thrown: "Error: refused", text: "before", stated })
  })
}

test("the items of a run replace it, and a failed one reports what it leaves", async () => {
  const whole = await written("a.jsonl", 2, false)
  const line = `${JSON.stringify(item)}\n`
  expect(whole).toEqual({ thrown: undefined, text: line + line, stated: "" })
  const failed = await written("a.jsonl", 1, true)
  expect(failed).toMatchObject({ text: line, stated: "It contains the items so far: 1 item." })
  const broken = await written("a.jsonl", 1, true, "cut")
  expect(broken).toMatchObject({ thrown: "Error: cut", stated: "It is incomplete." })
  expect(await written("a.json", 0, false)).toMatchObject({ text: "[]\n", stated: "" })
})

test("no file is created for a failed run, and a symbolic link stays one", async () => {
  const none = join(folder, "none.json")
  await outputOf(scraper, { output: none })(itemsThenIssue(0), () => true)
  expect(existsSync(none)).toBe(false)
  const [real, link] = [join(folder, "real.jsonl"), join(folder, "link.jsonl")]
  writeFileSync(real, "before")
  symlinkSync(real, link)
  await outputOf(scraper, { output: link })(itemsThenIssue(1), () => false)
  expect(readFileSync(real, "utf8")).toBe(`${JSON.stringify(item)}\n`)
  const nowhere = outputOf(scraper, { output: join(folder, "no/where.json") })
  expect(nowhere(itemsThenIssue(1), () => false)).rejects.toThrow("cannot be written")
})
