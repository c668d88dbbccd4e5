import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeError } from "../../../base/error-crossing.ts"
import type { FetchMethod, ScrapeError } from "../../../catalogue/kit/index.ts"
import type { Exchange, Expectation } from "./case.ts"
import { clientAddresses, exampleAddress, machineAddresses } from "./own-addresses.ts"

export interface RecordedCase {
  slug: string
  case: string
  input: Record<string, unknown>
  clock: string
  env: Record<string, string>
}

/** The response to a request. */
export interface Received {
  status: number
  headers: Headers
  bytes: Uint8Array
  ip?: string | null
}

const extensions: [RegExp, string][] = [
  [/json/, "json"],
  [/html/, "html"],
  [/xml|rss|atom/, "xml"],
  [/javascript/, "js"],
  [/csv/, "csv"],
  [/^text\//, "txt"],
  [/pdf/, "pdf"],
]

const dayMs = 86_400_000

/** Returns whether a query contains a time or a random ID, which differ in each run. */
function isOfTheMoment(address: string, clock: string): boolean {
  const values = [...(URL.parse(address)?.searchParams.values() ?? [])]
  return values.some((value) => {
    const isNow = /^\d{13}$/.test(value) && Math.abs(Number(value) - Date.parse(clock)) < dayMs
    return isNow || randomId.test(value)
  })
}

const randomId = /^(?:[\dA-F]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/**
 * Writes the exchanges of a run to a folder in the corpus format, without secrets and the client's
 * own IP addresses.
 */
export class Recorder {
  private readonly exchanges: (Exchange & { sent?: string })[] = []
  /** Secrets with their placeholders. */
  private readonly secrets = new Map<string, string>()
  private files = 0
  private images = 0

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true })
    for (const address of machineAddresses()) this.hide(address, exampleAddress(address))
  }

  /** Replaces a secret by its placeholder in everything that is written. */
  hide(secret: string, placeholder: string): void {
    if (secret.length >= 4) this.secrets.set(secret, placeholder)
  }

  /** Reserves the request's position; the response is added later. */
  begin(method: string, url: string, via: FetchMethod, sent?: string): Exchange {
    const exchange = {
      method,
      url: this.masked(url),
      status: 0,
      headers: {},
      via,
      ...(sent === undefined ? {} : { sent: this.masked(sent) }),
    }
    this.exchanges.push(exchange)
    return exchange
  }

  async fill(exchange: Exchange, { status, headers, bytes, ip }: Received): Promise<void> {
    exchange.status = status
    if (ip) exchange.ip = ip
    // One character per byte: URLs are ASCII.
    const text = Buffer.from(bytes).toString("latin1")
    for (const address of clientAddresses(text, headers)) {
      this.hide(address, exampleAddress(address))
    }
    exchange.headers = this.plainHeaders(headers)
    if (bytes.length === 0) return
    const type = headers.get("content-type") ?? ""
    exchange.body ??= `${String(++this.files).padStart(3, "0")}.${extensionOf(type)}`
    await Bun.write(join(this.folder, exchange.body), this.maskedBytes(bytes))
  }

  /** A screenshot of a rendered page, for people; it is not part of the case. */
  image(png: Uint8Array): void {
    writeFileSync(join(this.folder, `page-${String(++this.images).padStart(3, "0")}.png`), png)
  }

  fail(exchange: Exchange, scrapeError: ScrapeError): void {
    exchange.failure = encodeError(scrapeError)
  }

  /** Writes case.json with the expectations of a replay. */
  async save(about: RecordedCase, expect: readonly Expectation[]): Promise<void> {
    // A request that was aborted with its run has nothing to record.
    const ended = this.exchanges.filter(({ status, failure }) => status > 0 || failure)
    const bodies = new Map<string, Set<string>>()
    for (const { method, url, sent } of ended) {
      if (sent === undefined) continue
      const request = `${method} ${url}`
      bodies.set(request, (bodies.get(request) ?? new Set()).add(sent))
    }
    const exchanges = ended.map(({ sent, ...exchange }) => {
      const several = (bodies.get(`${exchange.method} ${exchange.url}`)?.size ?? 0) > 1
      return {
        ...exchange,
        ...(isOfTheMoment(exchange.url, about.clock) && { match: "path" as const }),
        ...(several && sent !== undefined && { requestBodyContains: sent }),
      }
    })
    const hosts = [...new Set(exchanges.flatMap(({ url }) => URL.parse(url)?.host || []))]
    const note = `Recorded on ${about.clock.slice(0, 10)} from ${hosts.join(", ")}.`
    for (const { body } of exchanges) if (body) this.maskFile(body)
    const text = JSON.stringify({ ...about, exchanges, expect, source: { note } }, null, 2)
    await Bun.write(join(this.folder, "case.json"), `${this.masked(text)}\n`)
    this.removeOthers(new Set(exchanges.map(({ body }) => body)))
  }

  /** Bodies of an earlier recording in this folder. */
  private removeOthers(bodies: Set<string | undefined>): void {
    for (const file of readdirSync(this.folder)) {
      if (/^\d{3,}\.\w+$/.test(file) && !bodies.has(file)) rmSync(join(this.folder, file))
    }
  }

  /** Masks a value that was recognised as a secret after the body was written. */
  private maskFile(body: string): void {
    const path = join(this.folder, body)
    const bytes = readFileSync(path)
    const safe = this.maskedBytes(bytes)
    if (safe !== bytes) writeFileSync(path, safe)
  }

  private masked(text: string): string {
    let safe = text
    for (const [secret, placeholder] of this.secrets) {
      safe = safe.replaceAll(secret, placeholder)
      safe = safe.replaceAll(encodeURIComponent(secret), placeholder)
    }
    return safe
  }

  private maskedBytes(bytes: Uint8Array): Uint8Array {
    if (this.secrets.size === 0) return bytes
    // One character per byte, so that all other bytes are unchanged.
    const text = Buffer.from(bytes).toString("latin1")
    const safe = this.masked(text)
    return safe === text ? bytes : Buffer.from(safe, "latin1")
  }

  /** Pages may repeat the values of their cookies. */
  private hideCookie(cookie: string): void {
    const [, value = ""] = /^[^=;]*=([^;]*)/.exec(cookie) ?? []
    if (value.length >= minTokenChars) this.hide(value, "masked")
  }

  private plainHeaders(headers: Headers): Exchange["headers"] {
    const plain: Exchange["headers"] = {}
    for (const [name, value] of headers) {
      if (name === "set-cookie") continue
      plain[name] = /^(?:proxy-)?authorization$/.test(name) ? "masked" : this.masked(value)
    }
    for (const cookie of headers.getSetCookie()) this.hideCookie(cookie)
    const cookies = headers.getSetCookie().map(maskedCookie)
    if (cookies.length > 0) plain["set-cookie"] = cookies
    return plain
  }
}

/** Minimum characters of a token; a shorter value may be a word that also occurs elsewhere. */
const minTokenChars = 16

/** Replaces the cookie's value, which is a session key; its name and attributes stay. */
function maskedCookie(cookie: string): string {
  return cookie.replace(/^([^=;]*=)[^;]*/, "$1masked")
}

function extensionOf(type: string): string {
  return extensions.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? "bin"
}
