import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isRunningAll } from "../samples.ts"

/** The bytes that came through a pipe, and how its writer ended. */
export interface Piped {
  bytes: Buffer
  code: number
}

/** Readers of a pipe, as the shell's commands. */
export const readers = {
  ready: "cat",
  /** Reads nothing for a while once there is data, so that the pipe is full. */
  sleeping: "dd bs=1 count=1 2>/dev/null; sleep 1; cat",
  leaving: "dd bs=1 count=1 2>/dev/null",
}

/** Runs a command into a pipe with this reader. */
export async function pipe(
  command: string[],
  reader: keyof typeof readers,
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Piped> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-pipe-"))
  const script = `{ "$@" 2>"$DIR/log"; echo $? >"$DIR/code"; } | { ${readers[reader]}; } >"$DIR/out"`
  try {
    const child = Bun.spawn(["sh", "-c", script, "sh", ...command], {
      cwd: folder,
      // Without variables of tests: an unknown setting is rejected.
      env: { PATH: process.env.PATH, HOME: folder, ...options.env, DIR: folder },
      stdin: new TextEncoder().encode(options.stdin ?? ""),
      stdout: "inherit",
      stderr: "inherit",
    })
    await child.exited
    return {
      bytes: readFileSync(join(folder, "out")),
      code: Number(readFileSync(join(folder, "code"), "utf8")),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many times a run's items fill a pipe. */
export const fillings = isRunningAll ? 100 : 20
const parts = 6
const entries = 7 * fillings

/** A site whose sitemaps list enough URLs that a run's items fill a pipe many times. */
export function wideSite() {
  const xml = (body: string) =>
    new Response(`<?xml version="1.0"?>${body}`, { headers: { "content-type": "text/xml" } })
  const list = (kind: "sitemap" | "url", origin: string, paths: string[]) =>
    paths.map((path) => `<${kind}><loc>${origin}/${path}</loc></${kind}>`).join("\n")
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, origin } = new URL(request.url)
      const numbers = (count: number) => [...Array(count).keys()]
      if (pathname === "/index.xml") {
        const files = numbers(parts).map((part) => `part-${part}.xml`)
        return xml(`<sitemapindex>${list("sitemap", origin, files)}</sitemapindex>`)
      }
      const part = /part-(\d+)/.exec(pathname)?.[1]
      if (!part) return new Response("", { status: 404 })
      const pages = numbers(entries).map((n) => `${part}/${"tides-and-ports-".repeat(100)}${n}`)
      return xml(`<urlset>${list("url", origin, pages)}</urlset>`)
    },
  })
  return {
    items: parts * entries,
    words: [
      "run",
      "sitemap-extractor",
      "--input",
      JSON.stringify({ url: new URL("/index.xml", server.url).href, maxUrls: parts * entries }),
    ],
    env: { TRAWL_EGRESS_ALLOW: "127.0.0.1" },
    stop: () => server.stop(true),
  }
}

/** MCP requests over stdio whose responses fill a pipe many times. */
export function manyCalls(count: number): string {
  const initialize = {
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }
  const lists = Array.from({ length: count }, () => ({ method: "tools/list" }))
  return [initialize, ...lists]
    .map((call, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...call })}\n`)
    .join("")
}

/** Returns the IDs of the received responses, each a whole line. */
export function answeredIds({ bytes }: Piped): number[] {
  return bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id)
}
