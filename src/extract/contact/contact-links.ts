import { absoluteUrl, baseUrl, textOf, words } from "../core/index.ts"
import { isPageAddress, normaliseUrl, sameSite } from "../links/index.ts"

/** Pages of a site that tell who is behind it, by what their link or path is called. */
const contactWords: [kind: string, words: RegExp][] = [
  [
    "contact",
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${words(
        String.raw`contact|kontakt|contacto|contatti|contato|get[-\s]in[-\s]touch|contactez|kapcsolat`,
        String.raw`yhteystiedot|контакт\w*`,
      )})`,
      "iu",
    ),
  ],
  [
    "imprint",
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${words(
        String.raw`impressum|imprint|legal[-\s]notice|mentions[-\s]l[eé]gales|aviso[-\s]legal|note[-\s]legali`,
        "colofon",
      )})`,
      "iu",
    ),
  ],
  [
    "about",
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${words(
        String.raw`about|(?:ue|ü)ber[-\s]uns|wir[-\s](?:ue|ü)ber[-\s]uns|a[-\s]propos|à propos`,
        String.raw`quienes[-\s]somos|quiénes somos|chi[-\s]siamo|quem[-\s]somos|o[-\s]nas|om[-\s]oss|company`,
        "unternehmen|firma|entreprise|empresa|azienda",
      )})`,
      "iu",
    ),
  ],
  [
    "team",
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${words(
        "team|people|staff|leadership|mitarbeiter|ansprechpartner|equipe|équipe|equipo",
      )})`,
      "iu",
    ),
  ],
  ["support", /(?<![\p{L}\p{N}])(?:support|help|hilfe|kundenservice|customer[-\s]service)\b/iu],
  [
    "locations",
    /(?<![\p{L}\p{N}])(?:locations?|standorte?|filialen|offices|anfahrt|find[-\s]us)\b/iu,
  ],
  [
    "careers",
    /(?<![\p{L}\p{N}])(?:careers?|jobs?|karriere|stellen(?:angebote)?|empleo|emplois?|lavora)/iu,
  ],
  ["press", /(?<![\p{L}\p{N}])(?:press|presse|newsroom|media[-\s]kit|prensa|stampa)\b/iu],
  ["blog", /(?<![\p{L}\p{N}])(?:blog|magazin|news|aktuelles)\b/iu],
  ["pricing", /(?<![\p{L}\p{N}])(?:pricing|prices|preise|tarife|tarifs|precios|plans)\b/iu],
  ["terms", /(?<![\p{L}\p{N}])(?:terms|agb|conditions|cgv|nutzungsbedingungen)\b/iu],
  ["privacy", /(?<![\p{L}\p{N}])(?:privacy|datenschutz|confidentialit|privacidad|privatsph)/iu],
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
