import { dayMs } from "../../../base/time.ts"
import { addCounts, type Counts, noCounts, shares } from "./counts.ts"

/** Fewest items for a share to mean anything. */
const minItems = 20
/** And at least this number of them would have the field at its usual share. */
const minFilled = 10
/** By then it is the week's own share that has fallen. */
const maxMs = 7 * dayMs

/** The fields that items had always something of. */
export function fieldsAlways(counts: Counts): string[] {
  if (counts.seen < minItems) return []
  return Object.entries(shares(counts)).flatMap(([name, share]) => (share > 0.95 ? [name] : []))
}

/** Watches for fields of one scraper that the newest items say far less of than the week before. */
export class FieldWatch {
  private newest = noCounts()
  /** Fields that have fallen, with the share that they had, which the week forgets. */
  private readonly fallen = new Map<string, { share: number; since: number }>()

  add(counts: Counts): void {
    addCounts(this.newest, counts)
  }

  /** Holds the newest items, once they are enough, against the week's others. */
  look(week: () => Counts, now: number): void {
    const { newest, fallen } = this
    if (newest.seen < minItems) return
    this.newest = noCounts()
    const found = shares(newest)
    const before = addCounts(week(), newest, -1)
    const usual = before.seen < minItems ? {} : shares(before)
    for (const [name, { share, since }] of fallen) {
      if (now - since < maxMs) usual[name] = share
      else fallen.delete(name)
    }
    for (const [name, share] of Object.entries(usual)) {
      const isFallen = share * newest.seen >= minFilled && (found[name] ?? 0) * 2 < share
      if (!isFallen) fallen.delete(name)
      else if (!fallen.has(name)) fallen.set(name, { share, since: now })
    }
  }

  get fields(): string[] {
    return [...this.fallen.keys()]
  }
}
