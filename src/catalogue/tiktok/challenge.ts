import type { ChallengeRules } from "../kit/index.ts"

/** How TikTok turns robots away. */
export const tiktokChallenge: ChallengeRules = {
  name: "TikTok",
  challenge: [{ html: /class=["']?_wafchallengeid|secsdk-captcha/i }],
}
