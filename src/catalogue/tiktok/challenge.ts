import type { ChallengeRules } from "../kit/index.ts"

/** Signs of TikTok's challenges. */
export const tiktokChallenge: ChallengeRules = {
  name: "TikTok",
  challenge: [{ html: /class=["']?_wafchallengeid|secsdk-captcha/i }],
}
