import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lockFolder } from "../../src/store/folder-lock.ts"

test("a folder's lock is refused at once, or waits for a process that is about to end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-lock-"))
  const source = JSON.stringify(join(import.meta.dir, "../../src/store/folder-lock.ts"))
  const script = `
    const { lockFolder } = await import(${source})
    lockFolder(${JSON.stringify(folder)})
    console.log("locked")
    for await (const _ of console) setTimeout(() => process.kill(process.pid, "SIGKILL"), 300)`
  const holder = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" })
  try {
    await holder.stdout.getReader().read()
    expect(() => lockFolder(folder)).toThrow("Another Trawl process serves")
    holder.stdin.write("end\n")
    holder.stdin.flush()
    lockFolder(folder, 60_000)()
    await holder.exited
    expect(holder.signalCode).toBe("SIGKILL")
  } finally {
    holder.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
})
