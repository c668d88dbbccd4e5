import { setImmediate } from "node:timers/promises"
import { Type } from "@sinclair/typebox"
import { type ExportFormat, exportFormats } from "../../base/export-formats.ts"
import { csv } from "../../export/csv.ts"
import { type MonitorPoint, pointsAfter } from "../../store/automation/monitors.ts"
import type { ScheduleRow } from "../../store/automation/schedules.ts"
import type { Db } from "../../store/db/database.ts"

const pointsAtOnce = 50
const columns = ["at", "name", "url", "value", "unit"]
const rowSchema = Type.Object(Object.fromEntries(columns.map((name) => [name, Type.Any()])))

/** The stored values of a monitor, one row each. Yields to other work in between. */
async function* rowsOf(db: Db, scheduleId: string): AsyncGenerator<Record<string, unknown>> {
  let after = ""
  while (true) {
    const points: MonitorPoint[] = await pointsAfter(db, { scheduleId, after, limit: pointsAtOnce })
    for (const point of points) {
      const { unit } = JSON.parse(point.reading) as { unit: string | null }
      for (const [at, value] of JSON.parse(point.history) as [string, unknown][]) {
        yield { at, name: point.name, url: point.url, value, unit }
      }
    }
    const last = points.at(-1)
    if (!last || points.length < pointsAtOnce) return
    after = last.key
    await setImmediate()
  }
}

export const historyFormats = ["csv", "jsonl"] as const satisfies ExportFormat[]

/** Sends a monitor's values as a file with back-pressure. */
export function historyFile(
  db: Db,
  { id, name }: Pick<ScheduleRow, "id" | "name">,
  format: (typeof historyFormats)[number],
): Response {
  const rows = rowsOf(db, id)
  const lines =
    format === "csv" ? csv(rows, { schema: rowSchema, filled: new Set(columns) }) : jsonLines(rows)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Rows are joined, because sending each row would yield each time.
      let text = ""
      for (let count = 0; count < 500; count++) {
        const { value, done } = await lines.next()
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text))
          return controller.close()
        }
        text += value
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
  const file = (name ?? "").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || id
  return new Response(body, {
    headers: {
      "content-type": exportFormats[format].mediaType,
      "content-disposition": `attachment; filename="${file.slice(0, 80)}-history.${format}"`,
    },
  })
}

async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}
