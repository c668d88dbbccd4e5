import { type Product, readProduct } from "../../../extract/product/index.ts"
import {
  Changed,
  type Context,
  openPage,
  readOnce,
  type UpstreamResponse,
} from "../../kit/index.ts"

export interface ShopPage {
  /** As given, completed by a scheme. */
  url: string
  response: UpstreamResponse
  product: Product
}

const productOf = readOnce(({ document, url }) => readProduct(document, url))

/**
 * The product on a shop's page.
 * @throws Changed (`no_product`) when the page is of something else, or of many products.
 */
export async function openShopPage(target: string, ctx: Context): Promise<ShopPage> {
  const { url, response } = await openPage(target, ctx, {
    has: (response) => productOf(response) !== null,
    what: "a product",
  })
  const product = productOf(response)
  if (product) return { url, response, product }
  throw new Changed(
    `${response.url} shows no single product with a price, a number or its stock.`,
    {
      code: "no_product",
      url: response.url,
      statusCode: response.status,
    },
  )
}
