import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { isOver } from "../../store/runs/runs.ts"
import { targetStates } from "../../store/runs/target-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import {
  cursorListOf,
  cursorQuery,
  cursors,
  maybe,
  pathId,
  query,
  responseObject,
} from "../schemas/common.ts"
import type { TargetsRequest } from "../schemas/target.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  OperationParts,
  ResultParts,
} from "../service-parts.ts"
import { ownRun } from "./runs.ts"

const targetSchema = responseObject(
  {
    position: Type.Integer({ description: "Index in the run, from 0." }),
    target: Type.String({ description: "The target: a URL, an ID, a name or a query." }),
    state: oneOf(targetStates, {
      description: "`queued` targets are waiting; `failed` targets have only an error item.",
    }),
    reason: maybe(Type.String({ description: "Reason why a queued target is waiting, if known." })),
    fetchMethod: maybe(
      Type.String({
        description:
          "Most capable fetch method of a finished target, for example `http`; otherwise null.",
      }),
    ),
    code: maybe(Type.String({ description: "Error code of a failed target." })),
    message: maybe(Type.String({ description: "Error message of a failed target." })),
  },
  { $id: "RunTarget" },
)

/** The targets of a run, with their states. */
export function runTargetRoutes(
  service: CoreParts & ClientParts & AccessParts & ResultParts & OperationParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ RunTargetList: responseSchema(cursorListOf(targetSchema, "RunTargetList")) })
    .get(
      "/runs/:runId/targets",
      async ({ accountId, params, request, query: { state, ...page } }) => {
        const run = await ownRun(service, accountId, params.runId)
        const requested = { runN: run.n, state, page, ...waitsOf(service, run) }
        return service.lists.send(request, accountId, { name: "targets", with: requested })
      },
      {
        account: true,
        params: requestSchema.params({ runId: pathId("run", "run") }),
        query: requestSchema.query(
          query({
            state: Type.Optional(
              oneOf(targetStates, { description: "Only targets with this status." }),
            ),
            ...cursorQuery(cursors.number),
          }),
        ),
        response: { 200: "RunTargetList" },
        detail: operation({
          id: "listRunTargets",
          tag: "Runs",
          summary: "List a run's targets with their status, in order",
          replies: { 200: "The targets." },
          refusals: [400, 404],
        }),
      },
    )
}

/** Reasons why targets of a run are waiting: the run's own, and hosts that are backed off. */
function waitsOf(
  { runtimeStats }: OperationParts,
  run: RunRow,
): Pick<TargetsRequest, "reason" | "hosts"> {
  if (isOver(run.status)) return { reason: null, hosts: [] }
  return { reason: run.status_message, hosts: runtimeStats?.hosts()?.suspended ?? [] }
}
