import { hostname, networkInterfaces } from "node:os"
import type { SecretBox } from "../../../store/upkeep/secret-box.ts"

/** Marks a request that another process has forwarded: it is not forwarded again. */
const forwardedHeader = "x-trawl-forwarded"
/** Milliseconds until the headers of the other process's response. */
const responseMs = 60_000
const isLoopback = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/** A process that shares the database. */
interface OtherProcess {
  url: string
  /** Name of its machine: a loopback address means another process elsewhere. */
  machine: string
}

/**
 * Returns the public ID of something that only this process has: its ID, followed by the encrypted
 * URL of this process. Encrypted, because the others send cookies to this URL.
 */
export function idWithProcess(secrets: SecretBox, id: string, url: string): string {
  const process: OtherProcess = { url: url.replace(/\/+$/, ""), machine: hostname() }
  const encrypted = secrets.close(JSON.stringify(process), purposeOf(id))
  return `${id}.${Buffer.from(encrypted).toString("base64url")}`
}

/** Returns an ID without the URL of its process. */
export const idWithoutProcess = (id: string): string => id.split(".", 1)[0]!

/** Returns the URL at which other processes reach one that listens on this host. */
export function processUrl(host: string, port: number): string {
  const isWildcard = host === "0.0.0.0" || host === "::"
  const address = isWildcard ? (machineAddress() ?? "127.0.0.1") : host
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`
}

function machineAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outside = all.filter(({ internal, scopeid }) => !internal && !scopeid)
  return (outside.find(({ family }) => family === "IPv4") ?? outside[0])?.address
}

/**
 * Sends the request of a signed-in browser to the process that an ID names. The caller has checked
 * that the request comes from the service's own pages. Returns undefined if the process cannot be
 * reached.
 */
export async function forwarded(
  secrets: SecretBox,
  id: string,
  { request, path, body }: { request: Request; path: string; body?: object | undefined },
): Promise<Response | undefined> {
  const process = processOf(secrets, id)
  if (!process || request.headers.has(forwardedHeader)) return undefined
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), responseMs)
  try {
    const response = await fetch(process.url + path, {
      method: request.method,
      headers: {
        cookie: request.headers.get("cookie") ?? "",
        "sec-fetch-site": "same-origin",
        [forwardedHeader]: "1",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      // Otherwise, fetch would read a proxy from the environment.
      proxy: false as unknown as string,
      signal: AbortSignal.any([request.signal, late.signal]),
    })
    const type = response.headers.get("content-type")
    return new Response(response.body, {
      status: response.status,
      headers: {
        ...(type !== null && { "content-type": type }),
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      },
    })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const purposeOf = (id: string) => `process of ${id}`

/** Returns undefined for an ID of another service. */
function processOf(secrets: SecretBox, id: string): OtherProcess | undefined {
  const own = idWithoutProcess(id)
  try {
    const encrypted = Buffer.from(id.slice(own.length + 1), "base64url").toString()
    const process = JSON.parse(secrets.open(encrypted, purposeOf(own))) as OtherProcess
    const isHere = process.machine === hostname()
    return isHere || !isLoopback.test(new URL(process.url).hostname) ? process : undefined
  } catch {
    return undefined
  }
}
