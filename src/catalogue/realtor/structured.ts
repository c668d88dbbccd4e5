import { JsonReader, mergeParts } from "../../extract/embedded/index.ts"
import { isOfType, readJsonLd } from "../../extract/structured/index.ts"
import type { Answer } from "../kit/index.ts"

/** What the page's structured data tells, in the form of its state; less than that. */
export function structuredOf(answer: Answer): JsonReader | undefined {
  const home = ["RealEstateListing", "SingleFamilyResidence", "Residence", "House", "Apartment"]
  const nodes = readJsonLd(answer.document)
    .entities.map(({ data }) => data)
    .filter((node) => home.some((type) => isOfType(node, type)))
  // Homes near by have nodes of their own.
  const number = /_M\d{5}-\d{5}/.exec(answer.url)?.[0] ?? ""
  const named = nodes.filter((candidate) => new JsonReader(candidate).text("url")?.includes(number))
  const own = named.length > 0 || nodes.length > 1 ? named : nodes
  if (own.length === 0) return
  const node = new JsonReader(mergeParts(own))
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
    photos: (Array.isArray(images) ? images : [images]).map((image) =>
      typeof image === "string" ? { href: image } : { href: new JsonReader(image).text("url") },
    ),
  })
}
