/**
 * The site of the crawl: 5,000 pages of about 18 KB with 20 links each, every one reachable from
 * the first. Prints its URL.
 */
export const pageCount = 5000
const linksPerPage = 20

const words = "crawl page index store queue batch frontier document anchor heading".split(" ")
const paragraph = (seed: number) =>
  `<p>${Array.from({ length: 40 }, (_, index) => words[(seed * 7 + index * 3) % words.length]).join(" ")}</p>`
const body = Array.from({ length: 60 }, (_, index) => paragraph(index)).join("\n")

function page(number: number): string {
  const links = Array.from({ length: linksPerPage }, (_, index) => {
    const to = (number * linksPerPage + index + 1) % pageCount
    return `<li><a href="/p/${to}">Page ${to}</a></li>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title>
<meta name="description" content="The content of page ${number} of the site."></head>
<body><header><h1>Page ${number}</h1></header><nav><ul>${links.join("")}</ul></nav>
<main>${body}</main></body></html>`
}

if (import.meta.main) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const path = request.url.slice(request.url.indexOf("/", 8))
      if (path === "/robots.txt") return new Response("User-agent: *\nDisallow: /private/\n")
      const number = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
      if (!(number < pageCount)) return new Response("not here", { status: 404 })
      return new Response(page(number), { headers: { "content-type": "text/html; charset=utf-8" } })
    },
  })
  console.log(`http://127.0.0.1:${server.port}/p/0`)
}
