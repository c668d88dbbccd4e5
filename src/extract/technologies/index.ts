/** Detects the technologies of a website. */
export { detectTechnologies, type Technology } from "./detect.ts"
export type { Category } from "./rule.ts"
