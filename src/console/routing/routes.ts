interface Route {
  /** The path, with parameters as `:id`. */
  path: string
  /** The path of the JSON that the screen shows, for browsers without scripts. */
  json: string
  /** The page of the guide that explains the screen. */
  help: string
}

/** All screens of the console. The server and the console share this list. */
export const routes = [
  { path: "/", json: "/api/scrape", help: "spreadsheet" },
  { path: "/scrapers", json: "/api/scrape", help: "run-scrapers" },
  { path: "/scrapers/:id", json: "/api/scrape/:id", help: "run-scrapers" },
  { path: "/search", json: "/api/search", help: "search" },
  { path: "/runs", json: "/api/v1/runs", help: "run-scrapers" },
  { path: "/runs/:id", json: "/api/v1/runs/:id", help: "run-scrapers" },
  { path: "/datasets", json: "/api/v1/datasets", help: "items" },
  { path: "/datasets/:id", json: "/api/v1/datasets/:id", help: "items" },
  { path: "/datasets/:id/diff", json: "/api/v1/datasets/:id/diff", help: "items" },
  { path: "/shared/:id", json: "/docs", help: "items" },
  { path: "/bulk", json: "/api/v1/batches", help: "lists" },
  { path: "/recipes", json: "/api/v1/recipes", help: "recipes" },
  { path: "/connect", json: "/api/mcp", help: "mcp" },
  { path: "/schedules", json: "/api/v1/schedules", help: "schedules" },
  { path: "/schedules/:id", json: "/api/v1/schedules/:id", help: "schedules" },
  { path: "/schedules/new/:id", json: "/api/v1/schedules", help: "schedules" },
  { path: "/monitors", json: "/api/v1/monitors", help: "schedules" },
  { path: "/monitors/:id", json: "/api/v1/monitors/:id", help: "schedules" },
  { path: "/destinations", json: "/api/v1/destinations", help: "destinations" },
  { path: "/destinations/:id", json: "/api/v1/destinations/:id", help: "destinations" },
  { path: "/sessions", json: "/api/v1/sessions", help: "sessions" },
  { path: "/notifications", json: "/api/v1/notifications", help: "notifications" },
  { path: "/notifications/:id", json: "/api/v1/notifications/:id", help: "notifications" },
  { path: "/keys", json: "/api/v1/keys", help: "security" },
  { path: "/usage", json: "/api/v1/usage", help: "limits" },
  { path: "/account", json: "/api/v1/me", help: "security" },
  { path: "/operate", json: "/api/admin/v1/now", help: "monitoring" },
  { path: "/operate/accounts", json: "/api/admin/v1/accounts", help: "security" },
  { path: "/operate/scrapers", json: "/api/admin/v1/checks", help: "health" },
  { path: "/operate/settings", json: "/api/admin/v1/settings", help: "settings" },
  { path: "/operate/log", json: "/api/admin/v1/log", help: "monitoring" },
] as const satisfies readonly Route[]

export type RoutePath = (typeof routes)[number]["path"]

interface RouteMatch {
  route: (typeof routes)[number]
  /** The value of `:id`, or "". */
  id: string
}

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(":id", "([\\w-]+)")}$`),
}))

/** Returns the screen of a path; undefined for an unknown path. */
export function matchRoute(path: string): RouteMatch | undefined {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return { route, id: match[1] ?? "" }
  }
  return undefined
}
