import { resolve } from "node:path"
import { version } from "../config/version.ts"

/** Formats a log line for people on a terminal. */
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
There is no administrator yet. Create the administrator account with this link (valid once, for 30 minutes):

  ${ownerLink}
`
    : ""
  return `Trawl ${version} is running. Open:

  ${url}/         overview and first steps
  ${url}/docs     the API's reference
  ${url}/signup   sign up or in for an API key
${first}
First request:  curl '${url}/api/scrape?url=https://example.com'
Data folder: ${resolve(dataDir!)}. Press Ctrl+C to stop.

`
}
