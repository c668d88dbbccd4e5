/** A shop of 200 chairs, some of whose pages fail until it is repaired. */
const failing = new Set([7, 19, 33, 48, 61, 77, 90, 104, 122, 141, 160, 188])

export class Shop {
  /** Factor of all prices. */
  factor = 1
  isBroken = true
  /** Notifications that the shop received. */
  readonly received: { url: string; body: string }[] = []
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => this.response(request),
  })

  readonly root = `http://127.0.0.1:${this.server.port}`

  urls = () => Array.from({ length: 200 }, (_, index) => `${this.root}/p/${index + 1}`)

  stop = () => this.server.stop(true)

  private async response(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === "/topic") {
      this.received.push({ url: request.url, body: await request.text() })
      return new Response("ok")
    }
    if (pathname.startsWith("/img/")) return photo()
    const n = Number(/^\/p\/(\d+)$/.exec(pathname)?.[1])
    if (!(n >= 1 && n <= 200)) return new Response("There is no such page.", { status: 404 })
    if (this.isBroken && failing.has(n)) return new Response("Out of order.", { status: 500 })
    return new Response(this.page(n), { headers: { "content-type": "text/html;charset=utf-8" } })
  }

  /** A typical product page: a table without tbody, a price in euros, numbers with units. */
  private page(n: number): string {
    const price = ((100 + n * 7.35) * this.factor).toFixed(2).replace(".", ",")
    const euros = price.replace(/(\d)(?=(\d{3})+,)/, "$1.")
    return `<!doctype html><html lang="de"><title>Chair ${n}</title>
<style>body{font:1.1rem sans-serif;margin:2rem}h1{margin:1rem 0}.price{font-weight:bold;color:#a00}</style>
<header><a href="/p/1">Shop</a></header>
<main><h1>Chair ${n} “Łódź”</h1><img class="photo" src="/img/${n}.jpg" alt="A chair">
<p class="price">${euros} €</p><p>Rating: <span class="rating">${(3 + (n % 20) / 10).toFixed(1)} of 5</span></p>
<table><tr><th>Width<td>${40 + (n % 9)} cm<tr><th>Stock<td>${n % 13}</table>
<p><time datetime="2026-0${1 + (n % 9)}-1${n % 9}">a while ago</time></p>
<a class="maker" href="/maker/${n % 5}">Maker ${n % 5}</a>
<p>A chair made of wood, which is good to sit on for a long time, at a table or alone.</p></main></html>`
  }
}

const photo = () =>
  new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="140"><rect width="200" height="140" fill="#e8eef3"/>
<path d="M70 25v90M70 70h60v45" stroke="#576" stroke-width="10" fill="none"/></svg>`,
    { headers: { "content-type": "image/svg+xml" } },
  )
