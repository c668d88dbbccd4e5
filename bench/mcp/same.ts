import { Elysia } from "elysia"

/** A bare route that returns the same bytes: the cost of sending them. */
const bytes = await Bun.file(process.argv[2]!).bytes()
const headers = { "content-type": "application/json" }
const app = new Elysia()
  .get("/", () => new Response(bytes, { headers }))
  .listen({ hostname: "127.0.0.1", port: 0 })
console.log(app.server!.port)
