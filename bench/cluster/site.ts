/** A site that counts the requests for each of its pages. */
export function countingSite() {
  const requested = new Map<string, number[]>()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === "/robots.txt") return new Response("", { status: 404 })
      const times = requested.get(pathname) ?? []
      requested.set(pathname, [...times, performance.now()])
      await Bun.sleep(1 + Math.random() * 20)
      return new Response(`<html><body><h1>Page ${pathname}</h1></body></html>`, {
        headers: { "content-type": "text/html" },
      })
    },
  })
  return {
    root: server.url.origin,
    requests: () => [...requested.values()].reduce((sum, times) => sum + times.length, 0),
    /** Times of each page's requests. */
    times: (): ReadonlyMap<string, readonly number[]> => requested,
    pages: () => requested.size,
    stop: () => server.stop(true),
  }
}
