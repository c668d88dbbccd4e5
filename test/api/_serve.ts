import { startApp } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
const t = performance.now()
const app = await startApp(loadConfig(process.env))
console.error("started", performance.now() - t, app.url)
process.on("SIGTERM", async () => { await app.stop(); process.exit(0) })
