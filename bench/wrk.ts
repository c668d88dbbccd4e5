import { readFileSync } from "node:fs"
import { join } from "node:path"
import { record } from "./figures.ts"

export interface Load {
  /** Folder for wrk's script. */
  folder: string
  /** The server's process, whose processor time is measured. */
  pid: number
  url: string
  seconds: number
  connections?: number
  headers?: Record<string, string>
  /** Sent as JSON by POST. */
  body?: unknown
  /** Milliseconds between a response and the connection's next request (default: 0). */
  rest?: number
}

export interface Measured {
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of processor time for each request, of all the server's threads. */
  processor: number
  failed: number
}

/** Runs wrk once, for `seconds`. */
export async function wrk(load: Load): Promise<Measured> {
  const { folder, pid, url, seconds, connections = 64, body, rest } = load
  const lua = (value: string) => JSON.stringify(value)
  const headers = {
    ...load.headers,
    ...(body !== undefined && { "content-type": "application/json" }),
  }
  const script = join(folder, "load.lua")
  await Bun.write(
    script,
    [
      `wrk.method = ${lua(body === undefined ? "GET" : "POST")}`,
      ...(rest ? [`function delay() return ${rest} end`] : []),
      ...Object.entries(headers).map(
        ([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`,
      ),
      ...(body === undefined ? [] : [`wrk.body = ${lua(JSON.stringify(body))}`]),
    ].join("\n"),
  )
  const before = processorTime(pid)
  const command = [
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--latency",
    "-s",
    script,
    url,
  ]
  // Asynchronous, because this process may serve the pages.
  const text = await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text()
  const used = processorTime(pid) - before
  const one = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ""
  return {
    perSecond: Number(one(/Requests\/sec:\s+([\d.]+)/)),
    p50: milliseconds(one(/ 50%\s+(\d\S+)/)),
    p99: milliseconds(one(/ 99%\s+(\d\S+)/)),
    processor: used / Number(one(/(\d+) requests in/)),
    failed: Number(one(/Non-2xx or 3xx responses: (\d+)/) || 0),
  }
}

/** Parses a time that wrk prints: 950.00us, 1.20ms, 2.00s. */
function milliseconds(text: string): number {
  const [, value, unit] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? []
  return Number(value) * { us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit ?? "ms"]!
}

/** Returns the microseconds of processor time that a process has used. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")
  return (Number(fields[13]) + Number(fields[14])) * 10_000
}

/**
 * Prints and records a measurement next to the one it is compared with: in elapsed time, and in
 * processor time, which other programs do not change.
 */
export function show(name: string, measured: Measured, plain?: Measured): void {
  const { perSecond, p50, p99, processor, failed } = measured
  record(name, perSecond, "requests/s")
  record(name, p50, "ms p50")
  record(name, p99, "ms p99")
  record(name, processor, "µs")
  if (plain) record(`${name}, to bare`, perSecond / plain.perSecond, "times")
  const rate = Math.round(perSecond).toLocaleString("en")
  const times = `p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms`
  const ratio = plain
    ? `  ${(perSecond / plain.perSecond).toFixed(2)} of bare, ${(plain.processor / processor).toFixed(2)} by the processor`
    : ""
  const issues = failed > 0 ? `  ${failed} FAILED` : ""
  console.log(
    `${name.padEnd(40)} ${rate.padStart(8)}/s  ${times}  ${processor.toFixed(1).padStart(6)} µs of processor${ratio}${issues}`,
  )
}
