import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import type { Rung } from "../../catalogue/kit/index.ts"
import type { HostMemory } from "../shared/host-memory.ts"

/** After this long the cheapest way is tried again: walls come and go. */
const keepMs = 30 * minuteMs
const keptPlaces = 5000
/** What another process has learned is known after this long, at the latest. */
const lookAgainMs = minuteMs

interface Known {
  way?: Rung
  until: number
  /** When the other processes were asked, or told. */
  sharedAt: number
}

/** The way in that last worked for a host, so that the next page starts there. */
export class WayMemory {
  private readonly ways = new BoundedMap<string, Known>(keptPlaces)
  private readonly looking = new Map<string, Promise<void>>()

  constructor(
    private readonly now: () => number,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  async recall(place: string): Promise<Rung | undefined> {
    if (this.hosts && !this.isFresh(place)) await this.look(place, this.hosts)
    return this.known(place)
  }

  known(place: string): Rung | undefined {
    const { way, until = 0 } = this.ways.get(place) ?? {}
    return until > this.now() ? way : undefined
  }

  /** Another success by a known way does not renew it: when it expires, the cheapest is tried. */
  keep(place: string, way: Rung): void {
    if (this.known(place) === way) return
    this.ways.set(place, { way, until: this.now() + keepMs, sharedAt: this.now() })
    this.hosts?.keep(nameOf(place), way, keepMs)
  }

  forget(place: string): void {
    if (this.known(place)) this.hosts?.forget(nameOf(place))
    this.ways.set(place, { until: 0, sharedAt: this.now() })
  }

  private isFresh(place: string): boolean {
    const { sharedAt = Number.NEGATIVE_INFINITY } = this.ways.get(place) ?? {}
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
      const known = found && { way: found.value as Rung, until: now + found.leftMs }
      this.ways.set(place, { until: 0, ...known, sharedAt: now })
    })
    this.looking.set(place, looked)
    return looked
  }
}

const nameOf = (place: string) => `way ${place}`

/** What is remembered under one name: an address's host as one scraper sees it. */
export const placeOf = (slug: string, url: string) => `${slug} ${URL.parse(url)?.host ?? ""}`
