import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Installation } from "../api/process.ts"
import { testOfAll } from "../samples.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-cli-destinations-"))
const installation = new Installation({
  TRAWL_DESTINATION_FOLDER: folder,
  TRAWL_DESTINATION_ALLOW: "127.0.0.1",
})
beforeAll(async () => {
  await installation.run("account", "create", "op@example.com", "--owner")
}, 60_000)
afterAll(async () => {
  await installation.remove()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => installation.run("destinations", ...args)

test("the operator adds, lists, tests and removes a destination without a running service", async () => {
  const added = await run("add", "files", "folder", "--path", "shop", "--format", "csv")
  expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^dst_[0-9a-f]{32}\n$/)])
  const listed = await run("list", "--json")
  expect(JSON.parse(listed.stdout)).toMatchObject({
    name: "files",
    kind: "folder",
    path: "shop",
    deliveries: { waiting: 0, delivered: 0, failed: 0 },
  })
  const tested = await run("test", "files")
  expect([tested.code, tested.stdout]).toEqual([
    0,
    expect.stringMatching(/^files works: \d+ ms\n$/),
  ])
  expect(await run("deliveries", "files", "--state", "failed")).toMatchObject({
    code: 0,
    stdout: "",
  })
  expect(await run("retry", "files")).toMatchObject({ code: 0, stdout: "0 queued\n" })
  expect(await run("remove", "files")).toMatchObject({ code: 0, stdout: "files removed\n" })
  expect((await run("list")).stdout).toBe("")
}, 120_000)

test("with --remote and a key, an account manages its own destinations on a server", async () => {
  const serving = await installation.serve()
  const made = await installation.run("account", "create", "ada@example.com")
  const key = made.stdout.trim().split("\n")[1]!.trim()
  const client = new Installation({ TRAWL_API_KEY: key })
  const there = (...args: string[]) => client.run("destinations", ...args, "--remote", serving.root)
  try {
    const url = "http://127.0.0.1:9/items"
    const added = await there("add", "mine", "webhook", "--url", url)
    expect(added.stdout).toMatch(/^dst_[0-9a-f]{32}\nwhsec_\S+\n$/)
    expect((await there("list")).stdout).toContain("mine\twebhook\thttp://127.0.0.1:9\ton")
    const tested = await there("test", "mine")
    expect([tested.code, tested.stderr]).toEqual([
      2,
      expect.stringContaining("The probe of mine failed"),
    ])
    expect((await there("deliveries", "mine")).stdout).toBe("")
    expect(await there("retry", "mine")).toMatchObject({ code: 0, stdout: "0 queued\n" })
    const folder = await there("add", "files", "folder")
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("administrators")])
    expect(await there("remove", "mine")).toMatchObject({ code: 0, stdout: "mine removed\n" })
    expect((await there("list")).stdout).toBe("")
    const without = new Installation()
    const bare = await without.run("destinations", "list", "--remote", serving.root)
    await without.remove()
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("--key")])
  } finally {
    await serving.end()
    await client.remove()
  }
}, 120_000)

testOfAll(
  "a webhook's secret is printed once, and mistakes exit with 2",
  async () => {
    const added = await run("add", "hook", "webhook", "--url", "http://127.0.0.1:9/items")
    expect(added.stdout).toMatch(/^dst_[0-9a-f]{32}\nwhsec_\S+\n$/)
    expect((await run("list", "--json")).stdout).not.toContain("whsec_")
    for (const [args, message] of [
      [["add", "hook", "webhook", "--url", "https://example.com"], "choose another name"],
      [
        ["add", "db", "postgres", "--url", "postgres://a:b@10.0.0.1/x", "--table", "t"],
        "TRAWL_DESTINATION_ALLOW",
      ],
      [["add", "db", "mysql"], "kind"],
      [["test", "hook"], "The probe of hook failed"],
      [["test", "nothing"], "nothing"],
    ] as const) {
      const { code, stderr } = await run(...args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  },
  120_000,
)
