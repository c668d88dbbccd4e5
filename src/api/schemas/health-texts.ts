import type { Health } from "../../engine/ops/health/health-service.ts"

/** Returns in a few words why a scraper does not work at present; "" if it works. */
export function healthWords({ state, vendor, needs }: Health): string {
  switch (state) {
    case "broken":
      return "Broken on this server now."
    case "blocked":
      return vendor ? `Blocked on this server now (${vendor}).` : "Blocked on this server now."
    case "needs":
      return needs.length > 0
        ? `Needs ${needs.join(", ")}, not set up on this server.`
        : "Not set up on this server."
    default:
      return ""
  }
}
