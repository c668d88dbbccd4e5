/** Reads from a server at full speed until it is killed. Reports when all requests have started. */
const [root, kind, count, key, other = ""] = process.argv.slice(2) as [string, string, ...string[]]
const started: Promise<void>[] = []

const get = (path: string, apiKey: string) =>
  fetch(root + path, { headers: { authorization: `Bearer ${apiKey}` } })

/** Repeats a request endlessly; it counts as started at its first response. */
function repeat(work: () => Promise<Response>): void {
  const allStarted = Promise.withResolvers<void>()
  started.push(allStarted.promise)
  void (async () => {
    for (;;) {
      const response = await work()
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      allStarted.resolve()
      for await (const _ of response.body!);
    }
  })()
}

function exports(most: number): void {
  const path = "/api/v1/datasets/ds_1/items?format=csv"
  for (let n = 0; n < most; n++) repeat(() => get(path, key!))
}

function lists(most: number): void {
  const queries = ["limit=1", "slug=slug-1", "status=failed", "limit=1000&offset=140000"]
  for (let n = 0; n < most; n++) {
    repeat(() => get(`/api/v1/runs?${queries[n % queries.length]}`, key!))
  }
}

/** A run over a site of this process: some pages a second, for longer than the measurement. */
async function events(most: number, apiKey: string): Promise<void> {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch() {
      await Bun.sleep(1000)
      return new Response("<h1>page</h1>", { headers: { "content-type": "text/html" } })
    },
  })
  const urls = Array.from({ length: 500 }, (_, n) => `${site.url.href}${n}`)
  const response = await fetch(`${root}/api/v1/scrapers/url-to-markdown-scraper/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ urls }),
  })
  const { id, error } = (await response.json()) as { id: string; error?: unknown }
  if (error) throw new Error(JSON.stringify(error))
  for (let n = 0; n < most; n++) repeat(() => get(`/api/v1/runs/${id}/events`, apiKey))
}

if (kind === "exports" || kind === "all") exports(Number(count) || 50)
if (kind === "lists" || kind === "all") lists(Number(count) || 10)
if (kind === "events") await events(Number(count), key!)
if (kind === "all") await events(1000, other)
await Promise.all(started)
console.log("begun")

export {}
