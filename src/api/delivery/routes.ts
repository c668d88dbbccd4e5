import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { type DestinationRow, listDestinations } from "../../store/destinations/destinations.ts"
import {
  deliveryById,
  deliveryCounts,
  listRunDeliveries,
} from "../../store/destinations/run-deliveries.ts"
import { accountRun } from "../../store/runs/run-lists.ts"
import {
  changeDestination,
  createDestination,
  ownDestination,
  signingSecretOf,
} from "../destinations/own-destinations.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  destinationChange,
  destinationParams,
  destinationResponse,
  destinationSchema,
  destinationTestSchema,
  newDestinationBody,
  newDestinationSchema,
  redeliveredSchema,
  runDeliveryParams,
  runDeliveryResponse,
  runDeliverySchema,
} from "../schemas/destination.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  DestinationParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { idempotencyHeader } from "../v1/start-runs.ts"
import { destinationParts } from "./parts.ts"

type Parts = CoreParts & ClientParts & AccessParts & RunParts & ScraperParts & DestinationParts

/** The destinations of an account, and what they have received. */
export function destinationRoutes(service: Parts): AnyElysia {
  const { store, idempotency } = service
  const parts = destinationParts(service)
  const own = (accountId: string, { destinationId }: { destinationId: string }) =>
    ownDestination(service, accountId, destinationId)
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Destination: responseSchema(destinationSchema),
      NewDestination: responseSchema(newDestinationSchema),
      DestinationList: responseSchema(cursorListOf(destinationSchema, "DestinationList")),
      DestinationTest: responseSchema(destinationTestSchema),
      RunDelivery: responseSchema(runDeliverySchema),
      RunDeliveryList: responseSchema(cursorListOf(runDeliverySchema, "RunDeliveryList")),
      Redelivered: responseSchema(redeliveredSchema),
    })
    .post(
      "/destinations",
      async ({ accountId, request, set, body, root }) => {
        set.headers["cache-control"] = "no-store"
        return idempotency.response(
          { request, accountId, prefix: "dst", list: `${root}/api/v1/destinations` },
          async (id) => {
            const row = await createDestination(parts, { id, accountId }, body)
            const response = destinationResponse(row)
            const signingSecret = signingSecretOf(service, row)
            const once = signingSecret ? { ...response, signingSecret } : response
            return { status: 201, body: once, repeatedBody: response }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newDestinationBody),
        response: { 201: "NewDestination" },
        detail: operation({
          id: "createDestination",
          tag: "Destinations",
          summary: "Create a destination of items",
          description:
            "Runs name it as `destination`. With `scraper` or `schedule`, it also receives all those runs. Credentials are stored encrypted and never returned.",
          examples: {
            postgres: {
              value: {
                name: "warehouse",
                kind: "postgres",
                url: "postgres://trawl:secret@db.example.com/shop?sslmode=verify-full",
                table: "prices",
                uniqueBy: ["url"],
              },
            },
            s3: {
              value: {
                name: "lake",
                kind: "s3",
                bucket: "my-items",
                region: "eu-central-1",
                accessKeyId: "AKIA…",
                secretAccessKey: "…",
                format: "parquet",
              },
            },
          },
          replies: { 201: "The destination." },
          refusals: [403, 409, 422],
        }),
      },
    )
    .get(
      "/destinations",
      async ({ accountId, query: page }) => {
        const destinations = await listDestinations(store.db, accountId, page)
        return cursorListed(destinations, await visible(service, destinations.rows), page)
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("dst")))),
        response: { 200: "DestinationList" },
        detail: operation({
          id: "listDestinations",
          tag: "Destinations",
          summary: "List the account's destinations, newest first",
          replies: { 200: "The destinations." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/destinations/:destinationId",
      async ({ accountId, params }) => (await visible(service, [await own(accountId, params)]))[0]!,
      {
        account: true,
        params: requestSchema.params(destinationParams),
        response: { 200: "Destination" },
        detail: operation({
          id: "getDestination",
          tag: "Destinations",
          summary: "Get a destination and its state",
          replies: { 200: "The destination." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/destinations/:destinationId",
      async ({ accountId, params, body }) => {
        const row = await own(accountId, params)
        return (await visible(service, [await changeDestination(parts, row, body)]))[0]!
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(destinationParams),
        // An unknown ID is reported before the body is read.
        async parse({ request, set, server, params }) {
          await requireAccount(service, { request, set, server })
          await own(callerOf(request).accountId, params as { destinationId: string })
        },
        json: true,
        body: requestSchema.body(destinationChange),
        response: { 200: "Destination" },
        detail: operation({
          id: "changeDestination",
          tag: "Destinations",
          summary: "Change, disable or enable a destination",
          description: "Deliveries wait while it is disabled.",
          examples: { off: { value: { enabled: false } } },
          replies: { 200: "The destination." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/destinations/:destinationId",
      async ({ accountId, params, set }) => {
        const { id } = await own(accountId, params)
        await store.write("destinations.delete", { id, accountId })
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(destinationParams),
        detail: operation({
          id: "deleteDestination",
          tag: "Destinations",
          summary: "Delete a destination and its waiting deliveries",
          description:
            "Delivered items are not deleted. Schedules and recipes that name it deliver nothing.",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/test",
      async ({ accountId, params }) => {
        const row = await own(accountId, params)
        const { error, milliseconds } = await service.destinations.test(row, service.ending.signal)
        return { ok: error === null, milliseconds, error }
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(destinationParams),
        response: { 200: "DestinationTest" },
        detail: operation({
          id: "testDestination",
          tag: "Destinations",
          summary: "Test a destination with a probe that is removed again",
          description: "A webhook receives a request of the type `test` without items.",
          replies: { 200: "The result: `ok`, or the error." },
          refusals: [403, 404],
        }),
      },
    )
    .get(
      "/destinations/:destinationId/deliveries",
      async ({ accountId, params, query: { state, runId, ...page } }) => {
        const { id: destinationId } = await own(accountId, params)
        const wanted = { destinationId, ...(state && { state }), ...(runId && { runId }) }
        const deliveries = await listRunDeliveries(store.db, wanted, page)
        return cursorListed(deliveries, deliveries.rows.map(runDeliveryResponse), page)
      },
      {
        account: true,
        params: requestSchema.params(destinationParams),
        query: requestSchema.query(
          query({
            ...cursorQuery(cursors.id("rdl")),
            state: Type.Optional(oneOf(["waiting", "delivered", "failed"])),
            runId: Type.Optional(
              Type.String({ maxLength: 100, description: "Only deliveries of this run." }),
            ),
          }),
        ),
        response: { 200: "RunDeliveryList" },
        detail: operation({
          id: "listRunDeliveries",
          tag: "Destinations",
          summary: "List the deliveries of runs to a destination, newest first",
          replies: { 200: "The deliveries." },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/deliveries",
      async ({ accountId, params, body, set }) => {
        const row = await own(accountId, params)
        const run = await accountRun(store.db, { id: body.runId, accountId })
        if (!run) throw notFound("run", body.runId)
        const at = new Date().toISOString()
        const queued = { destinationId: row.id, runId: run.id, at }
        const id = await store.write("destinations.queue", queued)
        if (id === null) {
          throw new ApiError(
            409,
            `The run is delivered to "${row.name}" already; retry its delivery.`,
          )
        }
        set.status = 201
        return runDeliveryResponse((await deliveryById(store.db, id))!)
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(destinationParams),
        json: true,
        body: requestSchema.body(
          Type.Object(
            { runId: Type.String({ maxLength: 100, description: "`run_…`" }) },
            { additionalProperties: false },
          ),
        ),
        response: { 201: "RunDelivery" },
        detail: operation({
          id: "deliverRun",
          tag: "Destinations",
          summary: "Deliver the items of an earlier run to a destination",
          examples: { run: { value: { runId: "run_0198a3f2c1d07b3e9a51c2d3e4f50617" } } },
          replies: { 201: "The delivery." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/deliveries/:deliveryId/retry",
      async ({ accountId, params }) => {
        const { id: destinationId } = await own(accountId, params)
        const { deliveryId } = params
        const at = new Date().toISOString()
        const queued = await store.write("destinations.redeliver", {
          destinationId,
          deliveryId,
          at,
        })
        const row = await deliveryById(store.db, deliveryId)
        if (row?.destination_id !== destinationId) throw notFound("delivery", deliveryId)
        if (queued === 0)
          throw new ApiError(
            409,
            `The delivery is ${row.state}. Only failed deliveries can be retried.`,
          )
        return runDeliveryResponse(row)
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(runDeliveryParams),
        response: { 200: "RunDelivery" },
        detail: operation({
          id: "retryRunDelivery",
          tag: "Destinations",
          summary: "Attempt a failed delivery again, from its last position",
          replies: { 200: "The delivery." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/retry",
      async ({ accountId, params }) => {
        const { id: destinationId } = await own(accountId, params)
        const at = new Date().toISOString()
        return { queued: await store.write("destinations.redeliver", { destinationId, at }) }
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(destinationParams),
        response: { 200: "Redelivered" },
        detail: operation({
          id: "retryDestination",
          tag: "Destinations",
          summary: "Attempt all failed deliveries of a destination again",
          replies: { 200: "Number of deliveries that are attempted again." },
          refusals: [403, 404],
        }),
      },
    )
}

async function visible({ store }: CoreParts, rows: readonly DestinationRow[]) {
  const counts = await deliveryCounts(
    store.db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => destinationResponse(row, counts.get(row.id)))
}
