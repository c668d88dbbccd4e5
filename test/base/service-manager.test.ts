import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openC } from "../../src/base/c-library.ts"
import { ServiceManager } from "../../src/base/service-manager.ts"
import { Installation } from "../api/process.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-notify-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const c = openC({
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
})

/** Listens as systemd does. */
function listener(path: string) {
  const socket = c!.socket(1, 2, 0)
  const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(path.replace(/^@/, "\0"))])
  expect(c!.bind(socket, address, address.length)).toBe(0)
  const buffer = Buffer.alloc(1000)
  return {
    /** Returns the notifications since the last call. */
    reported(): string[] {
      const all: string[] = []
      const dontWait = 0x40
      for (;;) {
        const length = Number(c!.recv(socket, buffer, buffer.length, dontWait))
        if (length <= 0) return all
        all.push(buffer.toString("utf8", 0, length))
      }
    },
    close: () => c!.close(socket),
  }
}

async function received(listening: ReturnType<typeof listener>, text: string): Promise<string[]> {
  const all: string[] = []
  for (const end = Date.now() + 60_000; !all.includes(text); await Bun.sleep(20)) {
    if (Date.now() > end)
      throw new Error(`Expected the notification ${text}, but got ${all.join()}`)
    all.push(...listening.reported())
  }
  return all
}

describe.skipIf(c === undefined)("systemd", () => {
  for (const path of [join(folder, "notify"), `@trawl-test-${process.pid}`]) {
    test(`is notified at ${path[0] === "@" ? "an abstract" : "a"} socket, also for the watchdog`, async () => {
      const listening = listener(path)
      const env: Record<string, string> = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "60000" }
      const manager = ServiceManager.of(env)!
      // Child processes must not send notifications.
      expect(env).toEqual({})
      manager.ready()
      expect((await received(listening, "WATCHDOG=1"))[0]).toBe("READY=1")
      await received(listening, "WATCHDOG=1")
      manager.stopping()
      await received(listening, "STOPPING=1")
      listening.close()
    })
  }

  test("is not notified without a listener, nor of another process's watchdog", async () => {
    expect(ServiceManager.of({})).toBeUndefined()
    expect(ServiceManager.of({ NOTIFY_SOCKET: "no path" })).toBeUndefined()
    ServiceManager.of({ NOTIFY_SOCKET: join(folder, "unused") })!.ready()
    const listening = listener(join(folder, "other"))
    const env = { NOTIFY_SOCKET: join(folder, "other"), WATCHDOG_USEC: "3000", WATCHDOG_PID: "1" }
    ServiceManager.of(env)!.ready()
    await received(listening, "READY=1")
    await Bun.sleep(50)
    expect(listening.reported()).toEqual([])
    listening.close()
  })

  test("is notified by the service when it listens and when it stops", async () => {
    const path = join(folder, "service")
    const listening = listener(path)
    const installation = new Installation({ NOTIFY_SOCKET: path, WATCHDOG_USEC: "300000" })
    const service = await installation.serve()
    await received(listening, "READY=1")
    await received(listening, "WATCHDOG=1")
    expect(await service.end()).toBe(0)
    await received(listening, "STOPPING=1")
    await installation.remove()
  }, 120_000)
})
