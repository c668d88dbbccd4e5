import {
  BadInput,
  Changed,
  type Context,
  type DataOptions,
  decodedPath,
  HttpError,
  isMarkup,
  NotFound,
  RateLimited,
  type Refusal,
  type Row,
  Timeout,
  Unreachable,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

/** Equivalent hosts: if one refuses a request, the other may accept it. */
const hosts = ["query1.finance.yahoo.com", "query2.finance.yahoo.com"]

export const yahooRateLimit = {
  "query1.finance.yahoo.com": { perSecond: 2, concurrency: 1 },
  "query2.finance.yahoo.com": { perSecond: 2, concurrency: 1 },
  "finance.yahoo.com": { perSecond: 1, concurrency: 1 },
}

/** Returns the symbol of a target: in any letter case, or the URL of a quote page. */
export function yahooSymbol(target: string): string {
  const symbol = decodedPath(/finance\.yahoo\.com\/quote\/([^/?#]+)/i.exec(target)?.[1] ?? target)
    .trim()
    .toUpperCase()
  if (!/^[^\s,/?#&]+$/.test(symbol)) {
    throw new BadInput(
      `"${target}" is not a Yahoo symbol. Symbols look like AAPL, ^GSPC or EURUSD=X.`,
    )
  }
  return symbol
}

/** Requests one host, then the other. A rejected request is not sent to the other. */
export async function requestYahoo(ctx: Context, path: string, options: DataOptions) {
  let first: unknown
  for (const host of hosts) {
    try {
      return await ctx.data(`https://${host}${path}`, { identity: "browser", ...options })
    } catch (error) {
      ctx.signal.throwIfAborted()
      const elsewhere = [RateLimited, UpstreamError, Unreachable, Timeout]
      if (!elsewhere.some((kind) => error instanceof kind)) throw error
      first ??= error
    }
  }
  throw first
}

export interface Chart {
  meta: Row & { symbol: string; gmtoffset?: number; dataGranularity?: string }
  /** Starts of the bars, in Unix seconds; missing if nothing was traded. */
  timestamp?: number[]
  events?: {
    dividends?: Record<string, { amount: number; date: number } | null>
    splits?: Record<string, { splitRatio?: string; date: number } | null>
  }
  indicators?: {
    quote?: Partial<Record<"open" | "high" | "low" | "close" | "volume", (number | null)[]>>[]
    adjclose?: { adjclose?: (number | null)[] }[]
  }
}

/** A page instead of data is Yahoo's consent page or error page. */
const refusal: Refusal = { vendor: "Yahoo", sign: isMarkup }

/** Returns the chart of a symbol; needs neither cookie nor crumb. */
export async function chartOf(ctx: Context, symbol: string, range: string, interval: string) {
  const response = await requestYahoo(ctx, `/v8/finance/chart/${encodeURIComponent(symbol)}`, {
    query: { range, interval, includePrePost: "false", events: "div,split" },
    what: "data",
    refusal,
    retries: 2,
    accept: [400, 404, 422],
  })
  const match = resultOf<Chart>(response, "chart")?.[0]
  if (!match?.meta?.symbol) throw new Changed("Yahoo's response has no chart.")
  return match
}

type Part<T> = { result?: T[] | null; error?: YahooError | null }

type YahooError = { code?: string; description?: string }

/** Returns the result of a response. @throws the error that the response reports */
export function resultOf<T>(response: UpstreamResponse, name: "chart" | "quoteResponse") {
  const { [name]: part, finance } = response.json<{ [part: string]: Part<T> | undefined }>()
  const error = part?.error ?? finance?.error
  if (error || response.status >= 400) throw problem(error ?? {}, response)
  return part?.result
}

function problem({ code, description }: YahooError, response: UpstreamResponse) {
  const message = `Yahoo reports: ${description ?? code ?? `status ${response.status}`}`
  const details = { statusCode: response.status }
  const kind = `${code} ${response.status}`
  if (/not found|\b404\b/i.test(kind)) return new NotFound(message, details)
  if (/bad request|unprocessable|\b4(?:00|22)\b/i.test(kind)) return new BadInput(message, details)
  return /internal|server|unavailable/i.test(kind)
    ? new UpstreamError(message, details)
    : new HttpError(message, details)
}
