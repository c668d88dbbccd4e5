/** Digits of a GTIN, EAN, UPC or ISBN as written, without separators; null when it is none. */
export function gtinOf(text: string | null | undefined): string | null {
  const digits = (text ?? "")
    .replace(/^\s*(?:urn:)?(?:isbn|ean|gtin|upc)(?:-?(?:1[0-4]|8))?\s*[:#]?\s*/i, "")
    .replace(/[\s-]/g, "")
  return /^(?:\d{8}|\d{12,14}|\d{9}[\dXx])$/.test(digits) && !/^0+$/.test(digits) ? digits : null
}

export type Label = "sku" | "gtin" | "mpn" | "brand"

/** What shops call these, each name whole, lower case, without closing marks. */
const labels: Record<Label, RegExp> = {
  sku: new RegExp(
    "^(?:(?:product |item |web |seller )?sku(?: #| number| code)?|item(?: no| number| #| id| code)|product (?:code|id|no|number|#|ref\\w*)|" +
      "art(?:ikel|icle)?[\\s.-]*(?:nr|no|number|nummer|code)|artnr|artikelkode|bestell[\\s.-]?(?:nr|nummer)|best\\.?[\\s-]?nr|produktnummer|produkt[\\s-]?nr|" +
      "(?:réf|ref)(?:érence|erencia|erência|erence)?(?: produit)?|code(?: article| produit)?|código(?: do produto| del producto| de artículo)?|cód(?:igo)?|codice(?: articolo| prodotto)?|cod(?: produs|ice)?|" +
      "kód(?: produktu| tovaru| zboží)?|objednací kód|katalogové číslo|číslo (?:produktu|položky)|kod(?: produktu)?|nr katalogowy|indeks|numer katalogowy|cikkszám|termékkód|" +
      "артикул|код(?: товара| продукта)?|арт|šifra(?: izdelka| artikla)?|tootekood|toote kood|preces kods|prekės kodas|kods|tuotenumero|tuotekoodi|varenummer|varenr|artikel|" +
      "商品編號|商品编号|商品貨號|貨號|商品番号|品番|상품번호|상품코드|מק\"?ט|asin|ebay item number|n° de l'objet ebay|numéro de l'objet ebay|numero oggetto ebay|ebay-artikelnummer|número de artículo de ebay)$",
    "u",
  ),
  gtin: /^(?:ean(?:[\s-]?(?:code|13|kod|kód|nr|8))?|gtin(?:-?1[234])?|upc(?: code)?|isbn(?:-?1[03])?|barcode|bar code|čárový kód|kod ean|ean kód|код ean|штрихкод|штрих-код|jan(?:コード)?)$/u,
  mpn: /^(?:mpn|item model number|model (?:number|no|nr|code|name\/number)|manufacturer(?:'s)? part number|manufacturer (?:no|number|ref\w*)|mfr\.? part (?:number|no|#)|mfr #|part (?:number|no)|p\/n|pn|modellnummer|hersteller(?:nummer|[\s-]?nr|-artikelnummer|artikelnummer)|referenznummer(?: hersteller)?|numéro (?:du modèle(?: de l'article)?|de modèle|de pièce(?: fabricant)?)|référence (?:fabricant|constructeur)|numero (?:modello(?: articolo)?|di modello)|codice produttore|número (?:de modelo(?: del producto)?|de pieza)|modelo|modèle|modello|model|kód (?:výrobcu|výrobce)|part number výrobcu|výrobné číslo|produktové číslo|kod producenta|код производителя|型號|型番)$/u,
  brand:
    /^(?:brand(?: name)?|marke|marque|marca|merk|značka|znamka|marka|märke|mærke|merke|tuotemerkki|merkki|bränd|kaubamärk|zīmols|prekės ženklas|márka|producător|výrobca|výrobce|producent|proizvajalec|proizvođač|gyártó|manufacturer|hersteller|fabricant|fabricante|produttore|tootja|ražotājs|бренд|марка|производитель|торговая марка|виробник|品牌|ブランド|メーカー|브랜드|제조사|מותג|יצרן|الماركة|العلامة التجارية)$/u,
}

/** The property that a label names; null for all other labels. */
export function labelOf(text: string): Label | null {
  const name = text
    .toLowerCase()
    .replace(/[\s\u200e\u200f:：.#№°-]+$/u, "")
    .trim()
  if (name.length < 2 || name.length > 40) return null
  for (const [label, pattern] of Object.entries(labels)) {
    if (pattern.test(name)) return label as Label
  }
  return null
}

/** A shown value cut to what it should be; null when it cannot be a value of this property. */
export function labelledValue(label: Label, text: string): string | null {
  const value = text
    .replace(/[\u200e\u200f]/g, "")
    .replace(/^[\s:：#-]+/, "")
    .trim()
  if (label === "gtin") return gtinOf(value)
  if (label === "brand")
    return value.length >= 2 && value.length <= 40 && !isPlaceholder(value) ? value : null
  const code = label === "sku" ? (/^[^\s,;|()]+/.exec(value)?.[0] ?? "") : value
  return /\d/.test(code) &&
    code.length >= 2 &&
    code.length <= 40 &&
    !/[:?!]|\s\S+\s\S+\s/.test(code)
    ? code
    : null
}

/** The shop's own number of a product in its page's address: `/dp/B07FW264WL`, `-14347.html`. */
export function idInAddress(address: string): string | null {
  const { pathname } = new URL(address)
  const segments = pathname.split("/").filter(Boolean).reverse().slice(0, 3)
  for (const segment of segments) {
    const name = segment.replace(/\.\w{2,5}$/, "")
    const id =
      /^(?:[a-z]{1,3}[-_.]?)?(\d{5,14})$/i.exec(name) ??
      /[-_.]([a-z]{0,2}\d{5,14})$/i.exec(name) ??
      /^([A-Z\d]{6,14})$/.exec(name)
    if (id && /\d/.test(id[1]!)) return id[1]!
  }
  return null
}

/** What a template leaves behind where it had no value. */
export const isPlaceholder = (text: string) =>
  /^(?:\$\w+|\{\{.*|%\w+%|null|undefined|n\/?a|none|-+|unknown)$/i.test(text.trim())
