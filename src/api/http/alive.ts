import { sql } from "kysely"
import type { Db } from "../../store/database.ts"
import { noted } from "../log/call-log.ts"
import type { Logger } from "../log/log.ts"
import { pathOf } from "../log/logged-path.ts"
import { confine } from "./content-policy.ts"

export interface Aliveness {
  status: "ok" | "stopping"
}

/** Whether the service answers and reads its store. */
export async function aliveness(db: Db, isStopping: boolean): Promise<Aliveness> {
  if (isStopping) return { status: "stopping" }
  await sql`SELECT 1`.execute(db)
  return { status: "ok" }
}

/** A call of /healthz that needs no more of the service than is there from the first moment on. */
export function isAliveCall({ method, url }: Request): boolean {
  return method === "GET" && pathOf(url) === "/healthz"
}

/** The answer to it, as the route of the whole service gives it. */
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
