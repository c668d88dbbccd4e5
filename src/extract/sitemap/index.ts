/** Sitemaps and their indexes. */
export { readSitemap, type Sitemap, type SitemapUrl } from "./sitemaps.ts"
