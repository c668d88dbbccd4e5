import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FilesFolder, filesFolder } from "../../src/cli/run/files.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-files-"))
afterAll(() => rmSync(folder, { recursive: true }))
const png = (text: string) => ({
  name: "screenshot.png",
  contentType: "image/png",
  bytes: new TextEncoder().encode(text),
})

test("files are stored next to the output, in a folder of its name", () => {
  const slug = "web-scraper"
  expect(filesFolder(slug, "a/items.json")).toBe("a/items-files")
  expect(filesFolder(slug, "pages/")).toBe("pages/")
  expect(filesFolder(slug, "-")).toBe("web-scraper-files")
  expect(filesFolder(slug, undefined)).toBe("web-scraper-files")
})

test("each is named after its target, and reused if that runs again", async () => {
  const files = new FilesFolder(join(folder, "own"))
  const { url } = await files.keep(0, png("one"))
  await files.keep(1, png("two"))
  expect((await files.keep(0, png("three"))).url).toBe(url)
  expect(readdirSync(join(folder, "own")).sort()).toEqual([
    "0001-screenshot.png",
    "0002-screenshot.png",
  ])
  expect(readFileSync(url, "utf8")).toBe("three")
})

test("those of a remote run are downloaded, and the item has their paths", async () => {
  const id = `file_${"0a".repeat(16)}`
  const requested: string[] = []
  const files = new FilesFolder(join(folder, "other"))
  const item = await files.fetched(
    4,
    {
      url: "https://a.test/",
      screenshot: { url: `/base/api/v1/files/${id}`, contentType: "image/jpeg", width: 3 },
    },
    async (path) => {
      requested.push(path)
      return new TextEncoder().encode("jpeg")
    },
  )
  expect(requested).toEqual([`/api/v1/files/${id}`])
  expect(item).toMatchObject({
    url: "https://a.test/",
    screenshot: { url: join(folder, "other", "0005-screenshot.jpg"), width: 3, bytes: 4 },
  })
})
