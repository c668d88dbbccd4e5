import type { ChallengeRules } from "../kit/index.ts"

/** Rules that recognize Indeed's challenges. */
export const indeedChallenge: ChallengeRules = {
  name: "Indeed",
  challenge: [{ html: /[?&]from=bot-detection\b/ }],
}
