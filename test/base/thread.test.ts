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

test("a thread answers, and ends without a failure when it is told to", async () => {
  const { thread, failures } = start()
  expect(await thread.calls.echo("hello")).toBe("hello")
  thread.end()
  await thread.ended
  expect(failures).toEqual([])
})

test("a thread that throws refuses what it was asked, and tells why once", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.tells.crash()
  expect((await hanging).message).toContain("It fell over.")
  await thread.ended
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain("It fell over.")
  expect(thread.calls.echo("late")).rejects.toThrow("The thread ended")
})

test("a thread that exits refuses what it was asked", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.tells.exit()
  expect((await hanging).message).toContain("it was closed")
  expect(failures).toHaveLength(1)
})

test("a thread that is given up counts as one that failed", async () => {
  const { thread, failures } = start()
  const hanging = thread.calls.hang().catch((error) => error)
  thread.end("it does not answer")
  expect((await hanging).message).toBe("The thread ended: it does not answer")
  expect(failures).toEqual(["it does not answer"])
})

test("a process does not wait for a thread that has nothing to do", async () => {
  const script = new URL("./idle-thread.ts", import.meta.url).pathname
  const child = Bun.spawn([process.execPath, script], { stderr: "inherit" })
  expect(await new Response(child.stdout).text()).toBe("one\ntwo\n")
  expect(await child.exited).toBe(0)
})
