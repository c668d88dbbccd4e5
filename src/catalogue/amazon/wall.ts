import type { Wall } from "../kit/index.ts"

/** How Amazon turns robots away. */
export const amazonWall: Wall = {
  name: "Amazon",
  wall: [
    { html: /\/errors\/validateCaptcha|api-services-support@amazon\.com|opfcaptcha\.amazon/i },
  ],
}
