import { Elysia } from "elysia"

/** The same framework with an empty route: the maximum of any API on it. */
const app = new Elysia()
  .get("/runs/:runId", ({ params }) => ({ id: params.runId, status: "queued" }))
  .post("/runs", ({ body }) => ({ received: body }))
  .listen({ hostname: "127.0.0.1", port: 0 })
console.log(JSON.stringify({ pid: process.pid, port: app.server!.port }))
