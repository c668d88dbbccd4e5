import type { ChallengeRules } from "../kit/index.ts"

export const redditChallenge: ChallengeRules = {
  name: "Reddit",
  challenge: [
    {
      html: /whoa there, pardner|blocked by network security|<title>\s*Reddit - Please wait for verification|name=["']?js_challenge\b/i,
    },
  ],
}
