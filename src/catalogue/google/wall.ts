import type { Wall } from "../kit/index.ts"

/** How Google turns robots away; other vendors quote its words. */
export const googleSigns: Wall = {
  name: "Google",
  wall: [
    { path: /^\/sorry\// },
    {
      html: /Our systems have detected unusual traffic/i,
      not: /\b(?:cf-turnstile|h-captcha)\b|challenges\.cloudflare\.com/i,
    },
  ],
}
