import { words } from "../core/index.ts"

/** Words of class names and ids, the whole word each, and what they say of a price. */
export const priceMarks = {
  price: new RegExp(
    `^(?:${words(
      String.raw`price\w*|\w*price|cena|ceny|preis|prix|precio|prezzo|preco|hinta|pris|prijs|pret|tarif|kaina`,
      "cijena|fiyat|stoimost",
    )})$`,
    "",
  ),
  /** The one to pay. */
  main: new RegExp(
    `^(?:${words(
      "now|current|sale|sales|special|final|actual|our|ourprice|offer|selling|buying|main|product",
      "detail|today|discounted|pay|big|large|aktualni|aktuell|primary|value|buybox",
    )})$`,
    "",
  ),
  /** The one before a reduction. */
  old: new RegExp(
    `^(?:${words(
      "old|was|non|list|listprice|regular|before|crossed|cross|strike|strikethrough|striked|through",
      "original|rrp|msrp|uvp|pvp|retail|previous|prev|full|ancien|barre|stara|stary|alt|vorher",
      "statt|compare|base|standard|oldprice",
    )})$`,
    "",
  ),
  /** The same where it needs no word for price beside it, inside an element that has one. */
  surelyOld: new RegExp(
    `^(?:${words(
      "old|was|regular|before|crossed|strike|strikethrough|striked|through|original|rrp|msrp|uvp",
      "previous|prev|vorher|statt|compare|oldprice",
    )})$`,
    "",
  ),
  /** Of something else: an instalment, a unit, the delivery, the saving. */
  other: new RegExp(
    `^(?:${words(
      "month|monthly|monthlyprice|installment|installments|instalment|instalments|rata|raty|rate",
      "finance|financing|credit|leasing|unit|unitprice|per|grundpreis|points|bonus|shipping",
      "delivery|versand|postage|save|saving|savings|discount|coupon|voucher|tax|net|netto|excl",
      "excluding|exvat|novat|deposit|warranty|insurance|trade|range|filter|from|gift|loyalty|member",
      "club|minimum|subtotal|total",
    )})$`,
    "",
  ),
  button: /^(?:btn|button)$/,
} as const

/** `price--withoutTax` may be the only price there is, which `price-tax` is not. */
const withTax = /^(?:with|without|incl|including)$/

/** Whether an element that shows a price names it as one of something else. */
export function isOtherPrice(marks: string[]): boolean {
  const named = marks.some((one) => withTax.test(one))
    ? marks.filter((one) => one !== "tax")
    : marks
  return named.some((one) => priceMarks.other.test(one))
}

/** What a text says when its amount is an instalment, the delivery or the saving. */
export const otherAmounts = new RegExp(
  words(
    String.raw`每期|月付|分期|per month|\/\s?mo(?:nth)?\b|monthly|mensual|mensil|monatl|pro monat|par mois`,
    String.raw`al mese|miesięcznie|\brat[aey]\b|shipping|delivery|versand|livraison|spedizione|envío|frete`,
    String.raw`доставка|משלוח|運費|you save|\bsave \d|sparen|ersparnis|économi|risparm|現省|excl|netto|bez dph`,
    "brez ddv",
  ),
  "i",
)

/** Parts of a page that belong to other products or to no product. */
export const elsewhereMarks = new RegExp(
  `^(?:${words(
    "related|similar|recommend|recommended|recommendation|recommendations|recs|crosssell|upsell",
    "upsells|upselling|alsobought|also|accessories|accessory|accesories|recently|viewed|history",
    "bestseller|bestsellers|sponsored|sponsor|bundle|bundles|footer|nav|navigation|menu|megamenu",
    "minicart|minibasket|compare|comparison|review|reviews|comments|question|questions|faq",
    "newsletter|breadcrumb|breadcrumbs|alternatives|suggestions|suggested|suggest|sims",
    "similarities|carousel|teaser|teasers|advert|ads|ad|topbar|search|autocomplete|swatch|twister",
    "others|together|thumb|zusammen|ahnliche|podobne|podobné",
  )})$`,
  "",
)
export const elsewhereElements = new Set(["footer", "nav", "header"])

/** Parts that are lists of other products in one shop, and the product's own details in another. */
export const apartMarks = /^(?:banner|products|listing|grid|header|tile|tiles|popup|tooltip|promo)$/

/** Elements that say in their class whether the product is there. */
export const stockMarks = new RegExp(
  `^(?:${words(
    "availability|available|stock|instock|outofstock|inventory|dostupnost|verfugbarkeit",
    "disponibilidad|disponibilite|lieferbarkeit|lager|sklad|voorraad|soldout",
  )})$`,
  "",
)

/** What the button says that puts the product into the cart. */
export const buyWords = new RegExp(
  [
    "(?<!\\p{L})(?:add to (?:shopping )?(?:cart|bag|basket|trolley)|buy(?: it)? now|add to order",
    "in den (?:warenkorb|einkaufswagen)",
    "(?:ajouter|mettre) (?:au|dans (?:le|mon)) panier|j'achète|acheter",
    "añadir (?:al carrito|a la cesta|a la bolsa)|agregar al carr\\w+|comprar",
    "aggiungi al carrello|acquista|(?:adicionar|colocar) (?:ao|no) carrinho",
    "(?:dodaj )?do koszyka|kup teraz|(?:vložit |vložiť |pridať |přidat )?do (?:košíku|košíka)",
    "koupit|kúpiť",
    "(?:dodaj )?v (?:košarico|voziček)|kosárba|(?:adauga|adaugă) [iî]n co[sș]",
    "lisa (?:ostu)?korvi|osta|(?:ielikt|pievienot) groz\\w+|pirkt|į krepšelį|pirkti",
    "(?:toevoegen aan|in) winkel(?:wagen|mand)\\w*|lägg i varukorg\\w*|köp|læg i kurv",
    "legg i handlekurv\\w*|lisää ostoskoriin|sepete ekle|satın al)(?!\\p{L})",
    "в корзину|купить|до кошика|купити",
    "加入購物車|加入购物车|放入購物車|我要購買|直接購買|立即購買|立即购买|カートに入れる|購入",
    "장바구니|구매하기|바로구매|הוסף לסל|הוספה לסל|קנה עכשיו|أضف إلى|اشتر",
  ].join("|"),
  "iu",
)

/** Names of that button in class, id or script. */
export const buyNames = new RegExp(
  words(
    "add[-_ ]?to[-_ ]?(?:cart|bag|basket|trolley)|buy[-_ ]?(?:now|button|btn|it)",
    "(?:btn|button)[-_ ]?(?:cart|buy|basket)|(?:cart|basket)[-_ ]?(?:add|button|btn|submit)",
    "single_add_to_cart|add2cart|product-form__submit",
  ),
  "i",
)

/** What stands in its place while the product cannot be had. */
export const notifyWords = new RegExp(
  String.raw`(?<!\p{L})(?:${words(
    "notify me|email me when|benachrichtigen|me prévenir|avísame|avvisami|avise-me",
    "hlídat dostupnost|strážiť dostupnosť|powiadom o dostępności",
  )})(?!\p{L})`,
  "iu",
)
