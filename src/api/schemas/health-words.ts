import type { Health } from "../../engine/ops/health/health-service.ts"

/** Why a scraper should not be chosen now, in a word or two; "" where nothing is known against it. */
export function healthWords({ state, vendor, needs }: Health): string {
  switch (state) {
    case "broken":
      return "Broken here now."
    case "blocked":
      return vendor ? `Blocked here now (${vendor}).` : "Blocked here now."
    case "needs":
      return needs.length > 0 ? `Needs ${needs.join(", ")}, not set up here.` : "Not set up here."
    default:
      return ""
  }
}
