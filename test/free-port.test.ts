import { expect, test } from "bun:test"
import { join } from "node:path"
import { freePort } from "./free-port.ts"

test("processes that run at the same time get different ports", async () => {
  const code = `
    const { freePort } = await import(${JSON.stringify(join(import.meta.dir, "free-port.ts"))})
    // Every process tries the same ports in the same order.
    Math.random = () => 0
    console.log(JSON.stringify(Array.from({ length: 20 }, freePort)))
    await new Response(Bun.stdin.stream()).text()`
  const children = Array.from({ length: 3 }, () =>
    Bun.spawn([process.execPath, "-e", code], { stdin: "pipe", stdout: "pipe" }),
  )
  const lists = await Promise.all(
    children.map(async ({ stdout }) => {
      const { value } = await stdout.getReader().read()
      return JSON.parse(new TextDecoder().decode(value)) as number[]
    }),
  )
  for (const child of children) child.stdin.end()
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0])
  const ports = lists.flat()
  expect(new Set(ports).size).toBe(60)
})

test("a port in use is not returned, and a returned one can be listened on", () => {
  const random = Math.random
  Math.random = () => 0.5
  try {
    const port = freePort()
    const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() })
    expect(freePort()).not.toBe(port)
    server.stop(true)
  } finally {
    Math.random = random
  }
})
