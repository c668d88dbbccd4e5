import { readProduct } from "../../../extract/product/index.ts"
import { Changed, type Context, inputs, readOnce } from "../../kit/index.ts"
import { conditions, notModified, type Validators } from "../crawl/known-pages.ts"
import { openPage } from "../page/open.ts"

export type ShopPage = NonNullable<Awaited<ReturnType<typeof openShopPage>>>

export const useUnlocker = inputs.flag(
  "Use the operator's unlocker from the first request, for shops with bot protection; costs credits.",
)

const productOf = readOnce(({ document, url }) => readProduct(document, url))

/**
 * Returns the product on a shop's page. With the validators of an earlier response, returns null if
 * the page has not changed since.
 * @throws Changed (`no_product`) if the page has another subject, or many products.
 */
export async function openShopPage(target: string, ctx: Context, before?: Validators) {
  const opened = await openPage(target, ctx, {
    has: (response) => response.status === notModified || productOf(response) !== null,
    what: "a product",
    headers: conditions(before),
    ...(before && { accept: [notModified] }),
  })
  const { response } = opened
  if (before && response.status === notModified) return null
  const product = productOf(response)
  if (product) return { ...opened, product }
  const message = `${response.url} has no single product with a price, a number or its availability.`
  throw new Changed(message, { code: "no_product", response })
}
