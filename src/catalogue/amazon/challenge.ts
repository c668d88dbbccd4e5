import type { ChallengeRules } from "../kit/index.ts"

/** How Amazon turns robots away. */
export const amazonChallenge: ChallengeRules = {
  name: "Amazon",
  challenge: [
    { html: /\/errors\/validateCaptcha|api-services-support@amazon\.com|opfcaptcha\.amazon/i },
  ],
}
