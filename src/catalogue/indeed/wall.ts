import type { Wall } from "../kit/index.ts"

/** How Indeed turns robots away. */
export const indeedWall: Wall = { name: "Indeed", wall: [{ html: /[?&]from=bot-detection\b/ }] }
