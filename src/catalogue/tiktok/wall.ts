import type { Wall } from "../kit/index.ts"

/** How TikTok turns robots away. */
export const tiktokWall: Wall = {
  name: "TikTok",
  wall: [{ html: /class=["']?_wafchallengeid|secsdk-captcha/i }],
}
