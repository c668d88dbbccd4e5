import { afterAll, beforeAll, expect, test } from "bun:test"
import { DropIn } from "./compat.ts"
import { pagePath, rowsOf } from "./standings.ts"

let here: DropIn
let key: string
beforeAll(async () => {
  here = await DropIn.open({ rateLimit: 0 })
  ;({ key } = await here.app.account())
})
afterAll(() => here.stop())

test("unsupported options are refused with a message, at any depth", async () => {
  const rows = rowsOf(await Bun.file(pagePath).text())
  const missing = rows.filter(({ standing }) => standing === "not" || standing === "untested")
  expect(missing.length).toBeGreaterThan(10)
  for (const { method: named, path, standing } of missing) {
    const calls =
      named === "ALL"
        ? ([
            ["GET", path],
            ["POST", path],
            ["GET", `${path}/some-id`],
          ] as const)
        : ([[named, path]] as const)
    for (const [method, location] of calls) {
      const response = await fetch(here.root + location.replace(/:\w+/g, "x"), {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(["POST", "PUT"].includes(method) && { body: "{}" }),
      })
      if (standing === "untested") continue
      const { error } = (await response.json()) as { error: { message?: string } | string }
      const message = typeof error === "string" ? error : error.message
      expect(`${location} ${response.status} ${message}`).toMatch(/ 400 .*is not supported\./)
    }
  }
})
