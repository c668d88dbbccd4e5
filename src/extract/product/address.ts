import { wordSet } from "../core/index.ts"

/** Parameters of URLs in which shops name the version or article that is shown. */
const articleParameters = ["sku", "childSku", "skuId", "sku_id", "artnr"]

/** Parameters that hold the shop's own number of a product. */
const productParameters = (
  "product_id productId product-id productid products_id id_product prod_id prodId pid goods_id " +
  "goodsNo goods_no itemId item_id itemid item prod product sArticle id p"
).split(" ")

const productSegments = wordSet(`
  p product products prod item items dp goods detail produkt produkte producto produto prodotto
  produit
`)

/** The shop's own number of a product in its page's address: `/dp/B07FW264WL`, `-14347.html`. */
export function idInAddress(url: string): string | null {
  const { pathname, searchParams } = new URL(url)
  return (
    parameterOf(searchParams, articleParameters) ??
    idInPath(pathname) ??
    parameterOf(searchParams, productParameters)
  )
}

function parameterOf(parameters: URLSearchParams, names: string[]): string | null {
  for (const name of names) {
    const value = parameters.get(name)
    if (value && /^[\w.-]{2,30}$/.test(value) && /\d/.test(value)) return value
  }
  return null
}

function idInPath(pathname: string): string | null {
  const segments = pathname.split("/").filter(Boolean).reverse().slice(0, 4)
  for (const [at, segment] of segments.slice(0, 3).entries()) {
    const name = segment.replace(/\.\w{2,5}$/, "")
    const id = idInSegment(name)
    if (id !== null) return id
    if (/^\d{2,4}$/.test(name) && productSegments.has(segments[at + 1] ?? "")) return name
  }
  return null
}

/** The patterns by which a segment holds a number, the surest first. */
const idPatterns = [
  // `4667999`, and with a lower-case mark before it `p3182808`.
  /^(?:[a-z]{1,4}[-_.]?)?(\d{5,14})$/,
  // `kettle-14347`, `kettle-iid-1021493409`, `kettle,p571345`, `kettle-KT10023`
  /[-_.](\d{5,14})$/,
  /,[a-z]?(\d{5,14})$/,
  /[-_.]([A-Za-z]{1,2}\d{5,14})$/,
  // `B07FW264WL`, `M67296549`
  /^((?=[A-Z]*\d)[A-Z\d]{6,14})$/,
  // `kettle-MKI6IKW1N4`, `kettle-w712550a`
  /[-_]((?=[A-Z]*\d)[A-Z\d]{6,14})$/,
  /[-_]([a-z]\d{5,10}[a-z]?)$/,
  // `c7200a278526196`: the category and the article.
  /^[a-z]\d+[a-z](\d{6,14})$/,
]

function idInSegment(name: string): string | null {
  for (const pattern of idPatterns) {
    const id = pattern.exec(name)
    if (id) return id[1]!
  }
  return null
}
