import { amazonChallenge } from "./amazon/challenge.ts"
import { googleSigns } from "./google/challenge.ts"
import { indeedChallenge } from "./indeed/challenge.ts"
import type { ChallengeRules } from "./kit/index.ts"
import { linkedinChallenge } from "./linkedin/challenge.ts"
import { redditChallenge } from "./reddit/challenge.ts"
import { tiktokChallenge } from "./tiktok/challenge.ts"

/** Block pages of single sites, which are recognized in the responses of every scraper. */
export const siteChallenges: readonly ChallengeRules[] = [
  amazonChallenge,
  googleSigns,
  indeedChallenge,
  linkedinChallenge,
  redditChallenge,
  tiktokChallenge,
]
