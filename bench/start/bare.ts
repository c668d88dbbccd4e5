/** The same runtime with an empty server: the minimum of any service on it. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.TRAWL_PORT),
  fetch: () => Response.json({ status: "ok" }),
})
process.on("SIGTERM", () => void server.stop(true).then(() => process.exit(0)))
