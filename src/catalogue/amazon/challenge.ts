import type { ChallengeRules } from "../kit/index.ts"

/** Rules that recognize Amazon's challenges. */
export const amazonChallenge: ChallengeRules = {
  name: "Amazon",
  challenge: [
    { html: /\/errors\/validateCaptcha|api-services-support@amazon\.com|opfcaptcha\.amazon/i },
  ],
}
