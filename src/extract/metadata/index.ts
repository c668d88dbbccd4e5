/** Who wrote a page, when, under which title, for which site. */
export { readAuthors } from "./author.ts"
export { breadcrumbs } from "./breadcrumbs.ts"
export { pageDate } from "./dates-in-text.ts"
export { keywordsOf, readMetadata } from "./metadata.ts"
export { type PageSources, readSources } from "./page-sources.ts"
export { isPerson } from "./person-names.ts"
