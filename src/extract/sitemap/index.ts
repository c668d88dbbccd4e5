/** Sitemaps and their indexes. */
export { readSitemap, type Sitemap } from "./sitemaps.ts"
