import { isPageAddress, normaliseUrl, sameSite } from "./frontier.ts"
import { absoluteUrl, baseUrl, textOf } from "./html.ts"

/** Pages of a site that tell who is behind it, by what their link or path is called. */
export const contactWords: [kind: string, words: RegExp][] = [
  [
    "contact",
    /\b(?:contact|kontakt|contacto|contatti|contato|get[-\s]in[-\s]touch|contactez|kapcsolat|yhteystiedot|контакт\w*)/iu,
  ],
  [
    "imprint",
    /\b(?:impressum|imprint|legal[-\s]notice|mentions[-\s]l[eé]gales|aviso[-\s]legal|note[-\s]legali|colofon)/iu,
  ],
  [
    "about",
    /\b(?:about|(?:ue|ü)ber[-\s]uns|wir[-\s](?:ue|ü)ber[-\s]uns|a[-\s]propos|à propos|quienes[-\s]somos|quiénes somos|chi[-\s]siamo|quem[-\s]somos|o[-\s]nas|om[-\s]oss|company|unternehmen|firma|entreprise|empresa|azienda)/iu,
  ],
  ["team", /\b(?:team|people|staff|leadership|mitarbeiter|ansprechpartner|equipe|équipe|equipo)/iu],
  ["support", /\b(?:support|help|hilfe|kundenservice|customer[-\s]service)\b/iu],
  ["locations", /\b(?:locations?|standorte?|filialen|offices|anfahrt|find[-\s]us)\b/iu],
  ["careers", /\b(?:careers?|jobs?|karriere|stellen(?:angebote)?|empleo|emplois?|lavora)/iu],
  ["press", /\b(?:press|presse|newsroom|media[-\s]kit|prensa|stampa)\b/iu],
  ["blog", /\b(?:blog|magazin|news|aktuelles)\b/iu],
  ["pricing", /\b(?:pricing|prices|preise|tarife|tarifs|precios|plans)\b/iu],
  ["terms", /\b(?:terms|agb|conditions|cgv|nutzungsbedingungen)\b/iu],
  ["privacy", /\b(?:privacy|datenschutz|confidentialit|privacidad|privatsph)/iu],
]

export interface ContactLink {
  kind: string
  url: string
}

/** The links of a page to such pages of the same site, each once, likeliest kind first. */
export function contactLinks(
  document: Document,
  pageUrl: string,
  kinds: readonly string[],
): ContactLink[] {
  const base = baseUrl(document, pageUrl)
  const own = normaliseUrl(pageUrl).replace(/\/$/, "")
  const found = new Map<string, ContactLink & { rank: number }>()
  for (const anchor of document.querySelectorAll("a[href]")) {
    const address = absoluteUrl(anchor.getAttribute("href"), base)
    if (address === null || !sameSite(address, pageUrl) || !isPageAddress(address)) continue
    const url = normaliseUrl(address)
    const key = url.replace(/\/$/, "")
    if (key === own || found.has(key)) continue
    const kind = kindOf(textOf(anchor) ?? "", new URL(url).pathname, kinds)
    if (kind !== null) found.set(key, { kind, url, rank: kinds.indexOf(kind) })
  }
  return [...found.values()]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kind, url }) => ({ kind, url }))
}

/** Long link texts are headlines; and of a path only the last part says what the page is. */
function kindOf(text: string, pathname: string, kinds: readonly string[]): string | null {
  const name = decodedPath(pathname).split("/").filter(Boolean).at(-1) ?? ""
  for (const kind of kinds) {
    const words = contactWords.find(([name]) => name === kind)?.[1]
    if (!words) continue
    if ((text.length <= 40 && words.test(text)) || (name.length <= 40 && words.test(name)))
      return kind
  }
  return null
}

function decodedPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replaceAll("_", "-")
  } catch {
    return pathname
  }
}
