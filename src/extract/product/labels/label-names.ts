import type { WordTable } from "../../core/index.ts"

export type Label = "sku" | "gtin" | "mpn" | "brand"

/**
 * Labels of shops for these numbers: lower case, without marks between the words, and with `#`, `№` and
 * `n°` as "no".
 */
export const labelNames: Record<Label, WordTable> = {
  sku: {
    en: `
      sku|sku no|sku number|sku code|sku id|product sku|item sku|web sku|seller sku|variant sku
      item no|item number|item id|item code|product code|product id|product no|product number
      product ref|product reference|article no|article nr|article number|article code|art no
      catalog no|catalogue no|catalog number|catalogue number|cat no|stock code|stock no
      stock number|style no|style number|style code|web id|web code|web no|order code|ref|ref no
      reference|reference no|reference number|code|listing id|ad id|asin|ebay item number
    `,
    de: `
      artikelnummer|artikel nr|artikelnr|artikel no|artikel|artikel nummer|art nr|artnr
      art nummer|artikelcode|artikel code|bestellnummer|bestell nr|bestellnr|bestell nummer
      best nr|bestnr|produktnummer|produkt nr|produktnr|produktcode|produkt code|produkt id
      anzeigennummer|anzeigen nr|anzeigen id|ebay artikelnummer
    `,
    fr: `
      référence|référence produit|référence article|référence du produit|réf|réf produit
      ref produit|réf no|référence no|code article|code produit|no article|numéro d'article
      numéro de référence|no de l'objet ebay|numéro de l'objet ebay
    `,
    es: `
      referencia|código|cód|código de producto|código del producto|código de artículo
      código artículo|no de artículo|número de artículo|número de referencia
      número de artículo de ebay
    `,
    pt: "referência|código do produto|cód do produto|cod do produto|código do item",
    it: `
      codice|codice articolo|codice prodotto|cod|cod articolo|cod art|cod prodotto|rif
      riferimento|numero oggetto ebay
    `,
    nl: "artikelkode|bestelnummer|productnummer|productcode",
    pl: `
      kod|kod produktu|kod towaru|nr katalogowy|numer katalogowy|indeks|symbol|nr produktu
      numer produktu|nr artykułu|nr ref
    `,
    cs: `
      kód|kód produktu|kód zboží|objednací kód|katalogové číslo|číslo produktu|číslo zboží
      číslo položky
    `,
    sk: "kód tovaru|objednávací kód",
    hu: "cikkszám|termékkód|termék kód",
    ro: "cod produs|cod articol",
    sl: "šifra|šifra izdelka|šifra artikla|koda izdelka",
    hr: "šifra proizvoda|kataloški broj",
    et: "tootekood|toote kood",
    lv: "preces kods|kods|artikuls",
    lt: "prekės kodas|kodas",
    fi: "tuotenumero|tuotekoodi|tuotenro",
    nb: "varenummer|varenr|vare nr",
    ru: "артикул|арт|артикул товара|код|код товара|код продукта|код изделия|номер товара",
    uk: "код товару",
    bg: "каталожен номер|код на продукта",
    el: "κωδικός|κωδικός προϊόντος",
    tr: "ürün kodu|stok kodu|ürün no",
    zh: `
      商品編號|商品编号|商品貨號|貨號|货号|商品代號|商品編碼|商品编码|產品編號|产品编号
      款號|款号|品號
    `,
    ja: "商品番号|品番|商品コード|製品番号|製品コード|管理番号",
    ko: "상품번호|상품코드|제품번호|품번",
    he: "מקט|קוד מוצר|מספר קטלוגי|מספר מוצר|קוד פריט",
    ar: "رمز المنتج|رقم المنتج|كود المنتج|رقم الصنف",
    vi: "mã sản phẩm|mã sp|mã hàng",
    th: "รหัสสินค้า",
    id: "kode produk|kode barang",
  },
  gtin: {
    any: `
      ean|ean code|ean no|ean nr|ean nummer|ean number|ean 8|ean 13|ean8|ean13|ean upc|upc ean
      ean gtin|gtin|gtin ean|gtin 8|gtin 12|gtin 13|gtin 14|gtin13|gtin14|upc|upc code|upc no
      upc number|upc a|isbn|isbn 10|isbn 13|isbn10|isbn13|isbn no|jan|jan code
    `,
    en: "barcode|bar code|barcode no|barcode number|ean barcode|barcode ean",
    fr: "code ean|code barre|code barres|code à barres",
    it: "codice ean|codice a barre",
    es: "código ean|código de barras",
    de: "strichcode",
    nl: "streepjescode",
    pl: "kod ean|ean kod|kod kreskowy",
    cs: "ean kód|kód ean|čárový kód",
    sk: "čiarový kód",
    hu: "vonalkód",
    ro: "cod ean|cod de bare",
    fi: "viivakoodi",
    sv: "streckkod",
    da: "stregkode",
    nb: "strekkode",
    ru: "код ean|штрихкод|штрих код",
    ja: "janコード",
    ko: "바코드",
    he: "ברקוד",
    zh: "國際條碼|條碼|条形码",
  },
  mpn: {
    any: "mpn|p n|pn",
    en: `
      model|model no|model number|model nr|model code|model name number|item model number
      manufacturer part number|manufacturers part number|manufacturer's part number
      manufacturer part no|manufacturer no|manufacturer number|manufacturer ref
      manufacturer code|manufacturer reference|mfr part number|mfr part no|mfr no|mfg part no
      mfg no|part no|part number
    `,
    de: `
      modellnummer|modell nr|modell|herstellernummer|hersteller nr|herstellernr|han
      hersteller artikelnummer|herstellerartikelnummer|hersteller art nr
      hersteller artikel nr|hersteller produktnummer|referenznummer
      referenznummer hersteller|teilenummer
    `,
    fr: `
      modèle|numéro de modèle|numéro du modèle|numéro du modèle de l'article|numéro de pièce
      numéro de pièce fabricant|numéro de pièce du fabricant|référence fabricant|réf fabricant
      référence constructeur|réf constructeur
    `,
    it: `
      modello|numero modello|numero modello articolo|numero di modello|codice produttore
      codice modello|codice costruttore
    `,
    es: `
      modelo|número de modelo|número de modelo del producto|número de pieza
      referencia fabricante|referencia del fabricante
    `,
    pt: "referência do fabricante",
    nl: "modelnummer|fabrikantcode",
    sv: "tillverkarens artikelnummer",
    fi: "valmistajan tuotenumero|malli",
    et: "mudel|tootja kood",
    cs: "kód výrobce|part number výrobce|výrobní číslo|produktové číslo",
    sk: "kód výrobcu|part number výrobcu|výrobné číslo",
    pl: "kod producenta|numer katalogowy producenta",
    hu: "gyártói cikkszám",
    ro: "cod producător",
    lv: "ražotāja kods|modelis",
    lt: "gamintojo kodas",
    ru: "модель|код производителя|артикул производителя|номер модели",
    bg: "модел",
    zh: "型號|型号|產品型號|产品型号",
    ja: "型番|製品型番|メーカー型番|モデル番号",
    ko: "모델명|모델번호",
    he: "דגם",
  },
  brand: {
    en: "brand|brand name|brands|manufacturer",
    de: "marke|hersteller",
    fr: "marque|fabricant",
    es: "marca|fabricante",
    it: "produttore",
    nl: "merk|fabrikant",
    sv: "varumärke|tillverkare|märke",
    da: "mærke|varemærke",
    nb: "merke",
    fi: "merkki|tuotemerkki|valmistaja",
    cs: "značka|výrobce",
    sk: "výrobca",
    pl: "marka|producent",
    hu: "márka|gyártó",
    ro: "producător",
    sl: "znamka|blagovna znamka|proizvajalec",
    hr: "brend|proizvođač",
    et: "bränd|kaubamärk|tootja",
    lv: "zīmols|ražotājs",
    lt: "prekės ženklas|gamintojas",
    ru: "бренд|марка|производитель|торговая марка",
    uk: "торгова марка|виробник",
    el: "μάρκα",
    vi: "thương hiệu",
    th: "ยี่ห้อ",
    id: "merek",
    zh: "品牌|廠牌",
    ja: "ブランド|メーカー",
    ko: "브랜드|제조사",
    he: "מותג|יצרן",
    ar: "الماركة|العلامة التجارية",
  },
}
