import type { ChallengeRules } from "../kit/index.ts"

/** The signs of Amazon's challenges. */
export const amazonChallenge: ChallengeRules = {
  name: "Amazon",
  challenge: [
    { html: /\/errors\/validateCaptcha|api-services-support@amazon\.com|opfcaptcha\.amazon/i },
  ],
}
