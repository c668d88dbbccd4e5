import { type AnyElysia, Elysia } from "elysia"
import { adminRoutes } from "./admin/admin.ts"
import { metricsRoutes } from "./admin/metrics.ts"
import { apifyRoutes } from "./compat/apify/routes.ts"
import { firecrawlRoutes } from "./compat/firecrawl/routes.ts"
import { jinaRoutes } from "./compat/jina/routes.ts"
import { searxngRoutes } from "./compat/searxng/routes.ts"
import { homeRoutes } from "./console/home-page.ts"
import { consoleRoutes } from "./console/routes.ts"
import { destinationRoutes } from "./delivery/routes.ts"
import { docsRoutes } from "./docs/docs.ts"
import { guideRoutes } from "./docs/guide.ts"
import { indexRoutes } from "./docs/index-page.ts"
import { healthRoutes } from "./health.ts"
import { headOnly, openCors, preflight } from "./http/cors.ts"
import { wrapCalls } from "./http/front.ts"
import { ownPagesOnly } from "./http/origin.ts"
import { refusals } from "./http/refusals.ts"
import { agentRoutes } from "./keyless/agent.ts"
import { scrapeRoutes } from "./keyless/scrape.ts"
import { KeylessSurface } from "./keyless/surface.ts"
import { toolRoutes } from "./keyless/tools.ts"
import { datasetLinkRoutes } from "./links/dataset-links.ts"
import { mcpRoutes } from "./mcp/routes.ts"
import { monitorChangeRoutes } from "./monitors/changes-routes.ts"
import { monitorRoutes } from "./monitors/routes.ts"
import { recipeRoutes } from "./recipes/routes.ts"
import { searchRoutes } from "./search/routes.ts"
import type { Service } from "./service.ts"
import { liveLoginRoutes } from "./sessions/live-routes.ts"
import { sessionRoutes } from "./sessions/routes.ts"
import { accountRoutes } from "./sign-up/account.ts"
import { ownAccountRoutes } from "./sign-up/own-account.ts"
import { signUpPage } from "./sign-up/page.ts"
import { batchRoutes } from "./v1/batches.ts"
import { datasetDiffRoutes } from "./v1/dataset-diff.ts"
import { datasetRoutes } from "./v1/datasets.ts"
import { deliveryRoutes } from "./v1/deliveries.ts"
import { fileRoutes } from "./v1/files.ts"
import { keyRoutes } from "./v1/keys.ts"
import { mapRoutes } from "./v1/map.ts"
import { meRoutes } from "./v1/me.ts"
import { monitorGroupRoutes } from "./v1/monitor-groups.ts"
import { notificationRoutes } from "./v1/notifications.ts"
import { runEventRoutes } from "./v1/run-events.ts"
import { RunStatus } from "./v1/run-status.ts"
import { runTargetRoutes } from "./v1/run-targets.ts"
import { runRoutes } from "./v1/runs.ts"
import { scheduleRunRoutes } from "./v1/schedule-runs.ts"
import { scheduleRoutes } from "./v1/schedules.ts"
import { scraperRoutes } from "./v1/scrapers.ts"
import { startRoutes } from "./v1/start-runs.ts"
import { uploadRoutes } from "./v1/uploads.ts"
import { usageRoutes } from "./v1/usage.ts"
import { webhookRoutes } from "./v1/webhooks.ts"

/** All routes of the service, one resource per line. */
export function createApi(service: Service): AnyElysia {
  const surface = new KeylessSurface(service)
  const api: AnyElysia = new Elysia({
    name: "trawl",
    strictPath: false,
    // A host name may have fewer than four characters, for example `nas`; Elysia's standard parser
    // needs four.
    handler: { standardHostname: false },
  })
    .use(refusals(service, () => api))
    .use(ownPagesOnly(service))
    // Routes without a key
    .use(
      openSurface()
        .use(scrapeRoutes(surface))
        .use(searchRoutes(surface))
        .use(toolRoutes(surface))
        .use(agentRoutes(surface)),
    )
    .use(mcpRoutes(surface))
    // Compatible APIs
    .use(jinaRoutes(surface))
    .use(firecrawlRoutes(surface))
    .use(searxngRoutes(surface))
    .use(apifyRoutes(service))
    // Routes with a key
    .use(indexRoutes(service))
    .use(scraperRoutes(service))
    .use(recipeRoutes(service))
    .use(sessionRoutes(service))
    .use(liveLoginRoutes(service))
    .use(startRoutes(service))
    .use(mapRoutes(service))
    .use(runRoutes(service))
    .use(runEventRoutes(service))
    .use(runTargetRoutes(service))
    .use(datasetRoutes(service))
    .use(datasetLinkRoutes(service))
    .use(datasetDiffRoutes(service))
    .use(fileRoutes(service))
    .use(batchRoutes(service))
    .use(uploadRoutes(service))
    .use(scheduleRoutes(service))
    .use(scheduleRunRoutes(service))
    .use(webhookRoutes(service))
    .use(deliveryRoutes(service))
    .use(destinationRoutes(service))
    .use(notificationRoutes(service))
    .use(monitorRoutes(service))
    .use(monitorChangeRoutes(service))
    .use(monitorGroupRoutes(service))
    .use(meRoutes(service))
    .use(keyRoutes(service))
    .use(usageRoutes(service))
    .use(adminRoutes(service))
    // Pages for people and machines
    .use(homeRoutes(service))
    .use(consoleRoutes(service))
    .use(accountRoutes(service))
    .use(ownAccountRoutes(service))
    .use(signUpPage(service))
    .use(docsRoutes(service, () => api))
    .use(guideRoutes(service))
    .use(healthRoutes(service))
    .use(metricsRoutes(service))
  const status = new RunStatus(service)
  return wrapCalls(api, service, (request) => status.response(request))
}

/** Routes that scripts of any origin may call. */
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
