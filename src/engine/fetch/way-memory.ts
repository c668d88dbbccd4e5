import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import type { Access, Target } from "../../catalogue/kit/index.ts"

/** After this long the cheapest way is tried again: walls come and go. */
const keepMs = 30 * minuteMs
const keptPlaces = 5000

/** By which way in a host was last entered, so that the next target starts there. */
export class WayMemory {
  private readonly ways = new BoundedMap<string, { way: Access; until: number }>(keptPlaces)

  constructor(private readonly now: () => number) {}

  recall(place: string): Access | undefined {
    const known = this.ways.get(place)
    if (!known) return undefined
    if (known.until > this.now()) return known.way
    this.ways.delete(place)
    return undefined
  }

  keep(place: string, way: Access): void {
    this.ways.set(place, { way, until: this.now() + keepMs })
  }

  forget(place: string): void {
    this.ways.delete(place)
  }
}

/** What is remembered under one name: a target's host, or the scraper where it names no address. */
export function placeOf(slug: string, target: Target): string {
  const address = typeof target === "string" ? target : target.url
  const host =
    typeof address === "string" && /^https?:/i.test(address) ? URL.parse(address)?.host : null
  return `${slug} ${host ?? ""}`
}
