import { Forbidden, type Suspect } from "../../../../catalogue/kit/index.ts"
import { foldSpace, type WordTable, words } from "../../../../extract/core/index.ts"
import { glimpse } from "./visible-text.ts"

/** Maximum text of a notice; a page with more text has other content. */
const noticeChars = 1500

const signIn: WordTable = {
  de: "anmelden|anmeldung|einloggen",
  en: "sign[ -]?in|log[ -]?in|sign in to .*|log in to .*",
  es: "iniciar sesión|inicia sesión|acceder",
  fr: "connexion|se connecter|connectez-vous",
  it: "accedi|accesso",
  ja: "ログイン|サインイン",
  ko: "로그인",
  nl: "inloggen|aanmelden",
  pl: "zaloguj się|logowanie",
  pt: "entrar|iniciar sessão",
  ru: "вход|войти",
  sv: "logga in",
  tr: "giriş yap",
  zh: "登录|登入|登錄",
}
/** A title that consists of a sign-in word and the site's name. */
const titledSignIn = new RegExp(`(?:^|[|·•:–—-]\\s*)(?:${words(signIn)})(?:\\s*[|·•:–—-]|$)`, "iu")
const passwordField = /<input\b[^>]{0,500}?\btype\s*=\s*["']?password\b/i
const accountField = /<input\b[^>]{0,500}?\btype\s*=\s*["']?(?:password|email|tel)\b/i
const signInPath =
  /\/(?:log-?in|sign-?in|sign_in|signon|sso|auth|authenticate|authorize|session\/new)(?:[/.;]|$)/i
const signInHost = /^(?:login|signin|auth|sso|accounts)\./i

const elsewhere: WordTable = {
  de: "in (?:ihrem|deinem|diesem) land nicht verfügbar|in (?:ihrer|deiner) region nicht verfügbar",
  en: "(?:not|isn['’]t|is not|aren['’]t|not currently) (?:currently |yet )?available in your (?:country|region|location|area)|unavailable in your (?:country|region|location)|not (?:accessible|allowed) (?:in|from) your (?:country|region|location)|blocked in your (?:country|region)|unavailable (?:due to|for) legal reasons|geo-?(?:blocked|restricted)",
  es: "no (?:está|se encuentra) disponible en (?:tu|su) (?:país|región|ubicación)",
  fr: "(?:pas|plus|indisponible) (?:disponible )?dans votre (?:pays|région)",
  it: "non (?:è )?disponibile nel (?:tuo|suo) paese",
  ja: "お住まいの(?:国|地域)では",
  ko: "(?:국가|지역)에서(?:는)? (?:이용|사용)할 수 없",
  nl: "niet beschikbaar in (?:je|uw|jouw) (?:land|regio)",
  pl: "niedostępn[aey] w (?:twoim|państwa) (?:kraju|regionie)",
  pt: "não (?:está )?disponível (?:no seu país|na sua região)",
  ru: "недоступ\\S+ в (?:вашей стране|вашем регионе)",
  tr: "ülkenizde (?:kullanılamıyor|mevcut değil)",
  zh: "(?:您|你)(?:所在|的)的?(?:国家|國家|地区|地區)(?:不可用|无法|無法|不支持)",
}
const elsewherePattern = new RegExp(words(elsewhere), "iu")

/** Returns the error of a sign-in page or a country notice; null for other pages. */
export function refusalOf(page: Suspect): Forbidden | null {
  const { url, status: statusCode } = page
  const { host } = new URL(url)
  const details = { url, statusCode }
  if (isSignIn(page)) return loginRequired(page)
  if (statusCode !== 451 && !isElsewhere(page)) return null
  return new Forbidden(`${host} does not serve this page to the country of this server.`, {
    ...details,
    code: "geo_blocked",
  })
}

/**
 * Returns the error if a request for another page was redirected to a sign-in page; null otherwise.
 */
export function signInInstead(page: Suspect): Forbidden | null {
  const { url, requestedUrl = url } = page
  const isRedirected = leadsToSignIn(url) && !leadsToSignIn(requestedUrl)
  return isRedirected && accountField.test(page.html) ? loginRequired(page) : null
}

function loginRequired({ url, status: statusCode }: Suspect): Forbidden {
  const message = `${new URL(url).host} requires signing in.`
  return new Forbidden(message, { url, statusCode, code: "login_required" })
}

function isElsewhere({ html }: Suspect): boolean {
  const texts: string[] = []
  const isShort = glimpse(html, noticeChars, texts).text < noticeChars
  return isShort && elsewherePattern.test(foldSpace(texts.join(" ")))
}

function isSignIn(page: Suspect): boolean {
  const { url, requestedUrl = url, html } = page
  if (signInInstead(page)) return true
  // A request for a sign-in page gets the requested page.
  if (leadsToSignIn(requestedUrl) || !passwordField.test(html)) return false
  if (glimpse(html, noticeChars).text >= noticeChars) return false
  const titles = [...html.matchAll(/<(title|h1|h2)\b[^>]{0,300}>([^<]{0,200})/gi)]
  return titles.slice(0, 5).some(([, , title]) => titledSignIn.test(foldSpace(title!)))
}

function leadsToSignIn(url: string): boolean {
  const { hostname, pathname } = new URL(url)
  return signInPath.test(pathname) || signInHost.test(hostname)
}
