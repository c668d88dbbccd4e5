import type { Wall } from "../kit/index.ts"

/** How TikTok turns robots away. */
export const tiktokWall: Wall = {
  name: "TikTok",
  wall: [{ html: /class=["']?(?:[\w-]+ )*_wafchallengeid|secsdk-captcha/i }],
}
