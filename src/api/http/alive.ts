import { sql } from "kysely"
import type { Db } from "../../store/db/database.ts"
import { noted } from "../log/call-log.ts"
import type { Logger } from "../log/log.ts"
import { pathOf } from "../log/logged-path.ts"
import { confine } from "./content-policy.ts"

export interface Aliveness {
  status: "ok" | "stopping"
}

/** Returns whether the service responds and can read its database. */
export async function aliveness(db: Db, isStopping: boolean): Promise<Aliveness> {
  if (isStopping) return { status: "stopping" }
  await sql`SELECT 1`.execute(db)
  return { status: "ok" }
}

/** Whether a call of /healthz needs only what exists from the first moment of startup. */
export function isAliveCall({ method, url }: Request): boolean {
  return method === "GET" && pathOf(url) === "/healthz"
}

/** The response of the route /healthz, before the routes exist. */
export async function responseAlive(
  { db, log, isStopping }: { db: Db; log: Logger; isStopping: boolean },
  request: Request,
): Promise<Response> {
  const started = performance.now()
  const body = await aliveness(db, isStopping)
  const response = Response.json(body, {
    status: body.status === "ok" ? 200 : 503,
    headers: { vary: "accept-encoding" },
  })
  confine(response)
  return noted(log, request, response, started)
}
