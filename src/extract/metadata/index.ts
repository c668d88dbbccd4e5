/** The author, time, title and site of a page. */
export { readAuthors } from "./author.ts"
export { breadcrumbs } from "./breadcrumbs.ts"
export { keywordsOf, readMetadata, readSome } from "./metadata.ts"
export { type PageSources, readSources } from "./page-sources.ts"
export { pageDate } from "./text/dates-in-text.ts"
export { isPerson } from "./text/person-names.ts"
