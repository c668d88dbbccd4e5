import { JsonReader, jsonAfter } from "../../extract/embedded/index.ts"
import { ebayCountry, ebayPrice } from "./ebay.ts"
import type { ListingPage } from "./listing.ts"

/** Returns the variations from the page's own data model. */
export function variantsOf(page: ListingPage, images: string[]) {
  const model = new JsonReader(jsonAfter(page.html, '"MSKU"'))
  if (model.has("variationsMap")) {
    const options = optionsOf(model, "selectMenus", "displayLabel")
    return model.entries("variationsMap").map(([id, variation]) => ({
      id,
      options: options.get(id)?.names ?? {},
      ...priceOf(variation.in("binModel", "price", "value")),
      ...stockOf(variation.in("quantity")),
      images: imagesOf(model, options.get(id)?.values ?? [], images),
    }))
  }
  const older = new JsonReader(jsonAfter(page.html, '"itmVarModel"'))
  const options = optionsOf(older, "menuModels", "name")
  return older.entries("itemVariationsMap").map(([id, variation]) => {
    const written = ebayPrice(variation.text("price"), { country: ebayCountry(page.host) })
    const price = priceOf(variation.in("priceAmountValue"))
    return {
      id,
      options: options.get(id)?.names ?? {},
      price: price.price ?? written?.amount ?? null,
      currency: price.currency ?? written?.currency ?? null,
      available: variation.flag("inStock"),
      quantity: variation.integer("quantityAvailable"),
      images: imagesOf(older, options.get(id)?.values ?? [], images),
    }
  })
}

interface Options {
  names: Record<string, string>
  /** IDs of the menu's values. */
  values: string[]
}

/** Returns the options of each variation: menus list values, and values list their variations. */
function optionsOf(model: JsonReader, menus: string, label: string): Map<string, Options> {
  const byId = new Map<string, Options>()
  for (const menu of model.list(menus)) {
    const name = menu.title(label) ?? menu.title("displayName")
    const values = menu.value<unknown[]>("menuItemValueIds")
    if (!name || !Array.isArray(values)) continue
    for (const value of values.map(String)) {
      const item = model.in("menuItemMap", value)
      const text = item.title("displayName") ?? item.title("valueName")
      const ids = item.value<unknown[]>("matchingVariationIds")
      if (!text || !Array.isArray(ids)) continue
      for (const id of ids.map(String)) {
        const known = byId.get(id) ?? { names: {}, values: [] }
        known.names[name] = text
        known.values.push(value)
        byId.set(id, known)
      }
    }
  }
  return byId
}

/** In a foreign currency the price is converted; `convertedFrom…` is the seller's own. */
function priceOf(value: JsonReader): { price: number | null; currency: string | null } {
  const own = value.number("convertedFromValue")
  return own
    ? { price: own, currency: value.text("convertedFromCurrency") }
    : { price: value.number("value"), currency: value.text("currency") }
}

function stockOf(quantity: JsonReader): { available: boolean | null; quantity: number | null } {
  const isOut = quantity.flag("outOfStock")
  const limits = quantity
    .list("quantityInput", "validations")
    .filter((limit) => limit.text("_type") === "NumberValidation" || limit.has("maxValue"))
  return {
    available: isOut === null ? null : !isOut,
    quantity: limits.flatMap((limit) => limit.integer("maxValue") ?? [])[0] ?? null,
  }
}

/** Returns the listing's images of the values, by their indexes. */
const imagesOf = (model: JsonReader, values: string[], images: string[]): string[] =>
  values.flatMap((value) => {
    const places = model.value<unknown[]>("menuItemPictureIndexMap", value)
    if (!Array.isArray(places)) return []
    return places.flatMap((place) => images[Number(place)] ?? [])
  })
