import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { newId } from "../../store/db/ids.ts"
import {
  allDestinations,
  type DestinationRow,
  destinationsNamed,
} from "../../store/destinations/destinations.ts"
import { deliveryCounts, listRunDeliveries } from "../../store/destinations/run-deliveries.ts"
import { destinationParts } from "../delivery/parts.ts"
import { createDestination, signingSecretOf } from "../destinations/own-destinations.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  destinationParams,
  destinationResponse,
  destinationTestSchema,
  newDestinationBody,
  newDestinationSchema,
  ownedDestinationSchema,
  redeliveredSchema,
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
import { accountParameter, owningAccount } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

const newBody = Type.Object(
  {
    ...newDestinationBody.properties,
    account: Type.Optional({
      ...accountParameter,
      description:
        "ID or email address of the owning account. Default: the first administrator's account.",
    }),
  },
  { additionalProperties: false },
)

type Parts = CoreParts & ClientParts & AccessParts & RunParts & ScraperParts & DestinationParts

/** The destinations of all accounts. */
export function destinationAdminRoutes(service: Parts): AnyElysia {
  const { store } = service
  const { db } = store
  const parts = destinationParts(service)
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      NewDestination: responseSchema(newDestinationSchema),
      AdminDestinationList: responseSchema(
        cursorListOf(ownedDestinationSchema, "AdminDestinationList"),
      ),
      DestinationTest: responseSchema(destinationTestSchema),
      RunDeliveryList: responseSchema(cursorListOf(runDeliverySchema, "RunDeliveryList")),
      Redelivered: responseSchema(redeliveredSchema),
    })
    .get(
      "/destinations",
      async ({ query: page }) => {
        const destinations = await allDestinations(db, page)
        const counts = await deliveryCounts(
          db,
          destinations.rows.map(({ id }) => id),
        )
        const visible = destinations.rows.map((row) => ({
          ...destinationResponse(row, counts.get(row.id)),
          accountId: row.account_id,
        }))
        return cursorListed(destinations, visible, page)
      },
      {
        owner: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("dst")))),
        response: { 200: "AdminDestinationList" },
        detail: operation({
          id: "adminListDestinations",
          tag: "Administration",
          summary: "List the destinations of all accounts, newest first",
          auth: "owner",
          replies: { 200: "The destinations." },
          refusals: [400],
        }),
      },
    )
    .post(
      "/destinations",
      async ({ body: { account, ...body }, set }) => {
        const accountId = await owningAccount(service, account)
        const row = await createDestination(parts, { id: newId("dst"), accountId }, body)
        set.status = 201
        set.headers["cache-control"] = "no-store"
        const signingSecret = signingSecretOf(service, row)
        return { ...destinationResponse(row), ...(signingSecret && { signingSecret }) }
      },
      {
        owner: true,
        ownerJson: true,
        body: requestSchema.body(newBody),
        response: { 201: "NewDestination" },
        detail: operation({
          id: "adminCreateDestination",
          tag: "Administration",
          summary: "Create a destination for an administrator or another account",
          auth: "owner",
          examples: {
            folder: { value: { name: "files", kind: "folder", path: "items" } },
          },
          replies: { 201: "The destination." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/destinations/:destinationId",
      async ({ params, set }) => {
        const { id, account_id: accountId } = await named(service, params.destinationId)
        await store.write("destinations.delete", { id, accountId })
        set.status = 204
      },
      {
        owner: true,
        params: requestSchema.params(destinationParams),
        detail: operation({
          id: "adminDeleteDestination",
          tag: "Administration",
          summary: "Delete any destination",
          auth: "owner",
          replies: { 204: "Deleted." },
          refusals: [404, 409],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/test",
      async ({ params }) => {
        const row = await named(service, params.destinationId)
        const { error, milliseconds } = await service.destinations.test(row, service.ending.signal)
        return { ok: error === null, milliseconds, error }
      },
      {
        owner: true,
        params: requestSchema.params(destinationParams),
        response: { 200: "DestinationTest" },
        detail: operation({
          id: "adminTestDestination",
          tag: "Administration",
          summary: "Test any destination with a probe that is removed again",
          auth: "owner",
          replies: { 200: "The result: `ok`, or the error." },
          refusals: [404, 409],
        }),
      },
    )
    .get(
      "/destinations/:destinationId/deliveries",
      async ({ params, query: { state, ...page } }) => {
        const { id: destinationId } = await named(service, params.destinationId)
        const deliveries = await listRunDeliveries(
          db,
          { destinationId, ...(state && { state }) },
          page,
        )
        return cursorListed(deliveries, deliveries.rows.map(runDeliveryResponse), page)
      },
      {
        owner: true,
        params: requestSchema.params(destinationParams),
        query: requestSchema.query(
          query({
            ...cursorQuery(cursors.id("rdl")),
            state: Type.Optional(oneOf(["waiting", "delivered", "failed"])),
          }),
        ),
        response: { 200: "RunDeliveryList" },
        detail: operation({
          id: "adminListRunDeliveries",
          tag: "Administration",
          summary: "List the deliveries to any destination, newest first",
          auth: "owner",
          replies: { 200: "The deliveries." },
          refusals: [400, 404, 409],
        }),
      },
    )
    .post(
      "/destinations/:destinationId/retry",
      async ({ params }) => {
        const { id: destinationId } = await named(service, params.destinationId)
        const at = new Date().toISOString()
        return { queued: await store.write("destinations.redeliver", { destinationId, at }) }
      },
      {
        owner: true,
        params: requestSchema.params(destinationParams),
        response: { 200: "Redelivered" },
        detail: operation({
          id: "adminRetryDestination",
          tag: "Administration",
          summary: "Attempt all failed deliveries of any destination again",
          auth: "owner",
          replies: { 200: "Number of deliveries that are attempted again." },
          refusals: [404, 409],
        }),
      },
    )
}

/** Finds a destination by its ID, or by its name if it is the only one. @throws ApiError 404, 409 */
async function named({ store }: CoreParts, idOrName: string): Promise<DestinationRow> {
  const [row, ...others] = await destinationsNamed(store.db, idOrName)
  if (!row) throw notFound("destination", idOrName)
  if (others.length === 0) return row
  throw new ApiError(409, `Several accounts have a destination "${idOrName}"; name its ID.`)
}
