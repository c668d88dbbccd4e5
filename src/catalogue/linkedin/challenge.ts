import type { ChallengeRules } from "../kit/index.ts"

/** How LinkedIn turns robots away. */
export const linkedinChallenge: ChallengeRules = {
  name: "LinkedIn",
  certain: [{ statuses: [999] }],
  challenge: [{ path: /^\/authwall$/ }, { html: /"\/authwall\?trk="/ }],
}
