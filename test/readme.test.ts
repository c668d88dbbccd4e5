import { expect, test } from "bun:test"
import { join } from "node:path"

test("the README's settings are those of src/config.ts", () => {
  const script = join(import.meta.dir, "../scripts/readme.ts")
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"])
  expect(stderr.toString()).toBe("")
  expect(exitCode).toBe(0)
})
