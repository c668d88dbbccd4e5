import { ScrapeError } from "../../catalogue/kit/index.ts"
import { destinationFilter, refusalOf } from "../../engine/ops/destinations/access.ts"
import {
  type DestinationKind,
  type DestinationOptions,
  type DestinationSecret,
  storageUrl,
} from "../../engine/ops/destinations/model/options.ts"
import { DestinationError } from "../../engine/ops/destinations/model/sink.ts"
import { databaseAddress } from "../../engine/ops/destinations/postgres/connect.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"
import type { DestinationChange } from "../schemas/destination.ts"
import type { CoreParts } from "../service-parts.ts"

const optionNames = [
  ...["table", "schema", "uniqueBy", "bucket", "region", "path", "format", "batchSize"],
] as (keyof DestinationOptions)[]
const secretNames = ["url", "accessKeyId", "secretAccessKey"] as const

type FieldName = (typeof optionNames)[number] | (typeof secretNames)[number]

/** The fields of each kind. */
const fieldsOf: Record<DestinationKind, { needs: FieldName[]; may: FieldName[] }> = {
  postgres: { needs: ["url", "table"], may: ["schema", "uniqueBy"] },
  s3: {
    needs: ["bucket", "accessKeyId", "secretAccessKey"],
    may: ["url", "region", "path", "format"],
  },
  webhook: { needs: ["url"], may: ["batchSize"] },
  folder: { needs: [], may: ["path", "format"] },
}

export interface CheckedDestination {
  options: DestinationOptions
  secret: DestinationSecret
  /** The part of the address that is not secret. */
  target: string
}

/** Returns a destination's parts, complete and permitted. @throws ApiError 400, 403 */
export function checkedDestination(
  { config }: CoreParts,
  kind: DestinationKind,
  provided: DestinationChange,
  before: { options: DestinationOptions; secret: DestinationSecret } = { options: {}, secret: {} },
  isAdministrator = false,
): CheckedDestination {
  const { needs, may } = fieldsOf[kind]
  for (const name of [...optionNames, ...secretNames]) {
    if (provided[name] === undefined || [...needs, ...may].includes(name)) continue
    throw wrong(name, `A destination of the kind ${kind} has no "${name}".`)
  }
  const options = { ...before.options, ...pick(provided, optionNames) }
  const secret = { ...before.secret, ...pick(provided, secretNames) }
  for (const name of needs) {
    if ({ ...options, ...secret }[name] === undefined) {
      throw wrong(name, `A destination of the kind ${kind} requires "${name}".`, needs.join(", "))
    }
  }
  if (kind === "folder") requireFolder(config.destinationFolder, isAdministrator)
  const target = checkedTarget(kind, options, secret, (host, port) => {
    destinationFilter(config).checkLiteral(host, port)
  })
  return { options, secret, target }
}

function requireFolder(base: string | undefined, isAdministrator: boolean): void {
  if (!isAdministrator) {
    throw new ApiError(
      403,
      "Only administrators can create destinations of the kind folder. Choose another kind.",
    )
  }
  if (base) return
  throw wrong(
    "kind",
    "Folders are not available: the operator has not set TRAWL_DESTINATION_FOLDER.",
    "postgres, s3 or webhook",
  )
}

/** @throws ApiError 400 */
function checkedTarget(
  kind: DestinationKind,
  options: DestinationOptions,
  secret: DestinationSecret,
  check: (host: string, port: number) => void,
): string {
  const { table, schema, bucket, path = "" } = options
  try {
    if (kind === "folder") return path
    if (kind === "postgres") {
      const { host, port, database } = databaseAddress(secret.url!)
      check(host, port)
      return `${host}:${port}/${database}, ${schema ? `${schema}.` : ""}${table}`
    }
    const url = kind === "s3" ? storageUrl(secret, options) : secret.url!
    const { origin, hostname, port, protocol } = webUrl(url)
    check(hostname.replace(/^\[|\]$/g, ""), Number(port) || (protocol === "https:" ? 443 : 80))
    if (kind === "webhook") return origin
    return `${origin}/${bucket}${path === "" ? "" : `/${path}`}`
  } catch (error) {
    if (error instanceof DestinationError) throw wrong("url", error.message)
    if (error instanceof ScrapeError) throw wrong("url", (refusalOf(error) as Error).message)
    throw error
  }
}

/** @throws DestinationError */
function webUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new DestinationError(
      "The URL must start with https:// or http://, for example https://hooks.example.com/path.",
    )
  }
  if (url.username !== "" || url.password !== "") {
    throw new DestinationError(
      "The URL must not contain a password. Remove user:password@ from it.",
    )
  }
  return url
}

function pick<Name extends keyof DestinationChange>(
  provided: DestinationChange,
  names: readonly Name[],
): Partial<Pick<DestinationChange, Name>> {
  const entries = names.flatMap((name) =>
    provided[name] === undefined ? [] : [[name, provided[name]] as const],
  )
  return Object.fromEntries(entries) as Partial<Pick<DestinationChange, Name>>
}

export function wrong(field: string, message: string, expected = "see the kinds of destinations") {
  return invalid([issue(field, message, expected)], "body")
}
