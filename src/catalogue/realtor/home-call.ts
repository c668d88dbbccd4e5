import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, NotFound, type Refusal } from "../kit/index.ts"
import { realtorTable } from "./upstream.ts"

const address = "https://www.realtor.com/frontdoor/graphql"
const query = `query GetHome($property_id: ID!) {
  home(property_id: $property_id) {
    property_id href status list_price list_date last_sold_price last_sold_date price_per_sqft
    description { type beds baths baths_full baths_half sqft lot_sqft year_built garage stories }
    details { category text }
    location {
      address { line city state_code postal_code coordinate { lat lon } }
      county { name }
      neighborhoods { name }
    }
    property_history { date event_name price }
    tax_history { year tax assessment { total } }
  }
}`

/**
 * Returns a home by the call of the site's scripts, in the form of the page's state but with fewer
 * fields.
 */
export async function homeByCall(id: string, referer: string, refusal: Refusal, ctx: Context) {
  const { clientName, clientVersion } = ctx.upstream(realtorTable)
  const response = await ctx.data(address, {
    refusal: { statuses: refusal.statuses ?? [] },
    what: "the property",
    identity: "browser",
    headers: {
      origin: "https://www.realtor.com",
      referer,
      "rdc-client-name": clientName,
      "rdc-client-version": clientVersion,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    },
    json: { operationName: "GetHome", variables: { property_id: id }, query },
  })
  const home = new JsonReader(response.json()).in("data", "home")
  const details = { url: referer, statusCode: response.status }
  if (home.has("property_id")) return { d: home, shownAt: referer }
  if (home.root === null) throw new NotFound("No such property on Realtor.com.", details)
  throw new Changed("Realtor.com's response has no property.", details)
}
