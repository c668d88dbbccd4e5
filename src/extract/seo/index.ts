/** What a search engine's adviser would say of a page. */
export { seoIssues, seoScore, severities } from "./issues.ts"
export { readSeoPage } from "./page.ts"
