import type { ChallengeRules } from "../kit/index.ts"

export const tiktokChallenge: ChallengeRules = {
  name: "TikTok",
  challenge: [{ html: /class=["']?_wafchallengeid|secsdk-captcha/i }],
}
