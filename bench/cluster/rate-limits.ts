/**
 * Four processes that share a PostgreSQL request pages of the same hosts under load. Measures how
 * close they come to a host's rate limit, concurrency limit, Crawl-delay and quota, when they stop
 * requests to a host that blocks them, and how often they fetch robots.txt.
 *
 *     bun bench/cluster/rate-limits.ts [--processes 4] [--seconds 20]
 *
 * `TRAWL_BINARY` and `TRAWL_TEST_POSTGRES` as for main.ts.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freshDatabase } from "../../test/postgres.ts"
import { unlimitedKey } from "./account.ts"
import { type Arrival, Internet, type Page } from "./internet.ts"
import { TrawlProcess } from "./process.ts"

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "4" },
    seconds: { type: "string", default: "20" },
  },
})
const count = Number(values.processes)
const seconds = Number(values.seconds)
/** So short that the limit of two concurrent requests per host does not matter. */
const perSecond = 4
const slowMs = 400
const challenge =
  "<html><title>Just a moment...</title><div id='challenge-form'>cf-chl</div></html>"

const folder = mkdtempSync(join(tmpdir(), "trawl-pace-"))
const html = (path: string) =>
  `<html><title>${path}</title><main><h1>${path}</h1><p>${"Text. ".repeat(60)}</p></main>`
/** Links of a crawl obey robots.txt; its first URL, which the client passed, does not. */
const linksOf = (path: string) =>
  path.endsWith("/start")
    ? Array.from({ length: 30 }, (_, page) => `<a href="${page}">${page}</a>`).join()
    : ""
const json = { "content-type": "application/json" }
const pagesOf: Record<string, (path: string) => Page> = {
  "fast.test": (path) => ({ body: html(path) }),
  "slow.test": (path) => ({ body: html(path), afterMs: slowMs }),
  "delay.test": (path) => ({ body: html(path) + linksOf(path) }),
  "challenge.test": () => ({
    status: 403,
    headers: { "cf-mitigated": "challenge" },
    body: challenge,
  }),
  "api.github.com": () => ({ status: 404, headers: json, body: "{}" }),
}
const rules = { body: "User-agent: *\nCrawl-delay: 1", headers: { "content-type": "text/plain" } }
const internet = new Internet(folder, "api.github.com", (host, path) => {
  if (path !== "/robots.txt") return pagesOf[host]!(path)
  return host === "delay.test" ? rules : { status: 404 }
})
const databaseUrl = await freshDatabase()
const first = join(folder, "1")
const key = await unlimitedKey(first, databaseUrl)
const processes = await Promise.all(
  Array.from({ length: count }, async (_, n) => {
    const env = {
      TRAWL_DATABASE_URL: databaseUrl,
      TRAWL_PROXY_URLS: await internet.proxy(n),
      TRAWL_PROXY_RESOLVES: "true",
      NODE_EXTRA_CA_CERTS: internet.certificate,
      TRAWL_HOST_RATE_LIMITS: `fast.test=${perSecond},slow.test=1000`,
      TRAWL_RUNS_PER_ACCOUNT: "1000",
    }
    return new TrawlProcess(join(folder, String(n + 1)), env, join(first, "trawl.key"))
  }),
)
await Promise.all(processes.map((one) => one.start()))

async function begin(slug: string, input: Record<string, unknown>): Promise<void> {
  const { root } = processes[Math.floor(Math.random() * count)]!
  const response = await fetch(`${root}/api/v1/scrapers/${slug}/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

const pages = (host: string, run: number, most: number) =>
  Array.from({ length: most }, (_, page) => `http://${host}/${run}/${page}`)
const fields = ["title: h1"]
// Enough runs for each process to have some of each kind, and for no host to be idle.
for (let run = 0; run < count * 4; run++) {
  await begin("web-scraper", { urls: pages("fast.test", run, 40), fields })
  await begin("web-scraper", { urls: pages("slow.test", run, 60), fields })
  await begin("website-content-crawler", { startUrls: [`http://delay.test/${run}/start`] })
  await begin("rss-feed-reader", { feedUrls: pages("challenge.test", run, 5) })
  await begin("github-repo-scraper", {
    repos: Array.from({ length: 8 }, (_, repo) => `run-${run}/repo-${repo}`),
    includeLanguages: false,
  })
}

const isFollowed = ({ path }: Arrival) => !path.endsWith("/start") && path !== "/sitemap.xml"

/** Counts for this time, once all processes have requested pages of the host. */
async function window(host: string): Promise<{ arrivals: Arrival[]; from: number }> {
  const isRequested = () =>
    new Set(
      internet
        .of(host)
        .filter(isFollowed)
        .map(({ from }) => from),
    ).size === count
  for (const end = Date.now() + 60_000; !isRequested(); await Bun.sleep(50)) {
    if (Date.now() > end) throw new Error(`Not all processes sent requests to ${host}.`)
  }
  const from = performance.now()
  await Bun.sleep(seconds * 1000)
  return {
    arrivals: internet.of(host).filter(({ at }) => at >= from && at < from + seconds * 1000),
    from,
  }
}

/** Concurrent requests: the maximum, and the mean over time. */
function atOnce({ arrivals, from }: { arrivals: Arrival[]; from: number }) {
  const until = from + seconds * 1000
  const busy = arrivals.reduce((sum, one) => sum + Math.min(one.until, until) - one.at, 0)
  const counts = arrivals.map(
    ({ at }) => arrivals.filter((other) => other.at <= at && other.until > at).length,
  )
  return {
    most: Math.max(...counts),
    overLimit: counts.filter((open) => open > 2).length,
    mean: busy / seconds / 1000,
  }
}

const [fast, slow, delay] = await Promise.all(["fast.test", "slow.test", "delay.test"].map(window))
const perProcess = (arrivals: Arrival[]) =>
  processes.map((_, n) => arrivals.filter(({ from }) => from === n).length)
const challengeArrivals = internet.of("challenge.test")
const gaps = delay!.arrivals.map(({ at }, n) => at - (delay!.arrivals[n - 1]?.at ?? -Infinity))
console.log({
  rate: {
    limit: perSecond,
    reached: fast!.arrivals.length / seconds,
    perProcess: perProcess(fast!.arrivals),
  },
  concurrency: {
    limit: 2,
    ...atOnce(slow!),
    requests: slow!.arrivals.length,
    perProcess: perProcess(slow!.arrivals),
  },
  crawlDelay: {
    limit: 1,
    reached: delay!.arrivals.length / seconds,
    shortestGapMs: Math.round(Math.min(...gaps)),
    perProcess: perProcess(delay!.arrivals),
  },
  suspension: {
    refusals: challengeArrivals.length,
    perProcess: perProcess(challengeArrivals),
    /** Number of requests without the limit. */
    feeds: count * 4 * 5,
  },
  quota: {
    limit: 60,
    sent: internet.of("api.github.com").length,
    perProcess: perProcess(internet.of("api.github.com")),
  },
  robots: Object.fromEntries(
    ["delay.test"].map((host) => [
      host,
      internet.arrivals.filter((one) => one.host === host && one.path === "/robots.txt").length,
    ]),
  ),
})
await Promise.all(processes.map((one) => one.end("SIGTERM")))
internet.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
