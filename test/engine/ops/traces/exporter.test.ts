import { expect, test } from "bun:test"
import { TraceExporter } from "../../../../src/engine/ops/traces/exporter.ts"

test("spans that a collector did not accept are sent again, at the latest at the end", async () => {
  const taken: string[] = []
  let refusals = 1
  const collector = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { resourceSpans } = (await request.json()) as {
        resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[]
      }
      if (refusals-- > 0) return new Response("busy", { status: 503 })
      taken.push(...resourceSpans[0]!.scopeSpans[0]!.spans.map(({ name }) => name))
      return new Response("{}")
    },
  })
  const exporter = new TraceExporter(collector.url.href, () => {})
  for (const name of ["first", "second"]) {
    const at = Date.now()
    exporter.add({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      name,
      kind: "internal",
      startMs: at,
      endMs: at + 1,
      attributes: {},
      failed: false,
    })
  }
  await exporter.stop()
  await collector.stop(true)
  expect(taken).toEqual(["first", "second"])
})
