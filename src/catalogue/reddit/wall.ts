import type { Wall } from "../kit/index.ts"

/** How Reddit turns robots away. */
export const redditWall: Wall = {
  name: "Reddit",
  wall: [
    {
      html: /whoa there, pardner|blocked by network security|<title>\s*Reddit - Please wait for verification|name=["']?js_challenge\b/i,
    },
  ],
}
