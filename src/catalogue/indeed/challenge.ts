import type { ChallengeRules } from "../kit/index.ts"

/** The signs of Indeed's challenges. */
export const indeedChallenge: ChallengeRules = {
  name: "Indeed",
  challenge: [{ html: /[?&]from=bot-detection\b/ }],
}
