import { type Product, readProduct } from "../../../extract/product/index.ts"
import { type Answer, Changed, type Context, openPage, readOnce } from "../../kit/index.ts"

export interface ShopPage {
  /** As given, completed by a scheme. */
  url: string
  answer: Answer
  product: Product
}

const productOf = readOnce(({ document, url }) => readProduct(document, url))

/**
 * The product on a shop's page.
 * @throws Changed (`no_product`) when the page is of something else, or of many products.
 */
export async function openShopPage(target: string, ctx: Context): Promise<ShopPage> {
  const { url, answer } = await openPage(target, ctx, {
    has: (answer) => productOf(answer) !== null,
    what: "a product",
  })
  const product = productOf(answer)
  if (product) return { url, answer, product }
  throw new Changed(`${answer.url} shows no single product with a price, a number or its stock.`, {
    code: "no_product",
    url: answer.url,
    statusCode: answer.status,
  })
}
