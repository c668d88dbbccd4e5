import { integerOrNull, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  type Context,
  Forbidden,
  NotFound,
  RateLimited,
  type RequestOptions,
  type ScrapeError,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

export const coinGeckoRateLimit = {
  "api.coingecko.com": { perSecond: 1 / 6, concurrency: 1 },
  "pro-api.coingecko.com": { perSecond: 0.5, concurrency: 1 },
}

/** Returns the coin ID in a user's input: `bitcoin`, or a URL with /coins/{id}. */
export function coinGeckoId(target: string): string {
  const url = /coingecko\.com\/(?:[a-z-]+\/)?coins\/([^/?#]+)/i.exec(target)
  const id = (url?.[1] ?? target).trim().toLowerCase()
  if (!/^[^\s,/?#&]+$/.test(id)) {
    throw new BadInput(`"${target}" is not a CoinGecko coin ID. IDs look like "bitcoin".`)
  }
  return id
}

/** Calls the API, with the operator's key if set. Throws errors with CoinGecko's message. */
export async function requestCoinGecko<T>(
  ctx: Context,
  path: string,
  query: RequestOptions["query"],
) {
  const pro = ctx.secret("COINGECKO_PRO_KEY")
  const demo = ctx.secret("COINGECKO_DEMO_KEY")
  const call = ctx.data(`https://${pro ? "pro-api" : "api"}.coingecko.com/api/v3${path}`, {
    query,
    headers: pro ? { "x-cg-pro-api-key": pro } : demo ? { "x-cg-demo-api-key": demo } : {},
    accept: [400, 401, 403, 404, 422],
    has: (response) => /^\s*[[{]/.test(response.text()),
    what: "CoinGecko's data",
    // CoinGecko's own errors are JSON; a page or a bare "error code: 1020" is Cloudflare's.
    refusal: { vendor: "Cloudflare", sign: ({ status }) => status === 403 },
    // CoinGecko limits the requests per minute, so waiting helps.
    retries: 3,
  })
  const response = await busyIsRateLimit(call)
  const body = response.json<T>()
  throwIfRefused(response, body)
  return body
}

/** Errors are `{error: "…"}`, `{status: {error_code, error_message}}`, or that inside `error`. */
function throwIfRefused(response: UpstreamResponse, body: unknown): void {
  const status = at(body, "status") ?? at(body, "error", "status")
  const code = integerOrNull(at(status, "error_code"))
  const reason = textOrNull(at(status, "error_message")) ?? textOrNull(at(body, "error"))
  if (response.status < 400 && code === null && reason === null) return
  const message = `CoinGecko reports: ${reason ?? `status ${response.status}`}`
  throw refusal(code ?? response.status, message, response)
}

/** Error code for a time range that requires a paid plan. */
const paidRange = 10012

function refusal(code: number, message: string, response: UpstreamResponse): ScrapeError {
  if (code === 429) return new RateLimited(message, null, { response })
  if (code === 404) return new NotFound(message, { response })
  if (code === paidRange) return new BadInput(message, { response })
  if (code === 403 || response.status === 401) return new Forbidden(message, { response })
  if (code >= 500 && code < 600) return new UpstreamError(message, { response })
  return new BadInput(message, { response })
}
