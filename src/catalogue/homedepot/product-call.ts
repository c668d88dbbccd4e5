import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, NotFound } from "../kit/index.ts"

const url = "https://apionline.homedepot.com/federation-gateway/graphql"
const operationName = "productClientOnlyProduct"
/** Default store of the site's visitors. */
const storeId = "121"
const query = `query ${operationName}($itemId: String!, $storeId: String) {
  product(itemId: $itemId) {
    itemId
    identifiers { productLabel canonicalUrl brandName modelNumber storeSkuNumber }
    availabilityType { type discontinued }
    details { description highlights }
    media { images { url } }
    pricing(storeId: $storeId) { value original promotion { percentageOff } }
    reviews { ratingsReviews { averageRating totalReviews } }
    specificationGroup { specifications { specName specValue } }
    taxonomy { breadCrumbs { label } }
  }
}`

/** Returns a product from the call of the page's scripts, in the format of the page's state. */
export async function productByCall(
  itemId: string,
  referer: string,
  ctx: Context,
): Promise<JsonReader> {
  const response = await ctx.data(`${url}?opname=${operationName}`, {
    refusal: { statuses: [206, 403] },
    what: "the product",
    identity: "browser",
    headers: {
      origin: "https://www.homedepot.com",
      referer,
      "x-experience-name": "general-merchandise",
      "apollographql-client-name": "general-merchandise",
      "apollographql-client-version": "0.0.0",
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-site",
    },
    json: { operationName, variables: { itemId, storeId }, query },
  })
  const data = new JsonReader(response.json()).in("data")
  const product = data.in("product")
  if (product.has("identifiers")) return product
  const details = { url: referer, statusCode: response.status }
  if (data.value("product") === null) {
    throw new NotFound(`Home Depot has no product ${itemId}.`, details)
  }
  throw new Changed("Home Depot's response has no product.", details)
}
