import { plainText } from "../../extract/core/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  EmptyShell,
  NotFound,
  orNull,
  type RenderedResponse,
} from "../kit/index.ts"
import {
  aliexpressUrl,
  type Call,
  calledProduct,
  callIn,
  callsHost,
  region,
  regionCookies,
} from "./aliexpress.ts"
import { type Product, productOfCall, productOfPage, productOfState } from "./product.ts"

const what = "the product"

/** Returns a product from its page's own API call, or from the page in Chrome if the call fails. */
export async function pageProduct(productId: string, ctx: Context): Promise<Product> {
  const call = await orNull(ctx, "product from its page's own call", () =>
    ctx.escalate(callsHost, { http: (ctx) => calledProduct(productId, ctx) }),
  )
  if (call?.status === "gone") throw gone(productId)
  const product = call?.result && productOfCall(call.result)
  const visible = (ctx: Context) => visibleProduct(productId, ctx)
  return product ?? ctx.escalate(aliexpressUrl(productId), { browser: visible, unlocker: visible })
}

async function visibleProduct(productId: string, ctx: Context): Promise<Product> {
  const page = await ctx.page(aliexpressUrl(productId), {
    scripted: true,
    has: (page) => isElsewhere(page) || callOf(page).status !== null || productOf(page) !== null,
    what,
    refusal: {
      sign: /_____tmd_____\/punish|x5secdata|punish-component|rgv587|<title>\s*Captcha Interception/i,
    },
    cookies: regionCookies,
    capture: /mtop\.aliexpress\.pdp\.pc\.query/,
    timeoutMs: 60_000,
    retries: 0,
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const { status: stated, words } = callOf(page)
  if (isElsewhere(page) || stated === "gone") throw gone(productId)
  if (stated === "refused") {
    const message = `AliExpress refused its page's own call (${words}).`
    throw new Blocked(message, "Alibaba", { url: page.url })
  }
  const product = productOf(page)
  if (product) return product
  const missing = page.explainMissing(what)
  if ((missing instanceof Changed || missing instanceof EmptyShell) && isShell(page)) {
    throw new EmptyShell(
      "AliExpress's page is an app shell: its scripts did not load the product.",
      { response: page },
    )
  }
  throw missing
}

/**
 * Returns whether a page lacks the call for its product, the state and the heading. A hidden heading
 * may name only the site, next to the root of the page's app.
 */
const isShell = (page: RenderedResponse) =>
  page.captured.length === 0 &&
  (page.document.querySelector("h1") === null || isEmptyRoot(page.document)) &&
  !/runParams\s*=\s*\{\s*["']?data["']?\s*:\s*\{\s*["']/.test(page.text())

function isEmptyRoot(document: Document): boolean {
  const root = document.querySelector('[id="root"]')
  return root !== null && plainText(root) === null
}

const isElsewhere = ({ url }: RenderedResponse) => /\/404(?:\.html)?$/.test(new URL(url).pathname)

function productOf(page: RenderedResponse): Product | null {
  const { result } = callOf(page)
  return (
    (result && productOfCall(result)) ?? productOfState(page.text()) ?? productOfPage(page.document)
  )
}

function callOf(page: RenderedResponse): Call {
  const calls = page.captured.map((response) => callIn(response.text()))
  const call = calls.find(({ result, status }) => result || status === "gone")
  return call ?? calls.at(-1) ?? { status: null, words: "" }
}

const gone = (productId: string): NotFound =>
  new NotFound(`AliExpress has no product ${productId} (in ${region.country}).`, {
    url: aliexpressUrl(productId),
  })
