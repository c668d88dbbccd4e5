import type { ChallengeRules } from "../kit/index.ts"

/** Rules that recognize LinkedIn's challenges. */
export const linkedinChallenge: ChallengeRules = {
  name: "LinkedIn",
  certain: [{ statuses: [999] }],
  challenge: [{ path: /^\/authwall$/ }, { html: /"\/authwall\?trk="/ }],
}
