import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  NotFound,
  once,
  orNull,
  RateLimited,
  type RenderedResponse,
  ScrapeError,
  staleKey,
  type UpstreamResponse,
} from "../kit/index.ts"
import { targetTable } from "./upstream.ts"

const api = "https://redsky.target.com/redsky_aggregations/v1/web"

/** Signs of HUMAN's refusal of an API call, which is JSON. */
const challenge = /px-captcha|"blockScript"|"appId"\s*:\s*"PX/i

export const targetUrl = (tcin: string) => `https://www.target.com/p/-/A-${tcin}`

/** Returns `data.product` of one product. */
export async function targetProduct(tcin: string, ctx: Context): Promise<JsonReader> {
  const { storeId } = ctx.upstream(targetTable)
  const query = { tcin, is_bot: "false", store_id: storeId, pricing_store_id: storeId }
  const body = await ctx.escalate(api, {
    http: (ctx) => redsky("pdp_client_v1", tcin, query, ctx),
    browser: (ctx) => fromPage(tcin, ctx),
  })
  if (body.has("data", "product")) return body.in("data", "product")
  const missing = body
    .list("errors")
    .some((error) => /no product/i.test(error.text("message") ?? ""))
  if (missing || body.value("data", "product") === null) throw noProduct(tcin)
  throw new Changed("Target's response has no product.", { url: targetUrl(tcin) })
}

/** Returns the response that the product's page loads in Chrome. */
async function fromPage(tcin: string, ctx: Context): Promise<JsonReader> {
  const what = "the product's data"
  const dataIn = ({ captured }: RenderedResponse) => captured.find(({ status }) => status < 400)
  const page = await ctx.page(targetUrl(tcin), {
    has: (page) => dataIn(page) !== undefined,
    what,
    capture: /\/pdp_client_v1\?/,
  })
  const response = dataIn(page)
  if (!response) throw page.explainMissing(what)
  return bodyOf(response, tcin)
}

/** Returns whether products can be bought, by ID; leaves out products without stock data. */
export async function targetStock(tcins: string[], ctx: Context): Promise<Map<string, boolean>> {
  const { storeId, zip } = ctx.upstream(targetTable)
  const query = {
    tcins: tcins.join(","),
    store_id: storeId,
    pricing_store_id: storeId,
    required_store_id: storeId,
    scheduled_delivery_store_id: storeId,
    zip,
  }
  const body = await ctx.escalate(api, {
    http: (ctx) => redsky("product_summary_with_fulfillment_v1", tcins[0]!, query, ctx),
  })
  return new Map(
    body.list("data", "product_summaries").flatMap((summary): [string, boolean][] => {
      const tcin = summary.text("tcin")
      const soldOut = summary.flag("fulfillment", "sold_out")
      const shipping = summary.text("fulfillment", "shipping_options", "availability_status")
      if (tcin && soldOut !== null) return [[tcin, !soldOut]]
      return tcin && shipping ? [[tcin, shipping === "IN_STOCK"]] : []
    }),
  )
}

/** Calls the API. If it refuses the key, retries with the key in the product's page. */
async function redsky(call: string, tcin: string, query: Record<string, string>, ctx: Context) {
  const key = await once(ctx, "target-key", async () => {
    return ctx.secret("TARGET_REDSKY_KEY") ?? ctx.upstream(targetTable).key
  })
  const response = await request(call, tcin, { key, ...query }, ctx)
  if (response.status < 400) return bodyOf(response, tcin)
  if (reportsMissing(response)) throw noProduct(tcin)
  const fresh = await orNull(ctx, "new key from the product's page", () => keyOfPage(tcin, ctx))
  if (fresh && fresh !== key) {
    ctx.shared.set("target-key", Promise.resolve(fresh))
    const again = await request(call, tcin, { key: fresh, ...query }, ctx)
    if (again.status < 400) return bodyOf(again, tcin)
    if (reportsMissing(again)) throw noProduct(tcin)
  }
  if (response.status === 404) throw noProduct(tcin)
  if (response.status === 401) {
    const message = "Target's API rejects the key of its web shop (status 401)."
    throw staleKey(targetTable, "key", message, { url: targetUrl(tcin), statusCode: 401 })
  }
  throw refused(response.status, tcin)
}

async function request(call: string, tcin: string, query: Record<string, string>, ctx: Context) {
  const visitorId = await once(ctx, "target-visitor", async () =>
    crypto.randomUUID().replaceAll("-", "").toUpperCase(),
  )
  try {
    const response = await ctx.get(`${api}/${call}`, {
      identity: "browser",
      retries: 1,
      accept: [401, 403, 404, 429],
      headers: {
        accept: "application/json",
        "accept-language": "en-US,en;q=0.9",
        origin: "https://www.target.com",
        referer: "https://www.target.com/",
        "sec-fetch-dest": "empty",
        "sec-fetch-mode": "cors",
        "sec-fetch-site": "same-site",
      },
      query: { ...query, channel: "WEB", page: `/p/A-${tcin}`, visitor_id: visitorId },
    })
    const text = response.text()
    const isRefusal = response.status < 400 ? text.trim() === "" : challenge.test(text)
    if (isRefusal) throw refused(response.status, tcin)
    if (response.status !== 429) return response
    const message = "redsky.target.com limits the rate of requests (status 429)."
    throw new RateLimited(message, null, { statusCode: 429 })
  } catch (error) {
    throw nameless(error, tcin)
  }
}

/**
 * Returns whether a refusal concerns the product, not the key: a response in the API's own form.
 */
const reportsMissing = (response: UpstreamResponse) =>
  response.status === 404 && /^\s*\{/.test(response.text())

function bodyOf(response: UpstreamResponse, tcin: string): JsonReader {
  try {
    return new JsonReader(response.json())
  } catch (error) {
    throw nameless(error, tcin)
  }
}

/** Removes key and visitor ID, which the API's URLs contain, from errors, items and logs. */
const nameless = (error: unknown, tcin: string) =>
  error instanceof ScrapeError ? Object.assign(error, { url: targetUrl(tcin) }) : error

async function keyOfPage(tcin: string, ctx: Context): Promise<string | null> {
  const page = await ctx.page(targetUrl(tcin), { retries: 0 })
  const match = /"apiKey"\s*:\s*"([0-9a-f]{40})"|[?&]key=([0-9a-f]{40})/.exec(page.text())
  return match?.[1] ?? match?.[2] ?? null
}

const noProduct = (tcin: string) =>
  new NotFound(`No such product on Target: ${tcin}.`, { url: targetUrl(tcin) })

function refused(status: number, tcin: string): Blocked {
  const message = `redsky.target.com blocked the request (status ${status}).`
  return new Blocked(message, "HUMAN (PerimeterX)", { url: targetUrl(tcin), statusCode: status })
}
