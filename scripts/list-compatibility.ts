import { observe } from "../test/api/compat/observe.ts"
import { pagePath, readObserved, withStandings } from "../test/api/compat/standings.ts"

/**
 * Writes the status of each call, header and method, as the tests see it, into
 * docs/guide/use/compatibility.md. `--check FILE` compares the page with the calls that a run of
 * the tests wrote to this file (as `COMPATIBILITY_CALLS`), and prints the rows that differ.
 */
const [option, file] = process.argv.slice(2)
const page = await Bun.file(pagePath).text()
if (option === "--check") {
  const seen = readObserved(await Bun.file(file!).text())
  const rows = withStandings(page, seen).split("\n")
  const written = page.split("\n")
  const differing = rows.filter(
    (row, index) => row !== written[index] || row.includes("| untested |"),
  )
  for (const row of differing) console.log(`The tests see: ${row}`)
  process.exit(differing.length > 0 ? 1 : 0)
}
const updated = withStandings(page, await observe())
await Bun.write(pagePath, updated)
for (const line of updated.split("\n")) if (line.includes("| untested |")) console.log(line)
