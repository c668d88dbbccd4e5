import { Resolver } from "node:dns/promises"
import { BadInput, NotFound, Timeout, Unreachable } from "../../../catalogue/kit/index.ts"
import { ownLimit } from "../egress/own-limit.ts"

const timeoutMs = 3000

/** Lookup of each record type by the system's resolver; the JSON has node:dns's format. */
const questions: Record<string, (resolver: Resolver, name: string) => Promise<unknown>> = {
  A: (resolver, name) => resolver.resolve4(name, { ttl: true }),
  AAAA: (resolver, name) => resolver.resolve6(name, { ttl: true }),
  MX: (resolver, name) => resolver.resolveMx(name),
  TXT: async (resolver, name) => joinedChunks(await resolver.resolveTxt(name)),
  NS: (resolver, name) => resolver.resolveNs(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  SOA: (resolver, name) => resolver.resolveSoa(name),
  CAA: (resolver, name) => resolver.resolveCaa(name),
  SRV: (resolver, name) => resolver.resolveSrv(name),
  PTR: (resolver, name) => resolver.resolvePtr(name),
}

/**
 * Returns the records of a name from the system's resolver, or from `servers` (tests).
 * @throws NotFound for a name or record that does not exist, Unreachable (dns), Timeout
 */
export async function resolveRecords(
  name: string,
  type: string,
  signal: AbortSignal,
  servers?: string[],
): Promise<unknown> {
  const resolve = questions[type.toUpperCase()]
  if (!resolve)
    throw new BadInput(
      `"${type}" is not a record type. Use one of ${Object.keys(questions).join(", ")}.`,
    )
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)
  const stop = () => resolver.cancel()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await resolve(resolver, name)
  } catch (error) {
    signal.throwIfAborted()
    throw lookUpFailure(name, type, error as { code?: string })
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

/**
 * Returns the texts by record. Bun returns each chunk as a record of its own; a text continues in
 * the next one if its chunk is full.
 */
function joinedChunks(records: string[][]): string[][] {
  const joined: string[][] = []
  for (const chunks of records) {
    const full = Buffer.byteLength(joined.at(-1)?.at(-1) ?? "") === 255
    if (full) joined.at(-1)!.push(...chunks)
    else joined.push([...chunks])
  }
  return joined
}

function lookUpFailure(name: string, type: string, error: { code?: string }) {
  const code = (error.code ?? "").replace(/^DNS_/, "")
  const own = ownLimit(error, `the resolver of ${name}`)
  if (own) return own
  // Bun also reports ENOTFOUND for a name that exists but has no such record.
  if (code === "ENOTFOUND" || code === "ENODATA")
    return new NotFound(`${name} has no ${type} record (${code}).`, { cause: error })
  if (/TIMEOUT/.test(code))
    return new Timeout(`The resolver did not respond for ${name}.`, { cause: error })
  return new Unreachable(`The lookup of ${name} failed (${code || "no code"}).`, "dns", {
    cause: error,
  })
}
