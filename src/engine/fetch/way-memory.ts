import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import type { Rung } from "../../catalogue/kit/index.ts"

/** After this long the cheapest way is tried again: walls come and go. */
const keepMs = 30 * minuteMs
const keptPlaces = 5000

/** The way in that last worked for a host, so that the next page starts there. */
export class WayMemory {
  private readonly ways = new BoundedMap<string, { way: Rung; until: number }>(keptPlaces)

  constructor(private readonly now: () => number) {}

  recall(place: string): Rung | undefined {
    const known = this.ways.get(place)
    if (!known) return undefined
    if (known.until > this.now()) return known.way
    this.ways.delete(place)
    return undefined
  }

  /** Another success by a known way does not renew it: when it expires, the cheapest is tried. */
  keep(place: string, way: Rung): void {
    if (this.recall(place) === way) return
    this.ways.set(place, { way, until: this.now() + keepMs })
  }

  forget(place: string): void {
    this.ways.delete(place)
  }
}

/** What is remembered under one name: an address's host as one scraper sees it. */
export const placeOf = (slug: string, url: string) => `${slug} ${URL.parse(url)?.host ?? ""}`
