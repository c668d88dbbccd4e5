/** Checks a page for search engines. */
export { seoIssues, seoScore } from "./issues.ts"
export { readSeoPage } from "./page.ts"
export { severities } from "./rules.ts"
