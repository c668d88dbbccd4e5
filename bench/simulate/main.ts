/**
 * Where a cluster of many processes on one PostgreSQL reaches its limits, by a simulation that is fed with
 * measured costs (costs.json). docs/internals/scale.md says what follows from it.
 *
 *     bun bench/simulate/main.ts                  # the table
 *     bun bench/simulate/main.ts --measure        # measures the costs again, into costs.json (five minutes)
 *
 * The deployment can be said: `--cores 2 --at-once 32 --database-cores 8 --round-trip 0.5 --flush 1
 * --hosts 2000 --host-rate 1 --answer 400 --targets 100`.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { MeasuredCosts } from "./costs.ts"
import { type Cluster, type Load, type Result, simulate } from "./model.ts"

const number = (standard: number) => ({ type: "string" as const, default: String(standard) })
const { values } = parseArgs({
  options: {
    measure: { type: "boolean", default: false },
    cores: number(2),
    "at-once": number(32),
    "database-cores": number(8),
    "round-trip": number(0.5),
    flush: number(1),
    hosts: number(2000),
    "host-rate": number(1),
    response: number(400),
    targets: number(100),
  },
})
const file = join(import.meta.dir, "costs.json")
if (values.measure) {
  const { measure } = await import("./measure.ts")
  const measured = await measure()
  await Bun.write(file, `${JSON.stringify(measured, null, 2)}\n`)
  console.log(measured)
  process.exit(0)
}

const { measured, machine, costs } = (await Bun.file(file).json()) as MeasuredCosts
const cluster: Omit<Cluster, "processes"> = {
  cores: Number(values.cores),
  atOnce: Number(values["at-once"]),
  databaseCores: Number(values["database-cores"]),
  roundTripMs: Number(values["round-trip"]),
  flushMs: Number(values.flush),
}
const load: Load = {
  targetsOfRun: Number(values.targets),
  hosts: Number(values.hosts),
  hostRate: Number(values["host-rate"]),
  responseMs: Number(values.response),
}

console.log(`Costs of ${measured} (${machine}).`)
table("As said", costs, load)
// Hosts without a rate limit: the capacity of the cluster itself.
table("Hosts without end", costs, { ...load, hosts: load.hosts * 50 })

function table(name: string, costs: MeasuredCosts["costs"], load: Load): void {
  console.log(
    `\n${name}: ${load.hosts} hosts of ${load.hostRate} a second, ${load.targetsOfRun} pages a run`,
  )
  const rows = [1, 2, 5, 10, 20, 50, 100, 200].map((processes) => ({
    trawls: processes,
    ...columns(simulate(costs, { ...cluster, processes }, load)),
  }))
  console.table(rows)
}

function columns({ targetsPerSecond, used, commitMsP99, leasesPerSecond }: Result) {
  const percent = (part: number) => `${Math.round(part * 100)} %`
  // A log that is always busy is not full: each flush writes all waiting commits.
  const [fullest] = Object.entries({ ...used, log: 0 }).sort(([, one], [, other]) => other - one)
  return {
    "pages/s": Math.round(targetsPerSecond),
    processes: percent(used.processes),
    database: percent(used.database),
    log: percent(used.log),
    hosts: percent(used.hosts),
    "one host's row": percent(used.lease),
    "leases/s": Math.round(leasesPerSecond),
    "commit p99": `${Math.round(commitMsP99)} ms`,
    fullest: fullest![0],
  }
}
