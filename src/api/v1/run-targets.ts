import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { isOver } from "../../store/runs/runs.ts"
import { targetStates } from "../../store/runs/target-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
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
    position: Type.Integer({ description: "Place in the run's order, from 0." }),
    target: Type.String({ description: "As the run knows it: an address, a name, a query." }),
    state: oneOf(targetStates, {
      description: "`queued` waits for its turn, `failed` gave nothing but an error.",
    }),
    reason: maybe(Type.String({ description: "Of one that waits: why, where that is known." })),
    fetchMethod: maybe(
      Type.String({
        description:
          "Strongest fetch method that a finished target took, for example `http`; null before.",
      }),
    ),
    code: maybe(Type.String({ description: "Of one that failed: its error's code." })),
    message: maybe(Type.String({ description: "Of one that failed: what went wrong." })),
  },
  { $id: "RunTarget" },
)

/** The targets of a run, with their states. */
export function runTargetRoutes(
  service: CoreParts & ClientParts & AccessParts & ResultParts & OperationParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ RunTargetList: gives(cursorListOf(targetSchema, "RunTargetList")) })
    .get(
      "/runs/:runId/targets",
      async ({ accountId, params, request, query: { state, ...page } }) => {
        const run = await ownRun(service, accountId, params.runId)
        const requested = { runN: run.n, state, page, ...waitsOf(service, run) }
        return service.lists.send(request, accountId, { name: "targets", with: requested })
      },
      {
        account: true,
        params: takes.params({ runId: pathId("run", "run") }),
        query: takes.query(
          query({
            state: Type.Optional(
              oneOf(targetStates, { description: "Targets of this state alone." }),
            ),
            ...cursorQuery(cursors.number),
          }),
        ),
        response: { 200: "RunTargetList" },
        detail: operation({
          id: "listRunTargets",
          tag: "Runs",
          summary: "A run's targets with their states, in order",
          replies: { 200: "The targets." },
          refusals: [400, 404],
        }),
      },
    )
}

/** Why targets of a run wait: as the run says of itself, and the hosts that are left alone just now. */
function waitsOf(
  { runtimeStats }: OperationParts,
  run: RunRow,
): Pick<TargetsRequest, "reason" | "hosts"> {
  if (isOver(run.status)) return { reason: null, hosts: [] }
  return { reason: run.status_message, hosts: runtimeStats?.hosts()?.suspended ?? [] }
}
