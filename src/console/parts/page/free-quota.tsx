import type { Free } from "../../data/keyless.ts"
import { freeDaily } from "../../data/shell.ts"

/** Number of calls left today. */
export function FreeQuota({ free }: { free: Free | undefined }) {
  if (freeDaily === 0) return <p class="muted">Calls need an API key here.</p>
  const { remaining, limit } = free ?? { remaining: undefined, limit: freeDaily }
  return (
    <p class="muted">
      {remaining === undefined ? limit : `${remaining} of ${limit}`} free calls left today. No key
      needed.
    </p>
  )
}
