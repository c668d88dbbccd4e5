import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newKey, signedTables } from "../../scripts/release/sign-upstreams.ts"
import { ownEnvironment, trawlCommand } from "../trawl.ts"

const folder = mkdtempSync(join(tmpdir(), "upstreams-update-"))
afterAll(() => rmSync(folder, { recursive: true }))
const { publicKey, privateKey } = newKey()
const tables = { youtube: { asOf: "2030-01", values: { clientVersion: "2.20300101.00.00" } } }
const text = signedTables({ sequence: 9, issuedAt: new Date(), days: 30, privateKey, tables })

const server = Bun.serve({
  port: 0,
  fetch: ({ url }) =>
    new URL(url).pathname === "/upstreams.json"
      ? new Response(text, { headers: { "content-type": "application/json" } })
      : new Response("<title>Not found</title>", { status: 404 }),
})
afterAll(() => server.stop(true))
const root = `http://127.0.0.1:${server.port}`

async function trawl(...args: string[]) {
  const child = Bun.spawn([...trawlCommand, "upstreams", ...args], {
    cwd: folder,
    env: {
      ...ownEnvironment,
      TRAWL_DATA_DIR: join(folder, "data"),
      TRAWL_EGRESS_ALLOW: `127.0.0.1:${server.port}`,
      TRAWL_UPSTREAMS_KEY: publicKey,
    },
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, err }
}

/** A published file with other values than the valid one. */
function file({ sequence = 10, issuedAt = new Date(), key = privateKey } = {}): string {
  return signedTables({ sequence, issuedAt, days: 30, privateKey: key, tables })
}
const dayMs = 86_400_000

test.each([
  ["signed by another key", () => file({ key: newKey().privateKey }), "signature does not match"],
  ["changed after signing", () => file().replace("2.20300101", "2.20300102"), "signature"],
  ["truncated", () => file().slice(0, -40), "not valid JSON"],
  ["of an earlier number", () => file({ sequence: 8 }), "an older file is never applied"],
  ["expired", () => file({ issuedAt: new Date(Date.now() - 31 * dayMs) }), "The file expired at"],
  [
    "of a clock two days ahead",
    () => file({ issuedAt: new Date(Date.now() + 2 * dayMs) }),
    "clock",
  ],
  ["a page", () => "<!doctype html><title>Sign in</title>", "not valid JSON"],
])(
  "trawl upstreams update refuses a file: %s",
  async (_, made, reason) => {
    expect(await trawl("update", `${root}/upstreams.json`)).toMatchObject({ code: 0 })
    const path = join(folder, "refused.json")
    writeFileSync(path, made())
    const refused = await trawl("update", path)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(reason)
    expect(refused.err).toContain("The tables in force stay as they are.")
    // The refused file leaves the applied one active.
    expect((await trawl("youtube")).out).toMatch(/clientVersion +published +"2\.20300101\.00\.00"/)
  },
  60_000,
)

test("trawl upstreams update fetches signed tables, and rollback restores the previous ones", async () => {
  rmSync(join(folder, "data"), { recursive: true, force: true })
  const applied = await trawl("update", `${root}/upstreams.json`)
  expect(applied).toMatchObject({ code: 0, err: "" })
  expect(applied.out).toContain("Number 9 is in use")
  expect(applied.out).toContain("youtube")
  expect((await trawl("youtube")).out).toMatch(/clientVersion +published +"2\.20300101\.00\.00"/)
  expect((await trawl("update", `${root}/upstreams.json`)).out).toContain(
    "has already been applied",
  )

  const missing = await trawl("update", `${root}/other.json`)
  expect(missing.code).toBe(1)
  expect(missing.err).toContain("The tables in force stay as they are.")
  const path = join(folder, "cut.json")
  writeFileSync(path, text.slice(0, 300))
  const cut = await trawl("update", path)
  expect(cut).toMatchObject({ code: 1 })
  expect(cut.err).toContain("is refused. The file is not valid JSON")

  expect((await trawl("rollback")).out).toContain("The compiled tables are in force.")
  expect((await trawl("youtube")).out).toMatch(/clientVersion +compiled/)
  expect(await trawl("update")).toMatchObject({ code: 2 })
}, 60_000)
