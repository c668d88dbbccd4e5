import { afterAll, beforeAll, expect, test } from "bun:test"
import { Trawl, TrawlError } from "../../../packages/client/index.ts"
import { clientTypes, clientTypesPath } from "../../../scripts/list-client-types.ts"
import { DropIn } from "./drop-in.ts"

let here: DropIn
let trawl: Trawl
beforeAll(async () => {
  here = await DropIn.open()
  const { key } = await here.app.account()
  trawl = new Trawl({ baseUrl: here.root, apiKey: key })
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`

test("knows what a scraper takes and gives", async () => {
  const { run, items, errors } = await trawl.run("url-to-markdown-scraper", {
    urls: [page("rope"), page("missing")],
    formats: ["links"],
  })
  const titles: (string | null)[] = items.map(({ title }) => title)
  expect(titles).toEqual(["Rope"])
  expect(errors).toMatchObject([{ error: { code: "not_found" } }])
  expect(run).toMatchObject({ status: "succeeded", itemCount: 1, errorCount: 1 })
  const ask = () =>
    // @ts-expect-error there is no such form
    trawl.run("url-to-markdown-scraper", { urls: [page("rope")], formats: ["poem"] })
  await expect(ask()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("formats"),
  })
  // @ts-expect-error there is no such scraper
  await expect(trawl.start("poem-scraper", {})).rejects.toBeInstanceOf(TrawlError)
  // @ts-expect-error an item has no such field
  void items[0]?.poem
})

test("a run that gives nothing is an error that says why", async () => {
  const failed = trawl.run("url-to-markdown-scraper", { urls: [page("missing")] })
  const { status, message } = await failed.then(
    ({ run }) => ({ status: -1, message: run.status }),
    (error: TrawlError) => error,
  )
  expect({ status, message }).toMatchObject({
    status: 0,
    message: expect.stringContaining("failed"),
  })
  const stranger = new Trawl({ baseUrl: here.root, apiKey: "nobody" })
  await expect(stranger.run("sitemap-extractor", { url: page("") })).rejects.toMatchObject({
    status: 401,
  })
})

test("its types are those of the schemas (bun scripts/list-client-types.ts)", async () => {
  expect(await Bun.file(clientTypesPath).text()).toBe(clientTypes())
})
