import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { logLevels } from "../log/log-tail.ts"
import { anyObject, query, responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, OperationParts } from "../service-parts.ts"
import { adminPrefix } from "./prefix.ts"

const logQuery = query({
  level: oneOf(logLevels, { default: "info", description: "Minimum level." }),
  text: Type.String({
    default: "",
    maxLength: 200,
    description:
      "Only lines that contain this text, ignoring case, for example a path or a run ID.",
  }),
  after: Type.Integer({
    default: 0,
    minimum: 0,
    description: "Only lines after the line with this `id`, to read what is new.",
  }),
  limit: Type.Integer({
    default: 200,
    minimum: 1,
    maximum: 1000,
    description: "Maximum lines; the newest are returned.",
  }),
})

const logSchema = responseObject(
  {
    items: Type.Array(
      responseObject({
        id: Type.Integer({
          description: "Number of the line, increasing since the service started.",
        }),
        at: time("Time of the line."),
        level: Type.String(),
        message: Type.String(),
        details: anyObject("Other fields of the line."),
      }),
    ),
  },
  { $id: "ServiceLog" },
)

/** The service's log. */
export function logAdminRoutes(service: ClientParts & AccessParts & OperationParts): AnyElysia {
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ ServiceLog: responseSchema(logSchema) })
    .get("/log", ({ query: requested }) => ({ items: service.logTail.read(requested) }), {
      owner: true,
      query: requestSchema.query(logQuery),
      response: { 200: "ServiceLog" },
      detail: operation({
        id: "adminLog",
        tag: "Administration",
        summary: "Read the end of the service's log, by level and text",
        description:
          "The last lines of this process in memory: up to 5,000 lines or 2 MB. Lines below `TRAWL_LOG_LEVEL` are not written.",
        auth: "owner",
        replies: { 200: "The lines in order, newest last." },
        refusals: [400],
      }),
    })
}
