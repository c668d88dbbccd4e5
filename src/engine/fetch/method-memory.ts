import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import type { AttemptMethod } from "../../catalogue/kit/index.ts"
import type { HostMemory } from "../runtime/shared/host-memory.ts"

/**
 * Time after which the cheapest method is tried again, because bot protection is switched on and
 * off.
 */
const keepMs = 30 * minuteMs
const maxHosts = 5000
/** Interval for reading the entries of other processes. */
const lookAgainMs = minuteMs

interface Known {
  fetchMethod?: AttemptMethod
  until: number
  /** Time of the last read from or write to the other processes. */
  sharedAt: number
}

/** Remembers the fetch method that last worked for a host, so that the next page starts with it. */
export class FetchMethodMemory {
  private readonly methods = new BoundedMap<string, Known>(maxHosts)
  private readonly looking = new Map<string, Promise<void>>()

  constructor(
    private readonly now: () => number,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  async recall(key: string): Promise<AttemptMethod | undefined> {
    if (this.hosts && !this.isFresh(key)) await this.look(key, this.hosts)
    return this.known(key)
  }

  known(key: string): AttemptMethod | undefined {
    const { fetchMethod, until = 0 } = this.methods.get(key) ?? {}
    return until > this.now() ? fetchMethod : undefined
  }

  /**
   * A repeated success does not renew the entry, so that the cheapest method is tried after it
   * expires.
   */
  keep(key: string, fetchMethod: AttemptMethod): void {
    if (this.known(key) === fetchMethod) return
    this.methods.set(key, { fetchMethod, until: this.now() + keepMs, sharedAt: this.now() })
    this.hosts?.keep(nameOf(key), fetchMethod, keepMs)
  }

  forget(key: string): void {
    if (this.known(key)) this.hosts?.forget(nameOf(key))
    this.methods.set(key, { until: 0, sharedAt: this.now() })
  }

  private isFresh(key: string): boolean {
    const { sharedAt = Number.NEGATIVE_INFINITY } = this.methods.get(key) ?? {}
    return sharedAt + lookAgainMs > this.now()
  }

  /** Concurrent targets share one lookup. */
  private look(key: string, hosts: HostMemory): Promise<void> {
    const before = this.looking.get(key)
    if (before) return before
    const looked = hosts.recall(nameOf(key)).then((recalled) => {
      this.looking.delete(key)
      const now = this.now()
      // A run in this process may have learned it in the meantime.
      if (this.isFresh(key)) return
      const known = recalled && {
        fetchMethod: recalled.value as AttemptMethod,
        until: now + recalled.leftMs,
      }
      this.methods.set(key, { until: 0, ...known, sharedAt: now })
    })
    this.looking.set(key, looked)
    return looked
  }
}

const nameOf = (key: string) => `method ${key}`

/** Returns the key of a URL's host for one scraper. */
export const memoryKey = (slug: string, url: string) => `${slug} ${URL.parse(url)?.host ?? ""}`
