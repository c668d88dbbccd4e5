import { expect, test } from "bun:test"
import { startThread } from "../../src/base/thread.ts"
import type { EchoThread } from "./echo-thread.ts"

const url = new URL("./echo-thread.ts", import.meta.url).href

function start() {
  const failures: string[] = []
  return {
    failures,
    thread: startThread<EchoThread>(url, { onFailure: (reason) => failures.push(reason) }),
  }
}

test("a thread answers, and ends without a failure on request", async () => {
  const { thread, failures } = start()
  expect(await thread.calls.echo("hello")).toBe("hello")
  thread.end()
  await thread.ended
  expect(failures).toEqual([])
})

test("a thread that throws refuses its calls, and reports the reason once", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.tells.crash()
  expect((await hanging).message).toContain("The thread failed.")
  await thread.ended
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain("The thread failed.")
  expect(thread.calls.echo("late")).rejects.toThrow("The thread ended")
})

test("a thread that exits refuses its calls", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.tells.exit()
  expect((await hanging).message).toContain("it was closed")
  expect(failures).toHaveLength(1)
})

test("an abandoned thread counts as failed", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.end("it does not answer")
  expect((await hanging).message).toBe("The thread ended: it does not answer")
  expect(failures).toEqual(["it does not answer"])
})

test("a process does not wait for an idle thread", async () => {
  const script = new URL("./idle-thread.ts", import.meta.url).pathname
  const child = Bun.spawn([process.execPath, script], { stderr: "inherit" })
  expect(await new Response(child.stdout).text()).toBe("one\ntwo\n")
  expect(await child.exited).toBe(0)
})
