import { type Counts, shares } from "./counts.ts"

/** So many items must be there before a share says anything. */
const leastItems = 20
/** And so many of them would say something of the field, were all as before. */
const leastFilled = 10

/** The fields that items had always something of. */
export function fieldsAlways(counts: Counts): string[] {
  if (counts.seen < leastItems) return []
  return Object.entries(shares(counts)).flatMap(([name, share]) => (share > 0.95 ? [name] : []))
}

/**
 * The fields that far fewer items say something of than in the week before: under half of its share.
 * The recent items are not among those that they are held against.
 */
export function driftedFields(recent: Counts, before: Counts): string[] {
  if (recent.seen < leastItems || before.seen < leastItems) return []
  const now = shares(recent)
  return Object.entries(shares(before))
    .filter(([name, share]) => share * recent.seen >= leastFilled && (now[name] ?? 0) * 2 < share)
    .map(([name]) => name)
}
