import { afterAll, afterEach, expect, test } from "bun:test"
import { Installation, type Serving } from "../../../api/process.ts"

/**
 * A site that challenges every visitor without a clearance cookie once, and counts the challenges.
 */
let challenges = 0
const clearances = new Set<string>()
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/robots.txt") return new Response("", { status: 404 })
    if (pathname === "/challenge") {
      const pass = `pass-${++challenges}`
      clearances.add(pass)
      const headers = new Headers({ location: searchParams.get("to")! })
      headers.append("set-cookie", `aws-waf-token=${pass}; Path=/; Max-Age=600`)
      headers.append("set-cookie", "session=of-this-visit; Path=/")
      return new Response(null, { status: 302, headers })
    }
    const cookies = request.headers.get("cookie") ?? ""
    sessions += cookies.includes("session=") && pathname.startsWith("/later") ? 1 : 0
    const pass = /aws-waf-token=([\w-]+)/.exec(cookies)?.[1]
    if (pass && clearances.has(pass)) return new Response(sitemap, { headers: xml })
    if (pass)
      return new Response("", { status: 202, headers: { "x-amzn-waf-action": "challenge" } })
    return new Response(null, { status: 302, headers: { location: `/challenge?to=${pathname}` } })
  },
})
const xml = { "content-type": "application/xml" }
const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.com/</loc></url></urlset>`
let sessions = 0
afterAll(() => void site.stop(true))

const installations: Installation[] = []
const services: Serving[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.end("SIGKILL")
  for (const installation of installations.splice(0)) await installation.remove()
})

function install(settings: Record<string, string> = {}): Installation {
  const allowed = { TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}` }
  const installation = new Installation({ ...allowed, ...settings })
  installations.push(installation)
  return installation
}

async function serve(installation: Installation): Promise<Serving> {
  const service = await installation.serve()
  services.push(service)
  return service
}

const target = (path: string) => `http://127.0.0.1:${site.port}${path}`

async function keyless({ root }: Serving, path: string): Promise<string> {
  const query = new URLSearchParams({ url: target(path) })
  const response = await fetch(`${root}/api/scrape/sitemap-extractor?${query}`)
  return ((await response.json()) as { status: string }).status
}

/** A run of a new account. */
async function ofAccount(
  installation: Installation,
  { root }: Serving,
  email: string,
  path: string,
) {
  const { stdout } = await installation.run("account", "create", email, "--unlimited")
  const response = await fetch(`${root}/api/v1/scrapers/sitemap-extractor/runs?waitForFinish=300`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${stdout.trim().split("\n").at(-1)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ url: target(path) }),
  })
  expect(await response.json()).toMatchObject({ status: "succeeded" })
}

test("one challenge serves all callers, also after a restart, until its cookie is rejected", async () => {
  const before = challenges
  const solved = () => challenges - before
  const installation = install()
  const first = await serve(installation)
  expect(await keyless(first, "/one.xml")).toBe("SUCCEEDED")
  expect(await keyless(first, "/later-1.xml")).toBe("SUCCEEDED")
  await ofAccount(installation, first, "a@example.com", "/later-2.xml")
  await ofAccount(installation, first, "b@example.com", "/later-3.xml")
  expect(solved()).toBe(1)
  await first.end()
  const second = await serve(installation)
  expect(await keyless(second, "/later-4.xml")).toBe("SUCCEEDED")
  expect(solved()).toBe(1)
  expect(sessions).toBe(0)

  clearances.clear()
  // If a Chrome is available, it follows the challenge's redirect.
  await keyless(second, "/two.xml")
  expect(await keyless(second, "/later-5.xml")).toBe("SUCCEEDED")
  expect(await keyless(second, "/later-6.xml")).toBe("SUCCEEDED")
  expect(solved()).toBe(2)
}, 120_000)

test("TRAWL_REUSE_COOKIES=false stores none", async () => {
  const before = challenges
  const service = await serve(install({ TRAWL_REUSE_COOKIES: "false" }))
  expect(await keyless(service, "/one.xml")).toBe("SUCCEEDED")
  expect(await keyless(service, "/two.xml")).toBe("SUCCEEDED")
  expect(challenges - before).toBe(2)
}, 120_000)
