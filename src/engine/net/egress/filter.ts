import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { BoundedMap } from "../../../base/bounded-map.ts"
import { EgressDenied, Unreachable } from "../../../catalogue/kit/index.ts"
import { isMetadata, isPublic, parseAddress } from "./addresses.ts"
import { ownLimit } from "./own-limit.ts"
import { EgressPolicy } from "./policy.ts"

/** Returns all IP addresses of a name. */
export type Lookup = (host: string) => Promise<string[]>

const systemLookup: Lookup = async (host) => {
  const addresses = await lookup(host, { all: true, verbatim: true })
  return addresses.map(({ address }) => address)
}

/** Milliseconds for which resolved IP addresses are cached; each is still checked. */
const rememberMs = 30_000
const rememberedHosts = 1000
const lookUpMs = 15_000
const maxHost = 253

/**
 * Decides which IP addresses Trawl may connect to. A name is resolved once, here, and only the
 * returned addresses may be used: resolving again would permit DNS rebinding.
 */
export class EgressFilter {
  private readonly policy: EgressPolicy
  private readonly known = new BoundedMap<string, { addresses: Promise<string[]>; until: number }>(
    rememberedHosts,
  )

  constructor(
    allow: readonly string[] = [],
    private readonly lookUp: Lookup = systemLookup,
    /** Upstream proxies resolve names themselves, and the operator trusts the result. */
    private readonly proxyResolves = false,
  ) {
    this.policy = new EgressPolicy(allow)
  }

  /** Creates the egress filter of the operator's settings. */
  static of(settings: { egressAllow: readonly string[]; proxyResolves: boolean }): EgressFilter {
    return new EgressFilter(settings.egressAllow, systemLookup, settings.proxyResolves)
  }

  /**
   * Returns the allowed IP addresses of a host, in the resolver's order.
   * @throws EgressDenied if any of them is private (such a name is refused as a whole), Unreachable
   * (dns) if there is none
   */
  async resolve(host: string, port: number): Promise<string[]> {
    const name = host.toLowerCase().replace(/\.$/, "")
    if (port < 1 || port > 65_535) throw new EgressDenied(`Port ${port} does not exist.`)
    const literal = parseAddress(name)
    const addresses = literal ? [literal.toString()] : await this.addressesOf(name)
    if (this.policy.allowsHost(name, port)) return addresses
    for (const address of addresses) this.check(name, address, port)
    return addresses
  }

  /**
   * Checks a request through an upstream proxy like a direct one, because the proxy is inside the
   * network and could reach private addresses. If it resolves names itself, only literal IP
   * addresses are checked.
   * @throws as `resolve`
   */
  async checkProxied(host: string, port: number): Promise<string[]> {
    if (!this.proxyResolves) return this.resolve(host, port)
    this.checkLiteral(host, port)
    return []
  }

  /**
   * Checks literal IP addresses and names of this machine without the resolver. @throws
   * EgressDenied
   */
  checkLiteral(host: string, port: number): void {
    const name = host.toLowerCase().replace(/\.$/, "")
    const literal = parseAddress(name)
    if (this.policy.allowsHost(name, port)) return
    if (literal) this.check(name, literal.toString(), port)
    else if (/(?:^|\.)localhost$/.test(name)) throw denied(name, "this machine")
  }

  private check(name: string, text: string, port: number): void {
    const address = parseAddress(text)
    if (!address) throw denied(name, text)
    if (isPublic(address) && !isMetadata(address)) return
    if (!this.policy.allowsAddress(address, port)) throw denied(name, text)
  }

  private addressesOf(name: string): Promise<string[]> {
    if (name === "" || name.length > maxHost || isIP(name)) {
      throw new Unreachable(`"${name.slice(0, 60)}" is not a valid host name.`, "dns")
    }
    const now = Date.now()
    const known = this.known.get(name)
    if (known && known.until > now) return known.addresses
    const addresses = this.resolveName(name)
    this.known.set(name, { addresses, until: now + rememberMs })
    addresses.catch(() => this.known.delete(name))
    return addresses
  }

  private async resolveName(name: string): Promise<string[]> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject({ code: "no answer" }), lookUpMs)
    let addresses: string[]
    try {
      addresses = await Promise.race([this.lookUp(name), late])
    } catch (error) {
      const own = ownLimit(error, name)
      if (own) throw own
      const code = (error as { code?: string }).code
      const why = /ENOTFOUND$/.test(code ?? "")
        ? "does not exist"
        : `could not be resolved (${code})`
      throw new Unreachable(`The host ${name} ${why}.`, "dns", { cause: error })
    } finally {
      clearTimeout(timer)
    }
    if (addresses.length === 0) throw new Unreachable(`The host ${name} has no IP address.`, "dns")
    return addresses
  }
}

function denied(name: string, address: string): EgressDenied {
  const where = name === address ? address : `${name} (${address})`
  return new EgressDenied(
    `${where} is a private or reserved IP address. The operator can allow it with TRAWL_EGRESS_ALLOW.`,
  )
}
