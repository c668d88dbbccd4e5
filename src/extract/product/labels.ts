import { gtinOf, isPlaceholder } from "./ids.ts"

export type Label = "sku" | "gtin" | "mpn" | "brand"

/**
 * What shops call these: lower case, marks between the words dropped, `#`, `№` and `n°` written
 * "no". Names for one thing in one language stand in one row.
 */
const names: Record<Label, string[]> = {
  sku: [
    "sku|sku no|sku number|sku code|sku id|product sku|item sku|web sku|seller sku|variant sku",
    "item no|item number|item id|item code|product code|product id|product no|product number",
    "product ref|product reference|article no|article nr|article number|article code|art no",
    "catalog no|catalogue no|catalog number|catalogue number|cat no|stock code|stock no",
    "stock number",
    "style no|style number|style code|web id|web code|web no|order code|ref|ref no|reference",
    "reference no|reference number|code|listing id|ad id|asin|ebay item number",
    "artikelnummer|artikel nr|artikelnr|artikel no|artikel|artikel nummer|art nr|artnr|art nummer",
    "artikelcode|artikel code|bestellnummer|bestell nr|bestellnr|bestell nummer|best nr|bestnr",
    "produktnummer|produkt nr|produktnr|produktcode|produkt code|produkt id|anzeigennummer",
    "anzeigen nr|anzeigen id|ebay artikelnummer",
    "référence|référence produit|référence article|référence du produit|réf|réf produit",
    "ref produit",
    "réf no|référence no|code article|code produit|no article|numéro d'article|numéro de référence",
    "no de l'objet ebay|numéro de l'objet ebay",
    "referencia|código|cód|código de producto|código del producto|código de artículo",
    "código artículo|no de artículo|número de artículo|número de referencia",
    "número de artículo de ebay",
    "referência|código do produto|cód do produto|cod do produto|código do item",
    "codice|codice articolo|codice prodotto|cod|cod articolo|cod art|cod prodotto|rif|riferimento",
    "numero oggetto ebay",
    "artikelkode|bestelnummer|productnummer|productcode",
    "kod|kod produktu|kod towaru|nr katalogowy|numer katalogowy|indeks|symbol|nr produktu",
    "numer produktu|nr artykułu|nr ref",
    "kód|kód produktu|kód tovaru|kód zboží|objednací kód|objednávací kód|katalogové číslo",
    "číslo produktu|číslo zboží|číslo položky",
    "cikkszám|termékkód|termék kód|cod produs|cod articol",
    "šifra|šifra izdelka|šifra artikla|šifra proizvoda|koda izdelka|kataloški broj",
    "tootekood|toote kood|preces kods|kods|artikuls|prekės kodas|kodas",
    "tuotenumero|tuotekoodi|tuotenro|varenummer|varenr|vare nr",
    "артикул|арт|артикул товара|код|код товара|код товару|код продукта|код изделия|номер товара",
    "каталожен номер|код на продукта|κωδικός|κωδικός προϊόντος|ürün kodu|stok kodu|ürün no",
    "商品編號|商品编号|商品貨號|貨號|货号|商品代號|商品編碼|商品编码|產品編號|产品编号|款號|款号|品號",
    "商品番号|品番|商品コード|製品番号|製品コード|管理番号|상품번호|상품코드|제품번호|품번",
    "מקט|קוד מוצר|מספר קטלוגי|מספר מוצר|קוד פריט|رمز المنتج|رقم المنتج|كود المنتج|رقم الصنف",
    "mã sản phẩm|mã sp|mã hàng|รหัสสินค้า|kode produk|kode barang",
  ],
  gtin: [
    "ean|ean code|ean no|ean nr|ean nummer|ean number|ean 8|ean 13|ean8|ean13|ean upc|upc ean",
    "ean gtin",
    "gtin|gtin ean|gtin 8|gtin 12|gtin 13|gtin 14|gtin13|gtin14|upc|upc code|upc no|upc number",
    "upc a",
    "isbn|isbn 10|isbn 13|isbn10|isbn13|isbn no|barcode|bar code|barcode no|barcode number",
    "ean barcode|barcode ean|jan|jan code|janコード",
    "code ean|code barre|code barres|code à barres|codice ean|codice a barre|código ean",
    "código de barras|strichcode|streepjescode|kod ean|ean kod|kod kreskowy|ean kód|kód ean",
    "čárový kód|čiarový kód|vonalkód|cod ean|cod de bare|viivakoodi|streckkod|stregkode|strekkode",
    "код ean|штрихкод|штрих код|바코드|ברקוד|國際條碼|條碼|条形码",
  ],
  mpn: [
    "mpn|model|model no|model number|model nr|model code|model name number|item model number",
    "manufacturer part number|manufacturers part number|manufacturer's part number",
    "manufacturer part no|manufacturer no|manufacturer number|manufacturer ref|manufacturer code",
    "manufacturer reference|mfr part number|mfr part no|mfr no|mfg part no|mfg no|part no",
    "part number",
    "p n|pn",
    "modellnummer|modell nr|modell|herstellernummer|hersteller nr|herstellernr|han",
    "hersteller artikelnummer|herstellerartikelnummer|hersteller art nr|hersteller artikel nr",
    "hersteller produktnummer|referenznummer|referenznummer hersteller|teilenummer",
    "modèle|numéro de modèle|numéro du modèle|numéro du modèle de l'article|numéro de pièce",
    "numéro de pièce fabricant|numéro de pièce du fabricant|référence fabricant|réf fabricant",
    "référence constructeur|réf constructeur",
    "modello|numero modello|numero modello articolo|numero di modello|codice produttore",
    "codice modello|codice costruttore",
    "modelo|número de modelo|número de modelo del producto|número de pieza|referencia fabricante",
    "referencia del fabricante|referência do fabricante",
    "modelnummer|fabrikantcode|tillverkarens artikelnummer|valmistajan tuotenumero|malli|mudel",
    "kód výrobcu|kód výrobce|part number výrobcu|part number výrobce|výrobné číslo|výrobní číslo",
    "produktové číslo|kod producenta|numer katalogowy producenta|gyártói cikkszám|cod producător",
    "ražotāja kods|gamintojo kodas|tootja kood|modelis",
    "модель|модел|код производителя|артикул производителя|номер модели",
    "型號|型号|產品型號|产品型号|型番|製品型番|メーカー型番|モデル番号|모델명|모델번호|דגם",
  ],
  brand: [
    "brand|brand name|brands|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante",
    "produttore|merk|fabrikant|varumärke|tillverkare|märke|mærke|varemærke|merke|merkki",
    "tuotemerkki|valmistaja|značka|výrobca|výrobce|marka|producent|márka|gyártó|producător",
    "znamka|blagovna znamka|brend|proizvajalec|proizvođač|bränd|kaubamärk|tootja|zīmols|ražotājs",
    "prekės ženklas|gamintojas|бренд|марка|производитель|торговая марка|торгова марка|виробник",
    "μάρκα|thương hiệu|ยี่ห้อ|merek|品牌|廠牌|ブランド|メーカー|브랜드|제조사|מותג|יצרן|الماركة",
    "العلامة التجارية",
  ],
}

const byName = new Map<string, Label>()
for (const [label, rows] of Object.entries(names)) {
  for (const name of rows.join("|").split("|")) byName.set(name, label as Label)
}

/** Names that also stand before other things: they count only with a colon or in a cell of their own. */
const commonNames = new Set(
  (
    "code codice código cód cod kod kód kods kodas код artikel model modell modèle " +
    "modello modelo malli mudel modelis модель модел indeks symbol han jan κωδικός pn"
  ).split(" "),
)

/** Vouchers stand beside these as well; a product's number has more digits than "SAVE10". */
const voucherNames = new Set(["code", "codice", "código", "kod", "kód", "код", "cod", "cód"])
const fewestDigits = 4

const longestName = 40
/** What a value is cut to before it is looked at. */
const longestText = 200

/** A label as the lists above have it. */
function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/["'׳״]/g, (mark) => (mark === "'" ? mark : ""))
    .replace(/[#№]|\bn[°º]/g, " no ")
    .replace(/[\s\u200e\u200f.:：_/()[\]【】〈〉-]+/gu, " ")
    .trim()
}

/** The property that a label names; null for all other labels. */
export function labelOf(text: string): Label | null {
  if (text.length > longestName) return null
  return byName.get(nameOf(text)) ?? null
}

/** A shown value cut to what it should be; null when it cannot be a value of what the label names. */
export function labelledValue(labelText: string, text: string): string | null {
  const label = labelOf(labelText)
  const value = text
    .slice(0, longestText)
    .replace(/[\u200e\u200f]/g, "")
    .replace(/^[\s:：#【〈[(-]+/, "")
    .replace(/[\s】〉\]),;.]+$/, "")
  if (label === null || isPlaceholder(value)) return null
  if (label === "gtin") return gtinOf(/^[\dXx][\dXx\s-]*/.exec(value)?.[0])
  if (label === "brand") return value.length >= 2 && value.length <= longestName ? value : null
  const code = label === "sku" ? shopCode(value) : value
  if (code.length < 2 || code.length > 40 || /[:?!]|\s\S+\s\S+\s/.test(code)) return null
  const digits = code.match(/\d/g)?.length ?? 0
  return digits >= (voucherNames.has(nameOf(labelText)) ? fewestDigits : 1) ? code : null
}

/** `AB 12.34` as a whole, of `12-34 in three colours` the first word. */
function shopCode(value: string): string {
  const words = value.split(/\s*[,;|(]|\s+\S+[:：]/)[0]!.trim()
  return /^(?:[\p{Lu}\d][\p{Lu}\d./_-]*\s?){1,3}$/u.test(words) && /\d/.test(words)
    ? words
    : (/^\S*/.exec(words)?.[0] ?? "")
}

/** Splits `Ref. KT-100`: a label without a colon, and a code of some length. */
export function splitBare(text: string): [label: string, value: string] | null {
  const words = text.split(" ")
  if (words.length < 2 || words.length > 7) return null
  for (let count = Math.min(words.length - 1, 4); count > 0; count--) {
    const label = words.slice(0, count).join(" ")
    const value = words.slice(count).join(" ")
    if (labelOf(label) === null || labelOf(label) === "brand") continue
    if (commonNames.has(nameOf(label)) || !isLongCode(value)) return null
    return [label, value]
  }
  return null
}

const isLongCode = (value: string) =>
  /^[\p{L}\d][\p{L}\d./_-]*(?:\s[\p{Lu}\d./_-]+){0,3}$/u.test(value) &&
  (value.match(/\d/g)?.length ?? 0) >= 3
