import type { Costs } from "./costs.ts"
import { Agenda, Resource, seeded } from "./resource.ts"

export interface Cluster {
  processes: number
  /** Cores of each process's machine. */
  cores: number
  /** Targets that each process handles concurrently. */
  atOnce: number
  databaseCores: number
  /** Round trip between a process and the database in milliseconds. */
  roundTripMs: number
  /**
   * One flush of the database's log to disk in milliseconds, including its synchronous replicas.
   */
  flushMs: number
}

export interface Load {
  targetsOfRun: number
  hosts: number
  /** Maximum requests a second to a host. */
  hostRate: number
  /** Median response time of hosts in milliseconds. */
  responseMs: number
}

export interface Result {
  targetsPerSecond: number
  /** Utilization of each part of the system: 1 is fully used. */
  used: Record<"processes" | "database" | "log" | "hosts" | "lease", number>
  /** Milliseconds from a target's response to its commit, 99th percentile. */
  commitMsP99: number
  leasesPerSecond: number
}

/** The store's limits: connections of a process that write, and changes in one transaction. */
const tenants = 4
const groupSize = 32
/** The rate limits' parameters: how far ahead start times are leased, and how many at once. */
const aheadMs = 500
const slotsAtOnce = 16
const secondMs = 1000

/**
 * Simulates some seconds of a cluster with unlimited work. Targets of a run go to one host. A
 * target waits for its host's next start time, for the response, for a core, and for the commit
 * that it shares with others of its process.
 */
export function simulate(costs: Costs, cluster: Cluster, load: Load, seconds = 10): Result {
  const agenda = new Agenda()
  const random = seeded(1)
  const end = seconds * secondMs
  const warm = end / 4
  const database = new Resource(cluster.databaseCores)
  const log = new Resource(1)
  const leaseLocks = Array.from({ length: load.hosts }, () => new Resource(1))
  const hostNextAt = new Float64Array(load.hosts)
  const intervalMs = secondMs / load.hostRate
  const cores = Array.from({ length: cluster.processes }, () => new Resource(cluster.cores))
  const commitMs: number[] = []
  let done = 0
  let leases = 0

  const exponential = (mean: number) => -Math.log(1 - random()) * mean
  /** Most hosts answer soon, and some late: log-normal, with a deviation of 0.8. */
  const response = () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return load.responseMs * Math.exp(0.8 * normal)
  }

  for (let process = 0; process < cluster.processes; process++) begin(process)

  function begin(process: number): void {
    const groups = Array.from({ length: tenants }, () => ({ waiting: [] as number[], busy: false }))
    const slots = new Map<number, { times: number[]; waiting: (() => void)[] }>()

    const everySecond = () => {
      database.use(agenda.now, costs.databaseBeat + costs.databaseLook)
      agenda.at(agenda.now + secondMs, everySecond)
    }
    agenda.at(random() * secondMs, everySecond)

    const commit = (tenant: number) => {
      const group = groups[tenant]!
      if (group.busy || group.waiting.length === 0) return
      group.busy = true
      const changes = group.waiting.splice(0, groupSize)
      const worked = database.use(
        agenda.now + cluster.roundTripMs,
        costs.databaseCommit + changes.length * costs.databaseTarget,
      )
      agenda.at(worked, () =>
        flush(() => {
          const committed = agenda.now + cluster.roundTripMs
          agenda.at(committed, () => {
            group.busy = false
            for (const at of changes) if (agenda.now > warm) commitMs.push(agenda.now - at)
            if (agenda.now > warm) done += changes.length
            commit(tenant)
          })
        }),
      )
    }

    /** A host's start times; the host's row is locked while they are leased. */
    const lease = (host: number) => {
      const stored = slots.get(host)!
      leases++
      const wanted = Math.min(slotsAtOnce, Math.max(1, Math.ceil(aheadMs / intervalMs)))
      const requested = agenda.now + cluster.roundTripMs / 2
      const worked = database.use(requested, costs.databaseLease)
      const locked = leaseLocks[host]!.use(
        Math.max(requested, worked - costs.databaseLease),
        costs.databaseLease,
      )
      agenda.at(Math.max(worked, locked) + cluster.roundTripMs / 2, () => {
        for (let n = 0; n < wanted; n++) {
          const at = Math.max(hostNextAt[host]!, agenda.now)
          hostNextAt[host] = at + intervalMs
          stored.times.push(at)
        }
        while (stored.times.length > 0 && stored.waiting.length > 0) stored.waiting.shift()!()
        if (stored.waiting.length > 0) lease(host)
      })
    }

    const slot = (host: number, then: (at: number) => void) => {
      const stored = slots.get(host) ?? { times: [], waiting: [] }
      slots.set(host, stored)
      const take = () => then(Math.max(stored.times.shift()!, agenda.now))
      if (stored.times.length > 0) return take()
      stored.waiting.push(take)
      if (stored.waiting.length === 1) lease(host)
    }

    const work = (host: number, left: number) => {
      if (left === 0) {
        database.use(agenda.now, costs.databaseRun)
        return startRun()
      }
      slot(host, (at) => {
        agenda.at(at + response(), () => {
          const read = cores[process]!.use(agenda.now, exponential(costs.page))
          agenda.at(read, () => {
            const tenant = Math.floor(random() * tenants)
            groups[tenant]!.waiting.push(agenda.now)
            commit(tenant)
            work(host, left - 1)
          })
        })
      })
    }

    const startRun = () => {
      const ready = cores[process]!.use(agenda.now, costs.run)
      agenda.at(ready, () => work(Math.floor(random() * load.hosts), load.targetsOfRun))
    }

    // Runs do not start at the same moment, and are not all at their first target.
    for (let n = 0; n < cluster.atOnce; n++) {
      agenda.at(random() * secondMs, () =>
        work(Math.floor(random() * load.hosts), 1 + Math.floor(random() * load.targetsOfRun)),
      )
    }
  }

  /** One flush writes all waiting commits. */
  const waitingForDisk: (() => void)[] = []
  let flushing = false
  function flush(then: () => void): void {
    waitingForDisk.push(then)
    if (flushing) return
    flushing = true
    const next = () => {
      const together = waitingForDisk.splice(0)
      if (together.length === 0) {
        flushing = false
        return
      }
      agenda.at(log.use(agenda.now, cluster.flushMs), () => {
        for (const one of together) one()
        next()
      })
    }
    next()
  }

  agenda.runUntil(end)
  commitMs.sort((a, b) => a - b)
  const measured = (end - warm) / secondMs
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    targetsPerSecond: done / measured,
    used: {
      processes: mean(cores.map((one) => one.utilisation(end))),
      database: database.utilisation(end),
      log: log.utilisation(end),
      hosts: done / measured / (load.hosts * load.hostRate),
      lease: leaseLocks.reduce((most, one) => Math.max(most, one.utilisation(end)), 0),
    },
    commitMsP99: commitMs[Math.floor(commitMs.length * 0.99)] ?? 0,
    leasesPerSecond: leases / (end / secondMs),
  }
}
