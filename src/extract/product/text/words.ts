import type { WordTable } from "../../core/index.ts"

/** Words of shops next to prices and buttons. */

/** Words near an amount that is an instalment, the delivery or the saving. */
export const otherAmounts: WordTable = {
  en: String.raw`
    per month|\/\s?mo(?:nth)?\b|monthly|shipping|delivery|you save|\bsave \d|excl
  `,
  de: "monatl|pro monat|versand|sparen|ersparnis|netto",
  fr: "par mois|livraison|économi",
  es: String.raw`mensual|envío|\/\s?mes\b|al mes\b|cuotas|\bmsi\b`,
  pt: String.raw`frete|\/\s?mês|por mês|parcel|prestaç`,
  it: String.raw`mensil|al mese|\/\s?mese|\brat[ae]\b|spedizione|risparm`,
  pl: String.raw`miesięcznie|\brat[aey]\b`,
  cs: "bez dph",
  sl: "brez ddv",
  ru: "доставка",
  he: "משלוח",
  zh: "每期|月付|分期|運費|現省",
}

/** On the button that puts the product into the cart: whole words. */
export const buyPhrases: WordTable = {
  en: `
    add to (?:shopping )?(?:cart|bag|basket|trolley)|buy(?: it)? now|add to order
  `,
  de: "in den (?:warenkorb|einkaufswagen)",
  fr: "(?:ajouter|mettre) (?:au|dans (?:le|mon)) panier|j'achète|acheter",
  es: "añadir (?:al carrito|a la cesta|a la bolsa)|agregar al carr\\w+|comprar",
  it: "aggiungi al carrello|acquista",
  pt: "(?:adicionar|colocar) (?:ao|no) carrinho",
  pl: "(?:dodaj )?do koszyka|kup teraz",
  cs: "(?:vložit |vložiť |pridať |přidat )?do (?:košíku|košíka)|koupit",
  sk: "kúpiť",
  sl: "(?:dodaj )?v (?:košarico|voziček)",
  hu: "kosárba",
  ro: "(?:adauga|adaugă) [iî]n co[sș]",
  et: "lisa (?:ostu)?korvi|osta",
  lv: "(?:ielikt|pievienot) groz\\w+|pirkt",
  lt: "į krepšelį|pirkti",
  nl: "(?:toevoegen aan|in) winkel(?:wagen|mand)\\w*",
  sv: "lägg i varukorg\\w*|köp",
  da: "læg i kurv",
  nb: "legg i handlekurv\\w*",
  fi: "lisää ostoskoriin",
  tr: "sepete ekle|satın al",
}

/** The same in languages that inflect these words or write without spaces. */
export const buyStems: WordTable = {
  ru: "в корзину|купить",
  uk: "до кошика|купити",
  zh: "加入購物車|加入购物车|放入購物車|我要購買|直接購買|立即購買|立即购买",
  ja: "カートに入れる|購入",
  ko: "장바구니|구매하기|바로구매",
  he: "הוסף לסל|הוספה לסל|קנה עכשיו",
  ar: "أضف إلى|اشتر",
}

/** On the button in its place while the product is unavailable. */
export const notifyPhrases: WordTable = {
  en: "notify me|email me when",
  de: "benachrichtigen",
  fr: "me prévenir",
  es: "avísame",
  it: "avvisami",
  pt: "avise-me",
  cs: "hlídat dostupnost",
  sk: "strážiť dostupnosť",
  pl: "powiadom o dostępności",
}

/** On Amazon, before the name of the brand whose shop it links to. */
export const visitTheShop: WordTable = {
  en: "visit the",
  fr: "visiter la boutique",
  it: "visita lo store di",
  es: "visita la tienda de",
  de: "besuchen? sie den|besuche den",
  nl: "bezoek de",
  pl: "odwiedź sklep|przejdź do",
  pt: "visite a loja d[aeo]",
  sv: "besök",
}

/** Texts instead of a value. */
export const placeholders: WordTable = {
  any: "null|undefined|false|none",
  en: String.raw`n\.?\/?a\.?|tbc|tbd|unknown|not (?:available|applicable)|does not apply`,
  de: "nicht zutreffend",
  it: "non applicabile",
  es: "no aplica",
  pt: "não aplicável",
  fr: "ne s'applique pas",
}
