import { expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { leftovers } from "../../scripts/leftovers.ts"

test.skipIf(process.platform !== "linux")(
  "a process that a run left behind is listed",
  async () => {
    const temporary = `/tmp/tv-${crypto.randomUUID()}`
    const names = new Set(readdirSync(tmpdir()))
    const child = Bun.spawn(["sleep", "100"], { env: { ...process.env, TMPDIR: temporary } })
    try {
      while (leftovers(temporary, names).length === 0) await Bun.sleep(5)
      expect(leftovers(temporary, names)[0]).toBe(`process ${child.pid} sleep 100 `)
    } finally {
      child.kill()
      await child.exited
    }
    expect(leftovers(temporary, names).filter((line) => line.startsWith("process"))).toEqual([])
  },
)

test("a folder in the run's own temporary folder is listed", () => {
  const temporary = mkdtempSync(join(tmpdir(), "tv-"))
  try {
    mkdtempSync(join(temporary, "trawl-left-"))
    const names = new Set(readdirSync(tmpdir()))
    expect(leftovers(temporary, names)).toEqual([expect.stringMatching(/^folder trawl-left-\w+$/)])
  } finally {
    rmSync(temporary, { recursive: true })
  }
})

test("a new folder of Trawl's is listed", () => {
  const names = new Set(readdirSync(tmpdir()))
  const folder = mkdtempSync(join(tmpdir(), "trawl-left-"))
  try {
    expect(leftovers("/nowhere", names)).toContain(`folder ${folder.slice(tmpdir().length + 1)}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
