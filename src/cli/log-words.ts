import { resolve } from "node:path"
import { version } from "../version.ts"

/** A line of the log as people read it on a terminal. */
export function inWords(line: string): string {
  const { level, time, msg, ...rest } = JSON.parse(line)
  if (msg === "listening") return welcome(rest)
  const at = new Date(time).toTimeString().slice(0, 8)
  const weight = level === "info" ? "" : `${level}: `
  if (msg === "call") {
    return `${at}  ${rest.method} ${rest.path} ${rest.status} in ${rest.ms} ms\n`
  }
  const { err, ...facts } = rest
  const reported = Object.entries(facts).map(([name, fact]) => ` ${name}=${String(fact)}`)
  const why = err ? `\n${err.stack ?? err.message}` : ""
  return `${at}  ${weight}${msg}${reported.join("")}${why}\n`
}

function welcome({ url, dataDir, ownerLink }: Record<string, string>): string {
  const first = ownerLink
    ? `
It has no owner yet. Make the owner's account, within 30 minutes, once:

  ${ownerLink}
`
    : ""
  return `Trawl ${version} is serving. Open:

  ${url}/         what it is, and a first try
  ${url}/docs     the API's reference
  ${url}/signup   sign up or in for a key
${first}
A first call:  curl '${url}/api/scrape?url=https://example.com'
The data is in ${resolve(dataDir!)}. Ctrl+C ends it.

`
}
