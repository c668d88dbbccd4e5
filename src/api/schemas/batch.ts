import { type Static, type TUnsafe, Type } from "@sinclair/typebox"
import { oneOf } from "../../catalogue/kit/index.ts"
import { type BatchRow, batchProgress } from "../../store/automation/batches.ts"
import type { Db } from "../../store/db/database.ts"
import { isOver } from "../../store/runs/runs.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import { maybe, pathId, responseObject, time } from "./common.ts"
import { chosenDestination } from "./destination.ts"
import { sessionOption } from "./session.ts"

/** Other columns next to the values, as in a spreadsheet. */
const sources = Type.Object(
  {
    field: Type.String({ description: "Input that the values are for, for example `urls`." }),
    column: Type.String({ description: "Column of the values." }),
    rows: Type.Array(
      Type.Object(
        {},
        { additionalProperties: Type.String({ maxLength: 10_000 }) },
      ) as unknown as TUnsafe<Record<string, string>>,
      {
        minItems: 1,
        maxItems: 100_000,
        description: "Objects with string values, by column name.",
      },
    ),
  },
  {
    additionalProperties: false,
    description:
      "With `scraper` and `inputs`: rows that `sources=true` returns with the items of their values, as `source`. Items of pages that a run discovers have none.",
  },
)
export type BatchSources = Static<typeof sources>

/** Maximum runs per call. */
export const maxRuns = 1000

const openObject = (description: string) =>
  Type.Object({}, { additionalProperties: true, description })

export const newBatchBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    scraper: Type.Optional(Type.String({ description: "Scraper of all `inputs`." })),
    inputs: Type.Optional(
      Type.Array(openObject("An input for `scraper`."), { minItems: 1, maxItems: maxRuns }),
    ),
    sources: Type.Optional(sources),
    destination: Type.Optional(chosenDestination),
    session: Type.Optional(sessionOption),
    runs: Type.Optional(
      Type.Array(
        Type.Object({
          scraper: Type.String({ description: "Slug of a scraper." }),
          input: openObject("Input of this scraper."),
        }),
        {
          minItems: 1,
          maxItems: maxRuns,
          description: "Runs with different scrapers, instead of `scraper` and `inputs`.",
        },
      ),
    ),
  },
  { additionalProperties: false },
)

export const batchSchema = responseObject(
  {
    id: Type.String({ description: "`bat_…`" }),
    name: maybe(Type.String()),
    size: Type.Integer({ description: "Number of runs." }),
    status: oneOf(["running", "finished"]),
    byStatus: Type.Object(
      {},
      {
        additionalProperties: Type.Integer(),
        description: `Number of runs by status: ${runStatuses.join(", ")}.`,
      },
    ) as unknown as TUnsafe<Record<string, number>>,
    itemCount: Type.Integer(),
    errorCount: Type.Integer(),
    creditsCharged: Type.Integer(),
    targetsDone: Type.Integer({ description: "Finished targets of the runs that have started." }),
    targetsTotal: Type.Integer(),
    targetsFailed: Type.Integer(),
    createdAt: time("Time of creation."),
    statusUrl: Type.String({ format: "uri" }),
    runsUrl: Type.String({ format: "uri" }),
  },
  { $id: "Batch" },
)

export const batchParams = { batchId: pathId("batch", "bat") }

export async function batchResponse(db: Db, batch: BatchRow, root: string) {
  const { byStatus, ...counts } = await batchProgress(db, batch.id)
  const active = Object.keys(byStatus).some((status) => !isOver(status as never))
  return {
    id: batch.id,
    name: batch.name,
    size: batch.size,
    status: active ? ("running" as const) : ("finished" as const),
    byStatus,
    ...counts,
    createdAt: batch.created_at,
    statusUrl: `${root}/api/v1/batches/${batch.id}`,
    runsUrl: `${root}/api/v1/batches/${batch.id}/runs`,
  }
}
