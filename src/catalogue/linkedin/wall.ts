import type { Wall } from "../kit/index.ts"

/** How LinkedIn turns robots away. */
export const linkedinWall: Wall = {
  name: "LinkedIn",
  certain: [{ statuses: [999] }],
  wall: [{ path: /^\/authwall$/ }, { html: /"\/authwall\?trk="/ }],
}
