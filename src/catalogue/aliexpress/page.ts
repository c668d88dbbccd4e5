import { JsonReader, parseGuarded } from "../../extract/embedded/index.ts"
import { Blocked, type Context, NotFound, type Refusal, type RenderedAnswer } from "../kit/index.ts"
import { aliexpressUrl, visitor, visitorCookies } from "./aliexpress.ts"
import { type Product, productOfCall, productOfPage, productOfState } from "./product.ts"

const refusal: Refusal = {
  sign: /_____tmd_____\/punish|x5secdata|punish-component|rgv587|<title>\s*Captcha Interception/i,
}
const what = "the product"

/** A product by the call that its page makes for its own data, else by the page in Chrome. */
export function pageProduct(productId: string, ctx: Context): Promise<Product> {
  const url = aliexpressUrl(productId)
  return ctx.escalate(url, async (ctx) => {
    const page = await ctx.page(url, {
      scripted: true,
      has: (page) => isElsewhere(page) || callOf(page).said !== null || productOf(page) !== null,
      what,
      refusal,
      cookies: visitorCookies,
      capture: /mtop\.aliexpress\.pdp\.pc\.query/,
      timeoutMs: 60_000,
      retries: 0,
      headers: { "accept-language": "en-US,en;q=0.9" },
    })
    const { said, words } = callOf(page)
    if (isElsewhere(page) || said === "gone") throw gone(productId)
    if (said === "refused") {
      const message = `AliExpress refuses its page's own call (${words}).`
      throw new Blocked(message, "Alibaba", { url: page.url })
    }
    const product = productOf(page)
    if (!product) throw page.lacks(what)
    return product
  })
}

const isElsewhere = ({ url }: RenderedAnswer) => /\/404(?:\.html)?$/.test(new URL(url).pathname)

function productOf(page: RenderedAnswer): Product | null {
  const { result } = callOf(page)
  return (
    (result && productOfCall(result)) ?? productOfState(page.text()) ?? productOfPage(page.document)
  )
}

interface Call {
  /** `data.result`, where the call succeeded. */
  result?: JsonReader
  /** What it says in place of a product. */
  said: "gone" | "refused" | null
  words: string
}

/** How that call was answered. */
function callOf(page: RenderedAnswer): Call {
  let words = ""
  for (const answer of page.captured) {
    const body = new JsonReader(parseGuarded(answer.text()))
    words = body.texts("ret").join(" ") || (body.text("ret") ?? "")
    if (words.startsWith("SUCCESS")) {
      const result = body.in("data", "result")
      const text = result.has("PRODUCT_TITLE") ? "" : JSON.stringify(result.root ?? null)
      const isGone = /offline|not_?found|no longer available/i.test(text)
      return { result, said: isGone ? "gone" : null, words }
    }
    if (/OFFLINE|NOT_FOUND|NOT_EXIST/i.test(words)) return { said: "gone", words }
  }
  return { said: /USER_VALIDATE|RGV587/i.test(words) ? "refused" : null, words }
}

function gone(productId: string): NotFound {
  return new NotFound(`AliExpress has no product ${productId} (in ${visitor.country}).`, {
    url: aliexpressUrl(productId),
  })
}
