import { expect, test } from "bun:test"
import { root, TestApp } from "../app.ts"

test("/openapi.json and /llms.txt are built once, whatever the host", async () => {
  const app = await TestApp.open({ baseUrl: undefined } as unknown as { baseUrl: string })
  const before = await app.get("/openapi.json", { headers: {} })
  expect(before.body.servers).toEqual([{ url: root }])
  // The routes' descriptions are not read again.
  const routes = app.app.routes
  Object.defineProperty(app.app, "routes", {
    configurable: true,
    get() {
      throw new Error("the document is built again")
    },
  })
  for (const host of ["one.test", "two.test:8080"]) {
    const { body } = await app.get(`http://${host}/openapi.json`)
    expect(body.servers).toEqual([{ url: `http://${host}` }])
    expect(body.paths).toEqual(before.body.paths)
    expect((await app.get(`http://${host}/llms.txt`)).text).toContain(`http://${host}/api/scrape`)
  }
  Object.defineProperty(app.app, "routes", { value: routes })
  await app.close()
})
