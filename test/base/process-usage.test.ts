import { expect, test } from "bun:test"
import { join } from "node:path"

test.skipIf(process.platform !== "linux")(
  "without a free file descriptor the last known usage is returned, and no watch ends the process",
  async () => {
    const script = join(import.meta.dir, "exhausted.ts")
    const limited = ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"]
    const child = Bun.spawn([...limited, process.execPath, script], {
      stdout: "pipe",
      stderr: "pipe",
    })
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect([await child.exited, errors]).toEqual([0, ""])
    const { before, after } = JSON.parse(out)
    expect(after.resident).toBeGreaterThanOrEqual(before.resident)
    expect(after.heap).toBeGreaterThan(0)
    expect(after.open).toBe("Infinity")
  },
)
