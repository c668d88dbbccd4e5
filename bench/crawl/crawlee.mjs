/** The same crawl by Crawlee's CheerioCrawler with persistence; started with node, in a folder that has crawlee. */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

const [, , url, folder] = process.argv
const require = createRequire(join(folder, "package.json"))
const { CheerioCrawler, Configuration, log } = require("crawlee")
log.setLevel(log.LEVELS.WARNING)

const config = new Configuration({
  persistStorage: true,
  purgeOnStart: true,
  storageClientOptions: { localDataDirectory: join(folder, "storage") },
})
const crawler = new CheerioCrawler(
  {
    minConcurrency: 64,
    maxConcurrency: 64,
    respectRobotsTxtFile: true,
    async requestHandler({ $, request, enqueueLinks, pushData }) {
      await enqueueLinks({ strategy: "same-hostname" })
      await pushData({
        url: request.url,
        title: $("title").text(),
        description: $("meta[name=description]").attr("content") ?? null,
      })
    },
  },
  config,
)
const started = performance.now()
await crawler.run([url])
const seconds = (performance.now() - started) / 1000
const stored = readdirSync(join(folder, "storage/datasets/default"))
const pages = stored.filter((name) => /^\d+\.json$/.test(name)).length
const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))
console.log(JSON.stringify({ pages, seconds, megabytes: Math.round(Number(peak[1]) / 1024) }))
