import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { logLevels } from "../log/log-tail.ts"
import { anyObject, query, responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, OperationParts } from "../service-parts.ts"
import { adminPrefix } from "./prefix.ts"

const logQuery = query({
  level: oneOf(logLevels, { default: "info", description: "This level, and what is worse." }),
  text: Type.String({
    default: "",
    maxLength: 200,
    description: "Only lines that hold this, in whatever case: a path, the id of a call or a run.",
  }),
  after: Type.Integer({
    default: 0,
    minimum: 0,
    description: "Only lines behind the one of this `id`: what is new since an earlier answer.",
  }),
  limit: Type.Integer({
    default: 200,
    minimum: 1,
    maximum: 1000,
    description: "The newest of them.",
  }),
})

const logSchema = responseObject(
  {
    items: Type.Array(
      responseObject({
        id: Type.Integer({ description: "Grows from line to line since the service started." }),
        at: time("When."),
        level: Type.String(),
        message: Type.String(),
        details: anyObject("What else the line says."),
      }),
    ),
  },
  { $id: "ServiceLog" },
)

/** What the service says of itself. */
export function logAdminRoutes(service: ClientParts & AccessParts & OperationParts): AnyElysia {
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ ServiceLog: gives(logSchema) })
    .get("/log", ({ query: requested }) => ({ items: service.logTail.read(requested) }), {
      owner: true,
      query: takes.query(logQuery),
      response: { 200: "ServiceLog" },
      detail: operation({
        id: "adminLog",
        tag: "Administration",
        summary: "The end of the service's log, by level and words",
        description:
          "The last lines of this process that are kept in memory: 5,000, or 2 MB. Lines below `TRAWL_LOG_LEVEL` were never written.",
        auth: "owner",
        replies: { 200: "The lines in order, the newest last." },
        refusals: [400],
      }),
    })
}
