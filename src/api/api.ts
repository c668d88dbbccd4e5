import { type AnyElysia, Elysia } from "elysia"
import { accountRoutes } from "./account.ts"
import { agentRoutes } from "./agent.ts"
import { batchRoutes } from "./batches.ts"
import { headOnly, openCors, preflight } from "./cors.ts"
import { datasetRoutes } from "./datasets.ts"
import { deliveryRoutes } from "./deliveries.ts"
import { docsRoutes } from "./docs.ts"
import { front, wrapCalls } from "./front.ts"
import { healthRoutes } from "./health.ts"
import { homeRoutes } from "./home-page.ts"
import { indexRoutes } from "./index-page.ts"
import { KeylessSurface } from "./keyless/surface.ts"
import { keyRoutes } from "./keys.ts"
import { mcpRoutes } from "./mcp/routes.ts"
import { meRoutes } from "./me.ts"
import { ownPagesOnly } from "./origin.ts"
import { runEventRoutes } from "./run-events.ts"
import { runRoutes } from "./runs.ts"
import { scheduleRoutes } from "./schedules.ts"
import { scrapeRoutes } from "./scrape.ts"
import { scraperRoutes } from "./scrapers.ts"
import type { Service } from "./service.ts"
import { signUpPage } from "./sign-up-page.ts"
import { startRoutes } from "./start-runs.ts"
import { toolRoutes } from "./tools.ts"
import { webhookRoutes } from "./webhooks.ts"

/** Every route of the service; each line is one resource. */
export function createApi(service: Service): AnyElysia {
  const surface = new KeylessSurface(service)
  const api: AnyElysia = new Elysia({ name: "trawl", strictPath: false })
    .use(front(service))
    .use(ownPagesOnly(service))
    // Without a key
    .use(
      openSurface().use(scrapeRoutes(surface)).use(toolRoutes(surface)).use(agentRoutes(surface)),
    )
    .use(mcpRoutes(surface))
    // With a key
    .use(indexRoutes(service))
    .use(scraperRoutes(service))
    .use(startRoutes(service))
    .use(runRoutes(service))
    .use(runEventRoutes(service))
    .use(datasetRoutes(service))
    .use(batchRoutes(service))
    .use(scheduleRoutes(service))
    .use(webhookRoutes(service))
    .use(deliveryRoutes(service))
    .use(meRoutes(service))
    .use(keyRoutes(service))
    // For humans and machines
    .use(homeRoutes(service))
    .use(accountRoutes(service))
    .use(signUpPage(service))
    .use(docsRoutes(service, () => api))
    .use(healthRoutes(service))
  return wrapCalls(api, service)
}

/** Routes that the scripts of any page may call. */
function openSurface(): AnyElysia {
  return new Elysia()
    .onBeforeHandle(({ set }) => {
      Object.assign(set.headers, openCors)
    })
    .onBeforeHandle(headOnly)
    .options("/api/scrape", preflight, { detail: { hide: true } })
    .options("/api/scrape/*", preflight, { detail: { hide: true } })
    .options("/api/tools", preflight, { detail: { hide: true } })
    .options("/api/tools/*", preflight, { detail: { hide: true } })
    .options("/api/results/*", preflight, { detail: { hide: true } })
    .options("/api/agent/*", preflight, { detail: { hide: true } })
}
