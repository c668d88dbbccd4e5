import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { ErrorMessage } from "../../../base/error-crossing.ts"
import { messageOf } from "../../../base/error-message.ts"
import type { FetchMethod } from "../../../catalogue/kit/index.ts"

/** A recorded request and response; fields as in the corpus format. */
export interface Exchange {
  method: string
  url: string
  match?: "exact" | "path" | "prefix"
  requestBodyContains?: string
  status: number
  headers: Record<string, string | string[]>
  /** File next to case.json; missing for an empty body. */
  body?: string
  /** IP address of the server, if known. */
  ip?: string
  /** Fetch method; default: http. */
  via?: FetchMethod
  /** Reason for a missing response, written by `--record`. */
  failure?: ErrorMessage
  /** Body that a test created. */
  bytes?: Uint8Array
}

export interface Expectation {
  path: string
  [operator: string]: unknown
}

export interface ReplayCase {
  folder: string
  slug: string
  case: string
  input: Record<string, unknown>
  clock?: string
  env: Record<string, string>
  /** Values that the scraper remembers from an earlier run. */
  memory?: Record<string, unknown>
  exchanges: Exchange[]
  expect: Expectation[]
}

const texts = Type.Record(Type.String(), Type.String())
const lines = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))
const exchangeForm = Type.Object({
  method: Type.Optional(Type.String()),
  url: Type.String(),
  requestBodyContains: Type.Optional(Type.String()),
  // 0 if no response came. Some sites have their own statuses, for example 999.
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  headers: Type.Optional(lines),
  body: Type.Optional(Type.String()),
  failure: Type.Optional(Type.Object({})),
})
/** Fields that are read from a case; others are ignored. */
const caseForm = Type.Object({
  slug: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  clock: Type.Optional(Type.String()),
  env: Type.Optional(texts),
  memory: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  exchanges: Type.Array(exchangeForm),
  expect: Type.Optional(Type.Array(Type.Object({}))),
})

/** Reads `case.json` from a folder or file path. @throws Error that names the invalid field */
export function readCase(path: string): ReplayCase {
  const folder = basename(path) === "case.json" ? dirname(path) : path
  const parsed = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"))
  const wrong = wrongIn(parsed)
  if (wrong) throw new Error(wrong)
  return { ...parsed, folder, env: parsed.env ?? {}, expect: parsed.expect ?? [] }
}

function wrongIn(parsed: unknown): string | undefined {
  const issue = Value.Errors(caseForm, parsed).First()
  if (issue) return `${issue.path || "the whole file"}: ${issue.message}`
  const { clock, exchanges } = parsed as ReplayCase
  if (clock !== undefined && Number.isNaN(Date.parse(clock))) return "/clock: it is not a time"
  for (const [at, exchange] of exchanges.entries()) {
    if (/^https?:/i.test(exchange.url) && !URL.canParse(exchange.url)) {
      return `/exchanges/${at}/url: not a valid URL`
    }
    try {
      exchangeHeaders(exchange)
    } catch (error) {
      return `/exchanges/${at}/headers: ${messageOf(error)}`
    }
  }
  return undefined
}

/** Merges several recorded cases: all their exchanges and settings, and the first one's clock. */
/** Maximum depth of corpus folders: site, case. */
const maxDepth = 3

/**
 * Returns the cases of folders, each of one case or of a tree of them, as one case without an input.
 * Throws an error that names the folder if it has no readable case.
 */
export function readCases(folders: string[]): ReplayCase {
  return joinCases(
    folders.flatMap((folder) => {
      try {
        const folders = caseFolders(folder, maxDepth)
        if (folders.length === 0) throw new Error("there is none")
        return folders.map(readCase)
      } catch (error) {
        throw new Error(`${folder} contains no readable case.json (${messageOf(error)}).`)
      }
    }),
  )
}

function caseFolders(folder: string, depth: number): string[] {
  if (basename(folder) === "case.json" || existsSync(join(folder, "case.json"))) return [folder]
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => caseFolders(join(folder, entry.name), depth - 1))
}

function joinCases(cases: ReplayCase[]): ReplayCase {
  return {
    folder: "/",
    slug: "",
    case: "",
    input: {},
    ...(cases[0]?.clock ? { clock: cases[0].clock } : {}),
    env: Object.assign({}, ...cases.map((part) => part.env)),
    exchanges: cases.flatMap(({ folder, exchanges }) =>
      exchanges.map((exchange) =>
        exchange.body === undefined
          ? exchange
          : { ...exchange, body: resolve(folder, exchange.body) },
      ),
    ),
    expect: [],
  }
}

/** The recorded body of an exchange, byte for byte. */
export function exchangeBody(folder: string, exchange: Exchange): Uint8Array {
  if (exchange.bytes) return exchange.bytes
  return exchange.body === undefined
    ? new Uint8Array()
    : new Uint8Array(readFileSync(join(folder, exchange.body)))
}

/** Recorded headers as Headers; an array gives several lines of one name. */
export function exchangeHeaders(exchange: Exchange): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(exchange.headers ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, item)
  }
  return headers
}
