import type { ChallengeRules } from "../kit/index.ts"

/** The signs of TikTok's challenges. */
export const tiktokChallenge: ChallengeRules = {
  name: "TikTok",
  challenge: [{ html: /class=["']?_wafchallengeid|secsdk-captcha/i }],
}
