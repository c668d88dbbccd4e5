/** What a site is built with. */
export { detectTechnologies, type Technology } from "./detect.ts"
export type { Category } from "./rule.ts"
