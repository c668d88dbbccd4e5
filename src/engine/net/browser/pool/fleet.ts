import { systemClock } from "../../../../base/clock.ts"
import { every, type Loop } from "../../../../base/every.ts"
import { Semaphore } from "../../../../base/semaphore.ts"
import type { ChromeIdentity } from "../chrome/identity.ts"
import { type Endpoint, Endpoints } from "./endpoints.ts"
import type { Lease, LeaseRequest, NetLeaseRequest } from "./lease.ts"
import type { Leasing, LeasingStats, Remote } from "./leasing.ts"
import { exchangesPerTab } from "./pool.ts"

const watchMs = 5000

/** A remote browser among others. */
export interface Member extends Endpoint {
  remote: Remote
}

/** Several remote browsers as one: each lease uses one that responds. */
export class Fleet implements Leasing {
  private readonly endpoints: Endpoints<Member>
  private readonly tabs: Semaphore
  private readonly documents: Semaphore
  private readonly calls: Semaphore
  private watch?: Loop

  /** @param tabs Maximum open tabs over all browsers; each also has its own limit. */
  constructor(
    private readonly members: readonly Member[],
    tabs: number,
    private readonly onNote: (message: string) => void = () => {},
  ) {
    this.endpoints = new Endpoints(members, systemClock, onNote)
    this.tabs = new Semaphore(tabs)
    this.documents = new Semaphore(tabs)
    this.calls = new Semaphore(tabs * exchangesPerTab)
  }

  async lease(request: LeaseRequest): Promise<Lease> {
    const { remote, over } = await this.admit(this.tabs, request.signal)
    try {
      const lease = await remote.lease(request)
      return { visit: lease.visit, close: () => lease.close().finally(over) }
    } catch (error) {
      over()
      throw error
    }
  }

  async fetch(lease: NetLeaseRequest) {
    const places = lease.request.as === "call" ? this.calls : this.documents
    const { remote, over } = await this.admit(places, lease.signal)
    try {
      return await remote.fetch(lease)
    } finally {
      over()
    }
  }

  private async admit(places: Semaphore, signal?: AbortSignal) {
    this.watch ??= every(watchMs, () => this.endpoints.watch(), {
      onError: (error) => this.onNote(String(error)),
    })
    const leave = await places.take(signal)
    try {
      const { endpoint, release: giveBack } = await this.endpoints.take(signal)
      const over = () => {
        giveBack()
        leave()
      }
      return { remote: endpoint.remote, over }
    } catch (error) {
      leave()
      throw error
    }
  }

  async releaseOwner(owner: string): Promise<void> {
    await Promise.all(this.members.map(({ remote }) => remote.releaseOwner(owner)))
  }

  async learn(): Promise<ChromeIdentity> {
    const { endpoint, release: giveBack } = await this.endpoints.take()
    try {
      return await endpoint.remote.learn()
    } finally {
      giveBack()
    }
  }

  stats(): LeasingStats {
    const each = this.members.map(({ remote }) => remote.stats())
    const sum = (count: (stats: LeasingStats) => number) =>
      each.reduce((total, stats) => total + count(stats), 0)
    const remotes = this.endpoints.states()
    return {
      chromes: sum(({ chromes }) => chromes),
      contexts: sum(({ contexts }) => contexts),
      leases: remotes.reduce((total, { leases }) => total + leases, 0),
      remotes,
    }
  }

  async stop(): Promise<void> {
    this.endpoints.stop()
    await this.watch?.stop()
    await Promise.all(this.members.map(({ remote }) => remote.stop()))
  }
}
