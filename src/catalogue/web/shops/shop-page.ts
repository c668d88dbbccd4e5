import { type Product, readProduct } from "../../../extract/product/index.ts"
import {
  type Answer,
  Blocked,
  Changed,
  type Context,
  EmptyShell,
  openPage,
} from "../../kit/index.ts"

export interface ShopPage {
  /** As given, completed by a scheme. */
  url: string
  answer: Answer
  product: Product
}

/**
 * The product on a shop's page.
 * @throws Changed (`no_product`) when the page is of something else, or of many products.
 */
export async function openShopPage(target: string, ctx: Context): Promise<ShopPage> {
  const { url, answer } = await withHint(openPage(target, ctx))
  const product = readProduct(answer.document, answer.url)
  if (product) return { url, answer, product }
  const outcome = answer.lacks("a product")
  if (outcome instanceof EmptyShell) throw outcome
  if (outcome instanceof Blocked) throw hinted(outcome)
  throw new Changed(`${answer.url} shows no single product with a price, a number or its stock.`, {
    code: "no_product",
    url: answer.url,
    statusCode: answer.status,
  })
}

async function withHint<T>(page: Promise<T>): Promise<T> {
  try {
    return await page
  } catch (error) {
    throw error instanceof Blocked ? hinted(error) : error
  }
}

function hinted(wall: Blocked): Blocked {
  return new Blocked(`${wall.message} The option useUnlocker may pass it.`, wall.vendor, {
    url: wall.url,
    statusCode: wall.statusCode,
  })
}
