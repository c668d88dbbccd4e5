import { md5 } from "../../extract/core/index.ts"
import { JsonReader, parseGuarded } from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  BadInput,
  Blocked,
  type Context,
  targetUrl,
  upstreamTable,
} from "../kit/index.ts"

/** API call that the page's scripts make for a product, and their signing key. */
export const aliexpressTable = upstreamTable("aliexpress", "2026-10", {
  api: "mtop.aliexpress.pdp.pc.query",
  version: "1.0",
  appKey: "12574478",
  jsv: "2.5.1",
})

/** Visitor settings sent to AliExpress; prices and stock depend on them. */
export const region = { country: "US", currency: "USD" }
export const regionCookies = {
  aep_usuc_f: `site=glo&c_tp=${region.currency}&region=${region.country}&b_locale=en_US`,
}

export const aliexpressUrl = (productId: string) =>
  `https://www.aliexpress.com/item/${productId}.html`

const inUrl = /(?:\/(?:item|i)\/(?:[^/]+\/)?|\/product\/)(\d{8,20})(?:\.html|[/?#]|$)/

/** Returns the product ID; short links are followed to their destination. */
export async function productNumber(target: string, ctx: Context): Promise<string> {
  const text = target.trim()
  if (/^\d{8,20}$/.test(text)) return text
  let url = targetUrl(target)
  for (let hop = 0; url && hop < 4; hop++) {
    if (!/(?:^|\.)aliexpress\.[a-z.]+$/i.test(url.hostname)) break
    if (/\.aliexpress\.ru$|^aliexpress\.ru$/i.test(url.hostname)) {
      throw new BadInput(
        `"${target}" is on aliexpress.ru, which is a different site and is not supported.`,
      )
    }
    const number = inUrl.exec(`${url.pathname}?`)?.[1]
    if (number) return number
    if (!/^(?:a|s\.click)\./i.test(url.hostname)) break
    const response = await ctx.get(url.href, { redirect: "manual", identity: "browser" })
    const location = response.headers.get("location")
    url = location ? URL.parse(location, url.href) : null
  }
  throw new BadInput(`"${target}" is not an AliExpress product URL or product ID.`)
}

export const callsHost = "https://acs.aliexpress.com"
/** Calls without a token, with the token of the first response, and with a renewed token. */
const maxCalls = 3

const tokenKey = "aliexpress.token"

export interface Call {
  /** `data.result` of a successful call. */
  result?: JsonReader
  /** Reason why the response contains no product. */
  status: "gone" | "refused" | null
  words: string
}

/** Parses the response of the call for a product. */
export function callIn(text: string): Call {
  const body = new JsonReader(parseGuarded(text))
  const words = body.texts("ret").join(" ") || (body.text("ret") ?? "")
  if (words.startsWith("SUCCESS")) {
    const result = body.in("data", "result")
    const visible = result.has("PRODUCT_TITLE") ? "" : JSON.stringify(result.root ?? null)
    const isGone = /offline|not_?found|no longer available/i.test(visible)
    return { result, status: isGone ? "gone" : null, words }
  }
  if (/OFFLINE|NOT_FOUND|NOT_EXIST/i.test(words)) return { status: "gone", words }
  return { status: /USER_VALIDATE|RGV587/i.test(words) ? "refused" : null, words }
}

/**
 * Returns a product from the call that its page makes, signed like the page's scripts sign it.
 * The first call sets the cookie with the token.
 * @throws Blocked if the response has neither a product nor a notice that it is gone
 */
export async function calledProduct(productId: string, ctx: Context): Promise<Call> {
  const { api, version, appKey, jsv } = ctx.upstream(aliexpressTable)
  const data = JSON.stringify({
    productId,
    _lang: "en_US",
    _currency: region.currency,
    country: region.country,
    province: "",
    city: "",
    channel: "",
    pdp_ext_f: "",
    pdpNPI: "",
    sourceType: "",
    clientType: "pc",
  })
  let token = (ctx.shared.get(tokenKey) as string | undefined) ?? ""
  let call: Call = { status: null, words: "" }
  for (let count = 0; count < maxCalls; count++) {
    const t = String(ctx.now().getTime())
    const request = ctx.get(`${callsHost}/h5/${api}/${version}/`, {
      identity: "browser",
      accept: "any",
      retries: 0,
      cookies: regionCookies,
      headers: {
        accept: "application/json",
        origin: "https://www.aliexpress.com",
        referer: aliexpressUrl(productId),
        "sec-fetch-dest": "empty",
        "sec-fetch-mode": "cors",
        "sec-fetch-site": "same-site",
      },
      query: {
        jsv,
        appKey,
        t,
        sign: md5(`${token}&${t}&${appKey}&${data}`),
        api,
        v: version,
        type: "originaljson",
        dataType: "json",
        timeout: "15000",
        data,
      },
    })
    // The page may still load when the call fails, so every failure becomes `Blocked`.
    const response = await request.catch((error) => {
      assertScrapeError(error, ctx)
      const message = `AliExpress did not respond to the product call: ${error.message}`
      throw new Blocked(message, "Alibaba")
    })
    call = callIn(response.text())
    if (call.result || call.status) break
    // The token is the part of the cookie before `_`.
    const [handed] = response.headers
      .getSetCookie()
      .flatMap((cookie) => /^_m_h5_tk=([0-9a-f]{8,64})_/.exec(cookie)?.[1] ?? [])
    if (!handed || handed === token) break
    token = handed
    ctx.shared.set(tokenKey, token)
  }
  if (call.status === "gone" || call.result?.has("PRODUCT_TITLE")) return call
  const words = call.words ? ` (${call.words})` : ""
  throw new Blocked(`AliExpress refused the product call${words}.`, "Alibaba", {
    url: aliexpressUrl(productId),
  })
}
