import { JsonReader, mergeParts } from "../../extract/embedded/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import type { UpstreamResponse } from "../kit/index.ts"

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
