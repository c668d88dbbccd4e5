import type { Health } from "../../engine/ops/health/health-service.ts"

/** Returns in a word or two why a scraper does not work at present; "" if it does. */
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
