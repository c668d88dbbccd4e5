import type { TrawlProcess } from "./process.ts"

/**
 * Requests and the number of items that each must return. `n` is in each URL, so each request has
 * its own pages.
 */
interface Kind {
  slug: string
  items: number
  input(root: string, n: number): Record<string, unknown>
}

const pages = (root: string, n: number, count: number) =>
  Array.from({ length: count }, (_, page) => `${root}/${n}/${page}`)

const kinds: readonly Kind[] = [
  {
    slug: "web-scraper",
    items: 3,
    input: (root, n) => ({ urls: pages(root, n, 3), fields: ["title: h1"] }),
  },
  { slug: "meta-tags-scraper", items: 2, input: (root, n) => ({ urls: pages(root, n, 2) }) },
  { slug: "rss-feed-reader", items: 5, input: (root, n) => ({ feedUrls: [`${root}/${n}/feed`] }) },
  // One target starts, and follows links to the others.
  {
    slug: "website-content-crawler",
    items: 4,
    input: (root, n) => ({ startUrls: [`${root}/${n}/0`], maxPages: 4 }),
  },
]

/**
 * Serves a site with a folder for each request: four pages that link to each other, and a feed of
 * five.
 */
export function mixedSite() {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, origin } = new URL(request.url)
      const [, n, page] = pathname.split("/")
      if (!page || !/^\d+$/.test(n!)) return new Response("", { status: 404 })
      await Bun.sleep(20 + Math.random() * 280)
      const list = (part: (index: number) => string, count: number) =>
        Array.from({ length: count }, (_, index) => part(index)).join("")
      if (page === "feed") {
        const entry = (index: number) =>
          `<item><title>${index}</title><link>${origin}/${n}/entry-${index}</link></item>`
        return new Response(
          `<rss version="2.0"><channel><title>${n}</title>${list(entry, 5)}</channel></rss>`,
          { headers: { "content-type": "application/rss+xml" } },
        )
      }
      const link = (index: number) => `<p>To <a href="/${n}/${index}">page ${index}</a>.</p>`
      return new Response(
        `<html><head><title>${pathname}</title></head><body><main><h1>Page ${pathname}</h1>${list(link, 4)}</main></body></html>`,
        { headers: { "content-type": "text/html" } },
      )
    },
  })
  return { root: server.url.origin, stop: () => server.stop(true) }
}

/** An acknowledged run: its ID, or the URL of its result. */
export interface Acknowledged {
  n: number
  items: number
  id?: string
  resultUrl?: string
}

export interface Counted {
  acknowledged: Acknowledged[]
  /** Number of keyless requests that returned their items, and those whose items were wrong. */
  answered: number
  wrong: string[]
  /** Rejected, or lost with the connection, and not sent again. */
  refused: { n: number; response: string }[]
}

interface LoadOptions {
  siteRoot: string
  key: string
  processes: readonly TrawlProcess[]
  callers: number
}

/**
 * Clients that start one run after the other until they are stopped. Of each four requests, two are
 * repeated with the same Idempotency-Key until they are acknowledged, one is sent once with a key,
 * and one without.
 */
export class MixedLoad {
  readonly counted: Counted = { acknowledged: [], answered: 0, wrong: [], refused: [] }
  /** The last acknowledged requests: when each was sent, and when its response came. */
  private accepted: { begunAt: number; at: number }[] = []
  private next = 0
  private ended = false
  private readonly calling: Promise<unknown>

  constructor(private readonly options: LoadOptions) {
    this.calling = Promise.all(Array.from({ length: options.callers }, () => this.call()))
  }

  async end(): Promise<Counted> {
    this.ended = true
    await this.calling
    return this.counted
  }

  /** Returns when a request was answered that was sent after this moment. */
  acceptedSince(moment: number): number | undefined {
    return this.accepted.find(({ begunAt }) => begunAt > moment)?.at
  }

  get calls(): number {
    return this.next
  }

  private async call(): Promise<void> {
    while (!this.ended) {
      const n = this.next++
      const kind = kinds[Math.floor(n / 4) % kinds.length]!
      if (n % 4 === 3) await this.keyless(n, kind)
      else if (n % 4 === 2) await this.once(n, kind)
      else await this.untilAcknowledged(n, kind)
    }
  }

  private get root(): string {
    const { processes } = this.options
    return processes[Math.floor(Math.random() * processes.length)]!.root
  }

  private async post(n: number, kind: Kind, headers: Record<string, string>) {
    const begunAt = performance.now()
    const response = await fetch(`${this.root}/api/v1/scrapers/${kind.slug}/runs`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.options.key}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(kind.input(this.options.siteRoot, n)),
      signal: AbortSignal.timeout(40_000),
    }).catch(String)
    if (typeof response === "string") return response
    const text = await response.text().catch(String)
    if (!response.ok) return `${response.status} ${text}`
    this.accepted = [...this.accepted.slice(-99), { begunAt, at: performance.now() }]
    const { id } = JSON.parse(text)
    this.counted.acknowledged.push({ n, items: kind.items, id })
    return undefined
  }

  private async untilAcknowledged(n: number, kind: Kind): Promise<void> {
    while (await this.post(n, kind, { "idempotency-key": `run-${n}` })) await Bun.sleep(200)
  }

  private async once(n: number, kind: Kind): Promise<void> {
    const refusal = await this.post(n, kind, {})
    if (refusal === undefined) return
    this.counted.refused.push({ n, response: refusal })
    await Bun.sleep(200)
  }

  private async keyless(n: number, kind: Kind): Promise<void> {
    const input = JSON.stringify(kind.input(this.options.siteRoot, n))
    const path = `/api/scrape/${kind.slug}?input=${encodeURIComponent(input)}`
    const response = await fetch(this.root + path, { signal: AbortSignal.timeout(60_000) }).catch(
      String,
    )
    const text = typeof response === "string" ? response : await response.text().catch(String)
    const body = asJson(text)
    if (body?.status === "RUNNING") {
      this.counted.acknowledged.push({ n, items: kind.items, resultUrl: body.resultUrl })
    } else if (body?.status === "SUCCEEDED") {
      this.counted.answered++
      if (body.itemCount !== kind.items) this.counted.wrong.push(text)
    } else this.counted.refused.push({ n, response: text })
    await Bun.sleep(200)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON response
function asJson(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
