/** The guide's page for each screen, by the beginning of its path. */
const pages: readonly (readonly [path: string, page: string])[] = [
  ["/runs", "lists"],
  ["/bulk", "lists"],
  ["/datasets", "items"],
  ["/shared", "items"],
  ["/schedules", "notifications"],
  ["/monitors", "notifications"],
  ["/notifications", "notifications"],
  ["/recipes", "recipes"],
  ["/scrapers", "lists"],
  ["/connect", "mcp"],
  ["/keys", "security"],
  ["/usage", "items"],
  ["/account", "security"],
  ["/operate/settings", "install"],
  ["/operate/scrapers", "scraper"],
  ["/operate/accounts", "security"],
  ["/operate", "backup"],
  ["/", "spreadsheet"],
]

/** Returns the guide's page for the screen at a path. */
export const helpFor = (path: string): string =>
  pages.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1] ?? "spreadsheet"
