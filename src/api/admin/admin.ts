import { type AnyElysia, Elysia } from "elysia"
import { refusals } from "../http/refusals.ts"
import type { Service } from "../service.ts"
import { accountAdminRoutes } from "./accounts.ts"
import { checkAdminRoutes } from "./checks.ts"
import { destinationAdminRoutes } from "./destinations.ts"
import { driftAdminRoutes } from "./drift.ts"
import { keyAdminRoutes } from "./keys.ts"
import { linkAdminRoutes } from "./links.ts"
import { logAdminRoutes } from "./log.ts"
import { notificationAdminRoutes } from "./notifications.ts"
import { nowAdminRoutes } from "./now.ts"
import { settingAdminRoutes } from "./settings.ts"
import { upkeepAdminRoutes } from "./upkeep.ts"
import { usageAdminRoutes } from "./usage.ts"

/** The administration routes, for the API and the command line. */
export function adminRoutes(service: Service): AnyElysia {
  return new Elysia()
    .use(accountAdminRoutes(service))
    .use(keyAdminRoutes(service))
    .use(linkAdminRoutes(service))
    .use(settingAdminRoutes(service))
    .use(notificationAdminRoutes(service))
    .use(destinationAdminRoutes(service))
    .use(nowAdminRoutes(service))
    .use(logAdminRoutes(service))
    .use(upkeepAdminRoutes(service))
    .use(usageAdminRoutes(service))
    .use(checkAdminRoutes(service))
    .use(driftAdminRoutes(service))
}

/** Only the administration routes, for the command line if no service runs. */
export function adminApi(service: Service): AnyElysia {
  const api: AnyElysia = new Elysia().use(refusals(service, () => api)).use(adminRoutes(service))
  return api
}
