import type { ChallengeRules } from "../kit/index.ts"

/** How Indeed turns robots away. */
export const indeedChallenge: ChallengeRules = {
  name: "Indeed",
  challenge: [{ html: /[?&]from=bot-detection\b/ }],
}
