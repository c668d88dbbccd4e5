import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { aliveness } from "./http/alive.ts"
import { responseSchema } from "./http/contract.ts"
import { operation } from "./http/operation.ts"
import { type Readiness, ReadinessProbe, readinessSchema } from "./readiness.ts"
import { responseObject } from "./schemas/common.ts"
import type { CoreParts, OperationParts } from "./service-parts.ts"

const livenessSchema = responseObject(
  { status: Type.Union([Type.Literal("ok"), Type.Literal("stopping")]) },
  { $id: "Liveness" },
)

const readyExample: Readiness = {
  status: "ready",
  writer: { state: "ok", message: null },
  database: { state: "ok", message: null },
  disk: { state: "ok", freeBytes: 52_428_800_000 },
  workers: { state: "ok", message: null },
  chrome: { state: "found", away: null },
}
const fullExample: Readiness = {
  ...readyExample,
  status: "not_ready",
  writer: { state: "failing", message: "Writes fail: the disk is full." },
  disk: { state: "full", freeBytes: 0 },
}

/** For load balancers and monitors. */
export function healthRoutes(service: CoreParts & OperationParts): AnyElysia {
  const probe = new ReadinessProbe(service)
  return new Elysia()
    .model({ Readiness: responseSchema(readinessSchema), Liveness: responseSchema(livenessSchema) })
    .get(
      "/readyz",
      async ({ set }) => {
        const readiness = await probe.look()
        set.headers["cache-control"] = "no-store"
        if (readiness.status !== "ready") set.status = 503
        return readiness
      },
      {
        response: { 200: "Readiness", 503: "Readiness" },
        detail: operation({
          id: "ready",
          tag: "Service",
          summary: "Check readiness: the service can write, has disk space and can start workers",
          auth: "none",
          replies: {
            200: { description: "Ready.", example: readyExample },
            503: {
              description:
                "Not ready, or shutting down; `status` and the parts contain the reason.",
              example: fullExample,
            },
          },
        }),
      },
    )
    .get(
      "/healthz",
      async ({ set }) => {
        const body = await aliveness(service.store.db, service.stopping)
        if (body.status !== "ok") set.status = 503
        return body
      },
      {
        response: { 200: "Liveness", 503: "Liveness" },
        detail: operation({
          id: "health",
          tag: "Service",
          summary: "Check liveness: the service responds and can read its database",
          auth: "none",
          replies: {
            200: { description: "Alive.", example: { status: "ok" } },
            503: { description: "The service is shutting down.", example: { status: "stopping" } },
          },
        }),
      },
    )
}
