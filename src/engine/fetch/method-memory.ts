import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import type { AttemptMethod } from "../../catalogue/kit/index.ts"
import type { HostMemory } from "../runtime/shared/host-memory.ts"

/** After this long the cheapest way is tried again: walls come and go. */
const keepMs = 30 * minuteMs
const storedPlaces = 5000
/** What another process has learned is known after this long, at the latest. */
const lookAgainMs = minuteMs

interface Known {
  fetchMethod?: AttemptMethod
  until: number
  /** When the other processes were asked, or told. */
  sharedAt: number
}

/** The way in that last worked for a host, so that the next page starts there. */
export class FetchMethodMemory {
  private readonly methods = new BoundedMap<string, Known>(storedPlaces)
  private readonly looking = new Map<string, Promise<void>>()

  constructor(
    private readonly now: () => number,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  async recall(place: string): Promise<AttemptMethod | undefined> {
    if (this.hosts && !this.isFresh(place)) await this.look(place, this.hosts)
    return this.known(place)
  }

  known(place: string): AttemptMethod | undefined {
    const { fetchMethod, until = 0 } = this.methods.get(place) ?? {}
    return until > this.now() ? fetchMethod : undefined
  }

  /** Another success by a known way does not renew it: when it expires, the cheapest is tried. */
  keep(place: string, fetchMethod: AttemptMethod): void {
    if (this.known(place) === fetchMethod) return
    this.methods.set(place, { fetchMethod, until: this.now() + keepMs, sharedAt: this.now() })
    this.hosts?.keep(nameOf(place), fetchMethod, keepMs)
  }

  forget(place: string): void {
    if (this.known(place)) this.hosts?.forget(nameOf(place))
    this.methods.set(place, { until: 0, sharedAt: this.now() })
  }

  private isFresh(place: string): boolean {
    const { sharedAt = Number.NEGATIVE_INFINITY } = this.methods.get(place) ?? {}
    return sharedAt + lookAgainMs > this.now()
  }

  /** Targets of the same moment ask once. */
  private look(place: string, hosts: HostMemory): Promise<void> {
    const before = this.looking.get(place)
    if (before) return before
    const looked = hosts.recall(nameOf(place)).then((found) => {
      this.looking.delete(place)
      const now = this.now()
      // It may have been learned here meanwhile.
      if (this.isFresh(place)) return
      const known = found && {
        fetchMethod: found.value as AttemptMethod,
        until: now + found.leftMs,
      }
      this.methods.set(place, { until: 0, ...known, sharedAt: now })
    })
    this.looking.set(place, looked)
    return looked
  }
}

const nameOf = (place: string) => `way ${place}`

/** What is remembered under one name: an address's host as one scraper sees it. */
export const placeOf = (slug: string, url: string) => `${slug} ${URL.parse(url)?.host ?? ""}`
