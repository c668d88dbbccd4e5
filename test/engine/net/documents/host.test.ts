import { afterAll, expect, test } from "bun:test"
import { DocumentHost, documentLimits } from "../../../../src/engine/net/documents/host.ts"
import { caseFile } from "../../../extract/documents/read.ts"

const never = new AbortController().signal
const csv = (text: string) => ({
  bytes: new TextEncoder().encode(text),
  format: "csv" as const,
  url: "https://files.example/a.csv",
  tenant: { id: "acc_1" },
})
const hosts: DocumentHost[] = []
function host(limits: Partial<typeof documentLimits> = {}) {
  const made = new DocumentHost({ ...documentLimits, ...limits })
  hosts.push(made)
  return made
}
afterAll(() => {
  for (const one of hosts) one.stop()
})

test("documents are read in threads, several callers' at once", async () => {
  const reader = host()
  const pdf = {
    bytes: await caseFile("tides.pdf"),
    format: "pdf" as const,
    url: "https://files.example/tides.pdf",
    tenant: { id: "acc_2" },
  }
  const [first, second, third] = await Promise.all([
    reader.read(pdf, never),
    reader.read(csv("a,b\n1,2\n"), never),
    reader.read(csv("c,d\n3,4\n"), never),
  ])
  expect(first.facts.pageCount).toBe(2)
  expect(new TextDecoder().decode(second.html)).toContain("<td>2</td>")
  expect(new TextDecoder().decode(third.html)).toContain("<td>4</td>")
  // The first thread loads PDF.js.
}, 120_000)

test("a broken document keeps its error code across threads", async () => {
  const broken = { ...csv("x"), format: "docx" as const }
  expect(
    await host()
      .read(broken, never)
      .catch(({ code }) => code),
  ).toBe("unreadable_document")
})

test("a document that needs too much time or memory is stopped, and the next one is read", async () => {
  const slow = host({ milliseconds: 0 })
  expect(
    await slow.read(csv("a,b\n"), never).catch(({ code, message }) => `${code}: ${message}`),
  ).toBe("too_large: The document takes more than 0 s to read.")
  // Any check measures more than that.
  const greedy = host({ memory: -Number.MAX_SAFE_INTEGER })
  const rows = `${"a,b,c,d,e\n".repeat(99_000)}`
  expect(await greedy.read(csv(rows), never).catch(({ code }) => code)).toBe("too_large")
  const control = new AbortController()
  const reader = host()
  const requested = reader.read(csv(rows), control.signal)
  control.abort(new Error("no longer wanted"))
  expect(await requested.catch(({ message }) => message)).toBe("no longer wanted")
  expect(new TextDecoder().decode((await reader.read(csv("e,f\n"), never)).html)).toContain("f")
})

test("running and waiting documents fail at once when the host stops", async () => {
  const reader = host()
  // One waits, because a tenant has two threads.
  const reads = [1, 2, 3].map(() => reader.read(csv("a,b\n".repeat(90_000)), never))
  await Bun.sleep(0)
  reader.stop()
  const ends = await Promise.allSettled(reads)
  expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(
    Array(3).fill("aborted"),
  )
  expect(await reader.read(csv("a\n"), never).catch(({ code }) => code)).toBe("aborted")
})
