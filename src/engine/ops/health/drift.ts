import { dayMs } from "../../../base/time.ts"
import { addCounts, type Counts, noCounts, shares } from "./counts.ts"

/** Minimum items for a significant share. */
const minItems = 20
/** Minimum items that would have the field at its usual share. */
const minFilled = 10
/** Maximum age of a fallen share: afterwards, the week's own share has fallen. */
const maxMs = 7 * dayMs

/** Returns the fields that had a value in nearly all items. */
export function fieldsAlways(counts: Counts): string[] {
  if (counts.seen < minItems) return []
  return Object.entries(shares(counts)).flatMap(([name, share]) => (share > 0.95 ? [name] : []))
}

/**
 * Detects fields of a scraper that are filled far less often in the newest items than in the week
 * before.
 */
export class FieldWatch {
  private newest = noCounts()
  /** Fallen fields with their previous share, which the week's counts lose. */
  private readonly fallen = new Map<string, { share: number; since: number }>()

  add(counts: Counts): void {
    addCounts(this.newest, counts)
  }

  /** Compares the newest items, if there are enough, with the week's others. */
  look(week: () => Counts, now: number): void {
    const { newest, fallen } = this
    if (newest.seen < minItems) return
    this.newest = noCounts()
    const current = shares(newest)
    const before = addCounts(week(), newest, -1)
    const usual = before.seen < minItems ? {} : shares(before)
    for (const [name, { share, since }] of fallen) {
      if (now - since < maxMs) usual[name] = share
      else fallen.delete(name)
    }
    for (const [name, share] of Object.entries(usual)) {
      const isFallen = share * newest.seen >= minFilled && (current[name] ?? 0) * 2 < share
      if (!isFallen) fallen.delete(name)
      else if (!fallen.has(name)) fallen.set(name, { share, since: now })
    }
  }

  get fields(): string[] {
    return [...this.fallen.keys()]
  }
}
