/**
 * Passes each spelling of a forbidden address to each text input of each scraper, and counts the
 * connections that the probe server saw. Before that, the same addresses are tried with the filter
 * open, or a count of zero would prove nothing.
 */
import { catalogue } from "../../src/catalogue/index.ts"
import { attackedFilter, Probe, spellings } from "../../test/trust/forbidden.ts"
import { textFields, tryField } from "../../test/trust/scraper-inputs.ts"

const probe = await Probe.open()
const fields = textFields(catalogue)
const texts = spellings(probe.port)

let leading = 0
for (const field of fields) {
  const before = probe.reached
  await tryField(field, `http://127.0.0.1:${probe.port}/`, attackedFilter(["127.0.0.1"]))
  if (probe.reached > before) leading++
}
probe.reached = 0

const egressFilter = attackedFilter()
let tried = 0
let refused = 0
for (const field of fields) {
  for (const text of texts) {
    if (await tryField(field, text, egressFilter)) tried++
    else refused++
  }
}
console.log(`${catalogue.length} scrapers, ${fields.length} text inputs, ${texts.length} spellings`)
console.log(`${leading} inputs reach the probe server if the filter is open`)
console.log(
  `${tried} runs, ${refused} refused as input: ${probe.reached} connections at the probe server`,
)
probe.close()
process.exit(probe.reached === 0 ? 0 : 1)
