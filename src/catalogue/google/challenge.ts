import type { ChallengeRules } from "../kit/index.ts"

/** Rules that recognize Google's challenges; other vendors quote their texts. */
export const googleSigns: ChallengeRules = {
  name: "Google",
  challenge: [
    { path: /^\/sorry\// },
    {
      html: /Our systems have detected unusual traffic/i,
      not: /\b(?:cf-turnstile|h-captcha)\b|challenges\.cloudflare\.com/i,
    },
  ],
}
