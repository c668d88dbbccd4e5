import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { sameHash, sha256 } from "../../accounts/secrets.ts"
import { version } from "../../config/version.ts"
import { bearerOf } from "../http/access.ts"
import { responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { responseObject } from "../schemas/common.ts"
import type { CoreParts, OperationParts } from "../service-parts.ts"

const versionSchema = responseObject(
  { version: Type.String(), bun: Type.String({ description: "Version of Bun, the runtime." }) },
  { $id: "Version" },
)

/** Metrics and version, for monitoring systems. */
export function metricsRoutes(service: CoreParts & OperationParts): AnyElysia {
  const { metricsToken } = service.config
  const hash = metricsToken && sha256(metricsToken)
  return new Elysia()
    .model({ Version: responseSchema(versionSchema) })
    .get(
      "/metrics",
      async ({ request }) => {
        const { metrics } = service
        if (!metrics || !hash) {
          throw new ApiError(
            404,
            "Metrics are disabled. The operator enables them with TRAWL_METRICS_TOKEN.",
          )
        }
        if (!sameHash(sha256(bearerOf(request) ?? ""), hash)) {
          throw new ApiError(
            401,
            "Send the metrics token: Authorization: Bearer <TRAWL_METRICS_TOKEN>.",
            undefined,
            {
              "www-authenticate": 'Bearer realm="Trawl metrics"',
            },
          )
        }
        const { type, body } = await metrics.text()
        return new Response(body, {
          headers: { "content-type": type, "cache-control": "no-store" },
        })
      },
      {
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "metrics",
          tag: "Service",
          summary: "Get metrics in Prometheus format",
          auth: "none",
          replies: {
            200: { description: "Metrics in Prometheus text format.", types: ["text/plain"] },
          },
          refusals: [401, 404],
        }),
      },
    )
    .get("/version", () => ({ version, bun: Bun.version }), {
      response: { 200: "Version" },
      detail: operation({
        id: "version",
        tag: "Service",
        summary: "Get the version of the service",
        auth: "none",
        replies: {
          200: {
            description: "Versions of the service and of its runtime.",
            example: { version: "0.9.0", bun: "1.4.5" },
          },
        },
      }),
    })
}
