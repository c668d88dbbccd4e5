import { expect, test } from "bun:test"
import { watchIdleConnections } from "../../../src/engine/ops/background/idle-connections.ts"

test("idle connections are closed while few descriptors are left, and calls in progress continue", async () => {
  const slow = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch({ url }) {
      if (url.endsWith("/slow")) await slow.promise
      return new Response("done")
    },
  })
  let closed = 0
  const answered = Promise.withResolvers<void>()
  let answers = 0
  const idle = 5
  for (let count = 0; count < idle; count++) {
    await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port!,
      socket: {
        open: (socket) => void socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        data: () => {
          if (++answers === idle) answered.resolve()
        },
        close: () => void closed++,
      },
    })
  }
  const call = fetch(`${server.url}slow`).then((response) => response.text())
  await answered.promise
  let open = 79
  const messages: string[] = []
  const note = (message: string) => messages.push(message)
  const loop = watchIdleConnections(server, note, { ms: 10, read: () => ({ open, max: 100 }) })
  await Bun.sleep(100)
  expect([closed, messages]).toEqual([0, []])
  open = 81
  while (closed < idle) await Bun.sleep(10)
  expect(messages[0]).toStartWith("81 of 100 file descriptors are open: 5 idle connections")
  // No descriptor is left even to count them.
  open = Number.POSITIVE_INFINITY
  while (!messages.at(-1)!.startsWith("All file descriptors are open")) await Bun.sleep(10)
  slow.resolve()
  expect(await call).toBe("done")
  await loop.stop()
  await server.stop(true)
})
