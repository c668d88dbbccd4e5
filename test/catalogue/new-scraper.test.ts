import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { catalogue } from "../../src/catalogue/index.ts"
import { everyNth } from "../samples.ts"

const root = join(import.meta.dir, "../..")
/** A copy of this checkout without its cases; made only where these tests are run. */
const checkout = join(tmpdir(), `trawl-new-scraper-${process.pid}`)
const linted = `${checkout}-linted`

async function bunIn(cwd: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
  })
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  return { stated: (await Promise.all(streams)).join(""), code: await child.exited }
}

const bun = (...words: string[]) => bunIn(checkout, ...words)

const slug = "quotes-2-scraper"
const listing = "src/catalogue/index.ts"
const file = join(checkout, "src/catalogue/quotes", `${slug}.ts`)
const example = join(checkout, "test/cases", slug, "example")
/** The tests of one scraper, and the contract of those that callers rely on, which lets it be. */
const tested = () =>
  bun(
    ...["test", "--timeout", "60000", "-t", `${slug}|the contract of slugs`],
    ...["./test/catalogue/definitions.test.ts", "./test/catalogue/cases.test.ts"],
  )

describe("bun run new-scraper", () => {
  afterAll(() => {
    for (const folder of [checkout, linted]) rmSync(folder, { recursive: true, force: true })
  })
  beforeAll(() => {
    const isCase = (path: string) => path.startsWith(join(root, "test/cases/"))
    for (const part of ["src", "scripts", "test", "package.json", "biome.json", ".gitignore"]) {
      cpSync(join(root, part), join(checkout, part), {
        recursive: true,
        filter: (path) => !isCase(path),
      })
    }
    symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"))
  })

  const refusals: [words: string[], sentence: string][] = [
    [[], "The site and the slug are missing."],
    [["quotes"], "The slug is missing."],
    [["quotes", slug, "news"], "There is more than a site and a slug."],
    [["../quotes", slug], '"../quotes" is not a valid folder name'],
    [["kit", slug], "give the name of the site"],
    [["quotes", "Quotes_Scraper"], '"Quotes_Scraper" is not a valid slug'],
    [["quotes", "quotes"], '"quotes" is not a valid slug: use two words or more'],
    [["quotes", "q-".repeat(40).slice(0, -1)], "60 characters at most"],
    [
      ["quotes", "pypi-package-scraper"],
      "There is a scraper pypi-package-scraper already: src/catalogue/pypi/",
    ],
  ]
  for (const [words, sentence] of refusals) {
    test(`refuses ${words.join(" ") || "nothing"}`, async () => {
      const { stated, code } = await bun("scripts/new-scraper.ts", ...words)
      expect(stated).toContain(sentence)
      expect(stated.trim().split("\n")).toHaveLength(1)
      expect(code).toBe(2)
      expect(existsSync(join(checkout, "src/catalogue/quotes"))).toBe(false)
    })
  }

  test("writes a listed, valid scraper that passes the common tests", async () => {
    expect((await bun("scripts/new-scraper.ts", "quotes", slug)).code).toBe(0)
    const { catalogue: listed } = await import(join(checkout, listing))
    const slugs = listed.map((scraper: { slug: string }) => scraper.slug)
    expect(slugs.filter((one: string) => one !== slug)).toEqual(catalogue.map((one) => one.slug))
    expect(slugs).toContain(slug)
    // In a folder of their own, because Biome reads each file of a project to follow its imports.
    for (const path of ["biome.json", "scripts/lint", relative(checkout, file), listing]) {
      cpSync(join(checkout, path), join(linted, path), { recursive: true })
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
    const lint = await bunIn(linted, biome, "check", "--vcs-enabled=false")
    expect(lint.stated).not.toContain("×")
    expect(lint.code).toBe(0)
    const { stated, code } = await tested()
    const passed = Number(/^ (\d+) pass$/m.exec(stated)?.[1])
    expect(passed, "its definition, its case, and its case with broken answers").toBeGreaterThan(3)
    expect(code).toBe(0)
  }, 120_000)

  const misreadings: [right: string, wrong: string, stated: string][] = [
    ['css(".author")', 'css(".writer")', 'items[2].author equals \\"Ada Marsh\\", found null"'],
    [
      'css("h2"), "T',
      'css("h9"), "T',
      "items.length equals 4, found 2; layout_changed: The response has no title",
    ],
    ["topics: inputs", "subjects: inputs", "items.length equals 4, found 0; invalid_input: "],
  ]
  for (const [right, wrong, sentence] of everyNth(misreadings, 3)) {
    test(`whose case reports ${wrong}`, async () => {
      const source = await Bun.file(file).text()
      await Bun.write(file, source.replaceAll(right, wrong))
      const { stated, code } = await tested()
      await Bun.write(file, source)
      expect(stated).toContain(sentence)
      expect(code).not.toBe(0)
    }, 120_000)
  }

  test("and which it does not overwrite", async () => {
    const again = await bun("scripts/new-scraper.ts", "other", slug)
    expect(again.stated).toContain(`There is a scraper ${slug} already: src/catalogue/quotes/`)
    expect(again.code).toBe(2)
    rmSync(file)
    const cases = await bun("scripts/new-scraper.ts", "quotes", slug)
    expect(cases.stated).toContain(`test/cases/${slug} is there already`)
    expect(existsSync(join(example, "case.json"))).toBe(true)
  })
})

describe("CONTRIBUTING.md", () => {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")

  test("names models that exist", () => {
    const models = [...page.matchAll(/\]\((src\/catalogue\/[^)]+)\)/g)].map(([, path]) => path!)
    expect(models.length).toBeGreaterThan(1)
    expect(models.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test("names commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const commands = [...page.matchAll(/bun run ([\w-]+)/g)].map(([, name]) => name!)
    expect(commands).toContain("new-scraper")
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})
