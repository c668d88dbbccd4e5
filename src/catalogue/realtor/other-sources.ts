import { JsonReader, mergeParts } from "../../extract/embedded/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  Changed,
  type Context,
  NotFound,
  type Refusal,
  type UpstreamResponse,
} from "../kit/index.ts"
import { realtorTable } from "./upstream.ts"

/** Returns the page's structured data in the form of its state, with fewer fields. */
export function structuredOf(response: UpstreamResponse): JsonReader | undefined {
  const home = ["RealEstateListing", "SingleFamilyResidence", "Residence", "House", "Apartment"]
  const nodes = schemaNodes(response.document).filter((node) => node.isOfType(...home))
  // Homes nearby have their own nodes.
  const number = /_M\d{5}-\d{5}/.exec(response.url)?.[0] ?? ""
  const named = nodes.filter((candidate) => candidate.text("url")?.includes(number))
  const own = named.length > 0 || nodes.length > 1 ? named : nodes
  if (own.length === 0) return
  const node = new SchemaReader(mergeParts(own.map(({ root }) => root as object)))
  const main = node.has("mainEntity") ? node.in("mainEntity") : node
  const about = (...path: string[]) => node.value(...path) ?? main.value(...path)
  const images = about("image")
  const rooms = about("numberOfBedrooms") ?? about("numberOfRooms")
  const baths = about("numberOfBathroomsTotal")
  return new JsonReader({
    href: node.text("url"),
    list_price: about("offers", "price"),
    location: {
      address: {
        line: about("address", "streetAddress"),
        city: about("address", "addressLocality"),
        state_code: about("address", "addressRegion"),
        postal_code: about("address", "postalCode"),
        country: about("address", "addressCountry"),
        coordinate: { lat: about("geo", "latitude"), lon: about("geo", "longitude") },
      },
    },
    description: {
      text: about("description"),
      beds: rooms,
      baths_consolidated: baths === undefined ? null : String(baths),
      sqft: about("floorSize", "value"),
    },
    photos: [images].flat().map((image) => ({
      href: typeof image === "string" ? image : new SchemaReader(image).text("url"),
    })),
  })
}

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
  const response = await ctx.data("https://www.realtor.com/frontdoor/graphql", {
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
