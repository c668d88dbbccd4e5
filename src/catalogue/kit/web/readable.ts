import { embeddedBody } from "../../../extract/article/index.ts"
import { lineText, type WordTable, words } from "../../../extract/core/index.ts"
import type { PageOptions, UpstreamResponse } from "../context.ts"
import { Blocked, Forbidden } from "../errors.ts"

const shellText = 100

const waits: WordTable = {
  cs: "načítání|načítá se",
  da: "indlæser",
  de: "(?:wird|inhalte? (?:wird|werden)) geladen|lädt|lade daten|bitte warten",
  en: "loading|please wait|one moment please",
  es: "cargando|espere por favor",
  fi: "ladataan",
  fr: "chargement(?: en cours)?|veuillez patienter",
  it: "caricamento(?: in corso)?|attendere prego",
  ja: "読み込み中(?:です)?",
  ko: "로딩 ?중|불러오는 중",
  nb: "laster(?: inn)?",
  nl: "bezig met laden|laden",
  pl: "ładowanie|wczytywanie",
  pt: "carregando|a carregar|aguarde",
  ru: "загрузка|подождите",
  sv: "laddar|läser in",
  tr: "yükleniyor",
  uk: "завантаження",
  zh: "(?:正在)?(?:加载|載入)(?:中)?",
}
/** All of a page that its script has not filled in Chrome either. */
const onlyWaits = new RegExp(`^(?:${words(waits)})[\\s.…。!]*$`, "i")

/** Whether readers can read it, so that it is neither a challenge nor a page that a script fills. */
export function isReadable(response: UpstreamResponse): boolean {
  if (isRefused(response)) return false
  const text = lineText(response.document.body)
  return text.length >= (response.via === "http" ? shellText : 1) && !onlyWaits.test(text)
}

/** Returns whether a response is a challenge, a sign-in page or one for other countries. */
function isRefused(response: UpstreamResponse): boolean {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked || scrapeError instanceof Forbidden
}

/** What is wanted of a page by those that look at what it shows. */
export const readable: Pick<PageOptions, "has" | "what"> = { has: isReadable, what: "any text" }

/** Returns whether a page has content: visible, or in the data of its scripts. */
export const isReported = (response: UpstreamResponse) =>
  isReadable(response) || isEmbedded(response)

/** What is wanted of a page by those that read what it is about. */
export const reported: Pick<PageOptions, "has" | "what"> = { has: isReported, what: "any text" }

/** Whether a page that readers cannot read hands its body to its scripts. */
export const isEmbedded = (response: UpstreamResponse) =>
  !isRefused(response) && embeddedBody(response.document, response.url) !== null

/** Whether a server says by the status that this is not the page that was asked for. */
export const isErrorPage = ({ status }: Pick<UpstreamResponse, "status">) => status >= 400

/** Returns the challenge that a response is; null if it is a page. */
export function challengeOf(response: UpstreamResponse): Blocked | null {
  const scrapeError = response.explainMissing("the page")
  return scrapeError instanceof Blocked ? scrapeError : null
}
