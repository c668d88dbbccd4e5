import { getPublicSuffix } from "tough-cookie"
import { maxIssues } from "../../catalogue/kit/index.ts"
import {
  hostsOf,
  isEmpty,
  isTooLarge,
  maxCookies,
  type OriginStorage,
  type SessionCookie,
  type SessionState,
  withinHosts,
} from "../../engine/net/sessions/state.ts"
import { issue, parseJsonField } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { curlRequest } from "./curl.ts"

const expected =
  "a Netscape cookies.txt, a JSON list of cookies, a Playwright storageState, a cURL command, or name=value pairs with hosts"

const refused = (message: string) => invalid([issue("import", message, expected)], "body")

/**
 * Returns the cookies and storage in a text or JSON value that belong to these hosts. @throws
 * ApiError 400
 */
export function importedState(
  provided: unknown,
  hosts?: readonly string[],
): { state: SessionState; hosts: string[] } {
  const whole = read(provided, hosts)
  const issues = whole.cookies.flatMap(cookieIssues).slice(0, maxIssues)
  if (issues.length > 0) throw invalid(issues, "body")
  const own = hosts ? [...hosts] : hostsOf(whole)
  const state = withinHosts(whole, own)
  if (isEmpty(state)) {
    const there = hostsOf(whole).join(", ")
    throw refused(
      there === ""
        ? `"import" has no cookies. Pass ${expected}.`
        : `"import" has no cookies of ${own.join(", ")}, only of ${there}.`,
    )
  }
  if (isTooLarge(state)) {
    throw refused(`"import" has more than ${maxCookies} cookies or 400,000 characters.`)
  }
  return { state, hosts: own }
}

function read(provided: unknown, hosts: readonly string[] | undefined): SessionState {
  if (typeof provided !== "string") return fromJson(provided)
  const text = provided.trim()
  if (/^[[{]/.test(text)) return fromJson(parseJsonField("import", text))
  if (/^curl(?:\.exe)?\s/i.test(text)) return fromCurl(text, hosts)
  if (/\t/.test(text)) return { cookies: fromNetscape(text), origins: [] }
  if (!text.includes("=")) throw refused(`"import" has an unknown format. Pass ${expected}.`)
  if (!hosts?.length) {
    throw refused('Pairs of name=value have no host. Add "hosts", for example ["example.com"].')
  }
  const cookies = hosts.flatMap((host) => fromHeader(text.replace(/^cookie:\s*/i, ""), host, hosts))
  return { cookies, origins: [] }
}

function fromJson(value: unknown): SessionState {
  if (Array.isArray(value)) return { cookies: value.map(fromEntry), origins: [] }
  if (typeof value !== "object" || value === null)
    throw refused(`"import" has an unknown format. Pass ${expected}.`)
  const { cookies = [], origins = [] } = value as { cookies?: unknown; origins?: unknown }
  if (!Array.isArray(cookies) || !Array.isArray(origins)) {
    throw refused('"cookies" and "origins" of "import" must be lists.')
  }
  return { cookies: cookies.map(fromEntry), origins: origins.flatMap(fromOrigin) }
}

/** A cookie in the format of browser extensions, Playwright or Puppeteer. */
function fromEntry(value: unknown, index: number): SessionCookie {
  const entry = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const { name, value: text, domain, hostOnly, path, secure, httpOnly } = entry
  if (typeof name !== "string" || typeof text !== "string" || typeof domain !== "string") {
    throw refused(
      `Cookie ${index} of "import" lacks a name, a value or a domain. Add it, or remove the cookie.`,
    )
  }
  const end = entry.expirationDate ?? entry.expires ?? entry.expiry
  return {
    name,
    value: text,
    host: domain.replace(/^\./, "").toLowerCase(),
    hostOnly: typeof hostOnly === "boolean" ? hostOnly : !domain.startsWith("."),
    path: typeof path === "string" && path.startsWith("/") ? path : "/",
    secure: secure === true || isSecureName.test(name),
    httpOnly: httpOnly === true,
    expires: endOf(end),
  }
}

/** Browsers take cookies of these names only if they are secure. */
const isSecureName = /^__(?:Host|Secure)-/

/** Seconds since 1970 or a date; -1, 0 or a missing value for a session cookie. */
function endOf(end: unknown): number | null {
  const milliseconds =
    typeof end === "number" ? end * 1000 : typeof end === "string" ? Date.parse(end) : Number.NaN
  return Number.isFinite(milliseconds) && milliseconds > 0 ? Math.round(milliseconds) : null
}

function fromOrigin(value: unknown): OriginStorage[] {
  const { origin, localStorage } = Object(value) as { origin?: unknown; localStorage?: unknown }
  const url = typeof origin === "string" ? URL.parse(origin) : null
  if (!url || !/^https?:$/.test(url.protocol) || !Array.isArray(localStorage)) return []
  const entries = localStorage.flatMap((entry): [string, string][] => {
    const { name, value: text } = Object(entry) as Record<string, unknown>
    return typeof name === "string" && typeof text === "string" ? [[name, text]] : []
  })
  return entries.length > 0 ? [{ origin: url.origin, entries }] : []
}

/** Tab-separated columns: domain, whether for subdomains, path, secure, expiry, name, value. */
function fromNetscape(text: string): SessionCookie[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const isHttpOnly = line.startsWith("#HttpOnly_")
    if (line.trim() === "" || (line.startsWith("#") && !isHttpOnly)) return []
    const [domain = "", subdomains, path = "/", secure, end, name, value = ""] = line
      .replace(/^#HttpOnly_/, "")
      .split("\t")
    if (!name || domain === "") {
      throw refused(
        `Line ${index + 1} of "import" does not have the seven columns of cookies.txt, which tabs separate. Export the file again.`,
      )
    }
    const isForAll = /^true$/i.test(subdomains ?? "") || domain.startsWith(".")
    return [
      {
        name,
        value,
        host: domain.replace(/^\./, "").toLowerCase(),
        hostOnly: !isForAll,
        path: path.startsWith("/") ? path : "/",
        secure: /^true$/i.test(secure ?? "") || isSecureName.test(name),
        httpOnly: isHttpOnly,
        expires: endOf(Number(end)),
      },
    ]
  })
}

function fromCurl(text: string, hosts: readonly string[] | undefined): SessionState {
  const { url, cookies } = curlRequest(text)
  const address = URL.parse(url ?? "")
  if (!address) throw refused("The cURL command has no URL. Copy the request as cURL again.")
  if (cookies === null) {
    throw refused(
      "The cURL command has no Cookie header. Copy a request that your browser sent while you were signed in.",
    )
  }
  const isSecure = address.protocol === "https:"
  return { cookies: fromHeader(cookies, address.hostname, hosts, isSecure), origins: [] }
}

/**
 * A Cookie header has no domains: the cookies are for the host, or for a parent domain in `hosts`.
 */
function fromHeader(
  header: string,
  host: string,
  hosts: readonly string[] = [],
  secure = false,
): SessionCookie[] {
  const wider = hosts.find((one) => host.endsWith(`.${one}`))
  return header.split(";").flatMap((pair) => {
    const at = pair.indexOf("=")
    const name = pair.slice(0, at).trim()
    if (at < 0 || name === "") return []
    const domain = { host: wider ?? host, hostOnly: wider === undefined }
    const value = pair.slice(at + 1).trim()
    return [{ name, value, ...domain, path: "/", secure, httpOnly: true, expires: null }]
  })
}

const validName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z:@/[\]()]{1,300}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a value with them would end its header
const invalidValue = /[\u0000-\u001f\u007f;]/

function cookieIssues({ name, value, host }: SessionCookie) {
  const wrong = (message: string) => [issue("import", message, expected)]
  if (!validName.test(name))
    return wrong(`"${name.slice(0, 80)}" is not a valid cookie name. Use letters, digits, - and _.`)
  // Browsers refuse larger ones.
  if (name.length + value.length > 4096 || invalidValue.test(value)) {
    return wrong(
      `The value of the cookie "${name}" is too long or has invalid characters such as ";".`,
    )
  }
  return isHost(host)
    ? []
    : wrong(
        `"${host.slice(0, 80)}" is not a host that can have cookies. Write one such as shop.example.`,
      )
}

const isAddress = /^(?:\[[\da-f:.]+\]|[\d.]+)$/

/** Returns whether a host can have cookies: it is not a public suffix such as co.uk. */
export function isHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`) || new URL(`http://${host}/`).hostname !== host) return false
  if (isAddress.test(host) || !host.includes(".")) return true
  return getPublicSuffix(host, { ignoreError: true }) != null
}
