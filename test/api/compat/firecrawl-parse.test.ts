import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type Firecrawl from "firecrawl"
import { Upload, uploadUrl } from "../../../src/engine/net/files/uploads.ts"
import { DropIn } from "./compat.ts"

let here: DropIn
let client: Firecrawl
let key: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.firecrawl(`fc-${key}`)
})
afterAll(() => here.stop())

const documents = join(import.meta.dir, "../../cases/url-to-markdown-scraper/documents")
const fileOf = async (name: string) => ({
  data: await Bun.file(join(documents, name)).bytes(),
  filename: name,
})
const storedUploads = () =>
  readdirSync(join(here.app.service.config.dataDir, "files"), { recursive: true }).filter((name) =>
    String(name).includes("upload"),
  )

test("a PDF, a Word file and a page are read, and their uploads deleted", async () => {
  const pdf = await client.parse(await fileOf("tides.pdf"), { formats: ["markdown", "html"] })
  expect(pdf.markdown).toContain("tide")
  expect(pdf.html).toContain("<")
  expect(pdf.metadata).toMatchObject({
    sourceURL: "tides.pdf",
    url: "tides.pdf",
    statusCode: 200,
    title: "On the tides of the northern harbours",
    numPages: 2,
  })
  const word = await client.parse(await fileOf("report.docx"))
  expect(word.markdown!.length).toBeGreaterThan(20)
  const page = {
    data: `<title>Note</title><main><h1>Note</h1><p class="price">12 EUR</p><a href="https://site.test/">x</a></main>`,
    filename: "note.html",
    contentType: "text/html",
  }
  const schema = {
    type: "object",
    properties: { price: { type: "string", "x-selector": ".price" } },
  }
  const read = await client.parse(page, { formats: ["links", { type: "json", schema }] })
  expect(read.links).toEqual(["https://site.test/"])
  expect(read.json).toEqual({ price: "12 EUR" })
  expect(storedUploads()).toEqual([])
})

test("an unreadable document and an incomplete form are refused with the name", async () => {
  await expect(client.parse(await fileOf("locked.pdf"))).rejects.toThrow("password")
  const posted = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await fetch(`${here.root}/v2/parse`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    })
    return `${response.status} ${((await response.json()) as { error: string }).error}`
  }
  const form = (fields: Record<string, string | Blob>) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields)) made.append(name, value)
    return made
  }
  const note = new File(["Hello"], "note.txt")
  expect(await posted("{}", { "content-type": "application/json" })).toStartWith("415 ")
  expect(await posted("x", { "content-type": "multipart/form-data; boundary=b" })).toStartWith(
    "400 ",
  )
  expect(await posted(form({ options: "{}" }))).toContain('"file" is required')
  expect(await posted(form({ file: note, options: "[" }))).toContain(
    '"options" is not valid JSON: line 1, column 2',
  )
  expect(await posted(form({ file: note, options: `{"actions":[{}]}` }))).toContain('"actions"')
  expect(await posted(form({ file: note, options: `{"formats":["screenshot"]}` }))).toContain(
    '"screenshot"',
  )
  const withoutKey = await fetch(`${here.root}/v2/parse`, { method: "POST", body: form({}) })
  expect(withoutKey.status).toBe(401)
})

test("another run cannot read an upload", async () => {
  const run = "run_0123456789abcdef"
  const upload = new Upload(here.app.service.files, run)
  await upload.put(new TextEncoder().encode("Secret"))
  const url = uploadUrl(run, { name: "secret.txt", type: "text/plain" })
  await expect(client.scrape(url)).rejects.toThrow("There is no run-")
  // An upload left by a crash is removed after an hour.
  await here.app.purge(new Date(Date.now() + 3_000_000))
  expect(storedUploads()).toHaveLength(1)
  await here.app.purge(new Date(Date.now() + 4_000_000))
  expect(storedUploads()).toEqual([])
})

test("an account that uploads slowly does not delay another account", async () => {
  const { key: other } = await here.app.account({ unlimited: true })
  const stop = new AbortController()
  const endless = () =>
    new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("--b\r\n")) })
  // Two are read, and twenty wait.
  for (let count = 0; count < 22; count++) {
    const request = new Request(`${here.root}/v2/parse`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "multipart/form-data; boundary=b",
      },
      body: endless(),
      signal: stop.signal,
    })
    here.app.app.handle(request).catch(() => {})
  }
  await Bun.sleep(200)
  await expect(client.parse({ data: "One more", filename: "b.txt" })).rejects.toThrow("wait")
  const read = await here.firecrawl(other).parse({ data: "Ropes and hooks", filename: "a.txt" })
  expect(read.markdown).toContain("Ropes and hooks")
  stop.abort()
})
