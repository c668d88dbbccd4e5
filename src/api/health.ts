import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { sql } from "kysely"
import { operation } from "./operation.ts"
import { answerObject } from "./schemas/common.ts"
import type { Service } from "./service.ts"

const healthSchema = answerObject(
  { status: Type.Union([Type.Literal("ok"), Type.Literal("stopping")]) },
  { $id: "Health" },
)

/** For load balancers and monitors. */
export function healthRoutes(service: Service): AnyElysia {
  return new Elysia().get(
    "/healthz",
    async ({ set }) => {
      if (service.stopping) {
        set.status = 503
        return { status: "stopping" }
      }
      await sql`SELECT 1`.execute(service.store.db)
      return { status: "ok" }
    },
    operation({
      id: "health",
      tag: "Service",
      summary: "Whether the service can answer and read its store",
      auth: "none",
      replies: {
        200: {
          description: "It can.",
          schema: healthSchema,
          example: { status: "ok" },
        },
        503: {
          description: "The service is stopping.",
          schema: healthSchema,
          example: { status: "stopping" },
        },
      },
    }),
  )
}
