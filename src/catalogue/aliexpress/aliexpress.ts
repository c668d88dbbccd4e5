import { JsonReader, parseGuarded } from "../../extract/embedded/index.ts"
import {
  type Answer,
  BadInput,
  Blocked,
  type Context,
  lacking,
  NotFound,
  type Outcome,
  type RenderedAnswer,
} from "../kit/index.ts"

/** The visitor that the pages are asked for as; prices and stock depend on it. */
export const visitor = { country: "US", currency: "USD" }
const visitorCookies = {
  aep_usuc_f: `site=glo&c_tp=${visitor.currency}&region=${visitor.country}&b_locale=en_US`,
}

const wall = {
  sign: /_____tmd_____\/punish|x5secdata|punish-component|rgv587|<title>\s*Captcha Interception/i,
}

export const aliexpressUrl = (productId: string) =>
  `https://www.aliexpress.com/item/${productId}.html`

const inAddress = /(?:\/(?:item|i)\/(?:[^/]+\/)?|\/product\/)(\d{8,20})(?:\.html|[/?#]|$)/

/** The number of the product; short links are followed to where they lead. */
export async function productNumber(target: string, ctx: Context): Promise<string> {
  const text = target.trim()
  if (/^\d{8,20}$/.test(text)) return text
  let url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  for (let hop = 0; url && hop < 4; hop++) {
    if (!/(?:^|\.)aliexpress\.[a-z.]+$/i.test(url.hostname)) break
    if (/\.aliexpress\.ru$|^aliexpress\.ru$/i.test(url.hostname)) {
      throw new BadInput(`"${target}" is of aliexpress.ru, another site that is not read.`)
    }
    const number = inAddress.exec(`${url.pathname}?`)?.[1]
    if (number) return number
    if (!/^(?:a|s\.click)\./i.test(url.hostname)) break
    const answer = await ctx.get(url.href, { redirect: "manual", identity: "browser" })
    const location = answer.headers.get("location")
    url = location ? URL.parse(location, url.href) : null
  }
  throw new BadInput(`"${target}" is no product of AliExpress and no number of one.`)
}

/** The page in Chrome, with the answer of the call that it makes for its own data. */
export async function productPage(productId: string, ctx: Context): Promise<RenderedAnswer> {
  const url = aliexpressUrl(productId)
  const page = await ctx.render(url, {
    cookies: visitorCookies,
    capture: /mtop\.aliexpress\.pdp\.pc\.query/,
    timeoutMs: 60_000,
    retries: 0,
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  if (/\/404(?:\.html)?$/.test(new URL(page.url).pathname)) throw gone(productId)
  return page
}

/** `data.result` of that call; undefined when the page made none that succeeded. */
export function callResult(page: RenderedAnswer, productId: string): JsonReader | undefined {
  let refusal: string | undefined
  for (const answer of page.captured) {
    const body = new JsonReader(parseGuarded(answer.text()))
    const said = body.texts("ret").join(" ") || (body.text("ret") ?? "")
    if (said.startsWith("SUCCESS")) {
      const result = body.in("data", "result")
      const words = result.has("PRODUCT_TITLE") ? "" : JSON.stringify(result.root ?? null)
      if (/offline|not_?found|no longer available/i.test(words)) throw gone(productId)
      return result
    }
    if (/OFFLINE|NOT_FOUND|NOT_EXIST/i.test(said)) throw gone(productId)
    refusal = said
  }
  if (refusal && /USER_VALIDATE|RGV587/i.test(refusal)) {
    throw new Blocked(`AliExpress refuses its page's own call (${refusal}).`, "Alibaba", {
      url: page.url,
    })
  }
  return undefined
}

export function withoutProduct(page: Answer): Outcome {
  return lacking(page, "the product", wall)
}

function gone(productId: string): NotFound {
  return new NotFound(`AliExpress has no product ${productId} (in ${visitor.country}).`, {
    url: aliexpressUrl(productId),
  })
}
