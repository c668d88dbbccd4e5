import { observe } from "../test/api/compat/observe.ts"
import { pagePath, withStandings } from "../test/api/compat/standings.ts"

/** Writes into docs/guide/use/compatibility.md the status of each call, header and method, as the tests see it. */
const page = withStandings(await Bun.file(pagePath).text(), await observe())
await Bun.write(pagePath, page)
for (const line of page.split("\n")) if (line.includes("| untested |")) console.log(line)
