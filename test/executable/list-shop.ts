const pages = 3
const onPage = 10

/** A shop whose list has several pages; a script draws the stock of each chair. */
export class ListShop {
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => this.response(new URL(request.url)),
  })

  readonly root = `http://127.0.0.1:${this.server.port}`

  stop = () => this.server.stop(true)

  private response({ pathname, searchParams }: URL): Response {
    const n = Number(/^\/p\/(\d+)$/.exec(pathname)?.[1])
    const page = Number(searchParams.get("page") ?? 1)
    const body = n ? this.chair(n) : pathname === "/" ? this.list(page) : ""
    return new Response(
      `<!doctype html><html lang="en"><title>Chairs</title><main>${body}</main></html>`,
      {
        status: body ? 200 : 404,
        headers: { "content-type": "text/html;charset=utf-8" },
      },
    )
  }

  private list(page: number): string {
    const first = (page - 1) * onPage + 1
    const cards = Array.from({ length: onPage }, (_, at) => first + at).map(
      (n) =>
        `<article class="card"><h3><a href="/p/${n}">Chair ${n}</a></h3><p class="price">${n + 99}.50 €</p></article>`,
    )
    const next = page < pages ? `<a class="next" href="/?page=${page + 1}">Next page</a>` : ""
    return `<h1>All chairs</h1>${cards.join("")}<nav>${next}</nav>`
  }

  private chair(n: number): string {
    return `<h1>Chair ${n}</h1><p class="sku">SKU-${n}</p><p id="stock"></p>
      <p>A chair made of wood, which is good to sit on for a long time, at a table or alone.</p>
      <script>stock.innerHTML = "<b class=stock>" + ${n} * 2 + " left</b>"</script>`
  }
}
