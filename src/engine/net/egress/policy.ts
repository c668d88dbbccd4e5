import ipaddr from "ipaddr.js"
import { type Address, inBlock, isMetadata, parseAddress } from "./addresses.ts"

interface OpenBlock {
  block: [Address, number]
  port?: number
  /** Whether the IP address was named itself, not as part of a range. */
  single: boolean
}

/** Private addresses that the operator allows (TRAWL_EGRESS_ALLOW). */
export class EgressPolicy {
  private readonly blocks: OpenBlock[] = []
  private readonly hosts = new Set<string>()

  /** @throws Error naming the entry that is not a CIDR, IP address, host or host:port. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.add(entry)
  }

  private add(entry: string): void {
    if (entry.includes("/")) {
      if (!ipaddr.isValidCIDR(entry))
        throw new Error(`TRAWL_EGRESS_ALLOW: "${entry}" is not a valid CIDR.`)
      this.blocks.push({ block: ipaddr.parseCIDR(entry), single: false })
      return
    }
    const { host, port } = splitPort(entry)
    const address = parseAddress(host)
    if (address) {
      const bits = address.kind() === "ipv4" ? 32 : 128
      this.blocks.push({ block: [address, bits], single: true, ...(port ? { port } : {}) })
      return
    }
    if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(host)) {
      throw new Error(
        `TRAWL_EGRESS_ALLOW: "${entry}" is not a CIDR, IP address, host or host:port.`,
      )
    }
    this.hosts.add(entry.toLowerCase())
  }

  allowsHost(host: string, port: number): boolean {
    return this.hosts.has(host) || this.hosts.has(`${host}:${port}`)
  }

  /** Metadata services are allowed only if they are named themselves. */
  allowsAddress(address: Address, port: number): boolean {
    return this.blocks.some(
      (rule) =>
        (rule.port === undefined || rule.port === port) &&
        inBlock(address, rule.block) &&
        (rule.single || !isMetadata(address)),
    )
  }
}

function splitPort(entry: string): { host: string; port?: number } {
  const match = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry)
  return match ? { host: match[1]!, port: Number(match[2]) } : { host: entry }
}
