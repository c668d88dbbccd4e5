/** What a search engine's adviser would say of a page. */
export { seoIssues, seoScore } from "./issues.ts"
export { readSeoPage } from "./page.ts"
export { severities } from "./rules.ts"
